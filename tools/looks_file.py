"""Looks of whole evenings, recorded once, so that a table can be run on them in seconds.

python -m tools.looks_file record --to FOLDER evening.mp4 turufu-4-house-901 pille-3-calm-7-out_of_turn
python -m tools.looks_file record --to FOLDER turufu-4-made_wide-7
python -m tools.looks_file run FOLDER/*.jsonl
python -m tools.looks_file run FOLDER/evening.jsonl --tell
python -m tools.looks_file run FOLDER/evening.jsonl --tell --why
python -m tools.looks_file run FOLDER/*.jsonl --answer
python -m tools.looks_file run FOLDER/*.jsonl --auto

What is recorded is what the eye hands over when it knows nothing of the game: every card is possible. A film has its
truth in a .json beside it; an evening is drawn by our simulator and named by its game, players, mess, seed and fault.
Of a mess that begins with made_ no picture is drawn: engine/simulate_looks.py makes the looks up.
"""

import argparse
import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from device.cameras.files import FileCamera
from device.commands.demo import say_who_takes
from device.commands.why import print_why
from device.following.auto import AutoFollower, NotYet
from device.following.follow import CardFollower, FrameSeen
from device.following.live import LiveTable
from device.keeping.looks import look_from_dict, look_to_dict
from device.keeping.settings import AUTO, Settings
from engine.cards import Card, suit_of
from engine.events import ASKED, Deal, Event, Play, TakenBack, event_to_dict, parse_event
from engine.match import Match
from engine.notices import ALERT, ASK, INFO, NO, YES, Notice
from engine.referee.card_game import CardJudge
from engine.sightings import TableLook
from engine.simulate_looks import LOOK_MESSES, LookTable
from engine.table.asking import UNREAD
from tools.evenings import Noted
from vision.cards.reader import CardReader
from vision.frame import Frame
from vision.synthetic.play_cards import DrawnCardTable, Lies
from vision.synthetic.play_mess import MESSES
from vision.synthetic.play_script import evening
from vision.table import CardTableEye

FORMAT = 1
DEALS = 2
"""Of one of our own evenings."""
SIZE = (960, 720)
"""Of its frames."""
MADE = "made_"
"""Begins the name of a mess of made-up looks."""
SAID = ("deal", "take")
"""Events of an evening by which players know what to say who are asked who takes."""
WITNESSED = (*ASKED, "suit", "twice")
"""What somebody who was there answers: what the table asks, and which suit was trump where no card turned up was read.
"""
BLANK = np.full((8, 8, 3), 128, np.uint8)
"""The frames of a run on looks: nobody reads them."""
TICK_S = 0.5
"""Between looks the follower is still told that time goes on."""


# -- recording -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Source:
    """What is looked at: its name, its frames, and what truly happened (complete once the frames are through)."""

    name: str
    game: str
    players: int
    frames: Iterator[Frame]
    truth: dict[str, Any]


@dataclass(frozen=True)
class Recorded:
    """A file of looks."""

    name: str
    game: str
    players: int
    looks: tuple[TableLook, ...]
    truth: Mapping[str, Any]


def film_source(path: Path) -> Source:
    """A film with its truth beside it."""
    known = json.loads(path.with_suffix(".json").read_text())
    camera = FileCamera(path)
    frames = iter(camera.frame, None)
    truth = {key: known[key] for key in ("events", "scored", "alerts", "happened")}
    return Source(path.stem, known["game"], known["players"], frames, truth)


@dataclass(frozen=True)
class _Evening:
    """What is played: game-players-mess-seed, and -fault for a planted one."""

    game: str
    players: int
    mess: str
    seed: int
    events: tuple[Event, ...]
    judge: CardJudge

    @staticmethod
    def of(name: str, deals: int) -> "_Evening":
        game, players, mess, seed, *fault = name.split("-")
        judge = Match(game, int(players)).judge
        assert isinstance(judge, CardJudge), f"{game} is not played with cards"
        events = evening(judge.game, Random(int(seed)), deals, fault[0] if fault else None)
        return _Evening(game, int(players), mess, int(seed), events, judge)

    def truth(self) -> dict[str, Any]:
        match = Match(self.game, self.players)
        notices = [notice for event in self.events for notice in match.add(event)]
        return {
            "events": [event_to_dict(event) for event in self.events],
            "scored": [notice.to_dict() for notice in notices if notice.code == "deal_scored"],
            "alerts": [notice.to_dict() for notice in notices if notice.level == ALERT],
            "happened": [],
        }


