"""Motion, hands and light, told from small pictures."""

import cv2
import numpy as np
import pytest

from tests.vision.tabletop import HEIGHT, SIDES, STEP_S, WIDTH, Tabletop, toward
from vision.arms import Arm, Rim, Was
from vision.frame import Frame
from vision.small import SMALL_W, Small
from vision.stillness import SETTLE_S, Motion, Stillness


def watch(still: Stillness, table: Tabletop, seconds: float) -> list[Motion]:
    return [still.see(frame) for frame in table.frames(seconds)]


def side_of(arm: Arm) -> int:
    """The side whose middle is nearest to where an arm comes in."""
    scale = SMALL_W / WIDTH
    return min(
        SIDES, key=lambda side: np.hypot(arm.edge[0] - SIDES[side][0] * scale, arm.edge[1] - SIDES[side][1] * scale)
    )


def at_rest() -> tuple[Stillness, Tabletop]:
    still, table = Stillness(), Tabletop()
    watch(still, table, 0.5)
    still.rested()
    return still, table


def test_a_table_that_does_not_move_has_settled_after_the_settling_time_and_no_sooner() -> None:
    motions = watch(Stillness(), Tabletop(), 1.0)
    settled_s = next(number for number, motion in enumerate(motions) if motion.settled) * STEP_S
    assert settled_s == pytest.approx(SETTLE_S, abs=0.5 * STEP_S)
    assert all(motion.settled for motion in motions[round(settled_s / STEP_S) :])


def test_grain_is_no_motion() -> None:
    still, table = at_rest()
    table.grain = 3.5
    motions = watch(still, table, 2.0)
    assert all(motion.settled and not motion.arms and not motion.whole for motion in motions)


def test_a_hand_that_moves_is_motion_and_a_settled_table_starts_anew() -> None:
    still, table = at_rest()
    for reach in (0.4, 0.6, 0.8):
        table.arms = [(0, toward(0, reach))]
        (moving,) = watch(still, table, STEP_S)
        assert not moving.settled and moving.still_s == 0
    table.arms = []
    after = watch(still, table, 0.5)
    assert not after[0].settled
    assert after[-1].settled and not after[-1].arms


@pytest.mark.parametrize("angle", SIDES)
def test_an_arm_is_seen_where_it_comes_in_and_where_it_ends(angle: int) -> None:
    still, table = at_rest()
    tip = toward(angle, 0.7)
    table.arms = [(angle, tip)]
    (motion,) = watch(still, table, STEP_S)
    (arm,) = motion.arms
    scale = SMALL_W / WIDTH
    assert np.hypot(arm.edge[0] - SIDES[angle][0] * scale, arm.edge[1] - SIDES[angle][1] * scale) < 6
    # The tip is round, and as wide as the arm.
    assert np.hypot(arm.tip[0] - tip[0] * scale, arm.tip[1] - tip[1] * scale) < 18 * scale
    assert still.under_an_arm(tip[0] * scale, tip[1] * scale)
    assert not still.under_an_arm(SMALL_W / 2, HEIGHT * scale / 2)


def test_two_arms_are_two() -> None:
    still, table = at_rest()
    table.arms = [(0, toward(0, 0.6)), (270, toward(270, 0.6))]
    (motion,) = watch(still, table, STEP_S)
    assert len(motion.arms) == 2


def test_a_card_that_comes_to_lie_there_is_no_arm_but_new() -> None:
    still, table = at_rest()
    table.cards.append((100, 80))
    motion = watch(still, table, 0.5)[-1]
    assert not motion.arms and motion.settled and motion.changed > 0
    ((x, y, part, put),) = still.rested()
    assert put == pytest.approx((x, y), abs=0.5)
    assert (x, y) == (pytest.approx(50, abs=1.5), pytest.approx(40, abs=1.5))
    assert part == pytest.approx(29 * 41 / (WIDTH * HEIGHT), rel=0.3)
    assert still.rested() == []


def test_where_a_hand_lay_at_a_rest_nothing_was_put_once_it_is_gone() -> None:
    still, table = at_rest()
    table.arms = [(0, (150, 190))]
    watch(still, table, 3.0)
    still.rested()
    table.arms, table.cards = [], [(250, 60)]
    watch(still, table, 0.5)
    changed = {(round(spot.x / 10), round(spot.y / 10)): spot.put for spot in still.rested()}
    assert changed.pop((round(250 * SMALL_W / WIDTH / 10), round(60 * SMALL_W / WIDTH / 10)))
    assert not any(changed.values())


