"""The people at a simulated table: their hands, and the few things that hands do with what lies there."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from vision.synthetic.play_hands import StagePerson, hand_sprite
from vision.synthetic.play_places import StagePlaces, plus, unit
from vision.synthetic.play_render import Cards, Point
from vision.synthetic.play_stage import Mover, Stage, StageThing

IN_S, LAY_S, OUT_S = 0.4, 0.12, 0.4
"""A hand comes in, lays its card, leaves: as people play who know the game."""
SLIDE_S = 0.25
"""A card that is thrown slides for so long."""
HANDS, CARDS_IN_HAND, CARDS_ON_TABLE = 2, 1, 0
"""Layers over the table."""


@dataclass(frozen=True, eq=False)
class Crew:
    """Who sits round a table, and what they can do there."""

    stage: Stage
    places: StagePlaces
    cards: Cards
    people: tuple[StagePerson, ...]
    lamp: Point

    def outside(self, seat: int, points: Point) -> Point:
        """Where the fingertips of a hand are that is just out of the picture, and what it holds with it."""
        return plus(self.places.edge(seat), points, -1.3 * self.cards.width_px)

    def hand(self, seat: int, points: Point, keys: Iterable[tuple[float, Point]], pose: str = "pinch") -> None:
        """A hand moves along; its arm reaches back to where it came from."""
        way = tuple((at_s, x, y) for at_s, (x, y) in keys)
        arm = max(self.places.leaves((x, y), points) for _, x, y in way) + 2 * self.cards.width_px
        drawn = partial(hand_sprite, self.people[seat], pose, self.cards.width_px, points, arm, self.lamp)
        self.stage.move(Mover(drawn, way, HANDS))

    def carry(self, face: str, turn: float, keys: Iterable[tuple[float, Point]], layer: int = CARDS_IN_HAND) -> None:
        """A card, or the top of a packet, moves along over the table."""
        drawn = partial(self.cards.sprite, face, turn, lifted=True)
        self.stage.move(Mover(drawn, tuple((at_s, x, y) for at_s, (x, y) in keys), layer))

    def grip(self, at: Point, points: Point) -> Point:
        """Where the fingertips are that hold a card with its middle there."""
        return plus(at, points, -0.28 * self.cards.width_px)

    def bring(
        self,
        seat: int,
        thing: StageThing,
        start: float,
        under: bool = False,
        thrown: bool = False,
        stays_s: float = 0.0,
        back_px: float = 0.0,
    ) -> tuple[float, float, list[int]]:
        """A hand lays something down. Returns when it lies, when the hand is away, and where its number will be.

        stays_s: it rests for so long before it goes, drawn back by back_px.
        """
        who = self.people[seat]
        in_s, out_s, pose = IN_S * who.pace, OUT_S * who.pace, "flat" if who.flat else "pinch"
        points = unit(plus(thing.at, self.places.edge(seat), -1))
        away = self.outside(seat, points)
        grip = self.grip(thing.at, points)
        hold = plus(away, plus(thing.at, grip, -1))
        frame_s = 1 / self.stage.fps
        way = [(start, hold)]
        if thrown:
            let_go = plus(thing.at, points, -1.2 * self.cards.width_px)
            released, turned_back = start + 0.8 * in_s, self.grip(let_go, points)
            landed, clear = released + SLIDE_S, released + LAY_S + out_s
            way.append((released, let_go))
            self.hand(seat, points, [(start, away), (released, turned_back), (clear, away)], pose)
        else:
            landed = start + in_s
            laid = landed + LAY_S
            keys = [(start, away), (landed, grip), (laid, grip)]
            if stays_s:
                rests = plus(grip, points, -back_px)
                keys += [(laid + LAY_S, rests), (laid + stays_s, rests)]
                laid += stays_s
            clear = laid + out_s
            self.hand(seat, points, [*keys, (clear, away)], pose)
        self.carry(thing.face, thing.turn_rad, [*way, (landed, thing.at), (landed + frame_s, thing.at)])
        number: list[int] = []
        self.stage.at(landed, lambda: number.append(self.stage.put(thing, under)))
        return landed, clear, number

    def fetch(self, seat: int, at: Point, face: str, turn: float, start: float) -> tuple[float, float]:
        """A hand takes something away to its seat. Returns when it is lifted and when the hand is out of sight."""
        points = unit(plus(at, self.places.edge(seat), -1))
        away = self.outside(seat, points)
        lifted = start + IN_S + LAY_S
        clear = lifted + OUT_S
        grip = self.grip(at, points)
        self.hand(seat, points, [(start, away), (start + IN_S, grip), (lifted, grip), (clear, away)])
        self.carry(face, turn, [(lifted, at), (clear, plus(away, plus(at, grip, -1)))])
        return lifted, clear
