"""The judge of games of seeds: boards at rest come in, and the game follows from them.

The state keeps the last good position. A board that a legal turn (or a few quick ones) explains moves it on. Any other
waits beside it until something settles it:

- An illegal turn is told at once and stands as the seeds lie. The last good board seen again: it was taken back. A
  legal turn from there: it was done again, rightly. Confirm, with the number of its board: the position on the board
  is adopted and the turn passes. The players going on from it as if it were legal (a legal reply to it is seen) is
  told as a question, `played_on`: `stands` adopts both, `taken_back` goes back to the last good board.
- The last turn taken back, or another played instead of it: the position goes back without a word.
- Too close to tell between turns: the question `which_turn`. All that are possible are kept in mind, and so is what may
  have followed them: a later board mostly tells, and nobody need answer.
- A position no turn leads to: the question `adopt` (south or north moves next, or no). With seeds gone from pits that
  no turn could have touched it is a knocked board: `knocked` also offers `restore`, which shows the last good board
  until it lies there again.
- The first position set up again in the middle of a game: `new_game`.
- What looks illegal, but may be seeds that rolled about, or follows a position that is not sure, or a turn that was not
  seen: `knocked` as well.
- Seeds still in a hand: nothing is said; the view has `doubt`. If it rests like this and a turn comes near, no hand
  holds seeds, but a pit or two were counted wrong: the question `which_turn`.
- Where the device plays a side itself it asks for a turn (DeviceTurn), and a person's hand makes it. Another legal turn
  moves the game on, with the question `other_turn`: `stands`, or `anew`, which goes back to what it was asked for
  and shows that board until it lies there again. Whoever plays on has let it stand.

A new board settles or replaces what waited, so a question never blocks the game. Before the first turn boards are
being set up, and only a board that stays (seen twice running) is remarked on. A slip of the hand is then no slip.

What an adopted board leaves open (seeds in hand, what was taken) the game itself decides (seed_game.py).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

from engine.cards import Card
from engine.events import Board, Choose, Confirm, DeviceTurn, EventError, GameEvent, SetScore
from engine.notices import ALERT, ASK, INFO, NO, YES, Notice, illegal, is_same_question, question
from engine.referee.board import (
    ACCUSE,
    BACK,
    CLOSE,
    ILLEGAL,
    LOG_STRANGE,
    MOST_TURNS,
    SCATTERED_PITS,
    SOWING,
    STANDS,
    STILL,
    STRANGE,
    TURN,
    Explanation,
    explain,
)
from engine.referee.board_evidence import ADOPTED_SEEDS, FEW, MISREAD, BoardEvidence
from engine.referee.judge import Amendment
from engine.referee.seed_game import NORTH, PLAYERS, SOUTH, Fault, Path, SeedGame, Sides
from engine.view import BoardView, LastTurn

WHICH_TURN, ADOPT, KNOCKED, NEW_GAME, PLAYED_ON = "which_turn", "adopt", "knocked", "new_game", "played_on"
OTHER_TURN = "other_turn"
GO_ON_FROM = (ADOPT, KNOCKED)
"""Questions about the position that the game goes on from."""
TAKEN_BACK, RESTORE, ANEW = BACK, "restore", "anew"
SLIPS = ("dropped_wrong", "moved_opponents_seeds", "seeds_missing", "seeds_added")
SHIFTED = ("dropped_wrong", "moved_opponents_seeds")
"""Where nobody made a turn, seeds that lie in another pit were knocked there: nobody is accused of it."""
MISCOUNTED_PITS = 4
"""In the counting position, more pits than this off two, or several empty ones, are seeds still being put down."""
KEPT_PATHS = 2
"""Of the turn that was played and of the one that is asked for."""
MOST_CHOICES = 3
"""More answers than this are no question for a table; another look may tell."""
NO_TURN = Explanation(STILL)
UNCLEAR, SETTING_UP = "unclear", "setting_up"
HARDLY_SO = math.log(1 / 100)
"""While games are set out, a pit is told to hold another number where the right one fits so much worse."""
SURELY_OTHER = -3.0
"""A pit was misread if what it truly holds fits so much worse, as a logarithm, than what the eye took it for."""
EYES_WORTH = 100
"""Pits that speak for the eye before it was seen at this table: from one misread pit in forty its word counts less."""


@dataclass(frozen=True)
class Waiting:
    """A board that is not settled: what it shows, and what was said about it."""

    number: int
    """Of the board's event."""
    sides: Sides
    told: Notice
    fault: Fault | None = None
    """An illegal turn, and below the position if it stands."""
    stands: Any = None
    turns: tuple[Any, ...] = ()
    """Played on: the legal turns that followed it."""
    accounts: tuple[Explanation, ...] = ()
    """Too close to tell: what the answers mean."""
    illegal_number: int | None = None
    """Played on: the number of the illegal turn's board."""
    back: tuple[Any, LastTurn | None] | None = None
    """Another turn than the device asked for: the position it was asked for in, and the turn before it."""


