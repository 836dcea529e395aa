"""What is on disk when power goes, the disk fills, fails, hangs or is taken away: everything that was shown."""

import errno
import json
import multiprocessing
import os
import resource
import shutil
import signal
import stat
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from device import words
from device.following.show import TROUBLES
from device.keeping import journal
from device.keeping.journal import MatchRecord, Resumed, kept, recover, resume
from engine.events import Event, EventError, event_to_dict, parse_event
from engine.journal import event_line, read_journal
from engine.match import Match
from tests.device.killed import NUMBER, events, new_match, play
from tests.sizes import slow

SOON_S = 10.0
"""Generous: a machine that does other things too."""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk is tried again at once; a busy machine's disk is not called slow."""
    monkeypatch.setattr(journal, "RETRY_S", 0.01)
    monkeypatch.setattr(journal, "SLOW_S", SOON_S)


def soon(happens: Callable[[], object]) -> bool:
    end = time.monotonic() + SOON_S
    while not happens():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def begun(folder: Path, count: int = 0) -> MatchRecord:
    """A match with some events in it."""
    record = MatchRecord.begin(folder, new_match())
    for event in events(1, 1)[:count]:
        record.add(event)
    return record


def on_disk(record: MatchRecord) -> list[Event]:
    assert record.path is not None
    return read_journal(record.path.read_text(encoding="utf-8")).replay().log


def again(folder: Path) -> MatchRecord:
    found = resume(folder).record
    assert found is not None
    return found


# -- what is written ---------------------------------------------------------------------------------------------------


def test_a_match_goes_on_where_it_was_left(tmp_path: Path) -> None:
    first = begun(tmp_path, 20)
    first.close()
    second = again(tmp_path)
    assert second.match.log == events(1, 1)[:20]
    assert second.match.view == first.match.view
    assert second.header.seats == ("Zaïna", "Ali", "Fatima", "Saïd")
    second.add(events(1, 1)[20])
    assert on_disk(second) == events(1, 1)[:21]


def test_every_line_says_when_and_by_whom(tmp_path: Path) -> None:
    record = MatchRecord.begin(tmp_path, new_match(), clock=lambda: datetime(2026, 7, 6, 12, 0, 1, tzinfo=UTC))
    record.add({"event": "deal", "turn_up": "7H"})
    record.add({"event": "undo"}, by="button B")
    record.add({"event": "deal", "turn_up": "8H", "time": "earlier", "by": "page"})
    assert record.path is not None
    rows = [json.loads(line) for line in record.path.read_text().splitlines()[1:]]
    assert [(row["time"], row.get("by")) for row in rows] == [
        ("2026-07-06T12:00:01Z", None), ("2026-07-06T12:00:01Z", "button B"), ("earlier", "page"),
    ]  # fmt: skip
    assert on_disk(record) == record.match.log


def test_an_event_that_cannot_be_is_not_written(tmp_path: Path) -> None:
    record = begun(tmp_path, 5)
    assert record.path is not None
    before = record.path.read_bytes()
    for wrong in ({"event": "play", "card": "1H"}, {"event": "play", "card": "AH", "seat": 9}, {"event": "dance"}):
        with pytest.raises(EventError):
            record.add(wrong)
    with pytest.raises(ValueError):
        record.add({"event": "choose", "question": 1, "answer": "\ud800"})
    assert record.path.read_bytes() == before
    record.add(events(1, 1)[5])
    assert on_disk(record) == record.match.log == events(1, 1)[:6]


