"""`hisabu replay FOLDER --why`: what may have happened at each rest of a recorded table."""

import json
import math
from pathlib import Path

import pytest

from device.cli import main
from device.commands.why import print_why
from engine.table.evidence import Rest, Seen, Weigher
from engine.table.history import PLAYING, TRICK, History, Step, Thing
from engine.table.why import ACTS, BEFORE, Account, Why, why
from tests.engine.test_cards_table import dealt

RECORDING = Path(__file__).parents[1] / "data" / "one_trick"


def test_a_recording_tells_what_may_have_happened_at_each_rest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(RECORDING), "--why", "--lang", "en"]) == 0
    told = capsys.readouterr().out.splitlines()
    rests = [number for number, line in enumerate(told) if "  still period " in line]
    assert len(rests) > 5
    assert any("100.0%  deal 4♠" in line or "%  deal 4♠" in line for line in told)
    laid = next(number for number, line in enumerate(told) if "%  lay player 2 Q♣" in line)
    otherwise = next(line for line in told[laid:] if "%  nothing   " in line and "[" in line)
    assert "Q♣ unexplained -" in otherwise, "why it was laid: nothing else explains what is seen"
    assert told[-1] == "The same as when it was recorded. Events: 4."


def test_the_same_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(RECORDING), "--why", "--json"]) == 0
    rests = [told["why"] for line in capsys.readouterr().out.splitlines() if "why" in (told := json.loads(line))]
    assert [rest["rest"] for rest in rests] == list(range(1, len(rests) + 1)), "the last one too"
    acts = [act for rest in rests for act in rest["histories"][0]["acts"]]
    assert {"act": "lay", "seat": 1, "card": "QC"} in acts
    for rest in rests:
        shares = [history["share"] for history in rest["histories"]]
        assert shares == sorted(shares, reverse=True) and 0 < sum(shares) <= 1.0001
        assert rest["histories"][0]["terms"] == {}, "against itself nothing speaks"


def test_a_journal_has_no_looks_to_explain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "match.jsonl"), "--why", "--lang", "en"]) == 2
    assert "--why needs a recording" in capsys.readouterr().err


def test_what_decides_is_told_by_name() -> None:
    table = dealt()
    told: list[Why] = []
    table.table.explain_to = told.append
    table.put("KS", (0.0, 0.2), 0)
    table.rest()
    table.table.explain()
    laid = next(why for why in told if any(step.card == "KS" for step in why.accounts[0].steps))
    best, second = laid.accounts[:2]
    assert best.share > 0.9 > second.share
    beside = dict(second.beside(best))
    assert sum(beside.values()) == pytest.approx(math.log(second.share / best.share), abs=0.5)
    assert abs(second.beside(best)[0][1]) == max(map(abs, beside.values())), "the weightiest first"


def test_what_an_account_is_worth_is_told_whole() -> None:
    """Before, acts and looks together are all that it weighs."""
    table = dealt()
    weigher: Weigher = table.table._weigher
    step = Step("lay", 0, "KS", 1, rest=3)
    before = History(-1.0, (), PLAYING, things=(Thing(1, "7H", (-0.65, -0.2), True, TRICK),))
    future = before._replace(logp=-3.0, steps=(step,))
    rest = Rest(3)
    rest.looks += [Seen(1.0, {}, (), 0.3, True, frozenset(), ())] * 2
    weighed = future.logp + weigher.rest(future, rest)
    account = why([future._replace(logp=0.0)], [before], [future], rest, weigher, 3).accounts[0]
    assert (account.terms[BEFORE], account.terms[ACTS]) == (-1.0, -2.0)
    assert sum(account.terms.values()) == pytest.approx(weighed)
    assert account.steps == (step,)


def test_what_differs_earlier_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = Step("lay", 1, "6C", 1), Step("lay", 2, "6H", 1)
    accounts = (Account(0.7, (), (first,), {BEFORE: 0.0}), Account(0.3, (), (second,), {BEFORE: -0.8}))
    print_why(Why(4, 12.5, 2, False, accounts), False, "en", ["Ali", "Zaïna", "Fatima"])
    assert capsys.readouterr().out.splitlines()[-1].split("   ")[-2:] == [
        "(before: lay Fatima 6♥, not lay Zaïna 6♣)", "[before -0.8]"
    ]  # fmt: skip