def test_a_card_that_leaves_the_edge_of_the_picture_is_no_arm() -> None:
    still, table = Stillness(), Tabletop()
    watch(still, table, 0.5)
    still.rested()
    table.cards = [(10, 120)]
    watch(still, table, 0.5)
    still.rested()
    table.cards = []
    assert watch(still, table, 0.5)[-1].arms == ()


@pytest.mark.parametrize(("light", "slope"), [(1.5, 0.0), (0.6, 0.0), (1.2, 0.5)])
def test_a_lamp_switched_on_is_neither_hand_nor_card_and_soon_forgotten(light: float, slope: float) -> None:
    still, table = at_rest()
    table.light, table.slope = light, slope
    motions = watch(still, table, 1.0)
    assert not any(motion.arms or motion.whole for motion in motions)
    assert all(motion.settled for motion in motions[round(SETTLE_S / STEP_S) + 1 :])
    assert still.rested() == []


@pytest.mark.parametrize("light", [0.6, 1.6])
def test_brown_wood_is_no_more_brown_under_a_lamp(light: float) -> None:
    """As far as comparing goes: all its colours grow with the light."""
    grain = np.random.default_rng(3)
    wood = 60 + 24 * cv2.GaussianBlur(grain.normal(0, 20, (HEIGHT, WIDTH)).astype(np.float32), (0, 0), 9)[..., None]
    brown = np.clip(wood, 20, 140) * np.array([0.45, 0.75, 1.1])
    still = Stillness()

    def see(lamp: float, at_s: float) -> Motion:
        noisy = brown * lamp + grain.normal(0, 2, brown.shape)
        return still.see(Frame(np.clip(noisy, 0, 255).astype(np.uint8), at_s))

    for number in range(5):
        see(1.0, 0.1 * number)
    still.rested()
    motions = [see(light, 1 + 0.1 * number) for number in range(8)]
    assert not any(motion.arms or motion.whole for motion in motions)
    assert still.rested() == []


def test_a_knocked_camera_changes_the_whole_picture_and_its_shift_is_told() -> None:
    still, table = at_rest()
    table.shift = (5.0, -3.0)
    watch(still, table, 0.5)
    moved = still.moved_since_rest()
    assert moved == (pytest.approx(5 / 120, abs=0.008), pytest.approx(-3 / 120, abs=0.008))


def test_a_head_that_hides_a_third_of_the_table_is_no_knock() -> None:
    still, table = Stillness(), Tabletop(contrast=6.0)
    watch(still, table, 0.5)
    still.rested()
    table.heads = [(300, 120, 130)]
    leaning = watch(still, table, 0.5)
    assert not any(motion.whole for motion in leaning) and leaning[-1].arms


def test_between_two_pictures_that_share_nothing_no_shift_is_believed() -> None:
    still, _ = at_rest()
    other = Tabletop(seed=7, contrast=6.0)
    other.now_s = 10.0
    motion = watch(still, other, 0.5)[-1]
    assert motion.whole
    assert still.moved_since_rest() is None


def test_a_camera_that_gives_other_pictures_begins_anew() -> None:
    still, table = at_rest()
    frame = Frame(np.full((200, 400, 3), 90, np.uint8), table.now_s + 1.0)
    assert not still.see(frame).settled
    assert still.shape == (80, SMALL_W)
    assert still.rested() == []


def test_the_cameras_own_small_picture_is_used_where_it_has_one() -> None:
    small = np.full((60, 80), 77, np.uint8)
    grey = Small.of(Frame(np.zeros((480, 640, 3), np.uint8), 0.0, small)).grey
    assert grey.shape == (120, SMALL_W)
    assert float(grey.mean()) == pytest.approx(77, abs=0.5)


def test_a_hand_as_dark_as_the_table_is_seen_by_its_colour() -> None:
    cloth, skin = (72, 52, 90), (45, 62, 95)
    grain = np.random.default_rng(3)

    def frame(at_s: float, reach: float | None = None) -> Frame:
        picture = np.full((HEIGHT, WIDTH, 3), cloth, np.uint8)
        if reach is not None:
            cv2.line(picture, SIDES[270], toward(270, reach), skin, 26)
        noisy = picture + grain.normal(0, 3, picture.shape)
        return Frame(np.clip(noisy, 0, 255).astype(np.uint8), at_s)

    def grey(colour: tuple[int, int, int]) -> int:
        return int(cv2.cvtColor(np.full((1, 1, 3), colour, np.uint8), cv2.COLOR_BGR2GRAY)[0, 0])

    assert abs(grey(cloth) - grey(skin)) < 5
    still = Stillness()
    for number in range(5):
        still.see(frame(0.1 * number))
    still.rested()
    for number, reach in enumerate((0.3, 0.5, 0.7)):
        motion = still.see(frame(1 + 0.1 * number, reach))
        (arm,) = motion.arms
        tip = np.array(toward(270, reach)) * SMALL_W / WIDTH
        assert np.hypot(*(np.array(arm.tip) - tip)) < 10
    assert not still.see(frame(2.0)).arms


