"""What is said next. Nothing is left out: what comes faster than it can be said is said shorter, and in one breath."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

ALERT, ASK, SCORE, CARD, MENU = range(5)
"""What a line is; the smaller, the heavier. An alert interrupts what is none; of the menu only the newest counts."""
CALM, QUICK, QUICKEST = 200, 330, 400
"""Words a minute. Above 400 espeak-ng is no quicker. A name and a card take 0.4 s then in French, 0.6 s by the voice
for Swahili; at CALM over one second."""
BREATH = ", "
"""Between two lines that are said together: the shortest pause there is."""


@dataclass(frozen=True)
class Line:
    """Something to say."""

    text: str
    short: str = ""
    """The same in fewer words; empty: there is no shorter way."""
    kind: int = SCORE
    clips: tuple[str, ...] = ()
    """Names of recordings which, one after the other, say the same."""
    language: str = ""
    """Where it is not the table's."""

    def said(self, hurry: bool) -> str:
        """Its words."""
        return self.short if hurry and self.short else self.text


@dataclass(frozen=True)
class Utterance:
    """What is said in one breath."""

    text: str
    words_a_minute: int
    lines: tuple[Line, ...]

    @property
    def kind(self) -> int:
        """Its heaviest line's."""
        return min(line.kind for line in self.lines)


@dataclass
class SpeechQueue:
    """Lines that wait."""

    _waiting: deque[Line] = field(default_factory=deque)
    _speaking: bool = False

    def add(self, lines: Sequence[Line]) -> None:
        """They are said after those that wait; alerts before everything that is no alert."""
        for line in lines:
            if line.kind == MENU:
                self._waiting = deque(other for other in self._waiting if other.kind != MENU)
            if line.kind != ALERT:
                self._waiting.append(line)
                continue
            place = next((n for n, other in enumerate(self._waiting) if other.kind != ALERT), len(self._waiting))
            self._waiting.insert(place, line)

    def interrupts(self, now: Utterance) -> bool:
        """Whether what waits is worth breaking off what is said now."""
        if not self._waiting:
            return False
        alert = self._waiting[0].kind == ALERT and now.kind != ALERT
        return alert or (now.kind == MENU and any(line.kind == MENU for line in self._waiting))

    def resume(self, broken_off: Utterance) -> None:
        """What was broken off is said again, after the alerts."""
        alerts = [line for line in self._waiting if line.kind == ALERT]
        others = [line for line in self._waiting if line.kind != ALERT]
        again = [line for line in broken_off.lines if line.kind != MENU]
        self._waiting = deque([*alerts, *again, *others])

    def next(self) -> Utterance | None:
        """What to say now; asked whenever nothing is being said. What waited is said together, and quicker."""
        waited, self._speaking = self._speaking, bool(self._waiting)
        if not self._waiting:
            return None
        lines = [self._waiting.popleft()]
        if lines[0].kind not in (SCORE, CARD):
            return Utterance(lines[0].text, CALM, tuple(lines))
        while self._waiting and self._waiting[0].kind in (SCORE, CARD):
            lines.append(self._waiting.popleft())
        pace = QUICKEST if len(lines) > 1 else QUICK if waited else CALM
        return Utterance(BREATH.join(line.said(hurry=pace != CALM) for line in lines), pace, tuple(lines))

    def __len__(self) -> int:
        return len(self._waiting)