def evening_source(name: str, deals: int = DEALS) -> Source:
    """An evening of our simulator, drawn."""
    evening = _Evening.of(name, deals)
    table = DrawnCardTable(evening.judge.game, evening.seed, SIZE, MESSES[evening.mess])
    truth = evening.truth()

    truth["lies"] = []

    def frames() -> Iterator[Frame]:
        """Of what lies there is told only when it changes."""
        last: list[Lies] = []
        for frame in table.play(evening.events):
            if (lies := table.lies()) != last:
                cards = [
                    [card.card, round(card.at[0], 4), round(card.at[1], 4), card.kind, card.shows] for card in lies
                ]
                truth["lies"].append({"at_s": round(frame.at_s, 3), "cards": cards})
                last = lies
            yield frame
        truth["happened"] = [
            {"at_s": round(done.at_s, 3), "clear_s": round(done.clear_s, 3), **event_to_dict(done.event)}
            for done in table.truth
        ]

    return Source(name, evening.game, evening.players, frames(), truth)


def made_up(name: str, deals: int = DEALS) -> Recorded:
    """An evening of which only the looks are made up."""
    evening = _Evening.of(name, deals)
    table = LookTable(
        evening.judge.game, evening.seed, evening.judge.game.clockwise, LOOK_MESSES[evening.mess.removeprefix(MADE)]
    )
    truth, looks, told = evening.truth(), [], 0
    for look, done in table.looks(evening.events):
        looks.append(look)
        truth["happened"] += [
            {"at_s": round(look.at_s, 3), **event_to_dict(event)} for event in evening.events[told:done]
        ]
        told = max(told, done)
    return Recorded(name, evening.game, evening.players, tuple(looks), truth)


def source_of(what: str) -> Source:
    """A film by its path, an evening by its name."""
    return film_source(Path(what)) if Path(what).suffix == ".mp4" else evening_source(what)


def record(source: Source, into: Path, eye: CardTableEye) -> int:
    """Writes what the eye tells of it; how many looks that were."""
    looks = [look for frame in source.frames for look in eye.see(frame)]
    return write_looks(Recorded(source.name, source.game, source.players, tuple(looks), source.truth), into)


def write_looks(recorded: Recorded, into: Path) -> int:
    """Writes a file of looks; how many there are."""
    with into.open("w", encoding="utf-8") as file:
        head = {"looks": FORMAT, "name": recorded.name, "game": recorded.game, "players": recorded.players}
        print(json.dumps(head), file=file)
        for look in recorded.looks:
            print(json.dumps({"look": look_to_dict(look)}), file=file)
        print(json.dumps({"truth": recorded.truth}), file=file)
    return len(recorded.looks)


def read_looks(path: Path) -> Recorded:
    """A file that `record` wrote. ValueError: it is none, or ends too early."""
    head, *lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if head.get("looks") != FORMAT or not lines or "truth" not in lines[-1]:
        raise ValueError(f"{path}: no whole file of looks; record it again")
    looks = tuple(look_from_dict(line["look"]) for line in lines[:-1])
    return Recorded(head["name"], head["game"], head["players"], looks, lines[-1]["truth"])


# -- running -------------------------------------------------------------------------------------------------------


class OneBoard:
    """Finds a board of this grid in every picture, or none."""

    def __init__(self, grid: tuple[int, int] | None = None) -> None:
        self._grid = grid

    def __call__(self, frame: Frame) -> tuple[int, int] | None:
        """Its rows and columns."""
        return self._grid

    def asks(self, now_s: float) -> None:
        """It is never in doubt."""

    def let_go(self) -> None:
        """It holds nothing."""


class RecordedEye:
    """Hands the recorded looks over when their time has come."""

    situation = "looking"
    kept = False

    def __init__(self, looks: Sequence[TableLook]) -> None:
        self._left = list(reversed(looks))

    def see(self, frame: Frame, possible: Collection[Card] | None = None) -> tuple[TableLook, ...]:
        """Every look up to the time of this frame."""
        now = []
        while self._left and self._left[-1].at_s <= frame.at_s:
            now.append(self._left.pop())
        return tuple(now)


@dataclass
class _Deal:
    tricks: dict[int, tuple[list[Card | None], int | None]] = field(default_factory=dict)
    scored: tuple[Any, Any] | None = None

    @property
    def cards(self) -> int:
        """How many cards its tricks hold."""
        return sum(len(cards) for cards, _ in self.tricks.values())


