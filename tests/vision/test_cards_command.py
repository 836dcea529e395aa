"""The commands `cards` and `enrol`: a line for each picture, and a clear word where there is none."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cameras import CameraAway
from device.cli import main
from device.keeping.deck import deck_path, house_deck, keep_deck
from device.keeping.settings import load
from engine.cards import Card
from tests.vision.conftest import TableOf
from vision.cards.enrol import ROW, proposed_order
from vision.cards.enrol_watch import LESSONS
from vision.cards.enrolled import EnrolledDeck
from vision.frame import Frame, Image
from vision.synthetic.cards_tables import DrawnCard

Hisabu = Callable[..., tuple[int, str, str]]
"""A command line: its status, what it said, what it said went wrong."""


@pytest.fixture
def hisabu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Hisabu:
    monkeypatch.setenv("HISABU_HOME", str(tmp_path / "home"))

    def call(*words: object) -> tuple[int, str, str]:
        code = main([str(w) for w in words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


@pytest.fixture(scope="module")
def pair(table_of: TableOf, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pictures") / "pair.png"
    cv2.imwrite(
        str(path), table_of([DrawnCard("AS", (300, 300), 150, 0.3), DrawnCard("10D", (800, 500), 150, 2.0)]).image
    )
    return path


def test_a_line_of_json_for_each_picture_empty_ones_too(hisabu: Hisabu, pair: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.png"
    cv2.imwrite(str(empty), np.full((600, 800, 3), 90, np.uint8))
    code, out, _ = hisabu("cards", "--json", pair, empty)
    full, nothing = map(json.loads, out.splitlines())
    assert code == 0
    assert {c["card"] for c in full["cards"]} == {"AS", "10D"} and full["image"] == str(pair)
    assert set(full["cards"][0]) == {"card", "confidence", "at", "quad"} and full["ms"] > 0
    assert nothing["cards"] == [] and nothing["unsure"] == []


def test_bad_files_get_a_line_each_and_the_rest_is_done(hisabu: Hisabu, pair: Path, tmp_path: Path) -> None:
    text, hole, path, dark = tmp_path / "text.jpg", tmp_path / "hole.png", tmp_path / "one.png", tmp_path / "dark.png"
    text.write_text("not a picture")
    hole.touch()
    cv2.imwrite(str(path), np.zeros((1, 1, 3), np.uint8))
    cv2.imwrite(str(dark), np.zeros((480, 640, 3), np.uint8))
    code, out, err = hisabu("cards", "--json", text, hole, tmp_path / "absent.jpg", path, dark, pair)
    assert code == 0
    assert len(out.splitlines()) == 3
    assert (
        "text.jpg: not a picture" in err and "hole.png: the file is empty" in err and "absent.jpg: no such file" in err
    )


def test_no_picture_at_all_is_an_error(hisabu: Hisabu, tmp_path: Path) -> None:
    code, out, err = hisabu("cards", tmp_path / "absent.jpg")
    assert code == 2 and not out and "no such file" in err


def test_a_folder_stands_for_its_pictures(hisabu: Hisabu, pair: Path) -> None:
    code, out, _ = hisabu("cards", "--json", pair.parent)
    assert code == 0 and json.loads(out)["image"] == str(pair)
    (pair.parent / "sub").mkdir(exist_ok=True)
    code, _, err = hisabu("cards", pair.parent / "sub")
    assert code == 2 and "a folder without pictures" in err


def test_a_24_megapixel_picture_is_read(hisabu: Hisabu, tmp_path: Path) -> None:
    big = tmp_path / "big.jpg"
    cv2.imwrite(str(big), np.full((4000, 6000, 3), 120, np.uint8))
    code, out, _ = hisabu("cards", "--json", big)
    assert code == 0 and json.loads(out)["cards"] == []


def test_people_get_words_and_a_drawing(hisabu: Hisabu, pair: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "drawn.png"
    code, out, _ = hisabu("cards", pair, "--draw", drawn)
    assert code == 0 and "AS" in out and "10D" in out
    picture = cv2.imread(str(drawn))
    assert picture.shape == cv2.imread(str(pair)).shape and (picture != cv2.imread(str(pair))).any()


def test_enrolment_proposes_an_order_and_keeps_the_deck(hisabu: Hisabu, table_of: TableOf, tmp_path: Path) -> None:
    code, out, _ = hisabu("enrol")
    assert code == 0 and "AC 2C 3C 4C  /  5C" in out
    order = proposed_order("H")
    laid = [DrawnCard(c, (180 + 240 * (k % ROW), 140 + 225 * (k // ROW)), 130, 0.0) for k, c in enumerate(order)]
    picture = tmp_path / "hearts.png"
    cv2.imwrite(str(picture), table_of(laid).image)
    code, out, _ = hisabu("enrol", "--cards", " ".join(order), picture)
    assert code == 0 and "Cards of this deck known: 13" in out
    assert deck_path().exists()
    code, _, err = hisabu("enrol", "--cards", "AH 2H", picture)
    assert code == 1 and "I see 13 cards, not 2" in err
    assert hisabu("enrol", "--forget")[0] == 0 and not deck_path().exists()


def test_what_cannot_be_drawn_is_said_in_a_line(hisabu: Hisabu, pair: Path, tmp_path: Path) -> None:
    for name, why in (("drawn", "name the file .png or .jpg"), ("absent/drawn.png", "there is no such file or folder")):
        code, out, err = hisabu("cards", "--draw", tmp_path / name, pair)
        assert code == 2 and "AS" in out and err.splitlines() == [err.strip()] and why in err


def test_a_picture_too_large_is_refused_before_it_is_opened(
    hisabu: Hisabu, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = tmp_path / "large.png"
    cv2.imwrite(str(large), np.zeros((9000, 9000), np.uint8))
    monkeypatch.setattr(cv2, "imdecode", None)
    code, _, err = hisabu("cards", large)
    assert code == 2 and "too large: more than 80 megapixels" in err


def test_a_picture_may_be_named_after_an_option(hisabu: Hisabu, pair: Path) -> None:
    code, out, _ = hisabu("cards", pair, "--json", pair)
    assert code == 0 and len(out.splitlines()) == 2
    with pytest.raises(SystemExit):
        hisabu("cards", pair, "--jsn", pair)


def test_a_card_named_twice_is_not_learned(hisabu: Hisabu, pair: Path) -> None:
    code, _, err = hisabu("enrol", "--cards", "AS AS", pair)
    assert code == 2 and "named twice: AS" in err and not deck_path().exists()


def test_a_card_that_is_surely_another_is_left_out_of_the_deck_and_said(hisabu: Hisabu, pair: Path) -> None:
    code, out, err = hisabu("enrol", "--cards", "AS 9D", pair)
    assert code == 0 and "Cards of this deck known: 1" in out and err.startswith("9D left out: I read 10D in its place")
    deck = house_deck(deck_path(), "en")
    assert deck is not None and deck.cards == {"AS"}
    code, _, err = hisabu("enrol", "--cards", "AH 9D", pair)
    assert code == 1 and "The order is different" in err


def test_a_deck_is_learned_into_the_file_that_the_device_uses_and_forgotten_there(
    hisabu: Hisabu, pair: Path, tmp_path: Path
) -> None:
    settings, mine = tmp_path / "settings.toml", tmp_path / "mine.npz"
    settings.write_text(f'language = "en"\ndeck = "{mine}"\n')
    keep_deck(mine, EnrolledDeck.of({"8H": [np.arange(128.0)]}, "other weights"))
    before = mine.read_bytes()
    code, out, err = hisabu("enrol", "--settings", settings, "--cards", "AS 10D", pair)
    assert code == 0 and str(mine) in out and not deck_path(settings).exists()
    assert "an older version learned this deck" in err
    assert mine.with_name("mine.npz.old").read_bytes() == before, "what could not be used is kept"
    deck = house_deck(mine, "en")
    assert deck is not None and deck.cards == {"AS", "10D"}
    assert hisabu("enrol", "--settings", settings, "--forget")[0] == 0
    assert not mine.exists() and load(settings).deck == ""
    assert hisabu("cards", "--settings", settings, pair)[2] == ""


def test_a_damaged_deck_is_named_and_left_alone(hisabu: Hisabu, pair: Path) -> None:
    deck_path().parent.mkdir(parents=True)
    deck_path().write_text("junk")
    code, out, err = hisabu("cards", pair)
    assert code == 0 and "AS" in out
    assert err.startswith(f"{deck_path()}: this is not the file of a learned deck.")


class _Table:
    """A camera over a table on which one layout after another is laid, with a hand between."""

    name = "drawn"

    def __init__(self, pictures: Sequence[Image]) -> None:
        self._frames: list[Frame] = []
        for picture in pictures:
            for still in (False, *[True] * 7):
                at_s = 0.1 * len(self._frames)
                self._frames.append(Frame(picture if still else 255 - picture, at_s))

    def frame(self) -> Frame | None:
        return self._frames.pop(0) if self._frames else None

    def close(self) -> None:
        pass


def _in_rows_of_four(table_of: TableOf, cards: Sequence[Card], width: float = 105.0) -> Image:
    laid = [DrawnCard(c, (180 + 240 * (k % 4), 140 + 260 * (k // 4)), width, 0.02) for k, c in enumerate(cards)]
    return table_of(laid, tilt_deg=0, height=960).image


@pytest.fixture(scope="module")
def lesson_pictures(table_of: TableOf) -> list[Image]:
    return [_in_rows_of_four(table_of, cards) for cards in LESSONS]


def test_a_table_on_which_no_card_is_seen_is_told_once_it_lies_so_for_a_while(
    hisabu: Hisabu, table_of: TableOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = np.full((480, 640, 3), (60, 90, 70), np.uint8)
    camera = _Table([empty, empty])
    monkeypatch.setattr("device.commands.enrol_camera.open_camera", lambda spec: camera)
    monkeypatch.setattr("vision.cards.enrol_watch.EMPTY_S", 0.6)
    _, out, _ = hisabu("enrol", "--camera")
    assert out.count("I see no card") == 1, "not of the table as it was found"


@pytest.mark.slow
def test_the_camera_learns_a_deck_as_it_is_laid_and_says_what_it_still_wants(
    hisabu: Hisabu, lesson_pictures: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    aces, clubs, diamonds = lesson_pictures[:3]
    camera = _Table([aces, clubs, aces, diamonds])
    monkeypatch.setattr("device.commands.enrol_camera.open_camera", lambda spec: camera)
    code, out, err = hisabu("enrol", "--camera")
    assert "learned: 4; known: 4." in out and "learned: 12; known: 16." in out and "known: 28." in out
    assert code == 1 and err.startswith("Still missing: 2H 3H 4H 5H")
    failed = deck_path().with_name("enrol-failed")
    assert (failed / "01.jpg").exists() and "I see 4 cards, not 12" in (failed / "01.txt").read_text()


@pytest.mark.slow
def test_the_camera_tells_when_the_whole_deck_is_known(
    hisabu: Hisabu, lesson_pictures: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = _Table(lesson_pictures)
    monkeypatch.setattr("device.commands.enrol_camera.open_camera", lambda spec: camera)
    code, out, _ = hisabu("enrol", "--camera")
    assert code == 0 and "known: 52." in out and deck_path().exists()


def test_a_camera_that_is_not_there_is_said(hisabu: Hisabu, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(spec: str) -> None:
        raise CameraAway("ribbon")

    monkeypatch.setattr("device.commands.enrol_camera.open_camera", away)
    code, _, err = hisabu("enrol", "--camera", "usb:7")
    assert code == 2 and err.startswith("Check both ends of the ribbon cable.")
