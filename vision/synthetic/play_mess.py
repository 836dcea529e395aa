"""What goes wrong, or merely on, at a card table while a game is played: every mess of `Mess` that is no play."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial

import cv2
import numpy as np

from engine.cards import Card
from vision.synthetic.cards_backgrounds import Rng, clutter_thing
from vision.synthetic.decks import Image
from vision.synthetic.play_crew import CARDS_ON_TABLE, HANDS, IN_S, LAY_S, OUT_S, Crew
from vision.synthetic.play_places import plus, turn_of, unit
from vision.synthetic.play_render import CameraView, Point, Sprite, premultiplied, sprite_of, turned
from vision.synthetic.play_stage import Mover, StageThing, shaken

SETTLED_S = 1.0
"""Nothing else happens for so long after a mess."""
SHAKE_S = 0.3
"""A knocked camera swings for so long."""
GUST_S = 0.4
"""A gust blows for so long."""
FAN_TILT = 0.5
"""Cards held in a hand are seen at a slant: this much of their length is left."""


@dataclass(frozen=True)
class Mess:
    """How untidy a table is: the chance of each thing whenever it could happen."""

    covers: float = 0.0
    """A card may land on the last index corner that shows of another."""
    throws: float = 0.0
    """A card is let go early and slides the rest of its way."""
    quick_plays: float = 0.0
    """The next card lands 0.15 s after the hand before it has left."""
    two_hands: float = 0.0
    """The next hand comes while the one before still leaves."""
    take_backs: float = 0.0
    """A card is laid, taken back, and laid again."""
    pauses: float = 0.0
    """Nobody does anything for 4 to 15 s."""
    resting_hands: float = 0.0
    """A hand lies on the table for a while; when it reaches far, the others wait."""
    nudges: float = 0.0
    """A hand pushes a card of the trick a little."""
    scatters: float = 0.0
    """A child scatters the trick; most are laid back to where they were."""
    looked_through: float = 0.0
    """A taken trick is laid open in front of its owner, and turned down again."""
    fans: float = 0.0
    """The cards in a player's hand come into the picture's edge, tilted."""
    bumps: float = 0.0
    """The camera is knocked by 2 to 6 px at 1,280, a third of a degree at most."""
    big_bumps: float = 0.0
    """The camera is knocked by a third of a card to a card, and a few degrees."""
    lamps: float = 0.0
    """A lamp goes on or off."""
    clouds: float = 0.0
    """The light changes over some seconds."""
    drift: float = 0.0
    """Slow swing of the exposure, as a part of the brightness (no chance)."""
    gathered_by_others: float = 0.0
    """Somebody else's hand takes up the trick, and lays it on the right pile."""
    keepers: float = 0.0
    """For the whole table: the first of each side keeps all its tricks."""
    face_up_packets: float = 0.0
    """The trick is carried to its pile face up."""
    face_up_gathers: float = 0.0
    """Between deals the taken tricks are thrown together face up."""
    stock_moves: float = 0.0
    """The stock lies up to half a card from its usual place."""
    markers: float = 0.0
    """For the whole table: marker cards for games lost lie in front of the sides, from the score (turufu)."""
    clutter: float = 0.0
    """For the whole table: a few things lie about."""
    decks: float = 0.0
    """For the whole table: indices of another size, in two or four corners, on paper that is not white."""
    stock_anywhere: float = 0.0
    """For the whole table: the stock lies anywhere within reach, turned any way, and tricks beside the middle."""
    uneven: float = 0.0
    """For the whole table: people sit up to so many degrees beside where they would sit evenly round (no chance)."""
    paces: float = 0.0
    """For the whole table: hands are slower or quicker by up to this part of their usual time (no chance)."""
    lights: float = 0.0
    """For the whole table: a dim, warm or uneven light."""
    rates: float = 0.0
    """For the whole table: 8 to 30 frames a second."""
    beside_stock: float = 0.0
    """A card is laid within half a card of the stock or of the card turned up."""
    close_plays: float = 0.0
    """The next card lands half a second after the one before, or a little later."""
    swept_at_once: float = 0.0
    """The trick is swept up before the table rested after its last card."""
    lingers: float = 0.0
    """The hand that laid a card rests beside it for a while; the others may go on."""
    heaped: float = 0.0
    """A trick is thrown on one heap."""
    gusts: float = 0.0
    """A gust moves all cards of the trick a little, and no hand is there."""
    habits: float = 0.0
    """Somebody else gathers; the dealer's hand rests over the turn-up; the stock is not squared."""