def test_arms_that_touch_over_the_table_are_two_by_where_they_came_in() -> None:
    still, table = at_rest()
    for reach in (0.4, 0.7, 0.95, 1.05):
        table.arms = [(0, toward(0, reach)), (90, toward(90, reach))]
        arms = watch(still, table, STEP_S)[-1].arms
    assert sorted(side_of(arm) for arm in arms) == [0, 90]


@pytest.mark.parametrize(("rows", "came"), [((92, 119), True), ((99, 119), False), ((0, 20), False)])
def test_an_arm_that_swings_in_crosses_the_edge_beside_where_it_did(rows: tuple[int, int], came: bool) -> None:
    """But where its fingertips touched the edge farther off, it does not come in."""
    part = np.zeros((120, SMALL_W), bool)
    part[70:99, :60] = part[:21, :10] = True
    assert Was(1.0, (0.0, 84.0), part).crossed_at(Rim.of([(0, row) for row in range(*rows)])) == came


def test_an_arm_that_reaches_right_across_comes_from_where_it_came_in() -> None:
    still, table = at_rest()
    for reach in (0.5, 1.0, 1.5, 2.0):
        table.arms = [(0, toward(0, reach))]
        (arm,) = watch(still, table, STEP_S)[-1].arms
    assert side_of(arm) == 0
    assert arm.tip[1] < 10


def test_an_arm_that_rests_is_an_arm_still_when_it_moves_again() -> None:
    still, table = at_rest()
    for reach in (0.4, 0.9):
        table.arms = [(0, toward(0, reach))]
        watch(still, table, STEP_S)
    watch(still, table, 3.0)
    still.rested()
    assert [side_of(arm) for arm in watch(still, table, 1.0)[-1].arms] == [0]
    table.arms = [(0, toward(0, 1.1))]
    assert [side_of(arm) for arm in watch(still, table, STEP_S)[-1].arms] == [0]


@pytest.mark.parametrize("stays_s", [0.4, 3.0])
def test_an_arm_that_lingered_over_a_look_is_an_arm_when_it_comes_there_again(stays_s: float) -> None:
    """It is remembered as nothing that lay there."""
    still, table = at_rest()
    for reach in (0.4, 0.8):
        table.arms = [(0, toward(0, reach))]
        watch(still, table, STEP_S)
    watch(still, table, stays_s)
    still.rested()
    table.arms, table.cards = [], [(60, 60)]
    watch(still, table, 0.5)
    still.rested()
    for reach in (0.4, 0.8):
        table.arms = [(0, toward(0, reach))]
        assert [side_of(arm) for arm in watch(still, table, STEP_S)[-1].arms] == [0]


@pytest.mark.parametrize("light", [0.7, 1.3])
def test_what_was_under_a_hand_is_remembered_in_the_light_of_now(light: float) -> None:
    table = Tabletop()
    before = Small.of(table.frame())
    table.light, table.arms = light, [(0, toward(0, 0.8))]
    beside = Small.of(table.frame())
    table.arms = []
    bare = Small.of(table.frame())
    hidden = cv2.dilate(beside.other(bare), np.ones((5, 5), np.uint8))
    assert hidden.mean() > 0.03
    apart = np.abs(beside.without(hidden, before).grey - bare.grey)[hidden > 0]
    assert float(np.median(apart)) < 3
    assert float(np.median(np.abs(before.grey - bare.grey)[hidden > 0])) > 15


def test_a_stock_left_at_the_edge_is_no_arm() -> None:
    still, table = at_rest()
    for reach in (0.2, 0.4, 0.2):
        table.arms = [(0, toward(0, reach))]
        table.cards = [(160, 228)]
        watch(still, table, STEP_S)
    table.arms = []
    watch(still, table, 0.8)
    assert watch(still, table, STEP_S)[-1].arms == ()
    assert [spot.put is not None for spot in still.rested()] == [True]


def trembling(still: Stillness, table: Tabletop, seconds: float, by_px: float = 0.6) -> list[Motion]:
    """What is seen by a camera that is never quite still: so many pixels off, each time anew."""
    shake = np.random.default_rng(round(10 * table.now_s))
    seen = []
    for _ in range(round(seconds / STEP_S)):
        table.shift = (float(shake.normal(0, by_px)), float(shake.normal(0, by_px)))
        seen.append(still.see(table.frame()))
    return seen


