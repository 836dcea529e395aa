"""Files written whole: through no link of another user's (tried as two users), and read only if they are files."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from device.cli import main
from device.keeping.alone import alone_in
from device.keeping.deck import keep_deck
from device.keeping.files import NotPlain, TooLarge, read_plain, write_whole
from device.keeping.settings import Settings, load, save
from device.machine.install import SETTINGS, STATE, InstallError, InstallTarget, Run, Write, carry_out, plan_install
from vision.cards.enrolled import EnrolledDeck

ROOT = Path(__file__).resolve().parents[3]
SERVICE = 65534
"""The user and group "nobody", who stands for the service's user: folders are his, and root works in them."""


@pytest.fixture
def place() -> Iterator[Path]:
    """A place both users can reach, with a folder of the service's user and a secret file of root's."""
    if os.geteuid() != 0:
        pytest.skip("needs root, who plays two users")
    place = Path(tempfile.mkdtemp(dir="/tmp"))
    place.chmod(0o755)
    (place / "secret").write_text("root's own\n")
    (place / "secret").chmod(0o600)
    (place / "theirs").mkdir()
    os.chown(place / "theirs", SERVICE, SERVICE)
    yield place
    shutil.rmtree(place)


def as_service(do: Callable[[], object], folder: Path) -> None:
    """Lets the service's user do something in his folder."""
    child = os.fork()
    if child == 0:
        try:
            os.chdir(folder)
            os.setgroups([])
            os.setgid(SERVICE)
            os.setuid(SERVICE)
            do()
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0


def laying(link: str, to: Path) -> Callable[[], None]:
    return lambda: Path(link).symlink_to(to)


def untouched(place: Path) -> bool:
    secret = place / "secret"
    about = secret.stat()
    return (secret.read_text(), about.st_uid, about.st_mode & 0o777) == ("root's own\n", 0, 0o600)


def fresh(name: str) -> str:
    """What a file is called while it is written here."""
    return f".{name}.{threading.get_native_id()}.new"


@pytest.mark.parametrize("unready", [True, False])
def test_root_writes_settings_through_no_link_of_the_services_user(place: Path, unready: bool) -> None:
    laid = fresh("settings.toml") if unready else "settings.toml"
    as_service(laying(laid, place / "secret"), place / "theirs")
    try:
        save(place / "theirs/settings.toml", Settings())
    except (OSError, ValueError) as error:
        assert laid == "settings.toml", error
    assert untouched(place)


SAVES = """
import sys
from pathlib import Path
from device.keeping.settings import Settings, save

for _ in range(60):
    save(Path(sys.argv[1]), Settings())
"""


