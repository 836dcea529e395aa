"""What there is to show at one moment: every output draws this same picture and keeps nothing of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

CUES = ("trick", "deal", "won", "alert", "question", "trouble", "press")
"""What the buzzer has a tune for."""
OFF, ALERTS, GAME, EVERYTHING = "off", "alerts", "game", "everything"
HOW_MUCH = (OFF, ALERTS, GAME, EVERYTHING)
"""What is said aloud: nothing, illegal moves and questions, tricks and the score as well, all that a player needs who
cannot see."""
SITUATIONS = (
    "looking", "hand_over", "between_deals", "waiting_for_deal", "scattered", "looking_through", "camera_moved",
    "board_lost", "board_unsure", "two_boards", "finding_game", "sowing",
)  # fmt: skip
"""States of the table that are no part of a game: what the device waits for. Their words are under [situations]."""
CAMERA_AWAY, NET_CAMERA_AWAY = "camera_away", "net_camera_away"
"""One on a cable, and one at an address."""
TROUBLES = (
    CAMERA_AWAY, NET_CAMERA_AWAY, "camera_frozen", "camera_dark", "camera_glaring", "camera_grey", "camera_blurred",
    "camera_far", "journal_full", "journal_read_only", "journal_slow", "buttons_away", "page_away", "broker_away",
    "thinker_away", "hand_short", "table_twice", "undervoltage", "hot", "disk_low", "part_failed",
)  # fmt: skip
"""Parts that are missing or unwell, beside those that outputs declare. Their words are under [troubles]."""


@dataclass(frozen=True)
class Prompt:
    """A question to the table; answers[0] is button A, answers[1] button B, answers[2] button C."""

    text: str
    answers: tuple[str, ...]
    key: str = ""
    """Differs from question to question: an answer names the one it is for."""
    every: tuple[str, ...] = ()
    """All the answers, for what has more than three buttons."""
    asked: Mapping[str, Any] | None = None
    """The notice that asks, for whoever says it in another language."""
    codes: tuple[str | Mapping[str, Any], ...] = ()
    """What each of all the answers is: an answer to a question, or a game, or a value of one of its rules."""


@dataclass(frozen=True)
class Page:
    """A page of the menu, or of set-up: lines of which one may be chosen, and what each button does."""

    title: str
    lines: tuple[str, ...]
    chosen: int | None = None
    buttons: tuple[str, str, str] = ("", "", "")


@dataclass(frozen=True)
class Cue:
    """A sound to make once; number grows with each."""

    number: int
    name: str


@dataclass(frozen=True)
class Join:
    """A Wi-Fi to join."""

    ssid: str
    password: str
    code: str
    """As a QR code holds it."""


@dataclass(frozen=True)
class Invite:
    """How to get at the page, for half a minute or as long as a code lasts."""

    address: str
    """As a browser takes it, and as a QR code holds it."""
    code: str | None = None
    """Pairs the phone that it is typed on, or that scans the QR code."""
    wifi: "Join | None" = None
    """To be joined first: the device's own Wi-Fi. Shown before all else; a press leads on to the address."""

    @property
    def qr(self) -> str:
        """What the QR code holds."""
        if self.wifi is not None:
            return self.wifi.code
        return f"{self.address}#/pair/{self.code}" if self.code and self.address.startswith("http") else self.address


@dataclass(frozen=True)
class Untold:
    """A card that most likely lies in the trick and is not in the log yet."""

    seat: int
    card: str | None
    """None: it was not read yet."""


@dataclass(frozen=True)
class Lying:
    """Where a card of the game lies on the table, as seen from above with seat 0 at the lower edge."""

    card: str | None
    """None: it was not read yet."""
    seat: int | None
    """Who laid it in the trick; None: it was turned up, or lies beside."""
    x: float
    y: float
    """From the middle of play in lengths of a card; y grows toward seat 0."""
    turned_deg: float | None
    """Its long side from upright, clockwise, between -90 and 90; None: that was not seen."""


@dataclass(frozen=True)
class Happening:
    """Something that happened, or was said about it, for who says it on: the voice, a page's own words."""

    number: int
    """Grows with each."""
    event: Mapping[str, Any]
    """As it is logged; of {"event": "look"}: somebody asks what lies there."""
    notices: tuple[Mapping[str, Any], ...] = ()
    seat: int | None = None
    """Whose card or turn it was, or who deals, as far as that is known."""


@dataclass(frozen=True)
class Show:
    """Everything to show. Prose in it is in the table's language already; codes are for words or lamps to turn."""

    view: Mapping[str, Any]
    """View.to_dict(); empty before there is a match."""
    language: str = "fr"
    seats: tuple[str, ...] = ()
    """Names of the players, if the table gave any."""
    sentences: tuple[str, ...] = ()
    """What was said last, newest last."""
    notices: tuple[Mapping[str, Any] | None, ...] = ()
    """What each of these sentences says, for whoever says it in another language; None: no notice said it."""
    alert: str | None = None
    """The sentence of the alert that stands."""
    prompt: Prompt | None = None
    untold: tuple[Untold, ...] = ()
    """Cards that go on with the view's trick, most likely: shown paler, and nothing else follows from them."""
    lying: tuple[Lying, ...] = ()
    """Where the view's cards lie, as far as that is known: for whoever draws them there."""
    situation: str = "looking"
    troubles: tuple[str, ...] = ()
    page: Page | None = None
    """When given, it is all that a display shows (an alert still comes first)."""
    invite: Invite | None = None
    """When given, displays show it unless there is an alert or a question; a press takes it away."""
    cue: Cue | None = None
    brightness: float = 1.0
    """0 to 1, of lamps and displays."""
    sound: bool = True
    trying: bool = False
    """Somebody looks whether every lamp shines: all of them do."""
    voice: str = ""
    """How much is said aloud: one of HOW_MUCH; "": nobody has chosen yet."""
    happened: tuple[Happening, ...] = ()
    """What happened last, newest last."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Numbers for a bench or a page, never needed to draw."""

    @property
    def of_a_lesson(self) -> bool:
        """It shows a lesson, which is no part of the match: whoever follows that from afar keeps what he saw last."""
        return bool(self.extra.get("teaches"))


class Output(Protocol):
    """A display, lamps, the buzzer, a terminal, a panel. Raises OSError when it is away; may then be shown to again."""

    @property
    def name(self) -> str:
        """Of the part, for messages."""

    def show(self, show: Show) -> None:
        """Draws it. May take its time: each output has a thread of its own, and only the newest show waits."""

    def close(self) -> None:
        """Lights off, ports closed; harmless twice."""
