"""A card that installs Hisabu when it first starts: its files, and where in an image they go."""

import os
import shutil
import struct
import subprocess
import zipfile
from pathlib import Path

import pytest

from device import cli
from release import image

ARM = "hisabu_1.0-1+deb13_arm64.deb"


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    folder = tmp_path / "dist"
    folder.mkdir()
    (folder / ARM).write_bytes(b"package")
    (folder / "hisabu_1.0-1+deb12_arm64.deb").write_bytes(b"another")
    return folder


def test_the_zip_holds_what_goes_onto_the_small_partition(dist: Path) -> None:
    with zipfile.ZipFile(image.pack(dist)) as file:
        assert sorted(file.namelist()) == ["README.txt", "hisabu.txt", ARM, "vendor-data"]
        assert file.read("vendor-data").startswith(b"#!/bin/sh\n"), "cloud-init knows a script by its first line"


def test_without_a_package_for_a_pi_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no package for arm64"):
        image.pack(tmp_path)


@pytest.mark.skipif(not shutil.which("dpkg"), reason="Debian's dpkg sorts versions")
def test_of_several_packages_the_newest_goes_onto_the_card(tmp_path: Path) -> None:
    for version in ("0.9-1", "0.10-1", "0.10~rc1-1"):
        (tmp_path / f"hisabu_{version}+deb13_arm64.deb").touch()
    assert image.package_in(tmp_path).name == "hisabu_0.10-1+deb13_arm64.deb"


def raspios(path: Path) -> Path:
    """An image with a FAT partition at 4 MB, as Raspberry Pi OS has one."""
    start, size = 8192, 65536
    record = bytearray(512)
    record[446 + 4] = 0x0C
    struct.pack_into("<II", record, 446 + 8, start, size)
    record[510:] = b"\x55\xaa"
    with path.open("wb") as file:
        file.write(record)
        file.truncate((start + size) * 512)
    subprocess.run(["mformat", "-i", f"{path}@@{start * 512}", "-T", str(size), "::"], check=True)
    return path


@pytest.mark.skipif(not shutil.which("mcopy"), reason="mtools is not installed")
def test_the_files_are_put_into_an_image_and_nothing_else_changes(dist: Path, tmp_path: Path) -> None:
    given = raspios(tmp_path / "raspios.img")
    before = given.read_bytes()
    image.put_into(given, dist, tmp_path / "out.img")
    listed = subprocess.run(
        ["mdir", "-b", "-i", f"{tmp_path / 'out.img'}@@{8192 * 512}", "::/"], check=True, capture_output=True, text=True
    ).stdout
    assert {line.removeprefix("::/") for line in listed.split()} == {"README.txt", "hisabu.txt", ARM, "vendor-data"}
    assert given.read_bytes() == before and (tmp_path / "out.img").read_bytes()[:512] == before[:512]


def test_what_is_no_image_is_refused(tmp_path: Path) -> None:
    (tmp_path / "film.img").write_bytes(os.urandom(510) + b"\x55\xaa")
    (tmp_path / "short.img").write_bytes(b"x")
    for name in ("film.img", "short.img"):
        data = bytearray((tmp_path / name).read_bytes())
        if len(data) > 500:
            for at in range(446, 510, 16):
                data[at + 4] = 0x83
            (tmp_path / name).write_bytes(data)
        with pytest.raises(SystemExit, match="is no image"):
            image.boot_partition(tmp_path / name)


def first_boot(
    tmp_path: Path, dpkg_status: int = 0, with_package: bool = True, said: str = "# a remark\ncountry=YT\n"
) -> tuple[int, str, Path]:
    """The script on a machine whose commands only say what they were asked; its status, and what they said."""
    tools, boot, root, told = (tmp_path / name for name in ("bin", "boot", "root", "told"))
    for folder in (tools, boot, root):
        folder.mkdir()
    for name in ("raspi-config", "rfkill", "systemctl", "logger", "runuser"):
        (tools / name).write_text(f'#!/bin/sh\necho "{name} $*" >>{told}\n')
    (tools / "dpkg").write_text(f'#!/bin/sh\necho "dpkg $*" >>{told}\nexit {dpkg_status}\n')
    known = f"grep -q '^dpkg --install' {told}" if dpkg_status == 0 else "false"
    (tools / "dpkg-query").write_text(f"#!/bin/sh\n{known} && echo install ok installed\n")
    for tool in tools.iterdir():
        tool.chmod(0o755)
    (boot / "hisabu.txt").write_text(said, newline="")
    if with_package:
        (boot / ARM).write_bytes(b"package")
    environment = {"PATH": f"{tools}:/usr/bin:/bin", "HISABU_BOOT": str(boot), "HISABU_ROOT": str(root)}
    done = subprocess.run(["sh", image.FILES / "vendor-data"], check=False, env=environment, capture_output=True)
    return done.returncode, told.read_text(), root