def test_everything_shown_was_synced_with_the_name_of_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a power cut a file holds what was synced of it, and is there at all if its folder was synced since."""
    synced: dict[str, bytes] = {}
    named: set[str] = set()
    real = os.fsync

    def fsync(fd: int) -> None:
        real(fd)
        path = Path(f"/proc/self/fd/{fd}").readlink()
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            named.update(str(inside) for inside in path.iterdir())
        else:
            synced[str(path)] = path.read_bytes()

    monkeypatch.setattr(os, "fsync", fsync)
    folder = tmp_path / "new" / "matches"
    record = MatchRecord.begin(folder, new_match())
    for number, event in enumerate(events(2, 1), 1):
        record.add(event)
        assert len(synced[str(record.path)].splitlines()) == number + 1
        assert {str(folder.parent), str(folder), str(record.path)} <= named
    record.finish()
    assert str(record.path) in named


def test_only_the_newest_match_goes_on_and_only_until_it_is_finished(tmp_path: Path) -> None:
    begun(tmp_path, 5).close()
    newer = begun(tmp_path, 9)
    newer.close()
    assert len(again(tmp_path).match.log) == 9
    assert again(tmp_path).finish()
    assert resume(tmp_path) == Resumed(None, ())
    assert [(match.number, match.open) for match in kept(tmp_path)] == [(1, True), (2, False)]


def test_what_the_plug_left_of_a_match_that_was_being_begun_is_met_once(tmp_path: Path) -> None:
    empty, cut = (tmp_path / f"match-000{number}-2026-01-01-turufu.open.jsonl" for number in (1, 2))
    empty.touch()
    cut.write_bytes(b'{"game":"turuf')
    assert resume(tmp_path) == Resumed(None, ())
    assert kept(tmp_path) == []
    assert [path.name for path in tmp_path.iterdir()] == [cut.name + ".damaged"], "nothing that was written is lost"


def test_nothing_to_go_on_with(tmp_path: Path) -> None:
    assert resume(tmp_path / "none") == resume(tmp_path) == Resumed(None, ())


def test_a_clock_that_jumps_back_changes_neither_order_nor_names(tmp_path: Path) -> None:
    days = [datetime(2026, 7, 6, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)]
    for day in days:
        MatchRecord.begin(tmp_path, new_match(), clock=lambda day=day: day).close()  # type: ignore[misc]
    assert [match.path.name for match in kept(tmp_path)] == [
        "match-0001-2026-07-06-turufu.open.jsonl",
        "match-0002-1970-01-01-turufu.open.jsonl",
        "match-0003-1970-01-01-turufu.open.jsonl",
    ]
    third = again(tmp_path)
    third.add({"event": "deal", "turn_up": "7H"})
    assert third.path == kept(tmp_path)[2].path


def test_two_devices_at_once_do_not_mix_their_lines(tmp_path: Path) -> None:
    first = begun(tmp_path, 5)
    second = again(tmp_path)
    for event in events(1, 1)[5:10]:
        first.add(event)
        second.add(event)
    assert first.path != second.path
    assert on_disk(first) == on_disk(second) == events(1, 1)[:10]


# -- the plug is pulled ------------------------------------------------------------------------------------------------


def written(tmp_path: Path, count: int) -> bytes:
    record = begun(tmp_path, count)
    record.close()
    assert record.path is not None
    return record.path.read_bytes()


@pytest.mark.parametrize("count", [6, *slow(12)])
def test_a_journal_cut_at_any_byte_gives_every_whole_line_back(tmp_path: Path, count: int) -> None:
    data, played = written(tmp_path, count), events(1, 1)
    header = data.index(b"\n")
    for cut in range(len(data) + 1):
        found = recover(data[:cut])
        if cut < header:
            assert found is None
            continue
        assert found is not None and found.damaged is None
        # A line that only lacks its end is as good as whole; it was not shown, and does no harm.
        assert found.match.log == played[: data[: cut + 1].count(b"\n") - 1], cut
        assert found.text == data[: len(found.text)] and found.on_disk <= cut
        assert found.torn == (data[cut - 1 : cut] != b"\n" and data[cut : cut + 1] not in (b"\n", b""))


def cuts_go_on(folder: Path, data: bytes, cuts: range, played: list[Event]) -> None:
    path = folder / "match-0001-2026-07-06-turufu.open.jsonl"
    for cut in cuts:
        path.write_bytes(data[:cut])
        record = resume(folder).record or MatchRecord.begin(folder, new_match())
        assert len(record.match.log) >= data[:cut].count(b"\n") - 1
        for event in played[len(record.match.log) :]:
            record.add(event)
        assert record.trouble is None and on_disk(record) == played, cut
        record.close()
        for file in folder.iterdir():
            file.unlink()


def test_a_match_cut_at_any_byte_of_its_end_is_played_on(tmp_path: Path) -> None:
    data = written(tmp_path, 12)
    whole = len(data)
    (tmp_path / "cut").mkdir()
    cuts_go_on(tmp_path / "cut", data, range(whole - 130, whole + 1, 3), events(1, 1)[:14])


@pytest.mark.slow
def test_a_match_cut_at_every_byte_is_played_on(tmp_path: Path) -> None:
    data = written(tmp_path, 12)
    (tmp_path / "cut").mkdir()
    cuts_go_on(tmp_path / "cut", data, range(len(data) + 1), events(1, 1)[:12])


def test_what_is_said_of_a_line_cut_short(tmp_path: Path) -> None:
    data = written(tmp_path, 8)
    path = kept(tmp_path)[0].path
    path.write_bytes(data[:-20])
    found = resume(tmp_path)
    assert [remark.code for remark in found.remarks] == ["torn"]
    assert "the power went while the last line was written" in found.remarks[0].sentence("en")
    assert found.record is not None
    for event in events(1, 1)[7:9]:
        found.record.add(event)
    assert on_disk(found.record) == events(1, 1)[:9]
    assert found.record.path == path


EVENTS_A_LIFE = 6
"""Shown by a process before it is killed, on average."""
START_S, EVENT_S = 0.03, 0.002
"""How long a process takes to begin, and an event to be kept, on a machine that is not busy."""


def killed_again_and_again(folder: Path, kills: int, seed: int, deals: int) -> tuple[int, int]:
    """Kills the process that plays, at random instants, until it was killed often enough; then lets it end.

    How many kills there were and how many matches it took.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.device.killed"])
    rng = Random(seed)
    done = matches = 0
    while done < kills:
        matches += 1
        here = folder / str(matches)
        played = events(seed + matches, deals)
        shown, ended = 0, False
        while not ended:
            ours, theirs = context.Pipe(duplex=False)
            child = context.Process(target=play, args=(here, seed + matches, deals, theirs), daemon=True)
            child.start()
            theirs.close()
            data = b""
            if done < kills:
                # Some instants lie before the first event, most between the beginning of one and that of the next.
                wanted = rng.randrange(-1, 2 * EVENTS_A_LIFE) * NUMBER.size
                while len(data) < wanted and (chunk := os.read(ours.fileno(), wanted - len(data))):
                    data += chunk
                child.join(rng.uniform(0, START_S if wanted < 0 else EVENT_S))
                child.kill()
            while chunk := os.read(ours.fileno(), 1 << 16):
                data += chunk
            child.join()
            done += child.exitcode == -signal.SIGKILL
            ended = child.exitcode == 0
            child.close()
            ours.close()
            if data:
                shown = max(shown, *(number for (number,) in NUMBER.iter_unpack(data)))
            found = resume(here).record
            log = found.match.log if found else []
            assert len(log) >= shown
            assert log == played[: len(log)]
            if found:
                found.close()
        whole = new_match()
        for event in played:
            whole.add(event)
        ended_with = again(here).match
        assert (ended_with.log, ended_with.view) == (played, whole.view)
    return done, matches


