"""Installing and taking away: every step against a reference, the files in a tree, and in a real Debian tree."""

import os
import shutil
import stat
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from device import version
from device.cli import main
from device.keeping import journal
from device.keeping.settings import Settings, load, text_of
from device.machine import install
from device.machine.install import (
    COMMAND,
    PROGRAM,
    RULES,
    SETTINGS,
    STATE,
    UNIT,
    InstallError,
    InstallTarget,
    Run,
    carry_out,
    plan_install,
    plan_uninstall,
)

ROOT = Path(__file__).resolve().parents[3]
REFERENCE = Path(__file__).with_name("install_dry_run.txt")
"""Every step on a fresh Pi. Made anew by deleting it and running the test, which then fails once."""


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """As much of a fresh Raspberry Pi OS as is looked at."""
    tree = tmp_path / "pi"
    for name, text in {
        "etc/passwd": "root:x:0:0:root:/root:/bin/bash\n",
        "etc/group": "root:x:0:\ndialout:x:20:\naudio:x:29:\nvideo:x:44:\n"
        "i2c:x:994:\nspi:x:995:\ngpio:x:993:\nrender:x:105:\n",
        "usr/bin/raspi-config": "",
        "var/lib/dpkg/info/python3-venv.list": "",
    }.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tree


class Machine:
    """Records commands instead of running them."""

    def __init__(self, failing: str = "", tree: Path | None = None) -> None:
        self.ran: list[list[str]] = []
        self.failing = failing
        self.tree = tree

    def run(self, words: Sequence[str]) -> int:
        self.ran.append(list(words))
        if "useradd" in words and self.tree:
            with (self.tree / "etc/passwd").open("a") as file:
                file.write(f"{words[-1]}:x:999:999::/var/lib/hisabu:/usr/sbin/nologin\n")
        return 1 if self.failing and self.failing in words else 0


def installed(tree: Path, running: bool = True, failing: str = "") -> Machine:
    machine = Machine(failing, tree)
    target = InstallTarget(tree, running)
    carry_out(plan_install(target, ROOT, "fr"), target, lambda line: None, dry=False, run=machine.run)
    return machine


def test_a_dry_run_shows_every_step_and_does_none(pi: Path) -> None:
    said: list[str] = []
    target = InstallTarget(pi, running=True)
    before = sorted(pi.rglob("*"))
    machine = Machine()
    carry_out(plan_install(target, ROOT, "fr"), target, said.append, dry=True, run=machine.run)
    assert sorted(pi.rglob("*")) == before
    assert machine.ran == []
    settings = text_of(Settings(language="fr", matches=str(STATE / "matches")))
    text = "\n".join(said).replace(str(ROOT), "CHECKOUT").replace(settings, "SETTINGS\n") + "\n"
    text = text.replace(version.of_the_program(), "VERSION")
    if not REFERENCE.exists():
        REFERENCE.write_text(text)
        pytest.fail("there was no reference; look at the one that was made")
    assert text == REFERENCE.read_text()


def test_a_dry_run_is_a_script_that_a_shell_understands(pi: Path) -> None:
    said: list[str] = []
    target = InstallTarget(pi, running=True)
    carry_out(plan_install(target, ROOT, "fr"), target, said.append, dry=True)
    subprocess.run(["sh", "-n"], input="\n".join(said), text=True, check=True)


def test_files_come_to_their_places(pi: Path) -> None:
    machine = installed(pi)
    target = InstallTarget(pi, running=True)
    assert (target.at(PROGRAM) / "device/cli.py").read_bytes() == (ROOT / "device/cli.py").read_bytes()
    assert not list(target.at(PROGRAM).rglob("__pycache__"))
    settings = load(target.at(SETTINGS) / "settings.toml")
    assert (settings.language, settings.matches_folder) == ("fr", STATE / "matches")
    assert target.at(UNIT).read_text() == install.UNIT_TEXT
    assert target.at(RULES).exists()
    assert stat.S_IMODE(target.at(COMMAND).stat().st_mode) == 0o755
    assert machine.ran[-1] == ["systemctl", "restart", "hisabu"]
    assert ["usermod", "--append", "--groups", "video,i2c,spi,gpio,dialout,audio", "hisabu"] in machine.ran


