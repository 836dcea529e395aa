"""The house's own deck: learned once, then used by whatever follows a table."""

import argparse
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device import appliance
from device.commands import table as table_commands
from device.following import follow
from device.following.recording import Recorder, Recording
from device.keeping.deck import DECK_FILE, deck_path, house_deck, keep_deck
from device.keeping.settings import Settings
from engine.match import Match
from tests.sizes import slow
from vision.cards.enrolled import WIDTH, EnrolledDeck
from vision.cards.reader import network_print

UNFIT = [
    pytest.param(np.ones((5, 3)), id="of another width"),
    pytest.param(np.full((5, WIDTH), np.nan), id="not a number"),
    pytest.param(np.full((5, WIDTH), np.inf), id="infinite"),
    pytest.param(np.empty((0, WIDTH)), id="empty"),
]
"""What is in a deck's file that nothing can be read with."""


def deck_file(features: Any) -> bytes:
    """A deck's file with that in it."""
    out = io.BytesIO()
    np.savez_compressed(out, features=features, places=np.arange(len(features)), network=np.array(network_print()))
    return out.getvalue()


@pytest.fixture
def learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A deck of which one card was enrolled, beside the settings."""
    monkeypatch.setenv("HISABU_HOME", str(tmp_path))
    path = deck_path()
    keep_deck(path, EnrolledDeck.of({"8H": [np.arange(128.0)]}, network_print()))
    return path


class _Begun(Exception):
    pass


def settings_of_the_device(monkeypatch: pytest.MonkeyPatch) -> Settings:
    """What `hisabu run` begins with."""
    begun: list[Settings] = []

    def begin(settings: Settings, *_: Any, **__: Any) -> None:
        begun.append(settings)
        raise _Begun

    monkeypatch.setattr(appliance, "Appliance", begin)
    asked = argparse.Namespace(
        settings=None, verbose=False, page="off", camera=None, record=None, new=False, terminal=False, game=None,
        players=None, lang=None, against=None, device_begins=None, device_seat=None, preset=None, options=None,
    )  # fmt: skip
    with pytest.raises(_Begun):
        table_commands.run_device(asked)
    return begun[0]


def deck_of(settings: Settings) -> EnrolledDeck | None:
    """The deck that the device's eye reads with."""
    return follow.card_reader(settings).deck


def test_the_device_reads_with_the_deck_that_the_house_enrolled(learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_of_the_device(monkeypatch)
    assert settings.deck_file == learned
    deck = deck_of(settings)
    assert deck is not None and deck.cards == {"8H"}


def test_without_an_enrolled_deck_it_reads_as_it_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HISABU_HOME", str(tmp_path))
    settings = settings_of_the_device(monkeypatch)
    assert settings.deck_file is None
    assert deck_of(settings) is None


def test_a_deck_of_other_weights_is_said_and_left_out(learned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep_deck(learned, EnrolledDeck.of({"8H": [np.arange(128.0)]}, "other weights"))
    assert deck_of(Settings(language="en", deck=str(learned))) is None
    assert "an older version learned this deck" in capsys.readouterr().err


def test_a_recording_keeps_the_deck_it_was_made_with(learned: Path, tmp_path: Path) -> None:
    Recorder(tmp_path / "kept", Match("turufu", 2), {}, learned).close()
    assert Recording(tmp_path / "kept").deck.read_bytes() == learned.read_bytes()
    assert Recording(tmp_path / "kept").deck.name == DECK_FILE


@pytest.mark.parametrize("every", [12, *slow(3)])
def test_a_deck_damaged_anywhere_is_said_and_left_alone(learned: Path, every: int) -> None:
    whole = learned.read_bytes()
    for at in range(0, len(whole), every):
        learned.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        deck = house_deck(learned, "en")
        assert deck is None or deck.cards


@pytest.mark.parametrize("features", UNFIT)
def test_a_deck_that_says_nothing_of_cards_is_said_and_left_alone(
    learned: Path, features: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whole as a file, of this network by its word, and named in the settings."""
    learned.write_bytes(deck_file(features))
    assert deck_of(Settings(language="en", game="turufu", players=2, deck=str(learned))) is None
    assert "this is not the file of a learned deck" in capsys.readouterr().err


def test_a_deck_that_is_named_and_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = Settings(language="en", game="turufu", players=2, deck=str(tmp_path / "gone.npz"))
    assert deck_of(settings) is None
    assert "no such file" in capsys.readouterr().err