@dataclass(frozen=True)
class BoardState:
    """Where a game stands."""

    position: Any
    begun: bool = False
    last_turn: LastTurn | None = None
    before: tuple[Any, LastTurn | None] | None = None
    """What the last turn was played from, and the turn before it."""
    waiting: Waiting | None = None
    doubt: str | None = None
    """Why the last board tells nothing: "sowing" (seeds in a hand), "unclear" (another look may help), "setting_up"."""
    restoring: bool = False
    seen: Sides | None = None
    """The last board that told nothing."""
    checked: int = 0
    """Pits of more than a seed or none that a turn changed, and whose count became known."""
    mistaken: int = 0
    """Of these, the ones that the eye was sure of and wrong about."""
    still_open: tuple[Explanation, ...] = ()
    """What may have been played since the last good position, where the last board did not tell."""
    open_seen: Sides | None = None
    """What that board looked like: as long as nothing but that lies there, nothing followed."""
    unsure: bool = False
    """The position may be another, and nobody is accused by what it makes of the next board: several turns led to it
    between two looks, or a pit surely looks otherwise."""
    misread: frozenset[tuple[int, int]] = frozenset()
    """Pits (player, pit) that looked otherwise than they were on the last board that told what it was."""
    asked: tuple[Any, str] | None = None
    """The turn that the device asked for last, and the position that it is for."""

    @property
    def wanted(self) -> str | None:
        """The turn that the device asks for now."""
        return self.asked[1] if self.asked is not None and self.asked[0] == self.position else None


Judged = tuple[BoardState, tuple[Notice, ...]]


Ahead = Callable[[Any], Any]
"""A position as it is once somebody counted more seeds that were taken."""


def _pair_ahead(pair: tuple[Any, Any] | None, ahead: Ahead) -> tuple[Any, Any] | None:
    return None if pair is None else (ahead(pair[0]), pair[1])


def _turns_ahead(turns: tuple[Any, ...], ahead: Ahead) -> tuple[Any, ...]:
    return tuple(turn._replace(after=ahead(turn.after)) for turn in turns)


def _accounts_ahead(accounts: tuple[Explanation, ...], ahead: Ahead) -> tuple[Explanation, ...]:
    return tuple(account._replace(turns=_turns_ahead(account.turns, ahead)) for account in accounts)


def _waiting_ahead(waiting: Waiting, ahead: Ahead) -> Waiting:
    return replace(
        waiting,
        stands=None if waiting.stands is None else ahead(waiting.stands),
        turns=_turns_ahead(waiting.turns, ahead),
        accounts=_accounts_ahead(waiting.accounts, ahead),
        back=_pair_ahead(waiting.back, ahead),
    )


