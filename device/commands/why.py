"""`hisabu replay FOLDER --why`: at each rest of a card table, what may have happened and what decides."""

import json
import re
from collections.abc import Sequence
from functools import partial

from device import words
from engine.cards import is_card
from engine.table.hypothesis import Step
from engine.table.why import ACTS, BEFORE, ScoredHypothesis, Why

TERMS = 5
"""The weightiest that are told of one hypothesis."""
LEAST_SHARE = 0.0005
"""What is likely less than that is not told where nothing happened; where something did, what speaks against the rest
says why."""
_CARD = re.compile(r"\S+")


def print_why(why: Why, as_json: bool, language: str, seats: Sequence[str] = ()) -> None:
    """Tells of one still period. What a hypothesis is better or worse by than the likeliest is a logarithm: 2.3 is ten
    times."""
    if as_json:
        print(json.dumps({"why": _plain(why)}, ensure_ascii=False))
        return
    told = partial(words.say, language)
    print(
        told(
            "replay-why_glance" if why.glance else "replay-why",
            at_s=f"{why.at_s:8.2f}",
            rest=why.number,
            looks=why.looks,
        )
    )
    best = why.hypotheses[0]
    for scored in why.hypotheses:
        if scored is not best and scored.posterior < LEAST_SHARE and not best.steps:
            continue
        did = ", ".join(_act(step, language, seats) for step in scored.steps) or told("replay-nothing")
        other = [_act(step, language, seats) for step in scored.only(best)]
        other += [f"{told('replay-not')} {_act(step, language, seats)}" for step in best.only(scored)]
        did += f"   ({told('replay-before')}: {', '.join(other)})" if other else ""
        decides = "; ".join(f"{_term(name, language)} {worth:+.1f}" for name, worth in scored.beside(best)[:TERMS])
        print(f"{scored.posterior:10.1%}  {did}" + (f"   [{decides}]" if decides else ""))


def _plain(why: Why) -> dict[str, object]:
    best = why.hypotheses[0]
    return {
        "at_s": round(why.at_s, 3),
        "rest": why.number,
        "looks": why.looks,
        "glance": why.glance,
        "histories": [_scored(scored, best) for scored in why.hypotheses],
    }


def _scored(scored: ScoredHypothesis, best: ScoredHypothesis) -> dict[str, object]:
    terms = {name: round(worth, 2) for name, worth in scored.beside(best)}
    told = {"acts": scored.steps, "earlier": scored.only(best), "not_earlier": best.only(scored)}
    return {
        "share": round(scored.posterior, 4),
        **{name: _acts(steps) for name, steps in told.items()},
        "terms": terms,
    }


def _acts(steps: Sequence[Step]) -> list[dict[str, object]]:
    return [{"act": step.kind, "seat": step.seat, "card": step.card} for step in steps]


def _act(step: Step, language: str, seats: Sequence[str]) -> str:
    """What somebody did, in short: the code of the act, whose it was, which card."""
    who = () if step.seat is None else (words.choice_name(str(step.seat), language, seats),)
    card = () if step.card is None and step.kind != "lay" else (words.card_sign(step.card),)
    return " ".join((step.kind, *who, *card))


def _term(name: str, language: str) -> str:
    """The name of a term, cards as people know them."""
    if name in (BEFORE, ACTS):
        return words.say(language, f"replay-{name}")
    return _CARD.sub(lambda found: words.card_sign(found[0]) if is_card(found[0]) else found[0], name)