def test_a_process_killed_at_any_instant_loses_nothing_it_showed(tmp_path: Path) -> None:
    kills, _ = killed_again_and_again(tmp_path, 15, seed=7, deals=2)
    assert kills == 15


@pytest.mark.slow
def test_a_thousand_kills(tmp_path: Path) -> None:
    kills, matches = killed_again_and_again(tmp_path, 1000, seed=100, deals=4)
    print(f"{kills} kills over {matches} matches")
    assert kills == 1000


class PulledPlug:
    """A real ext4 on a disk that is a file: a copy of that file is what a power cut at that instant leaves."""

    def __init__(self, folder: Path) -> None:
        self.image, self.copy = folder / "disk.img", folder / "copy.img"
        self.here, self.after = folder / "here", folder / "after"
        for path in (self.here, self.after):
            path.mkdir()
        with self.image.open("wb") as file:
            file.truncate(8 << 20)
        subprocess.run(["mkfs.ext4", "-q", self.image], check=True, capture_output=True)
        subprocess.run(["mount", "-o", "loop", self.image, self.here], check=True, capture_output=True)

    @contextmanager
    def pulled(self) -> Iterator[Path]:
        """The disk as the next start finds it."""
        shutil.copyfile(self.image, self.copy)
        subprocess.run(["mount", "-o", "loop", self.copy, self.after], check=True, capture_output=True)
        try:
            yield self.after
        finally:
            subprocess.run(["umount", self.after], check=True)


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[PulledPlug]:
    try:
        plug = PulledPlug(tmp_path)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a disk of its own needs root and mkfs.ext4")
    yield plug
    subprocess.run(["umount", "-l", plug.here], check=True)


