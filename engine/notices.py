"""Notices: what the engine has to say about an event: a code and its facts, never prose."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

INFO, ASK, ALERT = "info", "ask", "alert"
YES, NO = "yes", "no"
NOBODY, FORGOTTEN = "nobody", "forgotten"
"""Answers to a question: no seat; and, about an earlier deal, that nobody remembers."""

CARD_RULES = (
    "not_in_pack", "seen_before", "two_from_one_seat", "out_of_turn", "wrong_leader", "before_taken",
    "taken_by_wrong_side", "turn_up_changed", "cards_missing", "points_do_not_add_up",
)  # fmt: skip
BOARD_RULES = (
    "capture_owed", "single_seed_start", "nyumba_start", "back_row_start", "too_many_to_capture", "blocked_pit",
    "dropped_wrong", "took_what_it_may_not", "stopped_short", "hand_not_used", "opponents_turn", "played_twice",
    "moved_opponents_seeds", "seeds_missing", "seeds_added", "endless", "must_feed",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Notice(Mapping[str, Any]):
    """One thing to say. level: info (shown), ask (a person can settle it), alert (a rule was broken);
    "" where only a view says it.

    Also reads as its JSON form: notice["rule"].
    """

    code: str
    level: str
    facts: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: {"notice": code, "level": …, …facts}."""
        level = {"level": self.level} if self.level else {}
        return {"notice": self.code, **level, **self.facts}

    def __getitem__(self, name: str) -> Any:
        return self.to_dict()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_dict())

    def __len__(self) -> int:
        return len(self.to_dict())


def illegal(rule: str, **facts: Any) -> Notice:
    """An illegal move a table can show: its rule and the facts that prove it."""
    return Notice("illegal", ALERT, {"rule": rule, **facts})


def question(number: int, about: str, choices: list[str], **facts: Any) -> Notice:
    """A question for the table, known by the number of the event that raised it."""
    return Notice("question", ASK, {"question": number, "about": about, "choices": choices, **facts})


_WHOM = ("about", "seat", "seats", "side", "winner", "expected", "player", "suit", "card_number")
"""Facts of a question that tell what it is about, and whom. Cards and tricks are not compared: they may have been
corrected."""


def is_same_question(asked: Notice, before: Notice | None) -> bool:
    """Whether a question is about the same thing and the same people as one asked before."""
    return before is not None and all(asked.facts.get(name) == before.facts.get(name) for name in _WHOM)


PASSED_OVER = "passed_over"
"""A seat laid a card before whose turn it was, or nobody saw that one's card."""


def accuses(notice: Notice) -> bool:
    """Whether this accuses somebody, or will if the seat that was passed over lays a card yet."""
    return notice.level == ALERT or notice.code == PASSED_OVER