def test_the_first_start_installs_the_package_and_sets_the_radios_country(tmp_path: Path) -> None:
    status, told, root = first_boot(tmp_path)
    assert status == 0
    assert "raspi-config nonint do_wifi_country YT" in told and "raspi-config nonint do_hostname hisabu" in told
    assert f"dpkg --install {tmp_path / 'boot' / ARM}" in told
    assert "systemctl enable hisabu-recommended" in told
    script = root / "usr/local/sbin/hisabu-recommended"
    assert os.access(script, os.X_OK)
    assert subprocess.run(["sh", "-n", script], check=False).returncode == 0
    assert (root / "var/lib/hisabu-first-boot/hisabu.deb").read_bytes() == b"package"


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("country=YT\n", "--build minimal --camera pi"),
        ("country=yt\r\nbuild=standard\r\ncamera=usb\r\n", "--build standard --camera usb"),
        (
            "country=YT\nbuild=tournament\ncamera=http://192.168.1.20:8080/video \n",
            "--build tournament --camera http://192.168.1.20:8080/video",
        ),
        ("country=YT\ncamera=usb:HD Webcam C920\n", "--build minimal --camera usb:HD Webcam C920"),
    ],
)
def test_what_was_built_is_told_once_without_a_keyboard(tmp_path: Path, said: str, asked: str) -> None:
    """Whatever editor wrote it: Windows ends its lines in its own way."""
    status, told, root = first_boot(tmp_path, said=said)
    assert status == 0 and "do_wifi_country YT" in told
    assert told.count("/usr/lib/hisabu/bin/hisabu setup --yes") == 1
    assert f"hisabu setup --yes {asked}\n" in told and "systemctl restart hisabu" in told
    environment = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}
    subprocess.run(["sh", root / "usr/local/sbin/hisabu-built"], check=True, env=environment)
    assert (tmp_path / "told").read_text() == told, "later settings stay"


def test_what_stands_in_the_file_as_it_is_packed_can_be_set(tmp_path: Path) -> None:
    _, told, _ = first_boot(tmp_path, said=(image.FILES / "hisabu.txt").read_text(encoding="utf-8"))
    assert "do_wifi_country FR" in told and "setup --yes --build minimal --camera pi\n" in told
    assert (
        cli.main(["setup", "--settings", str(tmp_path / "set.toml"), "--yes", "--build", "standard", "--camera", "usb"])
        == 0
    )


def test_a_package_that_needs_more_is_tried_again_with_a_network_and_none_is_said(tmp_path: Path) -> None:
    (tmp_path / "needs").mkdir()
    status, told, _ = first_boot(tmp_path / "needs", dpkg_status=1)
    assert status == 0 and "systemctl start --no-block hisabu-recommended" in told
    (tmp_path / "none").mkdir()
    status, told, _ = first_boot(tmp_path / "none", with_package=False)
    assert status == 1 and "there is no hisabu_" in told


