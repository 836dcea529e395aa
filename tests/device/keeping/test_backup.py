"""Everything that is kept goes into one file, and another device has it: matches, names, settings, deck, voices."""

import io
import json
import os
import shutil
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from device.cli import main
from device.keeping import backup
from device.keeping.backup import DECK, LIST, MOST_OF_A_MOMENT, Backup, BackupError, packed, take_in
from device.keeping.deck import deck_path, keep_deck
from device.keeping.journal import MatchRecord, kept, recover_file, resume
from device.keeping.settings import Settings, load, save
from device.words import in_words
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.simulate import honest_match
from tests.device.keeping.test_deck import UNFIT, deck_file
from vision.cards.enrolled import EnrolledDeck
from vision.cards.reader import network_print

NAMES = ("Zaïna", "Ali", "Moina", "Abdou")


class Home:
    """One device's folders."""

    def __init__(self, root: Path, **settings: Any) -> None:
        self.file = root / "etc" / "settings.toml"
        self.settings = Settings(**{"matches": str(root / "var" / "matches"), "language": "en", **settings})
        save(self.file, self.settings)

    def play(self, seed: int, finish: bool = True) -> None:
        match = Match("turufu", 4, {}, NAMES)
        record = MatchRecord.begin(self.settings.matches_folder, match)
        assert isinstance(match.judge, CardJudge)
        for event in honest_match(match.judge.game, Random(seed), 1):
            record.add(event)
        record.finish() if finish else record.close()

    def saved(self) -> bytes:
        return b"".join(packed(self.settings, self.file, "1.0"))

    def takes(self, data: bytes) -> Any:
        taken = take_in(Backup(io.BytesIO(data)), self.settings, self.file)
        save(self.file, taken.settings)
        self.settings = taken.settings
        return taken

    def journals(self) -> list[bytes]:
        return [match.path.read_bytes() for match in kept(self.settings.matches_folder)]