def test_two_programs_save_settings_at_the_same_moment(tmp_path: Path) -> None:
    words = [sys.executable, "-c", SAVES, str(tmp_path / "settings.toml")]
    programs = [subprocess.Popen(words, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    assert [program.communicate(timeout=120)[1] for program in programs] == ["", ""]
    assert load(tmp_path / "settings.toml") == Settings()
    assert [path.name for path in tmp_path.iterdir()] == ["settings.toml"]


def test_root_writes_no_new_file_where_a_link_of_the_services_user_leads(place: Path) -> None:
    as_service(laying("settings.toml", place / "cron"), place / "theirs")
    with pytest.raises(OSError, match="another user laid"):
        save(place / "theirs/settings.toml", Settings())
    as_service(laying("deeper", place), place / "theirs")
    with pytest.raises(OSError, match="another user laid"):
        save(place / "theirs/deeper/settings.toml", Settings())
    assert sorted(path.name for path in place.iterdir()) == ["secret", "theirs"]


def test_what_root_writes_for_the_service_is_the_services(place: Path) -> None:
    save(place / "theirs/settings.toml", Settings())
    save(place / "theirs/below/settings.toml", Settings())
    for path in ("settings.toml", "below", "below/settings.toml"):
        about = (place / "theirs" / path).stat()
        assert (about.st_uid, about.st_gid) == (SERVICE, SERVICE)
    as_service(lambda: Path("settings.toml").open("a").close(), place / "theirs")
    as_service(lambda: Path("below/other").open("x").close(), place / "theirs")


def test_a_folder_that_root_makes_for_the_service_is_the_services(place: Path) -> None:
    with alone_in(place / "theirs" / "kept" / "matches"):
        pass
    for path in ("kept", "kept/matches"):
        assert (place / "theirs" / path).stat().st_uid == SERVICE


@pytest.mark.parametrize("laid", ["", "deck.npz.part", "deck.npz"])
def test_root_enrols_a_deck_through_no_link(place: Path, laid: str) -> None:
    laid = laid or fresh("deck.npz")
    as_service(laying(laid, place / "secret"), place / "theirs")
    deck = EnrolledDeck.of({"8H": [np.arange(128.0)]}, "x")
    try:
        keep_deck(place / "theirs/deck.npz", deck)
    except OSError:
        assert laid == "deck.npz"
    assert untouched(place)


def test_installing_gives_away_nothing_that_a_link_of_the_services_user_leads_to(place: Path) -> None:
    """Installed before; since then the service's user was taken over, and laid links where root will write."""
    tree = place / "pi"
    for name, text in {
        "etc/passwd": f"root:x:0:0::/root:/bin/sh\nhisabu:x:{SERVICE}:{SERVICE}::/:/bin/false\n",
        "etc/group": "root:x:0:\n",
        "var/lib/dpkg/info/python3-venv.list": "",
    }.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    target = InstallTarget(tree, running=True)
    for folder in (SETTINGS, STATE):
        target.at(folder).mkdir(parents=True)
        os.chown(target.at(folder), SERVICE, SERVICE)
    as_service(laying(fresh("settings.toml"), place / "secret"), target.at(SETTINGS))
    as_service(laying("matches", place), target.at(STATE))

    steps = list(plan_install(target, ROOT, "fr"))
    for step in steps:
        if isinstance(step, Run) and step.words[0] in ("install", "chown", "chmod"):
            inside = [
                word for word in step.words if any(Path(word).is_relative_to(folder) for folder in (SETTINGS, STATE))
            ]
            assert set(inside) <= {str(SETTINGS), str(STATE)}, step.shell()
    writes = iter([step for step in steps if isinstance(step, Write) and step.path.is_relative_to(SETTINGS)])
    carry_out(writes, target, lambda line: None, dry=False)
    assert untouched(place)
    about = (target.at(SETTINGS) / "settings.toml").stat()
    assert (about.st_uid, about.st_mode & 0o777) == (SERVICE, 0o644)

    (target.at(SETTINGS) / "settings.toml").unlink()
    as_service(laying("settings.toml", place / "cron"), target.at(SETTINGS))
    assert not [step for step in plan_install(target, ROOT, "fr") if isinstance(step, Write) and step.owner]


def test_a_user_the_tree_does_not_know_is_said(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n")
    step = Write(Path("/etc/x"), "", owner="hisabu")
    with pytest.raises(InstallError, match=r"install_no_user.*hisabu"):
        carry_out(iter([step]), InstallTarget(tmp_path, running=True), lambda line: None, dry=False)


# -- read only if they are files, and no larger than they can be -------------------------------------------------------


def test_only_plain_files_are_read_and_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), Path("/dev/tty")):
        with pytest.raises(OSError):
            read_plain(path, 1000)
    with pytest.raises(NotPlain):
        read_plain(tmp_path / "pipe", 1000)
    with pytest.raises(IsADirectoryError):
        read_plain(tmp_path, 1000)


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(3_000_000_000)
    with pytest.raises(TooLarge, match="more than 1 MB"):
        read_plain(tmp_path / "huge", 1_000_000)
    (tmp_path / "fits").write_bytes(b"x" * 100)
    assert read_plain(tmp_path / "fits", 100) == b"x" * 100


def test_nothing_but_a_file_is_written_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotPlain):
        write_whole(tmp_path / "pipe", b"")
    assert (tmp_path / "pipe").is_fifo()


def test_links_that_lead_in_a_ring_are_told(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError) as ring:
        write_whole(tmp_path / "a", b"")
    assert ring.value.errno == errno.ELOOP, "and not that another user laid them"


def test_links_of_ones_own_are_followed_up_and_down(tmp_path: Path) -> None:
    (tmp_path / "real/below").mkdir(parents=True)
    (tmp_path / "short").symlink_to("real/below")
    (tmp_path / "real/below/settings.toml").symlink_to("../settings.toml")
    write_whole(tmp_path / "short/settings.toml", b"x")
    assert (tmp_path / "real/settings.toml").read_bytes() == b"x"


def test_setup_says_a_link_of_another_user_in_one_line(
    place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HISABU_HOME", str(place / "theirs"))
    monkeypatch.setenv("LC_ALL", "en")
    as_service(laying("settings.toml", place / "cron"), place / "theirs")
    assert main(["setup", "--yes"]) == 2
    said = capfd.readouterr().err
    assert "another user put a link there" in said and said.count("\n") == 1
    (place / "theirs/settings.toml").unlink()
    assert main(["setup", "--yes"]) == 0
    assert load(place / "theirs/settings.toml").build == "laptop"