@dataclass(frozen=True)
class _DealPair:
    """A true deal, and the one that was told and is most like it; an empty one where none is."""

    true: _Deal
    told: _Deal

    @property
    def cards(self) -> int:
        """Cards in the same place."""
        return _alike(self.true, self.told)

    @property
    def tricks(self) -> int:
        """Tricks that went to the same seat."""
        told = self.told.tricks
        return sum(told.get(number, ([], None))[1] == seat for number, (_, seat) in self.true.tricks.items())

    @property
    def scored(self) -> bool:
        """The score is the same."""
        return self.true.scored is not None and self.told.scored == self.true.scored


def deals_told(notices: Sequence[Notice]) -> list[_Deal]:
    """The tricks and scores of each deal: the last word on each trick counts."""
    deals: list[_Deal] = []
    for notice in notices:
        if notice.code == "trick":
            number, cards = notice.facts["trick"], list(notice.facts["cards"])
            begun = not deals or (number == 1 and (deals[-1].scored or len(deals[-1].tricks) > 1))
            if begun and not (deals and _said_again(cards, deals[-1])):
                deals.append(_Deal())
            deals[-1].tricks[number] = (cards, notice.facts["seat"])
        elif notice.code == "deal_scored" and deals:
            deals[-1].scored = (list(notice.facts["points"]), list(notice.facts["games"]))
    return deals


def _said_again(cards: Sequence[Card | None], deal: _Deal) -> bool:
    """Whether a first trick is this deal's, told anew after a correction: it differs by one card at most."""
    known, _ = deal.tricks.get(1, ([], None))
    return len(known) == len(cards) and sum(x != y for x, y in zip(known, cards, strict=True)) <= 1


def _alike(a: _Deal, b: _Deal) -> int:
    """Cards that two deals have in the same place."""
    return sum(
        x == y
        for trick, (cards, _) in a.tricks.items()
        for x, y in zip(cards, b.tricks.get(trick, ([], None))[0], strict=False)
    )


def rule_of(notice: Notice | Mapping[str, Any]) -> str:
    """What an alert is about."""
    facts = notice.to_dict() if isinstance(notice, Notice) else notice
    return str(facts.get("rule", facts["notice"]))


@dataclass(frozen=True)
class EveningScore:
    """How an evening was followed."""

    cards: tuple[int, int]
    """Right, and there were; so with the others."""
    tricks: tuple[int, int]
    scores: tuple[int, int]
    false_alerts: tuple[str, ...]
    due: tuple[str, ...]
    named: tuple[str, ...]
    asked: int
    answered: tuple[int, int] = (0, 0)
    """Questions of the table that were answered by the truth, and those where it was not among the answers."""

    @property
    def right(self) -> bool:
        """Without a mistake."""
        counts = (self.cards, self.tricks, self.scores)
        return all(got == owed for got, owed in counts) and not self.false_alerts


def rules_named(said: Sequence[Notice]) -> list[str]:
    """The rule of every alert."""
    return [rule_of(notice) for notice in said if notice.level == ALERT]


def _paired(want: Sequence[_Deal], got: Sequence[_Deal]) -> Iterator[_DealPair]:
    """Each true deal with the one that is most like it, in their order."""
    begin = 0
    for deal in want:
        fits = [_alike(deal, other) for other in got[begin:]]
        most = max(fits, default=0)
        place = begin + fits.index(most) if most else None
        yield _DealPair(deal, _Deal() if place is None else got[place])
        begin = begin if place is None else place + 1


def score(truth: Mapping[str, Any], game: str, players: int, said: Sequence[Notice]) -> EveningScore:
    """What was said of an evening beside what was true."""
    true_match = Match(game, players)
    true_said = [notice for event in truth["events"] for notice in true_match.add(parse_event(event))]
    want, got = deals_told(true_said), deals_told(said)
    due = tuple(rule_of(alert) for alert in truth["alerts"])
    alerts = rules_named(said)
    pairs = list(_paired(want, got))
    return EveningScore(
        (sum(pair.cards for pair in pairs), sum(deal.cards for deal in want)),
        (sum(pair.tricks for pair in pairs), sum(len(deal.tricks) for deal in want)),
        (sum(pair.scored for pair in pairs), sum(deal.scored is not None for deal in want)),
        tuple(alert for alert in alerts if alert not in due),
        due,
        tuple(rule for rule in due if rule in alerts),
        sum(notice.level == ASK for notice in said),
    )