def cut_off_again_and_again(plug: PulledPlug, cuts: int, seed: int, deals: int) -> int:
    """Looks at what a power cut would leave, at random instants of a match. How many events were shown at the last.

    A cut before anything was shown is looked at too, and not counted: how long a process takes to begin is chance."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.device.killed"])
    rng, played, done, begun = Random(seed), events(seed, deals), 0, 0
    while done < cuts:
        begun += 1
        folder = f"match {begun}"
        ours, theirs = context.Pipe(duplex=False)
        os.set_blocking(ours.fileno(), False)
        child = context.Process(target=play, args=(plug.here / folder, seed, deals, theirs), daemon=True)
        child.start()
        theirs.close()
        assert child.pid is not None
        shown = 0
        try:
            while child.exitcode is None and done < cuts:
                child.join(rng.uniform(0, 0.03))
                with suppress(ProcessLookupError):
                    os.kill(child.pid, signal.SIGSTOP)  # So that the disk does not change while it is copied.
                with suppress(BlockingIOError):
                    if data := os.read(ours.fileno(), 1 << 20):
                        (shown,) = NUMBER.unpack(data[-NUMBER.size :])
                with plug.pulled() as after:
                    found = resume(after / folder).record
                    log = found.match.log if found else []
                    assert len(log) >= shown
                    assert log == played[: len(log)]
                    if found:
                        found.close()
                done += shown > 0
                with suppress(ProcessLookupError):
                    os.kill(child.pid, signal.SIGCONT)
        finally:
            child.kill()
            child.join()
            ours.close()
    return shown


def test_a_plug_pulled_at_any_instant_loses_nothing_that_was_shown(plug: PulledPlug) -> None:
    assert cut_off_again_and_again(plug, cuts=5, seed=3, deals=4) > 0


@pytest.mark.slow
def test_a_plug_pulled_two_hundred_times(plug: PulledPlug) -> None:
    assert cut_off_again_and_again(plug, cuts=200, seed=4, deals=8) > 0


# -- a journal that is damaged -----------------------------------------------------------------------------------------


def test_a_journal_damaged_in_the_middle_goes_on_from_there_and_is_kept(tmp_path: Path) -> None:
    data = bytearray(written(tmp_path, 20))
    lines = bytes(data).split(b"\n")
    data[len(b"\n".join(lines[:9])) + 20] ^= 1
    path = kept(tmp_path)[0].path
    path.write_bytes(data)
    found = resume(tmp_path)
    assert found.record is not None
    assert found.record.match.log == events(1, 1)[:8]
    said = found.remarks[0].sentence("en")
    assert "line 10" in said and "event 8" in said and path.name + ".damaged" in said
    found.record.add(events(1, 1)[8])
    aside = path.with_name(path.name + ".damaged")
    assert soon(aside.exists)
    assert aside.read_bytes() == data
    assert on_disk(found.record) == events(1, 1)[:9]
    assert [match.number for match in kept(tmp_path)] == [2]
    assert resume(tmp_path).remarks == ()


def test_whatever_byte_changes_only_what_was_played_is_believed(tmp_path: Path) -> None:
    data, rng, played = written(tmp_path, 12), Random(5), events(1, 1)[:12]
    header = data.index(b"\n")
    for _ in range(300):
        place = rng.randrange(header + 1, len(data))
        changed = data[:place] + rng.randbytes(rng.randrange(3)) + data[place + 1 :]
        found = recover(changed)
        assert found is not None
        assert found.match.log == played[: len(found.match.log)]
        assert len(found.match.log) >= data[:place].count(b"\n") - 1
        assert found.damaged or found.torn or found.match.log == played


def test_the_zeros_that_a_power_cut_can_leave_are_put_aside(tmp_path: Path) -> None:
    data = written(tmp_path, 10)
    kept(tmp_path)[0].path.write_bytes(data + bytes(500) + b"\n")
    found = resume(tmp_path)
    assert found.record is not None and len(found.record.match.log) == 10
    assert [remark.code for remark in found.remarks] == ["damaged"]


def test_an_event_that_the_rules_do_not_take_any_more_ends_what_is_believed(tmp_path: Path) -> None:
    record = begun(tmp_path, 4)
    record.close()
    assert record.path is not None
    other = event_line(5, parse_event({"event": "play", "card": "AH", "seat": 9}))
    record.path.write_text(record.path.read_text() + other + "\n")
    found = resume(tmp_path)
    assert found.record is not None and len(found.record.match.log) == 4
    assert "seat 9" in found.remarks[0].sentence("en")


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ('{"hisabu":9,"game":"turufu","players":4}', "newer version"),
        ('{"hisabu":1,"game":"whist","players":4}', "there is no game"),
        ("\x00\x00", "not JSON"),
    ],
)
def test_a_header_nobody_can_read_is_told_and_left_alone(tmp_path: Path, header: str, said: str) -> None:
    path = tmp_path / "match-0004-2026-07-06-turufu.open.jsonl"
    path.write_text(header + "\n")
    found = resume(tmp_path)
    assert found.record is None
    assert said in found.remarks[0].sentence("en")
    assert path.read_text() == header + "\n"
    assert begun(tmp_path).path == tmp_path / path.name.replace("0004", "0005").replace(
        "2026-07-06", f"{journal.now():%F}"
    )


def test_a_match_whose_beginning_was_cut_off_was_never_begun(tmp_path: Path) -> None:
    begun(tmp_path, 6).close()
    (tmp_path / "match-0002-2026-07-06-turufu.open.jsonl").write_text('{"hisabu":1,"ga')
    assert len(again(tmp_path).match.log) == 6


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_remark_has_its_sentence(language: str) -> None:
    facts = {"file": "F", "what": "W", "event": 3, "lines": 2, "aside": "A"}
    for code in ("torn", "damaged", "unreadable"):
        assert "F" in journal.Remark(code, facts).sentence(language)


# -- a disk that does not take it --------------------------------------------------------------------------------------


def test_a_file_that_may_not_grow_is_written_on_as_soon_as_it_may(tmp_path: Path) -> None:
    """The kernel's own limit: it takes half a line and refuses the rest, as a full disk does."""
    record = begun(tmp_path, 5)
    assert record.path is not None
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (record.path.stat().st_size + 30, hard))
    try:
        for event in events(1, 1)[5:12]:
            record.add(event)
        troubles = record.trouble
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert troubles == "journal_full"
    assert len(record.match.log) == 12
    assert soon(lambda: record.trouble is None)
    assert on_disk(record) == events(1, 1)[:12]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 16 kB; only root can have one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", disk], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("mounting a small disk needs root")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def test_a_full_disk_is_told_and_made_good_when_there_is_room(
    small_disk: Path, caplog: pytest.LogCaptureFixture
) -> None:
    filler = small_disk / "pictures"
    record = begun(small_disk, 5)
    with pytest.raises(OSError):
        filler.write_bytes(bytes(1 << 20))
    for event in events(1, 1)[5:]:
        record.add(event)
    assert record.trouble == "journal_full"
    assert record.match.log == events(1, 1)
    assert [record.getMessage() for record in caplog.records] == [
        f"{record.path}: the match is not kept: the disk is full. Make room: df -h shows which disk is full."
    ]
    filler.unlink()
    assert soon(lambda: record.trouble is None)
    assert caplog.records[-1].getMessage() == f"{record.path}: the match is kept again"
    assert len(caplog.records) == 2
    assert on_disk(record) == events(1, 1)
    assert record.close()