def with_deck(home: Home) -> None:
    features = np.random.default_rng(1).normal(size=(3, 128))
    deck = EnrolledDeck(features / np.linalg.norm(features, axis=1, keepdims=True), np.arange(3), network_print())
    keep_deck(deck_path(home.file), deck)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two matches that are over and one that is not."""
    home = Home(tmp_path_factory.mktemp("played"), game="turufu", seats=NAMES)
    home.play(1)
    home.play(2)
    home.play(3, finish=False)
    return home.settings.matches_folder


@pytest.fixture
def old(tmp_path: Path, played: Path) -> Home:
    home = Home(
        tmp_path / "old", build="standard", display="st7789", game="turufu", seats=NAMES, brightness=0.4,
        outputs={"voice": "game", "score_file": "/tmp/x"},
        broker="mqtts://hall", broker_user="table", broker_password="/etc/hisabu/password",
    )  # fmt: skip
    shutil.copytree(played, home.settings.matches_folder, dirs_exist_ok=True)
    second = kept(home.settings.matches_folder)[1].path
    second.with_name(f"{second.stem}.moment-12.json").write_text("[]")
    with_deck(home)
    voice = home.settings.recorded_voice / "shi" / "c-7.wav"
    voice.parent.mkdir(parents=True)
    voice.write_bytes(b"RIFF")
    return home


def test_a_fresh_device_has_the_same_matches_names_deck_voices_and_settings(old: Home, tmp_path: Path) -> None:
    fresh = Home(tmp_path / "fresh")
    taken = fresh.takes(old.saved())
    assert (taken.matches, taken.there) == (3, 0)
    assert fresh.journals() == old.journals()
    assert all(
        found is not None and found.match.header.seats == NAMES
        for found in (recover_file(match.path) for match in kept(fresh.settings.matches_folder))
    )
    assert [path.name for path in fresh.settings.matches_folder.glob("*.moment-12.json")] == [
        path.name for path in old.settings.matches_folder.glob("*.moment-12.json")
    ]
    assert deck_path(fresh.file).read_bytes() == deck_path(old.file).read_bytes()
    assert (fresh.settings.recorded_voice / "shi" / "c-7.wav").read_bytes() == b"RIFF"
    now = load(fresh.file)
    same = ("language", "game", "seats", "brightness", "build", "display", "broker", "broker_user")
    assert [getattr(now, name) for name in same] == [getattr(old.settings, name) for name in same]


def test_a_match_that_went_on_goes_on_there(old: Home, tmp_path: Path) -> None:
    fresh = Home(tmp_path / "fresh")
    MatchRecord.begin(
        fresh.settings.matches_folder, Match("mraha", 2, {})
    ).close()  # As a device does that was just started.
    fresh.takes(old.saved())
    found = resume(fresh.settings.matches_folder)
    assert found.record is not None and found.record.match.header.seats == NAMES
    found.record.close()


def test_no_secret_no_program_and_no_path_travels(old: Home, tmp_path: Path) -> None:
    (old.settings.matches_folder / "phones.json").write_text("[]")
    data = old.saved()
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert not [name for name in names if "phones" in name or "password" in name or "folder-id" in name]
    text = zipfile.ZipFile(io.BytesIO(data)).read("settings.toml").decode()
    assert "/etc/hisabu/password" not in text and "/tmp/x" not in text
    fresh = Home(tmp_path / "fresh")
    where = fresh.settings.matches
    fresh.takes(data)
    assert fresh.settings.outputs == {"voice": "game"}
    assert (fresh.settings.matches, fresh.settings.broker_password) == (where, "")


def test_what_is_here_stays_and_taking_in_twice_changes_nothing(old: Home, tmp_path: Path) -> None:
    busy = Home(tmp_path / "busy", build="laptop", display="none", camera="usb:0")
    busy.play(7)
    own = busy.journals()
    taken = busy.takes(old.saved())
    assert (taken.matches, taken.there) == (3, 0)
    assert busy.journals() == [*own, *old.journals()]
    assert (busy.settings.build, busy.settings.camera) == ("laptop", "usb:0")
    assert not resume(busy.settings.matches_folder).record, "a match of elsewhere does not go on over one's own"
    before = busy.journals()
    assert (busy.takes(old.saved()).matches, busy.journals()) == (0, before)


def test_a_match_that_was_played_on_elsewhere_is_lengthened(old: Home, tmp_path: Path) -> None:
    early = old.saved()
    home = Home(tmp_path / "home")
    home.play(9)
    home.takes(early)
    record = resume(old.settings.matches_folder).record
    assert record is not None
    record.add({"event": "undo"})
    record.finish()
    home.takes(old.saved())
    assert home.journals()[1:] == old.journals()


def test_while_a_match_goes_on_nothing_is_taken_in(old: Home, tmp_path: Path) -> None:
    busy = Home(tmp_path / "busy")
    busy.play(5, finish=False)
    before = busy.journals()
    with pytest.raises(BackupError, match="backup_goes_on"):
        busy.takes(old.saved())
    assert busy.journals() == before


def changed(data: bytes, change: Callable[[dict[str, bytes]], None], listed: bool = True) -> bytes:
    """A backup with other files in it; listed: its list says so too."""
    import hashlib

    with zipfile.ZipFile(io.BytesIO(data)) as file:
        files = {name: file.read(name) for name in file.namelist()}
    change(files)
    if listed and LIST in files:
        about = json.loads(files[LIST])
        sums = {name: hashlib.sha256(held).hexdigest() for name, held in files.items() if name != LIST}
        files[LIST] = json.dumps({**about, "files": sums}).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, held in files.items():
            file.writestr(name, held)
    return out.getvalue()


FOREIGN = [
    "../../etc/passwd", "/etc/passwd", "matches/../../x", "matches/phones.json", "voice/fr/../x.wav", "settings.toml/",
    "matches/match-0001-2026-01-01-turufu.jsonl.damaged", "voice/xx/a.wav", "run.sh",
    "matches/match-1-2026-01-01-a\nb.jsonl",
]  # fmt: skip


@pytest.mark.parametrize("name", FOREIGN)
def test_a_file_that_belongs_in_no_backup_is_refused(old: Home, tmp_path: Path, name: str) -> None:
    bad = changed(old.saved(), lambda files: files.update({name: b"x"}))
    refused(tmp_path, bad)


def refused(tmp_path: Path, data: bytes) -> None:
    """It is refused, and nothing is written."""
    fresh = Home(tmp_path / "fresh")
    before = {path: path.read_bytes() for path in tmp_path.joinpath("fresh").rglob("*") if path.is_file()}
    with pytest.raises(BackupError):
        fresh.takes(data)
    assert {path: path.read_bytes() for path in tmp_path.joinpath("fresh").rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("change", "listed"),
    [
        (lambda files: files.pop("settings.toml"), False),
        (lambda files: files.update({"settings.toml": b"language = 7"}), True),
        (lambda files: files.update({"settings.toml": b"\xff"}), True),
        (lambda files: files.update({"settings.toml": files["settings.toml"] + b"\n"}), False),
        (lambda files: files.update({"voice/fr/a.wav": b"0" * 5_000_000}), True),
        (lambda files: files.pop(LIST), False),
        (lambda files: files.update({LIST: b"[]"}), False),
        (lambda files: files.update({LIST: files[LIST].replace(b'"version": 1', b'"version": 2')}), False),
        (lambda files: files.update({LIST: files[LIST].replace(b"hisabu backup", b"other")}), False),
    ],
)
def test_a_damaged_backup_is_refused_whole(old: Home, tmp_path: Path, change: Any, listed: bool) -> None:
    refused(tmp_path, changed(old.saved(), change, listed))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (DECK, b"PK no deck"),
        ("matches/match-0009-2026-01-01-turufu.jsonl", b"{}\n"),
        ("matches/match-0009-2026-01-01-turufu.open.jsonl", b""),
        ("matches/match-0001-2026-01-01-turufu.names.json", b"["),
        ("matches/match-0001-2026-01-01-turufu.names.json", b'{"seats": 5}'),
    ],
)
def test_a_file_that_was_saved_unreadable_is_named_and_the_rest_is_taken_in(
    old: Home, tmp_path: Path, name: str, data: bytes
) -> None:
    fresh = Home(tmp_path / "fresh")
    taken = fresh.takes(changed(old.saved(), lambda files: files.update({name: data})))
    assert (taken.left, fresh.journals()) == ((name,), old.journals())
    assert deck_path(fresh.file).exists() == (name != DECK)


@pytest.mark.parametrize("features", UNFIT)
def test_a_deck_that_says_nothing_of_cards_is_left_out(old: Home, tmp_path: Path, features: Any) -> None:
    fresh = Home(tmp_path / "fresh")
    assert fresh.takes(changed(old.saved(), lambda files: files.update({DECK: deck_file(features)}))).left == (DECK,)
    assert not deck_path(fresh.file).exists()


def test_a_file_that_cannot_be_read_spoils_no_backup(
    old: Home, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder, matches = old.settings.matches_folder, old.journals()
    (folder / "match-0004-2026-01-01-turufu.open.jsonl").touch()
    names = next(folder.glob("match-0001-*.names.json"))
    names.write_text('{"seats": 5}')
    deck_path(old.file).write_bytes(b"rubbish")
    fresh = Home(tmp_path / "fresh")
    taken = fresh.takes(old.saved())
    assert (taken.matches, taken.left, fresh.journals()) == (3, (), matches)
    assert [name in caplog.text for name in ("match-0004", names.name, DECK)] == [True] * 3


def test_a_first_line_that_is_broken_on_the_disk_is_whole_in_the_backup(old: Home, tmp_path: Path) -> None:
    whole, path = old.journals(), kept(old.settings.matches_folder)[0].path
    path.write_bytes(b"[" + path.read_bytes()[1:])
    fresh, data = Home(tmp_path / "fresh"), old.saved()
    fresh.takes(data)
    assert fresh.journals() == whole
    taken = take_in(Backup(io.BytesIO(data)), replace(old.settings, matches=str(path.parent)), old.file)
    assert (taken.matches, taken.there) == (0, 3), "it is known for the same match"


def test_what_is_one_too_many_is_left_out_of_the_backup_and_not_found_out_later(
    old: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(backup, "MOST_FILES", 11)
    fresh = Home(tmp_path / "fresh")
    assert (fresh.takes(old.saved()).matches, fresh.journals()) == (2, old.journals()[1:]), "the newest are in it"
    assert "match-0001" in caplog.text


def test_house_rules_of_another_table_do_not_stop_a_backup(tmp_path: Path) -> None:
    theirs = Home(tmp_path / "theirs", game="triomphe", players=3)
    mine = Home(tmp_path / "mine", game="triomphe", players=4, options={"triomphe": {"teams": "sides"}})
    mine.takes(theirs.saved())
    assert (load(mine.file).players, load(mine.file).options) == (3, {})


def test_what_stood_here_before_is_still_kept_when_it_is_taken_in_twice(old: Home, tmp_path: Path) -> None:
    mine = Home(tmp_path / "mine", seats=("Echati",))
    deck_path(mine.file).write_bytes(b"my own deck")
    for _ in range(2):
        mine.takes(old.saved())
        assert load(mine.file.with_name("settings.toml.before")).seats == ("Echati",)
        assert mine.file.with_name("deck.npz.before").read_bytes() == b"my own deck"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("of_next_year = 1", "there is no key of_next_year"),
        ("page_look = 3", "page_look = 3 is not possible. Allowed:"),
    ],
)
def test_a_backup_whose_settings_do_not_fit_says_which(old: Home, line: str, said: str) -> None:
    """A newer Hisabu may have saved it, or somebody changed it by hand."""

    def other(files: dict[str, bytes]) -> None:
        key = line.split(maxsplit=1)[0].encode()
        kept = [known for known in files["settings.toml"].splitlines() if not known.startswith(key)]
        files["settings.toml"] = b"\n".join([line.encode(), *kept])

    with pytest.raises(BackupError, match="backup_settings") as error:
        Backup(io.BytesIO(changed(old.saved(), other)))
    assert said in in_words(error.value, "en") and "If a newer Hisabu" in in_words(error.value, "en")


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_only_what_a_backup_is_packed_with_is_unpacked(old: Home, method: int) -> None:
    data, out = old.saved(), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as file, zipfile.ZipFile(out, "w", method) as other:
        for name in file.namelist():
            other.writestr(name, file.read(name))
    with pytest.raises(BackupError, match="backup_damaged"):
        Backup(io.BytesIO(out.getvalue()))


def test_matches_and_their_pictures_are_taken_in_one_by_one(old: Home, tmp_path: Path) -> None:
    """All of them together are more than a small machine has memory for."""
    pictures = {f"matches/{path.name}": path for path in old.settings.matches_folder.glob("*.jsonl")}
    many, each = 5, MOST_OF_A_MOMENT - 1

    def with_pictures(files: dict[str, bytes]) -> None:
        for name in pictures:
            stem = name.split(".")[0]
            files.update({f"{stem}.moment-{number}.json": bytes(each) for number in range(20, 20 + many)})

    data, fresh = changed(old.saved(), with_pictures), Home(tmp_path / "fresh")
    saved = Backup(io.BytesIO(data))
    tracemalloc.start()
    taken = take_in(saved, fresh.settings, fresh.file)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    kept_pictures = [path.stat().st_size for path in fresh.settings.matches_folder.glob("*.moment-2?.json")]
    assert (taken.matches, kept_pictures) == (3, [each] * many * 3)
    assert most < 4 * each


def test_one_that_was_cut_anywhere_is_refused(old: Home, tmp_path: Path) -> None:
    data = old.saved()
    for cut in {0, 1, 30, len(data) // 3, len(data) // 2, len(data) - 1, len(data) - 60}:
        refused(tmp_path, data[:cut])


def test_one_with_a_flipped_byte_is_refused_or_the_same(old: Home, tmp_path: Path) -> None:
    data = old.saved()
    whole = Home(tmp_path / "whole")
    whole.takes(data)
    rng = Random(4)
    for number in range(60):
        bad = bytearray(data)
        bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
        home = Home(tmp_path / f"flip{number}")
        try:
            home.takes(bytes(bad))
        except BackupError:
            assert home.journals() == []
        else:
            assert home.journals() == whole.journals()


def test_cut_off_at_any_write_it_is_only_taken_in_again(
    old: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = old.saved()
    count, fail_at = 0, 0
    for name in ("replace", "link"):
        real = getattr(os, name)

        def counted(*args: Any, _real: Any = real, **kwargs: Any) -> Any:
            nonlocal count
            count += 1
            if count == fail_at:
                raise OSError(28, "No space left on device")
            return _real(*args, **kwargs)

        monkeypatch.setattr(os, name, counted)
    failures = went_through = 0
    for fail_at in range(1, 40):
        fail_at_now, fail_at = fail_at, 0
        home = Home(tmp_path / f"home{fail_at_now}")
        if fail_at_now % 2:
            home.play(8)
        own = home.journals()
        count, fail_at = 0, fail_at_now
        try:
            home.takes(data)
            went_through += 1
        except OSError:
            failures += 1
            fail_at = 0
            assert home.journals()[: len(own)] == own and load(home.file) == home.settings
            home.takes(data)
        fail_at = 0
        assert home.journals() == [*own, *old.journals()]
        if went_through == 4:
            break  # It writes no more often than that, whatever was there before.
    assert failures > 8


@pytest.mark.parametrize("links", [1, 2, 3])
def test_cut_off_and_taken_in_again_the_match_that_went_on_goes_on(
    old: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: int
) -> None:
    fresh, real, left = Home(tmp_path / "fresh"), os.link, [links]

    def link(*args: Any, **more: Any) -> None:
        left[0] -= 1
        if not left[0]:
            raise OSError(28, "No space left on device")
        real(*args, **more)

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(OSError, match="No space"):
        fresh.takes(old.saved())
    fresh.takes(old.saved())
    names, had = (
        {path.name for path in home.settings.matches_folder.iterdir() if path.suffix != ".header"}
        for home in (fresh, old)
    )
    assert names == had
    found = resume(fresh.settings.matches_folder)
    assert found.record is not None and found.record.match.header.seats == NAMES
    found.record.close()


def test_a_full_disk_can_still_be_saved(old: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: Any, **kwargs: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    assert zipfile.ZipFile(io.BytesIO(old.saved())).testzip() is None


def test_the_command_saves_and_takes_in(old: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, fresh = tmp_path / "all.zip", Home(tmp_path / "fresh")
    assert main(["backup", str(file), "--settings", str(old.file), "--lang", "en"]) == 0
    assert file.stat().st_mode & 0o077 == 0
    assert main(["backup", str(file), "--settings", str(old.file), "--lang", "en"]) == 2, "never over another file"
    assert main(["backup", str(file), "--take-in", "--settings", str(fresh.file), "--lang", "en"]) == 0
    assert "Restored matches: 3" in capsys.readouterr().out
    assert fresh.journals() == old.journals() and load(fresh.file).game == "turufu"
    (tmp_path / "no.zip").write_bytes(b"nothing")
    assert main(["backup", str(tmp_path / "no.zip"), "--take-in", "--settings", str(fresh.file), "--lang", "en"]) == 2


def test_a_pipe_is_no_backup(tmp_path: Path) -> None:
    home = Home(tmp_path / "fresh")
    os.mkfifo(tmp_path / "pipe")
    words = ["backup", str(tmp_path / "pipe"), "--take-in", "--settings", str(home.file), "--lang", "en"]
    command = [sys.executable, "-m", "device.cli", *words]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 2 and "this is not an ordinary file. Name another file." in ran.stderr


def test_another_broker_is_not_told_the_password_of_this_one(old: Home, tmp_path: Path) -> None:
    home = Home(tmp_path / "home", broker="mqtts://mine", broker_user="me", broker_password="/secret")
    data = old.saved()
    home.takes(data)
    assert (home.settings.broker, home.settings.broker_password) == ("mqtts://hall", "")
    home.settings = replace(home.settings, broker_password="/mine")
    home.takes(data)
    assert home.settings.broker_password == "/mine"
