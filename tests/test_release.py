"""What a release is made of, as far as it can be told without making one: version, wheel, packages, changelog."""

import re
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from device.keeping.settings import FILE
from device.machine import install
from release import build, deb

ROOT = Path(__file__).resolve().parents[1]


def test_the_changelog_says_something_of_what_comes_next() -> None:
    assert "### " in build.notes("0.2.0.dev7+gabc")
    assert "first whole" in build.notes("0.1.0")
    with pytest.raises(SystemExit, match=r"9\.9\.9"):
        build.notes("9.9.9")


def test_a_development_version_sorts_before_its_release() -> None:
    assert deb.debian_version("0.2.0.dev5+gabc") == "0.2.0~dev5+gabc"
    assert deb.debian_version("0.2.0rc1") == "0.2.0~rc1"
    assert deb.debian_version("0.2.0") == "0.2.0"


def test_a_wheel_with_training_code_or_without_a_file_is_found(tmp_path: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("the files of the rooms are known from git")
    wheel = tmp_path / "hisabu-1-py3-none-any.whl"
    listed = subprocess.run(["git", "ls-files", *build.ROOMS], cwd=ROOT, check=True, capture_output=True, text=True)
    names = {name for name in listed.stdout.splitlines() if not name.startswith(build.TRAINING)}
    names |= {f"{room}/py.typed" for room in build.ROOMS}

    def faults(inside: set[str]) -> list[str]:
        with zipfile.ZipFile(wheel, "w") as file:
            for name in inside:
                file.writestr(name, "")
        return build.wheel_faults(wheel)

    assert faults(names) == []
    assert faults(names - {"device/words/fr/notice.ftl"}) == ["device/words/fr/notice.ftl is missing"]
    assert faults(names | {"vision/training/cards.py"}) == ["vision/training/cards.py has no place in it"]


@pytest.mark.parametrize("target", deb.TARGETS)
def test_a_package_asks_for_the_python_it_was_made_for(target: deb.DebianTarget) -> None:
    text = deb.control("0.2.0", target, 1)
    assert f"python3 (>= {target.python})" in text and f"python3 (<< 3.{int(target.python[2:]) + 1})" in text
    assert "python3-picamera2" in text.partition("Recommends:")[2].partition("\n")[0]
    assert target.constraints == (("numpy<2",) if (target.debian, target.processor) == (12, "arm64") else ())


def test_a_package_packed_again_is_newer_than_before() -> None:
    target = deb.TARGETS[0]
    assert "Version: 0.2.0-1+deb12" in deb.control("0.2.0", target, 1)
    assert "Version: 0.2.0-2+deb12" in deb.control("0.2.0", target, 1, revision=2)


def test_the_wheels_of_a_package_are_listed_as_pip_reads_them_again() -> None:
    def taken(name: str, version: str, digest: str) -> dict[str, object]:
        archive = {"archive_info": {"hashes": {"sha256": digest}}}
        return {"metadata": {"name": name, "version": version}, "download_info": archive}

    report = {"install": [taken("hisabu", "1", "0"), taken("numpy", "2.4.6", "ab"), taken("Pillow", "13.0.0", "cd")]}
    assert deb.list_of(report) == "numpy==2.4.6 --hash=sha256:ab\npillow==13.0.0 --hash=sha256:cd\n"


def wanted(name: str, python: str) -> SpecifierSet:
    """What pyproject.toml asks of a library under a Python."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    asked = [requirement for requirement in map(Requirement, listed) if requirement.name == name]
    specifiers = [
        requirement.specifier
        for requirement in asked
        if not requirement.marker or requirement.marker.evaluate({"python_version": python})
    ]
    assert len(specifiers) == 1
    return specifiers[0]


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_no_library_with_a_known_hole_is_asked_for(python: str) -> None:
    opencv = wanted("opencv-python-headless", python)
    assert not any(holed in opencv for holed in ("4.10.0.82", "4.10.0.84", "4.11.0.86"))
    assert "4.12.0.88" in opencv and "4.14.0.94" in opencv
    assert ("4.9.0.80" in opencv) == (python == "3.11"), "the one that NumPy 1 has, on Debian 12"
    assert "3.14.3" not in wanted("aiohttp", python) and "12.2.0" not in wanted("pillow", python)


def test_packages_make_the_user_groups_and_settings_that_install_makes() -> None:
    for word in (install.USER, *install.GROUPS, str(install.SETTINGS), str(install.STATE), FILE):
        assert word in deb.POSTINST
    assert "uninstall" in deb.PREINST
    for script in (deb.PREINST, deb.POSTINST, deb.PRERM, deb.POSTRM):
        done = subprocess.run(["sh", "-n"], input=script, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr


def test_the_unit_in_a_package_starts_what_is_in_the_package() -> None:
    files = deb.files()
    unit, _ = files[Path("usr/lib/systemd/system/hisabu.service")]
    assert f"ExecStart={deb.PROGRAM}/bin/hisabu run" in unit
    assert all(str(install.PROGRAM) not in text for text, _ in files.values())


def test_packages_hold_every_file_that_install_takes_away_again() -> None:
    taken = {
        path.name
        for path in (install.UNIT, install.RULES, install.POLKIT, install.SYSCTL, install.DNSMASQ, install.COMMAND)
    }
    assert taken | {install.DNSMASQ.name} == {path.name for path in deb.files()}
    assert deb.files()[Path("usr/bin/hisabu")][1] == 0o755


def test_a_package_takes_updates_only_from_whoever_signed_it(tmp_path: Path) -> None:
    key, sums = tmp_path / "key.pem", tmp_path / "SHA256SUMS"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True)
    sums.write_text("0  hisabu.deb\n")
    files = deb.update_files(deb.Packing(key=key, address="https://example.org/hisabu"))
    public = tmp_path / "public.pem"
    public.write_text(files[Path("usr/share/hisabu/release-key.pem")])
    assert "PRIVATE" not in "".join(files.values())
    signature = deb.sign(sums, key)
    verify = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", str(public), "-rawin"]
    verify += ["-in", str(sums), "-sigfile", str(signature)]
    assert subprocess.run(verify, check=False, capture_output=True).returncode == 0
    sums.write_text("1  hisabu.deb\n")
    assert subprocess.run(verify, check=False, capture_output=True).returncode != 0
    assert files[Path("usr/share/hisabu/releases")] == "https://example.org/hisabu\n"
    assert not [path for path in deb.update_files(deb.Packing()) if path.parent == Path("usr/share/hisabu")]


def test_the_updater_in_a_package_is_one_file_and_systemd_understands_its_units(tmp_path: Path) -> None:
    for path, text in deb.update_files(deb.Packing()).items():
        (tmp_path / path.name).write_text(text)
    asked = subprocess.run(
        ["/usr/bin/python3", "-I", tmp_path / "updater.py", "--help"], check=False, capture_output=True, text=True
    )
    assert asked.returncode == 0 and "--root" in asked.stdout
    if shutil.which("systemd-analyze"):
        units = [tmp_path / name for name in ("hisabu-update.service", "hisabu-update.path")]
        told = subprocess.run(["systemd-analyze", "verify", *units], check=False, capture_output=True, text=True).stderr
        assert not [line for line in told.splitlines() if "hisabu-update" in line and "not executable" not in line]


def test_every_room_says_that_it_has_types() -> None:
    for room in build.ROOMS:
        assert (ROOT / room / "py.typed").exists()


def test_the_version_stands_in_no_file() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'dynamic = ["version"]' in text and not re.search(r"^version", text, re.MULTILINE)