def test_a_table_under_a_trembling_camera_settles_and_what_is_laid_is_seen() -> None:
    still, table = Stillness(), Tabletop(contrast=0.5)
    table.cards = [(120, 100), (200, 140), (150, 180)]
    assert sum(motion.settled for motion in trembling(still, table, 6.0)[30:]) > 20
    still.rested()
    table.cards.append((230, 70))
    motion = next(seen for _ in range(20) if (seen := trembling(still, table, STEP_S)[0]).settled)
    assert not motion.arms
    scale = SMALL_W / WIDTH
    assert [(round(spot.x / 4), round(spot.y / 4)) for spot in still.rested()] == [
        (round(230 * scale / 4), round(70 * scale / 4))
    ]


def test_a_hand_under_a_trembling_camera_is_a_hand() -> None:
    still, table = Stillness(), Tabletop(contrast=0.5)
    table.cards = [(120, 100), (200, 140)]
    trembling(still, table, 6.0)
    still.rested()
    for reach in (0.4, 0.6, 0.8):
        table.arms = [(0, toward(0, reach))]
        (moving,) = trembling(still, table, STEP_S)
        assert not moving.settled and [side_of(arm) for arm in moving.arms] == [0]


@pytest.mark.parametrize(("by_px", "plain"), [((0.7, -0.4), True), ((1.0, 0.8), True), ((0.0, 0.0), False)])
def test_how_far_all_is_shifted_is_told_beside_a_hand(by_px: tuple[float, float], plain: bool) -> None:
    table = Tabletop(contrast=0.5)
    table.cards = [(120, 100), (200, 140), (150, 180)]
    rest = Small.of(table.frame())
    for arms in ([], [(0, toward(0, 0.6))]):
        table.arms, table.shift = arms, by_px
        shift = Small.of(table.frame()).shifted_from(rest)
        assert shift[:2] == pytest.approx(np.array(by_px) * SMALL_W / WIDTH, abs=0.08)
        assert shift.plain == plain and (plain or not shift.sure)


def test_a_hand_that_touches_a_card_reached_only_as_far_as_it_came() -> None:
    still, table = at_rest()
    table.cards = [(160, 115)]
    watch(still, table, 0.5)
    for reach in (0.4, 0.6, 0.8, 0.8):
        table.arms = [(0, toward(0, reach))]
        (arm,) = watch(still, table, STEP_S)[-1].arms
    scale = SMALL_W / WIDTH
    assert arm.tip[1] == pytest.approx(95 * scale, abs=3)
    assert arm.reached is not None and arm.reached[1] == pytest.approx((toward(0, 0.8)[1] - 13) * scale, abs=3)
    watch(still, table, 0.5)
    (arm,) = watch(still, table, STEP_S)[-1].arms
    assert arm.reached is None


def test_a_hand_did_not_reach_where_another_drew_back_from() -> None:
    still, table = at_rest()
    for reach in (0.4, 0.7, 0.9):
        table.arms = [(0, toward(0, reach)), (180, toward(180, reach))]
        watch(still, table, STEP_S)
    table.arms, table.cards = [(0, toward(0, 0.9)), (180, toward(180, 0.2))], [(160, 100)]
    for _ in range(2):
        (mine,) = [arm for arm in watch(still, table, STEP_S)[-1].arms if side_of(arm) == 0]
        assert mine.tip[1] < 45
        assert mine.reached is None or mine.reached[1] > 50


def test_a_bump_is_looked_through_at_once() -> None:
    still, table = at_rest()
    table.cards = [(120, 100)]
    watch(still, table, 0.5)
    table.shift = (1.2, -0.8)
    bumped = watch(still, table, 1.0)
    assert all(motion.settled and not motion.arms for motion in bumped)
    assert [(round(spot.x / 4), round(spot.y / 4)) for spot in still.rested()] == [(round(60 / 4), round(50 / 4))]


@pytest.mark.parametrize("turned", [False, True])
def test_a_picture_of_another_size_begins_anew_whatever_arm_is_over_it(turned: bool) -> None:
    """A phone that is turned, or a camera that comes back with fewer pixels."""
    still, table = at_rest()
    table.arms = [(0, toward(0, 0.6))]
    watch(still, table, 0.3)
    for number, frame in enumerate(table.frames(1.0)):
        image = np.ascontiguousarray(np.rot90(frame.image)) if turned else cv2.resize(frame.image, (160, 120))
        motion = still.see(Frame(image, frame.at_s))
        assert motion.resized == (number == 0)
        if number == 0:
            assert motion.still_s == 0 and not motion.whole
        still.rested()