CALM = Mess()
HOUSE = Mess(
    covers=0.03, throws=0.15, quick_plays=0.06, two_hands=0.06, take_backs=0.015, pauses=0.02, resting_hands=0.04,
    nudges=0.03, scatters=0.004, looked_through=0.02, fans=0.06, bumps=0.01, big_bumps=0.0005, lamps=0.01, clouds=0.02,
    drift=0.02, gathered_by_others=0.2, keepers=0.4, face_up_packets=0.15, face_up_gathers=0.4, stock_moves=0.3,
    markers=0.7,
)  # fmt: skip
"""An ordinary evening."""
WIDE = replace(
    HOUSE, decks=0.6, stock_anywhere=0.8, uneven=10.0, paces=0.8, lights=0.5, rates=0.5, beside_stock=0.03,
    close_plays=0.1, swept_at_once=0.08, lingers=0.06, heaped=0.05, gusts=0.005, habits=0.5, clutter=0.5,
)  # fmt: skip
"""The same evening at tables, with decks, hands and habits, that differ as another program's do."""


def _often(mess: Mess, times: float, most: float = 0.9) -> Mess:
    """Every chance so many times as high."""
    return replace(mess, **{field.name: min(most, times * getattr(mess, field.name)) for field in fields(Mess)})


MARKET = replace(
    _often(HOUSE, 3.0), drift=0.04, decks=0.6, stock_anywhere=0.8, uneven=15.0, paces=1.2, lights=0.7, rates=0.5,
    beside_stock=0.1, close_plays=0.25, swept_at_once=0.2, lingers=0.15, heaped=0.5, gusts=0.04, habits=0.8,
    clutter=0.8,
)  # fmt: skip
"""A table in the street: each chance of a house three times as high, children, gusts, three hands at once, half the
tricks heaped, cards that cover both ends of others."""
MESSES = {"calm": CALM, "house": HOUSE, "wide": WIDE, "market": MARKET}
"""By name."""


def strew(rng: Rng, top: Image, card_px: float) -> None:
    """Lays a few things that are no cards about the edge of a table top."""
    height, width = top.shape[:2]
    for _ in range(int(rng.integers(1, 4))):
        picture = premultiplied(np.ascontiguousarray(clutter_thing(rng, 0.8 * card_px)))
        middle = (picture.shape[1] / 2, picture.shape[0] / 2)
        flat, origin = turned(picture, middle, 1.0, float(rng.uniform(0, 2 * np.pi)), 8)
        along = float(rng.uniform(0, 1))
        spots = ((along * width, 0.0), (along * width, float(height)), (0.0, along * height), (width, along * height))
        sprite_of(flat, origin, (2.0, 2.0), 3.0, 0.3).paste(top, spots[rng.integers(4)])


