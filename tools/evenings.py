"""Simulated evenings through the whole path, compared with what truly happened, by seed.

python -m tools.evenings turufu 4 --evenings 20 --mess house
python -m tools.evenings turufu 4 --evenings 10 --fault out_of_turn
python -m tools.evenings belote --evenings 3 --mess house
python -m tools.evenings mraha --evenings 10 --mess house
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from random import Random
from typing import Any

import cv2

from device.cameras.simulated import SimulatedCamera
from device.commands.demo import say_who_takes
from device.following.follow import FrameSeen
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.loop import run_through
from device.following.press import Press
from device.keeping.settings import Settings
from device.words import card_sign
from engine.events import Board, Choose, Deal, Event, Play, Taken
from engine.match import Match
from engine.notices import ALERT, ASK, INFO, Notice
from engine.referee.board_judge import BoardJudge
from engine.referee.card_game import CardJudge
from engine.referee.seed_game import PLAYERS, SeedGame
from engine.simulate import plantable
from engine.simulate_boards import FAULTS, board_of, honest_turns, plant
from vision.frame import Frame
from vision.synthetic.play_board import CALM_BOARD, HOUSE_BOARD, DrawnBoardTable
from vision.synthetic.play_cards import DrawnCardTable
from vision.synthetic.play_mess import CALM, MESSES
from vision.synthetic.play_script import evening

SIZE = (960, 720)
"""Of the drawn frames."""
DEALS = 2
"""Of one evening of cards: between them the tricks are gathered, shuffled and dealt."""
Token = tuple[Any, ...]


class Noted(InMemory):
    """A match that remembers everything that was ever said of it, taken back later or not."""

    def __init__(self, match: Match, said: list[Notice] | None = None) -> None:
        super().__init__(match)
        self.said = [] if said is None else said

    def add(self, event: Event, by: str | None = None) -> list[Notice]:
        notices = super().add(event, by)
        self.said += notices
        return notices


@dataclass(frozen=True)
class EveningOutcome:
    """How one evening was followed."""

    owed: int
    """What truly happened, in cards, tricks, turns and scores."""
    right: int
    """Of these, what the match holds."""
    deals: int
    deals_right: int
    """Deals whose score is right; of seeds, games whose last board is."""
    false_alerts: tuple[str, ...] = ()
    questions: int = 0
    planted: bool = False
    """The fault asked for happened, and could be seen: some positions hardly ever arise."""
    named: bool = False
    """It was told by its name: at once, or when those who were asked about it said so."""
    story: tuple[Token, ...] = ()
    true_story: tuple[Token, ...] = field(default=(), repr=False)

    @property
    def flawless(self) -> bool:
        return self.right == self.owed == len(self.story) and not self.false_alerts


def story(match: Match) -> list[Token]:
    """What a match holds, thing by thing: cards and takers of tricks, scores of deals, turns and boards of seeds."""
    told: list[Token] = []
    began = 0
    """Where the trick that was last told begins."""
    for notice in match.notices:
        facts = notice.facts
        if notice.code == "trick":
            if told[began:] and told[-1][:2] == ("trick", facts["trick"]):
                del told[began:]  # A card of it was taken back and laid again: only what lay there at last counts.
            began = len(told)
            told += [("card", facts["trick"], place, card) for place, card in enumerate(facts["cards"])]
            told.append(("trick", facts["trick"], facts["seat"]))
        elif notice.code == "deal_scored":
            told.append(("deal", tuple(facts["games"]), tuple(facts["match"])))
        elif notice.code == "move":
            told.append(("turn", facts["player"], facts.get("key")))
    if isinstance(match.judge, BoardJudge):
        told.append(("board", str(match.board)))
    return told


def laid_out(game: SeedGame[Any]) -> list[Board]:
    """The boards before the first turn: as the seeds are counted, and, where that is another, as the game begins."""
    return [Board(pits=game.board_rows(sides)) for sides in dict.fromkeys((game.counting, game.opening.sides))]


def boards(judge: BoardJudge, rng: Random, holds: Callable[[Board], bool], fault: str | None) -> list[Board]:
    """A game of random turns while its piles can be shown; with a fault, till a little after that was taken back."""
    game, position = judge.game, judge.opening
    shown = laid_out(game)
    planted_at: int | None = None
    for number, turn in enumerate(honest_turns(rng, game)):
        # At first seldom, so that the faults do not all come at the beginning; the longer none could be, the sooner.
        if fault is not None and planted_at is None and rng.random() < number / 40:
            planted = plant(judge, position, fault, rng)
            if planted is not None and holds(planted):
                shown += [planted, shown[-1]]
                planted_at = number
        after = board_of(game, turn.after)
        if not holds(after) or (planted_at is not None and number > planted_at + 3):
            break
        shown.append(after)
        position = turn.after
    return shown


def true_answer(match: Match, shown: Sequence[Board]) -> str | None:
    """What honest players say who are asked about the board that lies there, the last of these; None: they are not
    asked, or about another. The first boards are laid out, the others turns."""
    question = match.view.question
    assert isinstance(match.judge, BoardJudge)
    turns = len(shown) - len(laid_out(match.judge.game))
    if question is None or turns < 0 or shown[-1].pits is None:
        return None
    mover = PLAYERS[turns % 2]
    for choice in (mover, *(choice for choice in question["choices"] if choice not in PLAYERS)):
        if choice in question["choices"]:
            answered = deepcopy(match)
            answered.add(Choose(question["question"], choice))
            if answered.board == shown[-1].pits:
                return str(choice)
    return None


def true_card(match: Match, truth: Sequence[Event]) -> str | None:
    """What players say who are asked which card it was that could not be read, the first of those of the trick that may
    be one of a few; None: there is none, or the trick has gone on since."""
    asked = {
        notice.facts["number"]: notice.facts["candidates"] for notice in match.notices if notice.code == "unreadable"
    }
    begun = max((at for at, event in enumerate(truth) if isinstance(event, Deal | Taken)), default=0)
    lies = [event.card for event in truth[begun:] if isinstance(event, Play)]
    unread = (
        card
        for shown, card in zip(match.view.trick or (), lies, strict=False)
        if shown["card"] is None and card in asked.get(shown["number"], ())
    )
    return next(unread, None)


def shown_wrong(game: str, players: int | None, events: Sequence[Event]) -> set[str]:
    """The rules broken before the eyes of somebody who is not told who dealt: who leads the first trick of all is then
    anybody."""
    match = Match(game, players)
    unsaid = (replace(event, dealer=None) if isinstance(event, Deal) else event for event in events)
    return {_rule(notice) for event in unsaid for notice in match.add(event) if notice.level == ALERT}


def _scores(told: Sequence[Token]) -> list[Token]:
    return [token for token in told if token[0] in ("deal", "board")]


def _agreeing(told: Sequence[Token], true: Sequence[Token]) -> int:
    blocks = SequenceMatcher(None, told, true, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks)


def _rule(notice: Notice) -> str:
    return str(notice.facts.get("rule", notice.code))


@dataclass
class TruePlay:
    """What truly happens before the camera, what is wrong in it, and what its players say when they are asked."""

    table: DrawnCardTable | DrawnBoardTable
    events: Sequence[Event]
    match: Match
    """As it truly went."""
    fault: str | None
    wrong: set[str] = field(default_factory=set)
    """The rules that are broken."""
    wrong_boards: list[Event] = field(default_factory=list)
    """The boards that show the fault."""

    @classmethod
    def of(cls, game: str, players: int | None, seed: int, mess: Any, fault: str | None, deals: int) -> "TruePlay":
        """One evening, made up by its seed."""
        match = Match(game, players)
        table: DrawnCardTable | DrawnBoardTable
        if isinstance(match.judge, CardJudge):
            events: Sequence[Event] = evening(match.judge.game, Random(seed), deals, fault)
            table = DrawnCardTable(match.judge.game, seed, SIZE, mess or CALM)
        else:
            assert isinstance(match.judge, BoardJudge)
            table = DrawnBoardTable(seed, SIZE, mess or CALM_BOARD, game=match.judge.game)
            events = boards(match.judge, Random(seed), table.holds, fault)
        play = cls(table, events, match, fault)
        for event in events:
            rules = {_rule(notice) for notice in match.add(event) if notice.level == ALERT}
            play.wrong |= rules
            if isinstance(event, Board) and fault in rules:
                play.wrong_boards.append(event)
        return play

    @property
    def so_far(self) -> list[Event]:
        """What has happened by now."""
        return [event.event for event in self.table.truth]

    def answer(self, live: LiveTable, seen: FrameSeen) -> str | None:
        """The button that players press who are asked something; None: nobody is asked, or knows the answer."""
        question = live.match.view.question
        if question is None:
            return self._card(live) if self.fault is None and isinstance(self.match.judge, CardJudge) else None
        rule = {"taken": "taken_by_wrong_side", "lead": "wrong_leader"}.get(question["about"])
        if rule is not None:
            return "A" if rule in self.wrong else "B"
        if not isinstance(self.match.judge, BoardJudge) or not seen.events:
            return None
        answer = self._turn(live.match, question["choices"])
        return None if answer is None else "ABC"[question["choices"].index(answer)]

    def _card(self, live: LiveTable) -> str | None:
        """Which card it was that could not be read."""
        card = true_card(live.match, self.so_far)
        if card is None or live.show.prompt is None or card_sign(card) not in live.show.prompt.answers:
            return None
        return "ABC"[live.show.prompt.answers.index(card_sign(card))]

    def _turn(self, match: Match, choices: Sequence[str]) -> str | None:
        """Which turn led to the board that lies there."""
        shown = [event for event in self.so_far if isinstance(event, Board)]
        if self.fault is None:
            return true_answer(match, shown)
        return self.fault if self.fault in choices and shown[-1] in self.wrong_boards else None


def told_as_it_happens(
    play: TruePlay, live: LiveTable, tell: Callable[[str], None]
) -> Callable[[Frame, FrameSeen], None]:
    """Tells what truly happened, what was seen, and what was said, frame by frame."""
    happened = 0

    def watch(frame: Frame, seen: FrameSeen) -> None:
        nonlocal happened
        for event in play.table.truth[happened:]:
            tell(f"{event.at_s:8.2f} truly {event.event}")
        happened = len(play.table.truth)
        for seen_event in seen.events:
            tell(f"{frame.at_s:8.2f}   seen {len(live.match.log)} {seen_event}")
        for why in (*(notice.to_dict() for notice in seen.notices if notice.level != INFO), *seen.refused):
            tell(f"{frame.at_s:8.2f}   said {why}")

    return watch


def follow(
    game: str,
    players: int | None,
    seed: int,
    mess: Any = None,
    fault: str | None = None,
    deals: int = DEALS,
    tell: Callable[[str], None] | None = None,
) -> EveningOutcome:
    """Plays one evening before the camera, follows it, and compares. tell: is told what happens, as it does."""
    match, play = Match(game, players), TruePlay.of(game, players, seed, mess, fault, deals)
    shows = shown_wrong(game, players, play.events)
    settings = Settings(language="en", game=game, players=match.header.players, build="laptop", display="none")
    keepers = [Noted(match)]

    def begin(now: Settings) -> Noted:
        """The match was won, and the next deal is the first of another."""
        keepers.append(Noted(Match(now.game, now.players)))
        return keepers[-1]

    def watch(frame: Frame, seen: FrameSeen) -> None:
        if telling is not None:
            telling(frame, seen)
        say_who_takes(live, play.so_far)
        button = play.answer(live, seen)
        if button is not None:
            live.press(Press(button))

    live = LiveTable(keepers[0], settings, begin, watch=watch)
    telling = None if tell is None else told_as_it_happens(play, live, tell)
    run_through(SimulatedCamera(play.table, play.events, real_time=False), live, [])
    told, truth = [token for noted in keepers for token in story(noted.match)], story(play.match)
    said = [notice for noted in keepers for notice in noted.said]
    alerts = [_rule(notice) for notice in said if notice.level == ALERT]
    return EveningOutcome(
        owed=len(truth),
        right=_agreeing(told, truth),
        deals=len(_scores(truth)),
        deals_right=_agreeing(_scores(told), _scores(truth)),
        false_alerts=tuple(rule for rule in alerts if rule not in play.wrong),
        questions=sum(notice.level == ASK for notice in said),
        planted=fault in shows,
        named=fault is not None and fault in alerts,
        story=tuple(told),
        true_story=tuple(truth),
    )


def main() -> None:
    """Follows evenings of one table and tells each that went wrong, then the sum."""
    cv2.setNumThreads(1)
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("game")
    ask.add_argument("players", nargs="?", type=int)
    ask.add_argument("--evenings", type=int, default=5)
    ask.add_argument("--seed", type=int, default=0)
    ask.add_argument("--deals", type=int, default=DEALS)
    ask.add_argument("--mess", choices=MESSES, default="calm", help="of a board: calm or house")
    ask.add_argument("--fault")
    ask.add_argument("--tell", action="store_true", help="tell what happens, as it does")
    args = ask.parse_args()
    judge = Match(args.game, args.players).judge
    board = not isinstance(judge, CardJudge)
    faults = plantable(judge.game) if isinstance(judge, CardJudge) else FAULTS[args.game].plantable
    if args.fault not in (None, *faults):
        ask.error(f"--fault: what can be planted here is one of {', '.join(faults)}")
    messes: Mapping[str, Any] = {"calm": CALM_BOARD, "house": HOUSE_BOARD} if board else MESSES
    if args.mess not in messes:
        ask.error(f"--mess: of a board one of {', '.join(messes)}")
    mess = messes[args.mess]
    outcomes = []
    for seed in range(args.seed, args.seed + args.evenings):
        outcome = follow(args.game, args.players, seed, mess, args.fault, args.deals, print if args.tell else None)
        outcomes.append(outcome)
        if not outcome.flawless or outcome.questions or outcome.planted > outcome.named:
            print(f"  seed {seed}: {_told_of(outcome, args.fault)}", flush=True)
    print(f"{args.game} {args.players or ''} {args.mess}: {_summed(outcomes, args.fault)}")


def _told_of(outcome: EveningOutcome, fault: str | None) -> str:
    """A line about one evening."""
    counts = f"{outcome.right} of {outcome.owed}, deals {outcome.deals_right} of {outcome.deals}"
    planted = f", {fault} planted: {outcome.planted}, named: {outcome.named}" if fault else ""
    return f"{counts}, false {list(outcome.false_alerts)}, asked {outcome.questions}{planted}"


def _summed(outcomes: Sequence[EveningOutcome], fault: str | None) -> str:
    """A line about all evenings together."""

    def total(count: str) -> int:
        return sum(int(getattr(outcome, count)) for outcome in outcomes)

    owed, right = total("owed"), total("right")
    false = sum(len(outcome.false_alerts) for outcome in outcomes)
    return (
        f"{total('flawless')} of {len(outcomes)} evenings flawless; {right} of {owed} ({right / owed:.4f}); "
        f"deals {total('deals_right')} of {total('deals')}; false alerts {false}; questions {total('questions')}"
        + (f"; {fault} named {total('named')} of {total('planted')}" if fault else "")
    )


if __name__ == "__main__":
    main()