@pytest.mark.parametrize(("python", "kept"), [("python3.11", True), ("python3.13", False)])
def test_on_debian_12_a_pi_keeps_the_numpy_that_its_camera_needs(pi: Path, python: str, kept: bool) -> None:
    (pi / "usr/lib" / python).mkdir(parents=True)
    asked = [words for words in installed(pi).ran if "--editable" in words]
    assert len(asked) == 1 and ("numpy<2" in asked[0]) == kept


def test_an_upgrade_replaces_the_program_and_keeps_settings_and_matches(pi: Path) -> None:
    installed(pi)
    target = InstallTarget(pi, running=True)
    (target.at(PROGRAM) / "device/gone.py").write_text("an old module\n")
    (target.at(PROGRAM) / ".venv").mkdir()
    (target.at(SETTINGS) / "settings.toml").write_text('language = "en"\n')
    target.at(STATE / "matches").mkdir(parents=True)
    (target.at(STATE) / "matches/1.jsonl").write_text("a match\n")
    machine = installed(pi)
    assert machine.ran[0] == ["systemctl", "stop", "hisabu"]
    assert not any("useradd" in words for words in machine.ran)
    assert not (target.at(PROGRAM) / "device/gone.py").exists()
    assert (target.at(PROGRAM) / ".venv").is_dir()
    assert load(target.at(SETTINGS) / "settings.toml").language == "en"
    assert (target.at(STATE) / "matches/1.jsonl").exists()


@pytest.mark.parametrize("purge", [False, True])
def test_uninstalling_keeps_matches_unless_purged(pi: Path, purge: bool) -> None:
    installed(pi)
    target = InstallTarget(pi, running=True)
    target.at(STATE / "matches").mkdir(parents=True)
    machine = Machine()
    carry_out(plan_uninstall(target, purge), target, lambda line: None, dry=False, run=machine.run)
    assert machine.ran[0] == ["systemctl", "disable", "--now", "hisabu"]
    assert not any(target.at(path).exists() for path in (PROGRAM, UNIT, RULES, COMMAND))
    assert target.at(STATE).exists() is target.at(SETTINGS).exists() is not purge
    assert (["userdel", "hisabu"] in machine.ran) is purge
    carry_out(plan_uninstall(target, purge), target, lambda line: None, dry=False, run=machine.run)


def test_a_tree_gets_its_commands_inside_and_nothing_is_started(pi: Path) -> None:
    machine = installed(pi, running=False)
    assert all(words[:2] == ["chroot", str(pi)] for words in machine.ran)
    assert machine.ran[-1][2:] == ["systemctl", "enable", "hisabu"]
    assert not any("raspi-config" in words or "restart" in words for words in machine.ran)


def test_a_step_that_fails_stops_it_and_says_so(pi: Path) -> None:
    with pytest.raises(InstallError, match=r"install_failed.*apt-get install .*install_again"):
        installed(pi, failing="apt-get")
    assert not InstallTarget(pi, True).at(UNIT).exists()


def test_a_command_that_is_not_there_has_failed_and_may_where_that_is_allowed(pi: Path) -> None:
    target, absent = InstallTarget(pi, running=True), ("hisabu-has-no-such-command",)
    carry_out(iter([Run(absent, may_fail=True)]), target, lambda line: None, dry=False)
    with pytest.raises(InstallError, match=r"install_failed.*hisabu-has-no-such-command"):
        carry_out(iter([Run(absent)]), target, lambda line: None, dry=False)


def test_a_device_that_does_not_start_is_said(pi: Path) -> None:
    with pytest.raises(InstallError, match="install_no_start"):
        installed(pi, failing="restart")
    assert InstallTarget(pi, True).at(UNIT).exists()


def test_a_disk_that_does_not_take_it_is_said(pi: Path) -> None:
    (pi / "opt").write_text("a file where the folder should be")
    with pytest.raises(InstallError, match=r"opt.*install_again"):
        installed(pi)


def test_only_a_checkout_can_be_installed_and_not_over_itself(pi: Path, tmp_path: Path) -> None:
    target = InstallTarget(pi, running=True)
    with pytest.raises(InstallError, match="install_no_checkout"):
        list(plan_install(target, tmp_path, "fr"))
    installed(pi)
    with pytest.raises(InstallError, match="install_itself"):
        list(plan_install(target, target.at(PROGRAM), "fr"))