def test_a_disk_that_may_not_be_written_is_told_and_made_good(small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    record = begun(small_disk / "matches", 5)
    assert (record.trouble, record.path) == ("journal_read_only", None)
    assert record.error is not None and record.error.errno == errno.EROFS
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    record.add(events(1, 1)[5])
    assert soon(lambda: record.trouble is None)
    assert on_disk(record) == events(1, 1)[:6]


class BadDisk:
    """fsync as a bad disk does it: fails or hangs while told to, and what it refused is not there."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.error: int | None = None
        self.hanging = threading.Event()
        self.hanging.set()
        self._real = os.fsync
        monkeypatch.setattr(os, "fsync", self.fsync)

    def fsync(self, fd: int) -> None:
        self.hanging.wait()
        if self.error is not None:
            if stat.S_ISREG(os.fstat(fd).st_mode):
                os.pwrite(fd, bytes(40), max(0, os.fstat(fd).st_size - 40))
            raise OSError(self.error, os.strerror(self.error))
        self._real(fd)


def test_what_a_failing_disk_refused_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failed fsync Linux holds the pages for clean: what lay in them must be written once more."""
    disk = BadDisk(monkeypatch)
    record = begun(tmp_path, 5)
    disk.error = errno.EIO
    for event in events(1, 1)[5:9]:
        record.add(event)
    assert record.trouble in TROUBLES
    disk.error = None
    assert soon(lambda: record.trouble is None)
    assert on_disk(record) == events(1, 1)[:9]
    assert len(kept(tmp_path)) == 1


def test_a_stop_while_the_disk_fails_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = BadDisk(monkeypatch)
    record = begun(tmp_path, 5)
    disk.error = errno.EIO
    record.add(events(1, 1)[5])
    assert not record.close()
    disk.error = None
    assert again(tmp_path).match.log == events(1, 1)[:5]


def test_a_disk_put_in_the_place_of_the_one_pulled_out_gets_the_whole_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = BadDisk(monkeypatch)
    folder = tmp_path / "matches"
    record = begun(folder, 5)
    disk.error = errno.EIO
    record.add(events(1, 1)[5])
    folder.rename(tmp_path / "pulled out")
    disk.error = None
    record.add(events(1, 1)[6])
    assert soon(lambda: record.trouble is None)
    assert record.path is not None and record.path.parent == folder
    assert on_disk(record) == events(1, 1)[:7]


def test_a_hanging_disk_holds_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = BadDisk(monkeypatch)
    record = begun(tmp_path, 5)
    monkeypatch.setattr(journal, "SLOW_S", 0.05)
    disk.hanging.clear()
    started = time.monotonic()
    for event in events(1, 1)[5:25]:
        record.add(event)
    assert time.monotonic() - started < SOON_S  # Twenty hangs would never end; one wait is short.
    assert record.trouble == "journal_slow"
    assert record.match.log == events(1, 1)[:25]
    disk.hanging.set()
    assert soon(lambda: record.trouble is None)
    assert on_disk(record) == events(1, 1)[:25]


def test_the_log_of_a_long_evening_is_the_match(tmp_path: Path) -> None:
    record = MatchRecord.begin(tmp_path, Match("triomphe", 3))
    record.add({"event": "deal", "turn_up": "7H"})
    for _ in range(50):
        record.add({"event": "void_deal"})
        record.add({"event": "deal", "turn_up": "7H"})
    assert [event_to_dict(event) for event in on_disk(record)] == [event_to_dict(event) for event in record.match.log]