class BoardJudge:
    """Judges one game of seeds. Seat and side 0 is South, 1 is North."""

    players = side_count = len(PLAYERS)

    def __init__(self, game: SeedGame[Any]) -> None:
        self.game = game
        self.opening = game.opening
        self._paths: dict[tuple[Any, str], Path] = {}
        """The newest of what is asked for again and again."""

    @property
    def most_ahead(self) -> int:
        """The largest head start, in seeds."""
        return self.game.most_ahead

    def ahead(self, side: int, by: int) -> "BoardJudge":
        """The judge where a side has so many seeds of the other's before it begins. OptionError: so many cannot be."""
        return BoardJudge(self.game.ahead(side, by))

    def start(self) -> BoardState:
        """Nothing seen yet."""
        return BoardState(self.opening)

    def apply(self, state: BoardState, number: int, event: GameEvent) -> Judged:
        """The state after a board or an answer, and what there is to say."""
        match event:
            case Board():
                return self._board(state, number, event)
            case Confirm():
                return self._confirm(state, event.number)
            case Choose():
                return self._choose(state, number, event)
            case DeviceTurn():
                return self._device_turn(state, event.turn)
            case SetScore():
                return self._set_score(state, number, event)
        raise EventError("cards_on_board", game=self.game.name)

    def _set_score(self, state: BoardState, number: int, event: SetScore) -> Judged:
        """Somebody counted what each has taken."""
        before = self.game.taken(state.position)
        position = self.game.with_score(state.position, event.points)
        reason = {"reason": event.reason} if event.reason else {}
        facts = {"number": number, "match": list(event.points), "before": list(before), **reason}
        same = (position.over, position.winner) == (state.position.over, state.position.winner)
        won = [] if same else self._won(position)
        further = (event.points[SOUTH] - event.points[NORTH]) - (before[SOUTH] - before[NORTH])
        after = replace(self._further_ahead(state, further), position=position)
        return after, (Notice("score_set", INFO, facts), *won)

    def _further_ahead(self, state: BoardState, by: int) -> BoardState:
        """The same state, with South so many seeds further ahead in every position that the game may go on from."""
        if by == 0:
            return state
        ahead = partial(self.game.further_ahead, by=by)
        return replace(
            state,
            before=_pair_ahead(state.before, ahead),
            waiting=state.waiting and _waiting_ahead(state.waiting, ahead),
            still_open=_accounts_ahead(state.still_open, ahead),
            asked=_pair_ahead(state.asked, ahead),
        )

    def amendment(self, state: BoardState, event: GameEvent) -> Amendment | None:
        """Answers change the game, never how an earlier board reads."""
        return None

    def possible(self, state: BoardState) -> frozenset[Card]:
        """No cards here."""
        return frozenset()

    def board(self, state: BoardState) -> tuple[tuple[int, ...], ...] | None:
        """What the last good position holds, if the last board showed it."""
        open_now = state.waiting is not None or state.doubt is not None or state.restoring
        over = state.position.over
        return None if open_now or over or not state.begun else self.game.board_rows(state.position.sides)

    def to_think(self, state: BoardState) -> Any:
        """The position, if nothing about it is open and somebody is to move."""
        return None if self.board(state) is None else state.position

    def view(self, state: BoardState) -> BoardView:
        """Everything there is to show now. Counts only if the table asked, or must put the seeds back."""
        position = state.position
        told = state.waiting.told if state.waiting else None
        phase = self.game.phase(position) if state.begun else "setup"
        return BoardView(
            game=self.game.name,
            phase="over" if position.over else phase,
            players=self.players,
            sides=(SOUTH, NORTH),
            turn=None if position.over else position.to_move,
            winner=position.winner,
            **self.game.stores(position),
            pits=self.game.board_rows(position.sides) if self.game.show_counts or state.restoring else None,
            last_turn=state.last_turn,
            path=self._path(state),
            wanted=state.wanted,
            wanted_path=None if state.wanted is None else self._way(state.position, state.wanted),
            question=told if told is not None and told.code == "question" else None,
            alert=told if told is not None and told.level == ALERT else None,
            doubt=state.doubt,
        )

    def _path(self, state: BoardState) -> Path | None:
        """The way of the last turn, where it is known what it was played from."""
        if state.last_turn is None or state.before is None:
            return None
        return self._way(state.before[0], str(state.last_turn["key"]))

    def _way(self, position: Any, key: str) -> Path | None:
        """The way of a turn. A view is asked for again and again: the newest are kept."""
        if (position, key) not in self._paths:
            while len(self._paths) >= KEPT_PATHS:
                self._paths.pop(next(iter(self._paths)))
            self._paths[position, key] = self.game.path(position, key)
        return self._paths[position, key] or None

    def _device_turn(self, state: BoardState, key: str) -> Judged:
        """The device asks for a turn of the side whose turn it is."""
        if state.position.over or key not in self.game.legal(state.position):
            raise EventError("no_turn_now", turn=key)
        facts = {"player": PLAYERS[state.position.to_move], "key": key}
        return replace(state, asked=(state.position, key)), (Notice("device_turn", INFO, facts),)

    # -- boards ------------------------------------------------------------------------------------------------------

    def _board(self, state: BoardState, number: int, board: Board) -> Judged:
        self._check_grid(board)
        reading = BoardEvidence(board, self.game.layout)
        if state.position.over:
            return self._after_the_end(state, reading, board)
        waits = self._nothing_followed(state, board, reading)
        was_open = bool(state.still_open) and not waits
        rests = self._rests(state, board)
        told = self._explained(state, board, was_open, rests)
        if not state.begun:
            return self._setting_up(state, number, reading, told, bool(_hidden(board)))
        if told.verdict in (STILL, STANDS):
            return self._lies_still(state, number, reading, told)
        if told.verdict == TURN and self._only_emptied(board, state.position, told.turns[-1].after):
            return replace(state, doubt=SOWING, seen=reading.likeliest(state.position.sides)), ()
        if told.verdict in (TURN, BACK) and not rests:
            return self._turn_told(state, number, reading, told, was_open)
        if told.open and not waits:
            state = replace(state, still_open=told.open, open_seen=reading.likeliest(state.position.sides))
        if rests:
            return self._rested(state, number, reading, told)
        return self._unsettled(state, number, board, reading, told)

    def _explained(self, state: BoardState, board: Board, was_open: bool, rests: bool) -> Explanation:
        """The likeliest account of a board in this game. was_open: the board before did not tell what was played."""
        waiting = state.waiting
        return explain(
            state.position,
            board,
            self.game,
            state.before[0] if state.before else None,
            self._misread_rate(state),
            state.still_open if was_open else (),
            state.wanted,
            sowing=not rests,
            stands=waiting and waiting.stands,
            followed=waiting.turns if waiting else (),
        )

    def _lies_still(self, state: BoardState, number: int, reading: BoardEvidence, told: Explanation) -> Judged:
        """The last good board, or an illegal turn that was told and is let stand."""
        waiting = state.waiting
        if told.verdict == STANDS and waiting is not None:
            return self._let_stand(state, waiting, number, told)
        asked = waiting if waiting is not None and waiting.back is not None else None
        return replace(self._as_read(self._settled(state), reading), waiting=asked), ()

    def _turn_told(
        self, state: BoardState, number: int, reading: BoardEvidence, told: Explanation, was_open: bool
    ) -> Judged:
        """A legal turn, or several. was_open: the board before did not tell what had been played."""
        several = len(told.turns) > 1 or was_open
        guessed = len(told.turns) > 2 or (several and told.share < 1 - ACCUSE)
        state, notices = self._played_and_checked(state, number, told)
        state = self._eye_checked(self._as_read(state, reading), reading)
        return replace(state, unsure=guessed or self._contradicted(state, reading)), notices

    def _played_and_checked(self, state: BoardState, number: int, told: Explanation) -> Judged:
        """What was played, and the question that follows where the device had asked for another turn."""
        other = self._other_turn(state, number, told)
        state, notices = self._played(self._settled(state), told)
        return replace(state, waiting=other), notices if other is None else (*notices, other.told)

    @staticmethod
    def _other_turn(state: BoardState, number: int, told: Explanation) -> Waiting | None:
        """The question that follows where another turn was made than the device had asked for."""
        back = told.verdict == BACK and state.before is not None
        position, last_turn = state.before if back and state.before is not None else (state.position, state.last_turn)
        for turn in told.turns:
            player = PLAYERS[position.to_move]
            if state.asked is not None and state.asked[0] == position and state.asked[1] != turn.key:
                facts = {"player": player, "wanted": state.asked[1], "key": turn.key}
                asked = question(number, OTHER_TURN, [STANDS, ANEW], **facts)
                return Waiting(number, told.turns[-1].after.sides, asked, back=(position, last_turn))
            position, last_turn = turn.after, LastTurn(player, turn.captured, turn.key)
        return None

    def _unsettled(
        self, state: BoardState, number: int, board: Board, reading: BoardEvidence, told: Explanation
    ) -> Judged:
        """A board that no legal turn leads to for sure."""
        seen = reading.likeliest(state.position.sides)
        if told.verdict == ILLEGAL and told.fault is not None:
            return self._fault_seen(state, number, board, told, told.fault, seen)
        if told.verdict == CLOSE:
            return self._close(state, number, board, told, seen)
        if state.restoring and self._set_out(reading):
            return self._strange(state, number, reading, seen)
        if state.restoring or told.verdict == SOWING:
            return replace(state, doubt=SOWING, seen=seen), ()
        return self._strange(state, number, reading, seen)

    def _fault_seen(
        self, state: BoardState, number: int, board: Board, told: Explanation, fault: Fault, seen: Sides
    ) -> Judged:
        """What looks like an illegal turn, unless a hand or the eye can have made it look so, or nobody moved."""
        if state.waiting is not None and state.waiting.told.facts.get("about") == WHICH_TURN:
            return replace(state, doubt=UNCLEAR, seen=seen), ()  # Which turn came before is open.
        misread = self._may_be_misread(state, fault)
        in_that_hand = fault.rule in self.game.unfinished and _hidden(board)
        if misread or in_that_hand or self._beside_hidden(board, fault):
            return replace(state, doubt=UNCLEAR, seen=seen), ()
        # Either player may have done it, where a turn was not seen; the position may be another.
        if board.missed or state.unsure or told.turns or self._knocked(fault):
            return self._ask(state, number, seen, question(number, KNOCKED, [RESTORE, *PLAYERS]))
        return self._illegal(state, number, told, fault)

    @staticmethod
    def _knocked(fault: Fault) -> bool:
        """Whether seeds lie elsewhere that nobody moved in a turn, or too many for a slip."""
        shifted = fault.key is None and not fault.moved
        return fault.rule in SHIFTED and (shifted or len(fault.pits) >= SCATTERED_PITS)

    def _close(self, state: BoardState, number: int, board: Board, told: Explanation, seen: Sides) -> Judged:
        """Too close to tell: the players are asked, if there are few answers."""
        misread = any(self._may_be_misread(state, explanation.fault) for explanation in told.choices)
        if misread or _hidden(board) or not 2 <= len(told.choices) <= MOST_CHOICES:
            return replace(state, doubt=UNCLEAR, seen=seen), ()
        return self._ask_which(state, number, seen, told.choices)

    def _ask_which(self, state: BoardState, number: int, seen: Sides, accounts: tuple[Explanation, ...]) -> Judged:
        """Asks which of these it was."""
        asked = question(number, WHICH_TURN, [account.name for account in accounts])
        return self._ask(state, number, seen, asked, accounts)

    @staticmethod
    def _rests(state: BoardState, board: Board) -> bool:
        """Whether what could not be told would have gone on by now, if it were a turn being sown."""
        doubtful = state.doubt in (SOWING, UNCLEAR) and state.waiting is None
        return board.rested and doubtful and not state.restoring and not _hidden(board)

    def _rested(self, state: BoardState, number: int, reading: BoardEvidence, told: Explanation) -> Judged:
        """Further looks tell no more, and nobody is accused of what they could not tell until now."""
        seen = reading.likeliest(state.position.sides)
        if told.verdict == ILLEGAL and told.fault is not None and not told.turns:
            played = self.game.legal(state.position).get(told.fault.key or "")
            if played is not None:  # Or the next player lifted seeds.
                return self._ask_which(state, number, seen, (Explanation(TURN, (played,)), told))
        likely = told.open or (told,)
        turns = [account for account in likely if 0 < len(account.turns) <= MOST_TURNS][: MOST_CHOICES - 1]
        if told.verdict == STRANGE or not turns:
            return replace(state, seen=seen), ()  # Seeds were lifted, and whoever did so thinks it over.
        return self._ask_which(state, number, seen, (*turns, NO_TURN))

    @staticmethod
    def _as_read(state: BoardState, reading: BoardEvidence) -> BoardState:
        """The state with the pits that the eye counts otherwise than they are: they accuse nobody."""
        return BoardJudge._seen_as(state, reading.likeliest(state.position.sides))

    @staticmethod
    def _seen_as(state: BoardState, seen: Sides) -> BoardState:
        sides = state.position.sides
        wrong = {(side, pit) for side in (0, 1) for pit, count in enumerate(sides[side]) if seen[side][pit] != count}
        return replace(state, misread=frozenset(wrong))

    @staticmethod
    def _nothing_followed(state: BoardState, board: Board, reading: BoardEvidence) -> bool:
        """Whether no turn can have followed what may have been played: a hand lies over the board, or it looks as it
        did but for one pit."""
        if _hidden(board):
            return True
        if not state.still_open or state.open_seen is None:
            return False
        return _changed(state.open_seen, reading.likeliest(state.position.sides)) <= 1

    @staticmethod
    def _contradicted(state: BoardState, reading: BoardEvidence) -> bool:
        """Whether a pit surely looks otherwise than the position says: the eye errs, or the position does."""
        sides = state.position.sides
        return any(
            reading.tables[side][pit][count] < SURELY_OTHER
            for side in (SOUTH, NORTH)
            for pit, count in enumerate(sides[side])
        )

    @staticmethod
    def _may_be_misread(state: BoardState, fault: Fault | None) -> bool:
        """Whether a seed too many or too few lies where the eye counted otherwise before."""
        return fault is not None and fault.rule in SLIPS and not state.misread.isdisjoint(fault.pits)

    @staticmethod
    def _misread_rate(state: BoardState) -> float:
        """How often the eye is sure of a wrong count at this table, as far as its turns have shown."""
        return (EYES_WORTH * MISREAD + state.mistaken) / (EYES_WORTH + state.checked)

    @staticmethod
    def _eye_checked(state: BoardState, reading: BoardEvidence) -> BoardState:
        """The state after a turn that told what the pits it changed hold."""
        if state.before is None:
            return state
        was, now = state.before[0].sides, state.position.sides
        fits = [
            reading.tables[side][pit][now[side][pit]]
            for side in (SOUTH, NORTH)
            for pit in range(len(was[side]))
            if now[side][pit] != was[side][pit] and now[side][pit] > FEW
        ]
        mistaken = sum(fit < SURELY_OTHER for fit in fits)
        return replace(state, checked=state.checked + len(fits), mistaken=state.mistaken + mistaken)

    def _settled(self, state: BoardState) -> BoardState:
        return replace(state, waiting=None, doubt=None, restoring=False, seen=None, still_open=())

    def _played(self, state: BoardState, told: Explanation) -> Judged:
        notices: list[Notice] = []
        if told.verdict == BACK and state.before is not None:
            position, last_turn = state.before
            state = replace(state, position=position, last_turn=last_turn, before=None)
        for turn in told.turns:
            state, said = self._move(state, turn, told.same if len(told.turns) == 1 else ())
            notices += said
        return state, tuple(notices)

    def _move(self, state: BoardState, turn: Any, same: tuple[str, ...] = ()) -> tuple[BoardState, list[Notice]]:
        played = LastTurn(PLAYERS[state.position.to_move], turn.captured, turn.key, same)
        before = (state.position, state.last_turn)
        state = replace(state, begun=True, position=turn.after, last_turn=played, before=before)
        remarks = self.game.remarks(before[0], turn)
        moved = Notice("move", INFO, played.to_dict() | ({"remarks": list(remarks)} if remarks else {}))
        return state, [moved, *self._won(turn.after, remarks)]

    def _won(self, position: Any, remarks: tuple[str, ...] = ()) -> list[Notice]:
        if not position.over:
            return []
        winner = position.winner
        if winner is None:
            return [Notice("match_drawn", INFO, {})]
        emptied = {"emptied": True} if "kamu" in remarks else {}
        return [Notice("match_won", INFO, {"side": winner, "player": PLAYERS[winner], **emptied})]

    def _illegal(self, state: BoardState, number: int, told: Explanation, fault: Fault) -> Judged:
        state, before = self._played(self._settled(state), told)
        notice = self._accusation(number, fault)
        stands = self.game.stands(state.position, fault)
        state = replace(state, waiting=Waiting(number, fault.sides, notice, fault, stands))
        if state.wanted is None or fault.player != state.position.to_move:
            return state, (*before, notice)
        again = Notice("device_turn_again", INFO, {"player": PLAYERS[fault.player], "key": state.wanted})
        return state, (*before, notice, again)

    def _accusation(self, number: int, fault: Fault) -> Notice:
        facts: dict[str, Any] = {"number": number, "player": PLAYERS[fault.player]}
        if fault.key is not None:
            facts["key"] = fault.key
        if fault.pits:
            facts["pits"] = [list(self.game.place(player, pit)) for player, pit in fault.pits]
        if fault.seeds:
            facts["seeds"] = fault.seeds
        if fault.rule == "seeds_missing":
            facts["missing"] = fault.seeds
        if fault.rule == "seeds_added":
            facts["added"] = fault.seeds
        return illegal(fault.rule, **facts)

    def _let_stand(self, state: BoardState, waiting: Waiting, number: int, told: Explanation) -> Judged:
        """An illegal turn that was told still lies there, or legal turns followed it."""
        if waiting.fault is None or told.turns == waiting.turns:
            return replace(state, doubt=None), ()
        since = waiting.illegal_number or waiting.number
        accusation = self._accusation(since, waiting.fault)
        if not told.turns:  # What followed was taken back.
            return replace(state, waiting=replace(waiting, number=since, told=accusation, turns=()), doubt=None), ()
        broken, keys = accusation.to_dict(), [turn.key for turn in told.turns]
        asked = question(number, PLAYED_ON, [STANDS, TAKEN_BACK], board=since, illegal=broken, keys=keys)
        seen = told.turns[-1].after.sides
        after = replace(waiting, number=number, sides=seen, told=asked, turns=told.turns, illegal_number=since)
        return replace(state, waiting=after, doubt=None), (asked,)

    def _ask(
        self, state: BoardState, number: int, seen: Sides, asked: Notice, accounts: tuple[Explanation, ...] = ()
    ) -> Judged:
        """Asks, unless it is open already: the same question about the same board, or which position to go on from.

        That one is about what lies there when it is answered: an eye that cannot count these seeds asks it once.
        """
        open_now = state.waiting
        if open_now is not None:
            facts = open_now.told.facts
            if facts.get("about") in GO_ON_FROM and asked.facts["about"] in GO_ON_FROM:
                return replace(state, waiting=replace(open_now, number=number, sides=seen), doubt=None), ()
            if open_now.sides == seen and all(facts.get(name) == asked.facts[name] for name in ("about", "choices")):
                return state, ()
        state = replace(state, waiting=Waiting(number, seen, asked, accounts=accounts), doubt=None)
        return state, (asked,)

    def _set_out(self, reading: BoardEvidence) -> Sides | None:
        """The position that games begin with, if that is what lies there."""
        first = max(self.opening.sides, self.game.counting, key=reading.fit)
        return first if reading.fit(first) > LOG_STRANGE else None

    def _strange(self, state: BoardState, number: int, reading: BoardEvidence, seen: Sides) -> Judged:
        """A board that no turn leads to."""
        first = self._set_out(reading)
        if first is not None:
            return self._ask(state, number, first, question(number, NEW_GAME, [YES, NO]))
        position, total = state.position, sum(map(sum, seen))
        if total > ADOPTED_SEEDS:
            return state, ()
        if total >= position.on_board:
            return self._ask(state, number, seen, question(number, ADOPT, [*PLAYERS, NO]))
        opponent = 1 - position.to_move
        behind = any(
            seen[opponent][pit] != position.sides[opponent][pit] for pit in self.game.out_of_reach(position.to_move)
        )
        if behind or _changed(position.sides, seen) > self.game.changed_pits:
            return self._ask(state, number, seen, question(number, KNOCKED, [RESTORE, *PLAYERS]))
        return replace(state, doubt=SOWING, seen=seen), ()

    # -- before the first turn and after the last --------------------------------------------------------------------

    def _setting_up(
        self, state: BoardState, number: int, reading: BoardEvidence, told: Explanation, hidden: bool
    ) -> Judged:
        if told.verdict == STILL and self._set_out_rightly(reading):
            return replace(self._settled(state), begun=True), ()
        if told.verdict == TURN:
            return self._played(self._settled(state), told)
        if told.verdict == ILLEGAL and told.fault is not None and told.fault.rule not in SLIPS:
            return self._illegal(replace(state, begun=True), number, told, told.fault)
        seen, counted = reading.likeliest(self.game.counting), reading.fit(self.game.counting) > LOG_STRANGE
        if counted:
            seen = self._nearly_counted(reading, seen)
        if not hidden and self._lies_set_out(state, reading, seen):
            return replace(self._settled(state), begun=True), ()
        rests = seen == state.seen and not hidden
        if counted or not rests:
            return self._still_setting_up(state, number, seen, rests)
        return (state, ()) if state.waiting is not None else self._set_up_otherwise(state, number, seen)

    def _lies_set_out(self, state: BoardState, reading: BoardEvidence, seen: Sides) -> bool:
        """Whether what games begin with lies there: in two looks no pit surely holds another number. An eye that counts
        one pit of four as five does so in all."""
        again = state.seen is not None and _changed(state.seen, seen) <= MISCOUNTED_PITS
        return again and reading.fit(self.opening.sides) > LOG_STRANGE and self._set_out_rightly(reading)

    def _set_out_rightly(self, reading: BoardEvidence) -> bool:
        """Whether no pit plainly holds another number than games begin with."""
        first = self.opening.sides
        tables = zip(chain(*reading.tables), chain(*first), strict=True)
        return all(table[count] >= HARDLY_SO for table, count in tables)

    def _set_up_otherwise(self, state: BoardState, number: int, seen: Sides) -> Judged:
        """What rests there before the first turn is not what games are counted with."""
        off, total = self._miscounted(seen), sum(map(sum, seen))
        unfilled = sum(seen[player][pit] == 0 for player, pit in off)
        wanted = self._number_wanted(total)
        if len(off) <= MISCOUNTED_PITS and unfilled <= 1 and total != wanted:
            notice = self._wrong_number(number, off, total, wanted)
            return replace(state, waiting=Waiting(number, seen, notice)), (notice,)
        if len(off) > MISCOUNTED_PITS and total <= self.game.seeds and self.game.may_begin(seen):
            return self._ask(state, number, seen, question(number, ADOPT, [*PLAYERS, NO]))
        return state, ()

    def _still_setting_up(self, state: BoardState, number: int, seen: Sides, rests: bool) -> Judged:
        """Seeds are being put down; a number that stays wrong can be counted again."""
        waiting = state.waiting if state.waiting and state.waiting.sides == seen else None
        state = replace(state, doubt=SETTING_UP, seen=seen, waiting=waiting)
        again = self._counted_otherwise(number, seen) if rests and waiting is None else None
        return (state, ()) if again is None else (replace(state, waiting=Waiting(number, seen, again)), (again,))

    def _number_wanted(self, total: int) -> int:
        """The number of seeds nearest to these that a game is set out with."""
        return min(max(total, sum(map(sum, self.game.fewest))), sum(map(sum, self.game.counting)))

    def _wrong_number(self, number: int, off: list[tuple[int, int]], total: int, wanted: int) -> Notice:
        """The game is set up with seeds too many or too few, by these pits."""
        seeds = abs(wanted - total)
        facts: dict[str, Any] = {"number": number, "pits": [list(self.game.place(*pit)) for pit in off]}
        if total < wanted:
            return illegal("seeds_missing", missing=seeds, **facts, seeds=seeds)
        return illegal("seeds_added", added=seeds, **facts, seeds=seeds)

    def _nearly_counted(self, reading: BoardEvidence, seen: Sides) -> Sides:
        """What lies there, where a pit that may hold what games are counted with does."""

        def nearly(player: int, pit: int) -> int:
            table, right = reading.tables[player][pit], self.game.counting[player][pit]
            allowed = max(range(self.game.fewest[player][pit], right + 1), key=table.__getitem__)
            return allowed if table[allowed] >= HARDLY_SO else seen[player][pit]

        south, north = (tuple(nearly(player, pit) for pit in range(len(seen[player]))) for player in (SOUTH, NORTH))
        return south, north

    def _counted_otherwise(self, number: int, seen: Sides) -> Notice | None:
        """As many were put in every pit, but a few plainly hold another number: a person can look."""
        off, total = self._miscounted(seen), sum(map(sum, seen))
        filled = all(all(side) for side in seen)
        wanted = self._number_wanted(total)
        if not (filled and len(off) <= MISCOUNTED_PITS and total != wanted):
            return None
        pits = [list(self.game.place(*pit)) for pit in off]
        return Notice("count_again", ASK, {"number": number, "pits": pits, "seeds": total, "all": wanted})

    def _after_the_end(self, state: BoardState, reading: BoardEvidence, board: Board) -> Judged:
        """The seeds are gathered up; set out again, or begun upon already, a new game begins."""
        if reading.fit(self.opening.sides) > LOG_STRANGE:
            return self._anew(state, begun=self._set_out_rightly(reading)), ()
        if reading.fit(self.game.counting) > LOG_STRANGE:
            return self._anew(state, begun=False), ()
        told = explain(self.opening, board, self.game, None, self._misread_rate(state))
        return self._played(self._anew(state, begun=True), told) if told.verdict == TURN else (state, ())

    def _anew(self, state: BoardState, begun: bool) -> BoardState:
        """Another game at the same table, before the same eye."""
        return BoardState(self.opening, begun, checked=state.checked, mistaken=state.mistaken)

    # -- answers -----------------------------------------------------------------------------------------------------

    def _confirm(self, state: BoardState, number: int) -> Judged:
        """The position on the board is adopted, as the players say it is."""
        waiting = state.waiting
        if waiting is None or number not in (
            waiting.number,
            waiting.illegal_number,
            waiting.told.facts.get("question"),
        ):
            raise EventError("confirm_none", event=number)
        if waiting.stands is not None:
            return self._adopted(state, waiting)
        if waiting.accounts:
            raise EventError("confirm_question", question=waiting.number)
        if waiting.told.facts.get("about") in GO_ON_FROM:
            return self._set_up(state, waiting.sides, state.position.to_move)
        return replace(state, waiting=None), ()

    def asked(self, state: BoardState, event: Choose) -> Notice:
        return self._waiting(state, event).told

    def asking_still(self, state: BoardState, event: Choose, answered: Notice | None) -> BoardState:
        if not is_same_question(self.asked(state, event), answered):
            raise EventError("choose_none", question=event.question)
        return state

    def _waiting(self, state: BoardState, event: Choose) -> Waiting:
        waiting = state.waiting
        if waiting is None or waiting.told.facts.get("question") != event.question:
            raise EventError("choose_none", question=event.question)
        choices = waiting.told.facts["choices"]
        if event.answer not in choices:
            raise EventError("choose_other", value=event.answer, allowed=choices)
        return waiting

    def _choose(self, state: BoardState, number: int, event: Choose) -> Judged:
        waiting, answer = self._waiting(state, event), event.answer
        settled = self._settled(state)
        if waiting.back is not None:
            if answer == STANDS:
                return settled, ()
            position, last_turn = waiting.back
            return replace(settled, position=position, last_turn=last_turn, before=None, restoring=True), ()
        if waiting.accounts:
            account = waiting.accounts[waiting.told.facts["choices"].index(answer)]
            if account.fault is not None:
                return self._illegal(state, waiting.number, account, account.fault)
            state, notices = self._played_and_checked(state, number, account)
            return replace(self._seen_as(state, waiting.sides), unsure=False), notices
        if answer in PLAYERS:
            return self._set_up(settled, waiting.sides, PLAYERS.index(answer))
        if answer == STANDS:
            return self._adopted(settled, waiting)
        if answer == YES:
            still_counted = waiting.sides == self.game.counting != self.opening.sides
            return self._anew(state, begun=not still_counted), ()
        return replace(settled, restoring=answer in (RESTORE, TAKEN_BACK)), ()

    def _adopted(self, state: BoardState, waiting: Waiting) -> Judged:
        """An illegal turn stands, and with it what was played on it."""
        assert waiting.stands is not None and waiting.fault is not None
        fault, before = waiting.fault, state.position
        state = replace(self._settled(state), position=waiting.stands, begun=True, before=None, unsure=False)
        notices: list[Notice] = []
        if fault.moved:
            opponent = 1 - fault.player
            captured = max(0, sum(before.sides[opponent]) - sum(waiting.stands.sides[opponent]))
            played = LastTurn(PLAYERS[fault.player], captured, fault.key, confirmed=True)
            state = replace(state, last_turn=played)
            notices.append(Notice("move", INFO, played.to_dict()))
        notices += self._won(waiting.stands)
        for turn in waiting.turns:
            state, said = self._move(state, turn)
            notices += said
        return state, tuple(notices)

    def _set_up(self, state: BoardState, sides: Sides, to_move: int) -> Judged:
        """A position taken over from the board."""
        position = self.game.set_up(state.position, sides, to_move)
        state = replace(self._settled(state), position=position, begun=True, last_turn=None, before=None, unsure=False)
        return state, tuple(self._won(position))

    # -- pits ----------------------------------------------------------------------------------------------------------

    def _check_grid(self, board: Board) -> None:
        """Raises EventError: it is another game's board."""
        if board.grid != (self.game.rows, self.game.columns):
            rows, columns = board.grid
            raise EventError(
                "other_board",
                high=rows,
                wide=columns,
                game=self.game.name,
                wanted=self.game.rows,
                pits=self.game.columns,
            )

    def _miscounted(self, seen: Sides) -> list[tuple[int, int]]:
        """The pits, by player, that hold more than they are counted with, or fewer than a head start leaves there."""
        fewest, most = self.game.fewest, self.game.counting
        return [
            (player, pit)
            for player in (SOUTH, NORTH)
            for pit, count in enumerate(seen[player])
            if not fewest[player][pit] <= count <= most[player][pit]
        ]

    def _only_emptied(self, board: Board, was: Any, now: Any) -> bool:
        """Whether all that is seen of a turn is pits it took seeds from, and where it put them is hidden: a pit that an
        arm darkens looks empty too."""
        more = {
            (row, column)
            for row, column, player, pit in self.game.layout
            if now.sides[player][pit] > was.sides[player][pit]
        }
        return bool(more) and more.issubset(_hidden(board))

    def _beside_hidden(self, board: Board, fault: Fault) -> bool:
        """Whether a hand lies beside what told of a fault: pits next to it may be half covered, or in its shadow."""
        told_by = [self.game.place(player, pit) for player, pit in fault.pits]
        return any(not told_by or any(_touch(at, pit) for pit in told_by) for at in _hidden(board))


def _changed(before: Sides, now: Sides) -> int:
    """How many pits hold another number."""
    return sum(old != new for was, side in zip(before, now, strict=True) for old, new in zip(was, side, strict=True))


def _hidden(board: Board) -> list[tuple[int, int]]:
    """The pits, row and column, that could not be counted."""
    rows = board.pits if board.pits is not None else board.likelihood or ()
    return [(row, column) for row, pits in enumerate(rows) for column, pit in enumerate(pits) if pit is None]


def _touch(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return abs(a[0] - b[0]) <= 1 and abs(a[1] - b[1]) <= 1
