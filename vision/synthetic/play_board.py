"""A board of seeds that plays: boards become hands, seeds that move from pit to pit, and frames; it knows the truth."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import cv2
import numpy as np

from engine.events import Board, Event
from engine.referee.mraha import MrahaGame
from engine.referee.seed_game import SOUTH, SeedGame
from engine.rules.mraha import DEFAULT_PRESET, flags_from, options_for
from vision.frame import Frame
from vision.synthetic.board_piles import Library, Pile
from vision.synthetic.board_render import PitPainter
from vision.synthetic.board_scene import Scene, Seeds, random_scene
from vision.synthetic.decks import Image
from vision.synthetic.play_crew import IN_S, OUT_S
from vision.synthetic.play_hands import StagePerson, hand_sprite
from vision.synthetic.play_places import plus
from vision.synthetic.play_render import CameraView, Point
from vision.synthetic.play_stage import Mover, Stage, TruthEvent, shaken

Array = np.ndarray[Any, Any]

REST_S = 1.0
"""The least time that nothing moves between two turns."""
STEP_S = 0.3
"""From one pit to the next, a seed dropped: an unhurried sowing."""
LIFT_S = 0.35
PUT_RIGHT_S = 2.0
"""Nobody puts a turn right at once: it lies there till somebody has seen that it is wrong."""
UPRIGHT = 0.97
"""South sits at the bottom edge: the cosine of the most that a board is turned from there."""
FULLEST = 20
"""Seeds that every pit of a table must hold: bigger seeds roll off a fuller one."""
MOST_IN_A_PILE = 24
"""No larger piles are looked for: of the 28 seeds that the library settles in a pit, some roll off."""
PILES_TRIED = 12
"""Settled piles looked at for one that has its number in the pit."""
KEPT_PITS = 400
"""Drawn pits that are kept: a dozen megabytes at 960 x 720."""
LOOKS_OF_A_PILE = 2
"""Ways that the same number of seeds may lie in the same pit."""
LAMP = (0.5, 0.7)
"""The way hands throw their shadows."""
HAND_PITCHES = 0.8
"""Width of a card, which hands are measured by, in pitches of a board."""


@dataclass(frozen=True)
class BoardMess:
    """How untidy a board is: the chance of each thing after a turn."""

    knocks: float = 0.0
    """The board, or the camera, is pushed by up to a third of a pitch."""
    big_knocks: float = 0.0
    """By a pitch and more, and turned."""
    scatters: float = 0.0
    """A hand goes through the seeds; a dozen roll elsewhere or away, and are laid back after a while."""
    resting_hands: float = 0.0
    """A hand lies over some pits for a while."""
    pauses: float = 0.0
    """A player stops in the middle of a sowing, seeds in the hand, and takes the hand away or leaves it there."""
    lamps: float = 0.0
    clouds: float = 0.0
    drift: float = 0.0
    """Slow swing of the exposure, as a part of the brightness (no chance)."""


CALM_BOARD = BoardMess()
HOUSE_BOARD = BoardMess(0.02, 0.003, 0.004, 0.05, 0.1, 0.01, 0.02, 0.02)
"""An ordinary evening."""


class _Pits:
    """The pits of one table as drawn, whatever they hold."""

    def __init__(self, rng: np.random.Generator, size: tuple[int, int], grid: tuple[int, int]) -> None:
        self._grid = grid
        self._library = Library.load()
        self.scene = self._upright_scene(rng, size)
        self._painter = PitPainter(self.scene)
        self._kept: OrderedDict[tuple[int, int, int], Image] = OrderedDict()
        self._gain = rng.uniform(0.36, 0.5) / max(float(self._painter.empty.mean()), 1e-3)
        self._cast = rng.normal(1, 0.03, 3).astype(np.float32)
        self._gamma = float(rng.uniform(0.75, 1.0))
        self.empty = self._developed(self._painter.empty)
        self.at_px: list[Point] = []
        for pit in range(self._grid[0] * self._grid[1]):
            ((x, y),) = self.scene.camera.project(np.array([[*self._centre(pit), 0.0]]))
            self.at_px.append((float(x), float(y)))

    def _centre(self, pit: int) -> Point:
        return self.scene.shape.centre(*divmod(pit, self._grid[1]))

    def _upright_scene(self, rng: np.random.Generator, size: tuple[int, int]) -> Scene:
        while True:
            scene = random_scene(
                rng, self._library, self._grid, size=size, mode="start", clean=True, tilt_deg=8.0, fill=(0.75, 0.95)
            )
            if scene.camera.axes[0, 0] > UPRIGHT and self._holds(scene):
                return scene

    def _holds(self, scene: Scene) -> bool:
        return all(self._pile(scene, square, FULLEST, 0) is not None for square in (False, True))

    def _pile(self, scene: Scene, square: bool, count: int, seed: int) -> Pile | None:
        """A pile of so many seeds of which none rolls out of the pit; None: there is no such pile."""
        rng, kind = np.random.default_rng([scene.style_seed, seed]), scene.shape.kind
        bowl = self._library.kinds[kind].bowl(square)
        for _ in range(PILES_TRIED if count <= MOST_IN_A_PILE else 0):
            pile = self._library.pile(kind, square, count, rng)
            inside = pile.inside(bowl)
            if int(inside.sum()) == count:
                # What rolled out is not there: a player lays it where it belongs.
                return Pile(pile.centres[inside], pile.axes[inside], pile.turns[inside])
        return None

    @property
    def pitch_px(self) -> float:
        """From one pit to the next in its row."""
        (ax, ay), (bx, by) = self.at_px[0], self.at_px[self._grid[1] - 1]
        return float(np.hypot(bx - ax, by - ay)) / (self._grid[1] - 1)

    def holds(self, count: int) -> bool:
        """Whether a pile of so many seeds stays in every pit."""
        return all(
            self._pile(self.scene, divmod(pit, self._grid[1]) in self.scene.shape.square, count, seed) is not None
            for pit in range(self._grid[0] * self._grid[1])
            for seed in range(pit * LOOKS_OF_A_PILE, (pit + 1) * LOOKS_OF_A_PILE)
        )

    def _developed(self, light: Array) -> Image:
        """From light to levels: exposure, cast, tone, and a shoulder where it would burn out."""
        out = np.power(np.clip(light * self._gain * self._cast, 0, None), self._gamma)
        out = np.where(out > 0.8, 0.8 + 0.2 * np.tanh((out - 0.8) / 0.2), out)
        return (out.clip(0, 1) * 255).astype(np.uint8)

    def lay(self, picture: Image, pit: int, count: int, look: int) -> None:
        """Draws a pit with so many seeds into a picture."""
        win, mask = self._painter.cell(pit)
        key = (pit, count, look)
        found = self._kept.pop(key, None)
        if found is None:
            found = self._developed(self._painter.pit(pit, self._seeds(pit, count, look), look))
            if len(self._kept) >= KEPT_PITS:
                self._kept.popitem(last=False)
        self._kept[key] = found
        cv2.copyTo(found, mask, picture[win])

    def _seeds(self, pit: int, count: int, look: int) -> Seeds:
        shape = self.scene.shape
        square = divmod(pit, self._grid[1]) in shape.square
        pile = self._pile(self.scene, square, count, pit * LOOKS_OF_A_PILE + look)
        if pile is None:
            raise ValueError(f"a pit of this board cannot hold {count} seeds; ask holds() before playing it")
        centres = pile.centres * shape.pit_radius + [*self._centre(pit), 0.0]
        return Seeds(centres, pile.axes * shape.pit_radius, pile.turns, np.full(len(centres), pit))


class DrawnBoardTable:
    """One board, its seeds, two players. The same seed and boards give the same frames."""

    def __init__(
        self,
        seed: int,
        size: tuple[int, int] = (1280, 960),
        mess: BoardMess = CALM_BOARD,
        fps: float = 10.0,
        fast: bool = True,
        game: SeedGame[Any] | None = None,
    ) -> None:
        """game: what is played; none said: mraha."""
        rng = np.random.default_rng(seed)
        game = game or MrahaGame(flags_from(options_for(DEFAULT_PRESET, {})))
        self._grid = game.rows, game.columns
        self._laid_out = tuple(Board(game.board_rows(sides)) for sides in (game.counting, game.opening.sides))
        """Boards laid out by hand before the first turn."""
        self.mess, self.fast = mess, fast
        self.truth: list[TruthEvent] = []
        self._rng = rng
        self._pits = _Pits(rng, size, self._grid)
        self._picture = self._pits.empty.copy()
        self.stage = Stage(rng, self._picture, None, fps)
        self.stage.light.drift = mess.drift
        self._people = (StagePerson.draw(rng), StagePerson.draw(rng))
        self._counts = np.zeros(self._grid[0] * self._grid[1], int)
        self._hand_px = HAND_PITCHES * self._pits.pitch_px
        self._ready_s = 1.0
        self._turn: int | None = None
        """Turns played since the board was set up; None: it was not."""

    @property
    def skip_until_s(self) -> float:
        """Frames before this time are not drawn."""
        return self.stage.skip_until_s

    @skip_until_s.setter
    def skip_until_s(self, time_s: float) -> None:
        self.stage.skip_until_s = time_s

    def play(self, events: Iterable[Event]) -> Iterator[Frame]:
        """The frames in which the board comes to be each of these boards in turn; other events are only told.

        The first is set up by hand, and so are the boards that a game begins with; then South and North sow in turn.
        """
        lay: list[Event] = []
        for event in events:
            if lay[:-1] and event == lay[-2]:
                self._ready_s += PUT_RIGHT_S
            lay.append(event)
            yield from self.stage.frames(self._ready_s)
            if isinstance(event, Board) and event.pits is not None:
                set_up = self._turn is None or event in self._laid_out
                player = SOUTH if set_up or self._turn is None else self._turn % 2
                clear = self._to(np.array(event.pits, int).ravel(), self._ready_s, player, set_up)
                # A board that still lies there is no turn.
                self._turn = 0 if set_up or self._turn is None else self._turn + (clear > self._ready_s)
            else:
                clear = self._ready_s
            self.stage.at(clear, partial(self.truth.append, TruthEvent(clear, event, clear)))
            self._rest_from(clear)
            if isinstance(event, Board):
                yield from self.stage.frames(self._ready_s)
                self._ready_s = self._trouble(self._ready_s)
        self._ready_s = max(self._ready_s, self.stage.busy_until_s + REST_S)
        yield from self.stage.frames(self._ready_s)

    def holds(self, board: Board) -> bool:
        """Whether this board can be shown: big seeds roll off a pit that is too full."""
        assert board.pits is not None
        return all(self._pits.holds(count) for count in {int(cell or 0) for row in board.pits for cell in row})

    def _rest_from(self, clear_s: float) -> None:
        self._ready_s = clear_s + REST_S + (0.0 if self.fast else float(np.exp(self._rng.normal(0.5, 0.6))))

    def _chance(self, part: float) -> bool:
        return part > 0 and bool(self._rng.random() < part)

    # -- seeds ----------------------------------------------------------------------------------------------------

    def _put(self, pits: Iterable[int], counts: Array) -> None:
        """These pits hold so many seeds from now on."""
        # A picture that the stage has is never drawn into: it may still be asked for.
        picture = self._picture.copy()
        for pit in pits:
            look = int(self._rng.integers(LOOKS_OF_A_PILE))
            self._pits.lay(picture, pit, int(counts[pit]), look)
            self._counts[pit] = counts[pit]
        self._picture = picture
        self.stage.paint(picture)

    def _to(self, counts: Array, start: float, player: int, set_up: bool) -> float:
        """A hand makes the board this one: lifts what goes, then drops what comes, pit by pit, along the rows."""
        before = self._counts.copy()
        lifted = [pit for pit in self._along() if counts[pit] < before[pit]]
        sown = [pit for pit in self._along() if counts[pit] > before[pit]]
        if not lifted and not sown:
            return start
        time = start + IN_S
        stops = [(time, (lifted or sown)[0])]
        for pit in lifted:
            time += LIFT_S
            self.stage.at(time, partial(self._put, [pit], counts))
            stops.append((time, pit))
        stopped = int(self._rng.integers(len(sown))) if sown and self._chance(self.mess.pauses) else -1
        for place, pit in enumerate(sown):
            time += STEP_S / 2 if set_up else STEP_S
            self.stage.at(time, partial(self._put, [pit], counts))
            stops.append((time, pit))
            if place == stopped:
                time += float(self._rng.uniform(1.0, 3.0))
                stops.append((time, pit))
        return self._hand(player, start, stops, time)

    def _along(self) -> list[int]:
        """Every pit, round the upper player's side and then round the lower's."""
        rows, columns = self._grid
        ways = (range(columns), range(columns - 1, -1, -1))
        return [row * columns + column for row in range(rows) for column in ways[row % 2]]

    # -- hands ----------------------------------------------------------------------------------------------------

    def _hand(self, player: int, start: float, stops: list[tuple[float, int]], done: float) -> float:
        """A player's hand goes over the pits; returns when it is away."""
        up = -1.0 if player == SOUTH else 1.0
        points = (0.12 * float(self._rng.normal()), up)
        ways = [(at_s, self._over(pit, points)) for at_s, pit in stops]
        height = self.stage.size[1]
        outside = (ways[0][1][0], height + self._hand_px if player == SOUTH else -self._hand_px)
        clear = done + 0.1 + OUT_S
        last = ways[-1][1]
        keys = [(start, outside), *ways, (done + 0.1, last), (clear, (last[0], outside[1]))]
        self._move(player, points, keys)
        return clear

    def _over(self, pit: int, points: Point) -> Point:
        """Where the fingertips are that reach into a pit."""
        return plus(self._pits.at_px[pit], points, 0.1 * self._hand_px)

    def _move(self, player: int, points: Point, keys: list[tuple[float, Point]], pose: str = "pinch") -> None:
        arm = 1.5 * self.stage.size[1]
        drawn = partial(hand_sprite, self._people[player], pose, self._hand_px, points, arm, LAMP)
        self.stage.move(Mover(drawn, tuple((at_s, *at) for at_s, at in keys), 1))

    # -- mess -----------------------------------------------------------------------------------------------------

    def _trouble(self, ready_s: float) -> float:
        """What happens between two turns; returns when the game may go on."""
        mess, pitch = self.mess, self._pits.pitch_px
        if self._chance(mess.lamps):
            self._light(ready_s, 0.1)
        if self._chance(mess.clouds):
            self._light(ready_s, float(self._rng.uniform(1, 5)))
        if self._chance(mess.knocks):
            ready_s = self._knock(ready_s, float(self._rng.uniform(0.05, 0.33)) * pitch, np.deg2rad(0.5))
        if self._chance(mess.big_knocks):
            ready_s = self._knock(ready_s, float(self._rng.uniform(1.0, 1.6)) * pitch, np.deg2rad(6))
        if self._chance(mess.resting_hands):
            pit = int(self._rng.integers(len(self._pits.at_px)))
            leaves = ready_s + IN_S + float(self._rng.uniform(1.5, 4))
            ready_s = self._hand(int(self._rng.integers(2)), ready_s, [(ready_s + IN_S, pit)], leaves) + REST_S
        if self._chance(mess.scatters):
            ready_s = self._scatter(ready_s)
        return ready_s

    def _light(self, start: float, over_s: float) -> None:
        self.stage.light.ramp(start, over_s, float(self._rng.uniform(0.7, 1.15)), float(self._rng.normal(0, 0.03)))

    def _knock(self, start: float, by_px: float, most_turn_rad: float) -> float:
        """Everything is somewhere else in the picture from then on, but never so far that a pit is out of it."""
        way, turn = self._rng.uniform(0, 2 * np.pi), float(self._rng.uniform(-1, 1)) * most_turn_rad
        rows, columns = self._grid
        view = shaken(self.stage.view, (by_px * float(np.cos(way)), by_px * float(np.sin(way))), turn)
        corners = [
            view.place(self._pits.at_px[pit], self.stage.size)
            for pit in (0, columns - 1, (rows - 1) * columns, rows * columns - 1)
        ]
        width, height = self.stage.size
        margin = 0.5 * self._pits.pitch_px
        if any(not (margin < x < width - margin and margin < y < height - margin) for x, y in corners):
            view = CameraView()
        self.stage.at(start, partial(self.stage.look_from, view))
        return start + REST_S

    def _scatter(self, start: float) -> float:
        """Seeds are thrown about, and laid back as they were."""
        before = self._counts.copy()
        thrown = before.copy()
        for _ in range(12):
            pit, other = self._rng.integers(len(thrown), size=2)
            if thrown[pit] and thrown[other] < FULLEST:
                thrown[pit] -= 1
                # Some roll to another pit, some off the board.
                thrown[other] += bool(self._rng.random() < 0.6)
        changed = [int(pit) for pit in np.flatnonzero(thrown != before)]
        if not changed:
            return start
        pits = [changed[0], changed[len(changed) // 2], changed[-1]]
        swept = start + IN_S + 0.4
        self.stage.at(swept, partial(self._put, changed, thrown))
        stops = [(start + IN_S + 0.2 * place, pit) for place, pit in enumerate(pits)]
        away = self._hand(int(self._rng.integers(2)), start, stops, swept + 0.2)
        again = away + 2 * REST_S
        stops = [(again + IN_S + 0.15 * place, pit) for place, pit in enumerate(changed)]
        for at_s, pit in stops:
            self.stage.at(at_s, partial(self._put, [pit], before))
        return self._hand(SOUTH, again, stops, stops[-1][0]) + REST_S
