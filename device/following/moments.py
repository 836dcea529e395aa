"""The last seconds at the table in small pictures, so that an alert can show what it saw.

In memory alone, and all is gone with the match, unless the house keeps them (device/following/kept_moments.py).
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from device.following.follow import FrameSeen
from engine.cards import Card
from engine.events import Deal, Play
from engine.match import Match
from engine.notices import ALERT, Notice
from engine.sightings import CardLying
from vision.frame import Frame, Image

EVERY_S = 0.5
"""Between two pictures that are kept."""
KEPT_S, BEFORE_S, AFTER_S = 20.0, 6.0, 2.0
"""How far back pictures are kept, and how much of it an alert shows before and after."""
WIDTH_PX, QUALITY = 360, 60
"""Of a picture: a card's index is still read by a person, and it packs to some 12 kB."""
MOST_BYTES = 3_000_000
"""Of all alerts' pictures: a dozen alerts of 16 pictures. Of more the oldest go."""
DEALS = 2
"""So many deals back the cards of a proof are kept."""
CARD_LENGTH = 0.3
"""Of a card, in halves of the picture's height, where nothing else tells it: what is outlined is its place."""
BEFORE, CARD, AFTER = "before", "card", "after"
YELLOW = (0, 220, 255)


@dataclass(frozen=True)
class Picture:
    """One picture of a moment."""

    what: str
    """BEFORE, CARD (the one that the alert is about, outlined) or AFTER."""
    jpeg: bytes
    card: Card | None = None


class Moments:
    """Sees every frame, and keeps few."""

    def __init__(
        self, match: Callable[[], Match], over: Callable[[int, Sequence[Picture]], None] = lambda number, them: None
    ) -> None:
        """over: told the number of an alert's event, and its pictures, once the last of them is there."""
        self._match_now, self._over = match, over
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._match: Match | None = None
        self._ring: deque[tuple[float, bytes]] = deque()
        self._cards: dict[int, Picture] = {}
        """By the number of its event."""
        self._deals: list[int] = []
        self._moments: dict[int, list[Picture]] = {}
        self._open: dict[int, float] = {}
        """Alerts whose time after goes on, and until when."""
        self._counted = 0
        self._lying: Sequence[CardLying] = ()

    def last(self) -> list[Picture]:
        """The pictures of the newest alert; none: there are none, or not any more."""
        with self._lock:
            return list(self._moments[max(self._moments)]) if self._moments else []

    def watch(self, frame: Frame, seen: FrameSeen) -> None:
        """A frame came, and what came of it."""
        with self._lock:
            match = self._match_now()
            if match is not self._match:
                self._forget()
                self._match, self._counted = match, len(match.log)
            if seen.lying is not None:
                self._lying = seen.lying
            small = None
            if not self._ring or frame.at_s - self._ring[-1][0] >= EVERY_S:
                small = _small(frame.image)
                self._keep(frame.at_s, _packed(small))
            new = range(self._counted + 1, len(match.log) + 1)
            self._counted = len(match.log)
            for number in new:
                self._happened(match, number, frame, small)

    def _keep(self, at_s: float, jpeg: bytes) -> None:
        self._ring.append((at_s, jpeg))
        while self._ring and self._ring[0][0] < at_s - KEPT_S:
            self._ring.popleft()
        for number, until_s in list(self._open.items()):
            self._moments[number].append(Picture(AFTER, jpeg))
            if at_s >= until_s:
                del self._open[number]
                self._over(number, self._moments[number])

    def _happened(self, match: Match, number: int, frame: Frame, small: Image | None) -> None:
        event = match.log[number - 1]
        if isinstance(event, Deal):
            self._deals = [*self._deals, number][-DEALS:]
            self._cards = {laid: card for laid, card in self._cards.items() if laid >= self._deals[0]}
        if isinstance(event, Play) and event.card is not None:
            drawn = (small if small is not None else _small(frame.image)).copy()
            _outline(drawn, next((card for card in self._lying if card.card == event.card), None))
            self._cards[number] = Picture(CARD, _packed(drawn), event.card)
        alerts = [notice for notice in _notices_of(match, number) if notice.level == ALERT]
        if alerts:
            self._keep_moment(number, alerts, frame.at_s)

    def _keep_moment(self, number: int, alerts: Sequence[Notice], now_s: float) -> None:
        """Keeps what was seen before an alert and the cards it speaks of; the oldest go when all are too many bytes."""
        before = [Picture(BEFORE, jpeg) for at_s, jpeg in self._ring if at_s >= now_s - BEFORE_S]
        self._moments[number] = before + [card for alert in alerts for card in self._told_by(alert, number)]
        self._open[number] = now_s + AFTER_S
        while len(self._moments) > 1 and self._bytes > MOST_BYTES:
            old = min(self._moments)
            del self._moments[old]
            self._open.pop(old, None)

    @property
    def held_bytes(self) -> int:
        """Of every picture that is kept now."""
        with self._lock:
            of_alerts = [picture.jpeg for pictures in self._moments.values() for picture in pictures]
            others = [*(jpeg for _, jpeg in self._ring), *(card.jpeg for card in self._cards.values())]
        return sum(map(len, {*of_alerts, *others}))

    @property
    def _bytes(self) -> int:
        return sum(len(picture.jpeg) for pictures in self._moments.values() for picture in pictures)

    def _told_by(self, alert: Notice, number: int) -> list[Picture]:
        """The cards that an alert speaks of, as they were laid: of a revoke the one that breaks a duty and those that
        prove it, else the one that was just laid as well."""
        named: list[object] = [*(alert.facts.get("cards") or ())]
        claims = alert.facts.get("claims") or ()
        for claim in claims:
            named += [claim["card"], *claim["shown"], *claim["among"]]
        start = self._deals[-1] if self._deals else 0
        of_deal = ((laid, picture) for laid, picture in self._cards.items() if laid >= start)
        return [picture for laid, picture in of_deal if picture.card in named or (laid == number and not claims)]


def _notices_of(match: Match, number: int) -> Sequence[Notice]:
    return next((told.notices for told in reversed(match.told) if told.number == number), ())


def _small(image: Image) -> Image:
    height, width = image.shape[:2]
    times = max(1, round(width / WIDTH_PX))  # By whole numbers it is three times as quick.
    return np.asarray(cv2.resize(image, (width // times, height // times), interpolation=cv2.INTER_AREA), np.uint8)


def _packed(image: Image) -> bytes:
    _, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return bytes(coded)


def _outline(image: Image, card: CardLying | None) -> None:
    """A ring round the card's place."""
    if card is None:
        return
    height, width = image.shape[:2]
    half = min(height, width) / 2
    at = (round(width / 2 + card.at[0] * half), round(height / 2 + card.at[1] * half))
    cv2.circle(image, at, round(CARD_LENGTH * half / 2), YELLOW, 2, cv2.LINE_AA)