class Trouble:
    """Makes the mess that happens between one play and the next."""

    def __init__(self, crew: Crew, mess: Mess, rng: Rng) -> None:
        self._crew, self._mess, self._rng = crew, mess, rng
        self._stage, self._px = crew.stage, crew.cards.width_px
        self._stage.light.drift = mess.drift

    def _chance(self, part: float) -> bool:
        return part > 0 and bool(self._rng.random() < part)

    def after(self, ready_s: float, unseen: Sequence[Card]) -> float:
        """What happens once the table rests at that time; returns when the game may go on."""
        mess = self._mess
        if self._chance(mess.pauses):
            ready_s += float(self._rng.uniform(4, 15))
        if self._chance(mess.fans) and len(unseen) >= 3:
            self._fan(ready_s, unseen)
        if self._chance(mess.lamps):
            self._light(ready_s, 0.1)
        if self._chance(mess.clouds):
            self._light(ready_s, float(self._rng.uniform(1, 5)))
        if self._chance(mess.bumps):
            ready_s = self._bump(ready_s, self._rng.uniform(2, 6) * self._stage.size[0] / 1280, np.deg2rad(0.3))
        if self._chance(mess.big_bumps):
            ready_s = self._bump(ready_s, self._rng.uniform(0.35, 1.0) * self._px, np.deg2rad(4))
        if self._chance(mess.resting_hands):
            ready_s = self._resting_hand(ready_s)
        if self._chance(mess.nudges):
            ready_s = self._nudge(ready_s)
        if self._chance(mess.scatters):
            ready_s = self._scatter(ready_s)
        if self._chance(mess.gusts):
            ready_s = self._gust(ready_s)
        if self._chance(mess.looked_through):
            ready_s = self._look_through(ready_s)
        return ready_s

    def _seat(self) -> int:
        return int(self._rng.integers(self._crew.places.players))

    def _light(self, start: float, over_s: float) -> None:
        """Another brightness, within what an exposure would leave of it."""
        self._stage.light.ramp(start, over_s, float(self._rng.uniform(0.68, 1.15)), float(self._rng.normal(0, 0.03)))

    def _bump(self, start: float, by_px: float, most_turn_rad: float) -> float:
        """The camera is knocked, swings, and stays where it came to."""
        way, turn = self._rng.uniform(0, 2 * np.pi), float(self._rng.uniform(-1, 1)) * most_turn_rad
        shift = (by_px * float(np.cos(way)), by_px * float(np.sin(way)))
        end: list[CameraView] = []

        def swing(part: float) -> None:
            if not end:
                end.append(shaken(self._stage.view, shift, turn))
            swung = (shift[0] * part, shift[1] * part)
            self._stage.look_from(shaken(end[0], swung, turn * part))

        for number, part in enumerate((0.8, -0.6, 0.3)):
            self._stage.at(start + number * SHAKE_S / 3, partial(swing, part))
        self._stage.at(start + SHAKE_S, lambda: self._stage.look_from(end[0]))
        return start + SHAKE_S + SETTLED_S

    def _resting_hand(self, start: float) -> float:
        """A hand lies down; far out, the game waits until it is gone."""
        seat, reach = self._seat(), float(self._rng.uniform(0.9, 3.0))
        points = self._crew.places.inward(seat)
        at = self._crew.places.beside(seat, reach, float(self._rng.normal(0, 0.5)))
        away = self._crew.outside(seat, points)
        leaves = start + IN_S + float(self._rng.uniform(1.5, 5))
        clear = leaves + OUT_S
        self._crew.hand(seat, points, [(start, away), (start + IN_S, at), (leaves, at), (clear, away)], "flat")
        return clear + SETTLED_S if reach > 1.6 else start

    def _push(self, seat: int, moves: Sequence[tuple[int, StageThing]], start: float, pose: str = "flat") -> float:
        """A hand comes and pushes cards elsewhere; returns when it is gone."""
        middle = moves[0][1].at
        points = unit(plus(middle, self._crew.places.edge(seat), -1))
        away = self._crew.outside(seat, points)
        touched, pushed = start + IN_S, start + IN_S + 0.35
        old = self._stage[moves[0][0]].at
        clear = pushed + LAY_S + OUT_S
        keys = [(start, away), (touched, old), (pushed, middle), (pushed + LAY_S, middle), (clear, away)]
        self._crew.hand(seat, points, keys, pose)
        for number, thing in moves:
            before = self._stage[number]
            way = [(touched, before.at), (pushed, thing.at), (pushed + 1 / self._stage.fps, thing.at)]
            self._stage.at(touched, partial(self._stage.hide, number))
            self._crew.carry(thing.face, thing.turn_rad, way, CARDS_ON_TABLE)
            self._stage.at(pushed, partial(self._stage.change, number, thing))
        return clear

    def _nudge(self, start: float) -> float:
        trick = self._stage.all("trick")
        if not trick:
            return start
        number = trick[-1]
        thing = self._stage[number]
        by = (float(self._rng.normal(0, 0.2)) * self._px, float(self._rng.normal(0, 0.2)) * self._px)
        moved = replace(thing, at=plus(thing.at, by), turn_rad=thing.turn_rad + float(self._rng.normal(0, 0.2)))
        return self._push(self._seat(), [(number, moved)], start, "pinch") + SETTLED_S

    def _gust(self, start: float) -> float:
        """The cards of the trick slide a little, all the same way."""
        trick = self._stage.all("trick")
        if not trick:
            return start
        way, stops = float(self._rng.uniform(0, 2 * np.pi)), start + GUST_S
        for number in trick:
            thing = self._stage[number]
            far = float(self._rng.uniform(0.1, 0.5)) * self._px
            at = plus(thing.at, (far * float(np.cos(way)), far * float(np.sin(way))))
            moved = replace(thing, at=at, turn_rad=thing.turn_rad + float(self._rng.normal(0, 0.15)))
            self._stage.at(start, partial(self._stage.hide, number))
            keys = [(start, thing.at), (stops, at), (stops + 1 / self._stage.fps, at)]
            self._crew.carry(thing.face, moved.turn_rad, keys, CARDS_ON_TABLE)
            self._stage.at(stops, partial(self._stage.change, number, moved))
        return stops + SETTLED_S

    def _scatter(self, start: float) -> float:
        """A child's hand goes through the trick; somebody lays it back, or it stays so."""
        trick = self._stage.all("trick")
        if len(trick) < 2:
            return start
        before = [(number, self._stage[number]) for number in trick]
        child = self._crew.places.players
        thrown = []
        for number, thing in before:
            by = (float(self._rng.normal(0, 0.8)) * self._px, float(self._rng.normal(0, 0.6)) * self._px)
            turn = thing.turn_rad + float(self._rng.normal(0, 1.0))
            thrown.append((number, replace(thing, at=plus(thing.at, by), turn_rad=turn)))
        clear = self._push(child, thrown, start)
        if self._chance(0.7):
            seat, again = self._seat(), clear + 1.5
            clear = again + IN_S + 0.35 + LAY_S + OUT_S
            self._stage.at(again, lambda: self._push(seat, before, again))
        return clear + SETTLED_S

    def _look_through(self, start: float) -> float:
        """The last trick of a pile is laid open beside it, looked at, and turned down again."""
        piles = self._stage.all("pile")
        if not piles:
            return start
        number = piles[-1]
        pile = self._stage[number]
        places = self._crew.places
        seat = min(range(places.players), key=lambda number: np.hypot(*plus(places.pile(number), pile.at, -1)))
        points = places.inward(seat)
        away = self._crew.outside(seat, points)
        opened, closed = start + IN_S + 0.3, start + IN_S + 0.3 + float(self._rng.uniform(1.5, 3))
        shown: list[int] = []
        spots = [places.beside(seat, 0.95, 1.65 - 0.5 * (place + 1)) for place in range(len(pile.holds))]
        turn = turn_of(points)

        def show() -> None:
            shown.extend(
                self._stage.put(StageThing(face, spot, turn, "looked_at"))
                for face, spot in zip(pile.holds, spots, strict=True)
            )

        def hide() -> None:
            for number in shown:
                self._stage.take(number)

        self._stage.at(opened, show)
        self._stage.at(closed, hide)
        grip = self._crew.grip(pile.at, points)
        over = self._crew.grip(spots[-1], points) if spots else grip
        clear = closed + LAY_S + OUT_S
        keys = [
            (start, away),
            (start + IN_S, grip),
            (opened, over),
            (closed, over),
            (closed + LAY_S, grip),
            (clear, away),
        ]
        self._crew.hand(seat, points, keys)
        return clear + SETTLED_S

    def _fan(self, start: float, unseen: Sequence[Card]) -> None:
        """A player's cards, held at a slant, come into the picture for a while; the game goes on."""
        seat = self._seat()
        faces = [unseen[index] for index in self._rng.permutation(len(unseen))[: self._rng.integers(3, 7)]]
        points = self._crew.places.inward(seat)
        at = self._crew.places.edge(seat)
        inside = plus(at, points, float(self._rng.uniform(-0.1, 0.45)) * self._px)
        outside = plus(at, points, -1.8 * self._px)
        leaves = start + float(self._rng.uniform(1.5, 5))
        way = ((start, outside), (start + IN_S, inside), (leaves, inside), (leaves + OUT_S, outside))
        fan = partial(self._fan_sprite, faces, points)
        self._stage.move(Mover(fan, tuple((at_s, *spot) for at_s, spot in way), HANDS))
        fingers: list[tuple[float, Point]] = [(at_s, plus(spot, points, -0.35 * self._px)) for at_s, spot in way]
        self._crew.hand(seat, points, fingers)

    def _fan_sprite(self, faces: Sequence[Card], points: Point) -> Sprite:
        """Cards held in a hand, their tops towards the table."""
        picture = self._fanned(faces)
        middle = (picture.shape[1] / 2, picture.shape[0] / 2)
        flat, origin = turned(picture, middle, 1.0, turn_of(points), int(0.5 * self._px))
        far = 0.35 * self._px
        return sprite_of(flat, origin, (far * self._crew.lamp[0], far * self._crew.lamp[1]), far, 0.35)

    def _fanned(self, faces: Sequence[Card]) -> Image:
        """Cards in a fan, pointing up, foreshortened; premultiplied."""
        side = round(3.6 * self._px)
        fan = np.zeros((side, side, 4), np.uint8)
        for place, face in enumerate(faces):
            angle = 0.22 * (place - (len(faces) - 1) / 2)
            flat = self._crew.cards.flat(face, angle)
            x = round(side / 2 + 1.5 * self._px * np.sin(angle) - flat.shape[1] / 2)
            y = round(side / 2 + 1.2 * self._px - 1.5 * self._px * np.cos(angle) - flat.shape[0] / 2)
            part = fan[y : y + flat.shape[0], x : x + flat.shape[1]]
            through = cv2.merge([cv2.bitwise_not(flat[..., 3])] * 4)
            part[:] = cv2.add(cv2.multiply(part, through, scale=1 / 255), flat)
        return cv2.resize(fan, (side, round(side * FAN_TILT)), interpolation=cv2.INTER_AREA)