def recommended(tmp_path: Path, apt_get: str, apt_cache: str = "", inside: tuple[str, ...] = ()) -> tuple[int, str]:
    """What fetches the recommended packages, run with such an apt; its status, and what it printed."""
    script = tmp_path / "root/usr/local/sbin/hisabu-recommended"
    tools = {
        "apt-get": apt_get,
        "apt-cache": apt_cache,
        "dpkg-deb": "echo avahi-utils, python3-picamera2, espeak-ng",
        "dpkg-query": "echo install ok installed",
    }
    for name, says in tools.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{says}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    environment = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}
    done = subprocess.run([*inside, "sh", script], check=False, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout


@pytest.fixture
def started(tmp_path: Path) -> Path:
    """A card after its first start: the folder where it keeps what is still to be done."""
    _, _, root = first_boot(tmp_path)
    script = root / "usr/local/sbin/hisabu-recommended"
    for place in ("/var/lib/hisabu-first-boot", "/usr/local/sbin"):
        script.write_text(script.read_text().replace(place, f"{root}{place}"))
    return root / "var/lib/hisabu-first-boot"


NO_NETWORK = """\
case "$*" in
    *Error-Mode=any*update) echo "E: Some index files failed to download." >&2; exit 100 ;;
    *update) echo "W: Some index files failed to download." >&2 ;;
    *install*) echo "E: Unable to locate package" >&2; exit 100 ;;
esac"""
"""As apt-get 2.6 and 3.0 are."""


def test_what_a_stick_brought_meanwhile_is_not_set_back_once_there_is_a_network(tmp_path: Path, started: Path) -> None:
    status, _ = recommended(tmp_path, 'case "$*" in *hisabu.deb*) exit 100; esac')
    assert status == 0 and (started / "done").exists()


def test_without_internet_the_recommended_packages_are_tried_again(tmp_path: Path, started: Path) -> None:
    status, _ = recommended(tmp_path, NO_NETWORK, "exit 100")
    assert status != 0, "systemd tries again only what failed"
    assert not (started / "done").exists() and (started / "hisabu.deb").exists()
    assert recommended(tmp_path, "exit 0")[0] == 0
    assert (started / "done").exists() and not (started / "hisabu.deb").exists()


def test_where_the_connection_drops_in_the_middle_the_rest_is_tried_again(tmp_path: Path, started: Path) -> None:
    status, said = recommended(tmp_path, 'case "$*" in *install*picamera2|*install*espeak-ng) exit 100; esac')
    assert status != 0 and "python3-picamera2 espeak-ng" in said
    assert not (started / "done").exists() and (started / "hisabu.deb").exists()


def test_a_package_that_the_system_does_not_have_is_not_waited_for(tmp_path: Path, started: Path) -> None:
    unknown = 'case "$*" in *picamera2) exit 100; esac'
    status, said = recommended(tmp_path, unknown, unknown)
    assert status == 0 and "python3-picamera2 is not to be had" in said
    assert (started / "done").exists()


ALONE = ("unshare", "--map-root-user", "--net")


@pytest.mark.skipif(
    not shutil.which("apt-get")
    or not shutil.which("unshare")
    or subprocess.run([*ALONE, "true"], check=False, capture_output=True).returncode != 0,
    reason="no apt, or it cannot be cut off from the network here",
)
def test_real_apt_without_a_network_is_tried_again(tmp_path: Path, started: Path) -> None:
    for folder in ("lists/partial", "cache/archives/partial"):
        (tmp_path / "apt" / folder).mkdir(parents=True)
    apt = tmp_path / "apt"
    (apt / "sources.list").write_text("deb http://deb.debian.org/debian trixie main\n")
    places = {
        "APT::Sandbox::User": "root",
        "Dir::Etc::sourcelist": apt / "sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": apt / "lists",
        "Dir::Cache": apt / "cache",
        "Dir::Log": apt,
        "Debug::NoLocking": 1,
    }
    options = " ".join(f"-o {name}={value}" for name, value in places.items())
    # Nothing is ever installed here.
    asked = f'[ $1 != install ] || set -- --simulate "$@"\n/usr/bin/apt-get {options} "$@"'
    status, said = recommended(tmp_path, asked, f'/usr/bin/apt-cache {options} "$@"', ALONE)
    assert status != 0 and "avahi-utils python3-picamera2 espeak-ng" in said
    assert not (started / "done").exists() and (started / "hisabu.deb").exists()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_understands_the_unit_that_is_written(tmp_path: Path) -> None:
    _, _, root = first_boot(tmp_path)
    unit = root / "etc/systemd/system/hisabu-recommended.service"
    told = subprocess.run(["systemd-analyze", "verify", unit], check=False, capture_output=True, text=True).stderr
    assert not [line for line in told.splitlines() if "hisabu" in line and "not executable" not in line]