class Witness:
    """Knows what truly happened, and says so when the table asks."""

    def __init__(self, recorded: Recorded) -> None:
        self._truth = Match(recorded.game, recorded.players)
        self._left = list(
            reversed([happening for happening in recorded.truth["happened"] if isinstance(happening, Mapping)])
        )
        self._knows = bool(self._left)
        """The films of other programs do not tell when what happened, as events."""
        self._plays: dict[int, tuple[int, int, int | None, Card | None]] = {}
        """By number: deal, trick, seat, card."""
        self._deal = 0
        self._turned_up_first: Card | None = None

    def until(self, at_s: float) -> None:
        """What happened up to now, as far as milliseconds tell."""
        while self._left and _at_s(self._left[-1]) <= at_s + 0.001:
            event = parse_event(
                {key: value for key, value in self._left.pop().items() if key not in ("at_s", "clear_s")}
            )
            if isinstance(event, Deal):
                self._deal += 1
                self._turned_up_first = event.turn_up
            self._truth.add(event)
            view = self._truth.view
            if isinstance(event, TakenBack):
                del self._plays[event.number]
            elif isinstance(event, Play):
                laid = [shown for shown in view.trick or () if shown["number"] == len(self._truth.log)]
                seat = laid[0]["seat"] if laid else event.seat
                self._plays[len(self._truth.log)] = self._deal, view.trick_number or 0, seat, event.card

    def answer(self, asked: Mapping[str, Any]) -> str | None:
        """The true one of the choices; None: it is not among them, or not known."""
        if not self._knows:
            return None
        laid = [
            (seat, card)
            for deal, trick, seat, card in self._plays.values()
            if (deal, trick) == (self._deal, asked.get("trick"))
        ]
        return next((answer for answer in self._true(asked, laid) if answer in asked["choices"]), None)

    def _true(self, asked: Mapping[str, Any], laid: Sequence[tuple[Any, Any]]) -> list[str]:
        """What is true of what is asked. laid: the cards of its trick, with who laid them."""
        match asked["about"]:
            case "laid":
                return self._laid_by(asked["seat"], laid, asked["choices"])
            case "whose":
                return [str(seat) for seat, card in laid if card == asked["card"]] or ["none"]
            case "first":
                return [f"{seat}:{card}" for seat, card in laid]
            case "lifted":
                return [NO if any(card == asked["card"] for _, card in laid) else YES]
            case "suit":
                return [suit_of(self._turned_up_first)] if self._turned_up_first else []
            case "twice":
                return [YES if self._times_laid(asked["cards"][0]) > 1 else NO]
            case _:
                return [str(self._turned_up_first), UNREAD]

    def _times_laid(self, card: Card) -> int:
        """How often a card was laid in this deal."""
        return sum((deal, laid) == (self._deal, card) for deal, _, _, laid in self._plays.values())

    @staticmethod
    def _laid_by(seat: int, laid: Sequence[tuple[Any, Any]], choices: Collection[str]) -> list[str]:
        """The cards of a seat among the choices; else that it laid one which cannot be read, or none."""
        own = [card for who, card in laid if who == seat]
        return [card for card in own if card in choices] or (["unread"] if own else ["none"])


def see_until(live: LiveTable, last_s: float, look_s: float) -> None:
    """A table is told that time goes on from its last look to the next one, and then has that one taken in."""
    while last_s + TICK_S < look_s:
        last_s += TICK_S
        live.see(Frame(BLANK, last_s))
    live.see(Frame(BLANK, look_s))