def test_another_debian_is_left_its_own_way(pi: Path) -> None:
    (pi / "usr/bin/raspi-config").unlink()
    (pi / "etc/group").write_text("video:x:44:\n")
    machine = installed(pi)
    assert not any("raspi-config" in words or "python3-picamera2" in words for words in machine.ran)
    assert ["usermod", "--append", "--groups", "video", "hisabu"] in machine.ran


def test_the_commands(pi: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", "--dry-run", "--root", str(pi)]) == 0
    assert "useradd --system" in capsys.readouterr().out
    assert main(["uninstall", "--dry-run", "--purge", "--root", str(pi)]) == 0
    assert "rm -rf /etc/hisabu /var/lib/hisabu" in capsys.readouterr().out
    assert main(["install", "--dry-run", "--root", str(pi / "usr")]) == 2


def test_the_unit_is_fed_in_time_and_may_write_where_it_must() -> None:
    lines = install.UNIT_TEXT.splitlines()
    for wanted in ("Type=notify", "WatchdogSec=30", "User=hisabu", "NoNewPrivileges=yes", "ProtectSystem=strict"):
        assert wanted in lines
    assert f"ReadWritePaths={STATE} {SETTINGS}" in lines


def test_systemd_waits_longer_for_the_device_than_the_device_for_a_slow_disk() -> None:
    stop_s = next(line for line in install.UNIT_TEXT.splitlines() if line.startswith("TimeoutStopSec=")).partition("=")[
        2
    ]
    assert int(stop_s) >= 2 * journal.CLOSE_S


def test_the_unit_keeps_what_the_device_needs() -> None:
    """Each of these was seen to take something away: the pins' name, the matches' owner, or every device file."""
    lines = install.UNIT_TEXT.splitlines()
    for unwanted in ("ProcSubset=pid", "ProtectClock=yes", "PrivateDevices=yes", "UMask=0027", "UMask=0077"):
        assert unwanted not in lines


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not here")
    program = tmp_path / "hisabu"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "hisabu.service"
    unit.write_text(
        install.UNIT_TEXT.replace(f"{PROGRAM}/.venv/bin/hisabu", str(program)).replace(
            f"Documentation=file://{PROGRAM}/README.md\n", ""
        )
    )
    ran = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    assert "hisabu.service" not in ran.stderr
    assert ran.returncode == 0


@pytest.mark.slow
def test_it_installs_in_a_real_debian_and_goes_away_again(tmp_path: Path) -> None:
    """Needs root, debootstrap and a Debian mirror; pip finds in the tree what it finds here."""
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        pytest.skip("needs root and debootstrap")
    tree = tmp_path / "debian"
    include = "--include=python3,python3-venv,systemd,udev,ca-certificates"
    subprocess.run(["debootstrap", "--variant=minbase", include, "bookworm", str(tree)], check=True)
    for name in ("resolv.conf", "pip.conf", "ssl/certs/ca-certificates.crt"):
        if Path("/etc", name).exists():
            shutil.copy(Path("/etc", name), tree / "etc" / name)
    hisabu = [shutil.which("hisabu", path=str(ROOT / ".venv/bin")) or "hisabu"]

    for _ in ("first", "again"):
        subprocess.run([*hisabu, "install", "--root", str(tree)], check=True)
        inside = ["chroot", "--userspec=hisabu", str(tree)]
        ran = subprocess.run([*inside, str(COMMAND), "doctor", "--json"], capture_output=True, text=True, check=False)
        assert '"part": "matches", "level": "well"' in ran.stdout, ran.stdout + ran.stderr
        assert '"file": "/etc/hisabu/settings.toml"' in ran.stdout
        assert (tree / "etc/systemd/system/multi-user.target.wants/hisabu.service").is_symlink()
    verified = subprocess.run(
        ["chroot", str(tree), "systemd-analyze", "verify", "--man=no", str(UNIT)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "hisabu.service" not in verified.stderr, verified.stderr

    subprocess.run([*hisabu, "uninstall", "--root", str(tree)], check=True)
    assert not (tree / "opt/hisabu").exists()
    assert (tree / "var/lib/hisabu/matches").is_dir()
    subprocess.run([*hisabu, "uninstall", "--purge", "--root", str(tree)], check=True)
    assert not list(tree.glob("**/*hisabu*"))
    assert "hisabu" not in (tree / "etc/passwd").read_text()