def run(
    recorded: Recorded, tell: bool = False, answer: bool = False, why: bool = False, auto: bool = False
) -> EveningScore:
    """Follows an evening by its recorded looks, as the device would. Who takes is said; the rest stays unanswered, or
    what the table asks is answered truly. why: tells of each rest what may have happened. auto: nobody says which game
    it is."""
    said: list[Notice] = []
    named = Settings(language="en", game=recorded.game, players=recorded.players, build="laptop", display="none")
    settings = replace(named, game=AUTO, players=Settings.players) if auto else named
    eye = RecordedEye(recorded.looks)
    happened = list(recorded.truth["happened"])

    def watch(frame: Frame, seen: FrameSeen) -> None:
        while tell and happened and _at_s(happened[0]) <= frame.at_s:
            print(f"{_at_s(happened[0]):8.2f} truly {happened.pop(0)}")
        if tell:
            for event in seen.events:
                print(f"{frame.at_s:8.2f}   seen {event}")
            for notice in (*(notice.to_dict() for notice in seen.notices if notice.level != INFO), *seen.refused):
                print(f"{frame.at_s:8.2f}   said {notice}")

    def follower(match: Match, now: Settings) -> CardFollower:
        following = CardFollower(match, now, eye, thinks_s=math.inf)
        if why:
            following.explain_to(lambda explained: print_why(explained, False, "en"))
        return following

    def begin(now: Settings) -> Noted:
        if auto and not any(notice.code == "match_won" for notice in said):
            said[:] = [notice for notice in said if notice.level == ALERT]  # Of a match that was none, all that counts.
        if auto and tell:
            print(f"it is {now.game} {now.players}")
        return Noted(Match(now.game, now.players), said)

    live = LiveTable(
        NotYet(settings) if auto else begin(settings),
        settings,
        begin,
        watch=watch,
        follower=follower,
        auto=partial(AutoFollower, eye=eye, finds_board=OneBoard(), thinks_s=math.inf),
    )
    said_since = [
        (_at_s(happening), parse_event(_event(happening)))
        for happening in happened
        if _event(happening).get("event") in SAID
    ]
    witness, answered = Witness(recorded), [0, 0]
    seen: set[int] = set()
    last_s = 0.0
    for look in recorded.looks:
        see_until(live, last_s, look.at_s)
        last_s = look.at_s
        say_who_takes(live, [event for at_s, event in said_since if at_s <= last_s])
        witness.until(last_s)
        question, prompt = live.match.view.question, live.show.prompt
        if answer and question is not None and question["about"] in WITNESSED and question["question"] not in seen:
            seen.add(question["question"])
            true = witness.answer(question)
            answered[true is None] += 1
            if tell:
                print(f"{last_s:8.2f}  asked {question.to_dict()}: {true}")
            if true is not None and prompt is not None:
                live.answer(prompt.key, question["choices"].index(true), "witness")
    told = score(recorded.truth, recorded.game, recorded.players, said)
    return replace(told, answered=(answered[0], answered[1]))


def _at_s(happened: Any) -> float:
    return float(happened["at_s"] if isinstance(happened, Mapping) else happened[0])


def _event(happened: Any) -> Mapping[str, Any]:
    """What happened, without when."""
    if not isinstance(happened, Mapping):
        return {}
    return {key: value for key, value in happened.items() if key not in ("at_s", "clear_s")}


def _line(name: str, score: EveningScore) -> dict[str, Any]:
    counts = {"cards": score.cards, "tricks": score.tricks, "scores": score.scores}
    told: dict[str, Any] = {"name": name, "right": score.right}
    told |= {key: f"{got}/{owed}" for key, (got, owed) in counts.items()}
    return told | {
        "false alerts": score.false_alerts,
        "due": score.due,
        "named": score.named,
        "asked": score.asked,
        "answered": score.answered,
    }


def main() -> None:
    """Records, or runs what was recorded."""
    cv2.setNumThreads(1)
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    do = ask.add_subparsers(dest="do", required=True)
    recording = do.add_parser("record")
    recording.add_argument("--to", type=Path, required=True)
    recording.add_argument("--again", action="store_true", help="also what is there already")
    recording.add_argument("what", nargs="+", help="films (.mp4) and names of evenings")
    running = do.add_parser("run")
    running.add_argument("--tell", action="store_true", help="tell what happens, as it does")
    running.add_argument("--why", action="store_true", help="tell of each rest what may have happened")
    running.add_argument("--answer", action="store_true", help="answer truly what the table asks")
    running.add_argument("--auto", action="store_true", help="find out which game it is")
    running.add_argument("files", nargs="+", type=Path)
    args = ask.parse_args()
    if args.do == "record":
        args.to.mkdir(parents=True, exist_ok=True)
        for what in args.what:
            into = args.to / f"{Path(what).stem if what.endswith('.mp4') else what}.jsonl"
            if into.exists() and not args.again:
                continue
            half = into.with_suffix(".half")
            if f"-{MADE}" in what:
                looks = write_looks(made_up(what), half)
            else:
                looks = record(source_of(what), half, CardTableEye(CardReader(one_deck=True)))
            half.rename(into)
            print(f"{into}: {looks} looks", flush=True)
        return
    scores = []
    for path in args.files:
        recorded = read_looks(path)
        scores.append(run(recorded, args.tell, args.answer, args.why, args.auto))
        print(json.dumps(_line(recorded.name, scores[-1])), flush=True)
    false = sum(len(score.false_alerts) for score in scores)
    right, asked = sum(score.right for score in scores), sum(score.asked for score in scores)
    answered = [sum(score.answered[place] for score in scores) for place in (0, 1)]
    print(
        json.dumps(
            {"evenings": len(scores), "right": right, "false alerts": false, "asked": asked, "answered": answered}
        )
    )


if __name__ == "__main__":
    main()
