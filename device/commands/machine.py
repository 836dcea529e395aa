"""The commands for the machine it runs on: doctor, install and uninstall."""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device import words
from device.commands.console import BAD_INPUT, add_language, complain, language_of, working
from device.keeping.settings import Settings, SettingsError, load, settings_path
from device.words import in_words

if TYPE_CHECKING:
    from device.machine import install
    from device.machine.doctor import Doctor, Finding

CHECKOUT = Path(__file__).resolve().parents[2]
MARKS = {"well": "✓", "note": "·", "wrong": "✗"}


def add_parsers(commands: Any) -> None:
    """Adds these commands to the command line."""
    doctor = commands.add_parser(
        "doctor",
        help="doctor",
        description="doctor_about",
    )
    doctor.add_argument("--json", action="store_true", help="json")
    doctor.add_argument("--picture", type=Path, metavar="OUT.jpg", help="doctor_picture")
    add_language(doctor)
    doctor.add_argument("--settings", type=Path, metavar="FILE", help="settings")
    doctor.add_argument("--camera", metavar="CAMERA", help="doctor_camera")
    doctor.set_defaults(run=run_doctor)
    install = commands.add_parser(
        "install",
        help="install",
        description="install_about",
    )
    uninstall = commands.add_parser("uninstall", help="uninstall")
    uninstall.add_argument("--purge", action="store_true", help="purge")
    for parser, run in ((install, run_install), (uninstall, run_uninstall)):
        parser.add_argument("--dry-run", action="store_true", help="dry_run")
        parser.add_argument("--root", type=Path, default=Path("/"), metavar="DIR", help="root")
        add_language(parser)
        parser.set_defaults(run=run)


def _settings_found(path: Path, language: str) -> "tuple[Settings, Finding]":
    """The settings, and what the doctor says of them; where they cannot be read, the usual ones."""
    from device.machine.doctor import WELL, WRONG, Finding

    facts = {"file": str(path)}
    try:
        return load(path), Finding("settings", WELL, "settings_well" if path.exists() else "settings_none", facts)
    except (SettingsError, OSError) as error:
        facts["error"] = words.in_words(error, language)
        return Settings(), Finding("settings", WRONG, "settings_wrong", facts)


def _pictured(doctor: "Doctor", args: argparse.Namespace, language: str) -> bool:
    """Writes the camera's picture; whether that could be."""
    from device.cameras.picture_files import write_picture

    if doctor.picture is None:
        complain(words.say(language, "doctor-no_picture", file=args.picture))
        return False
    written = write_picture(args.picture, doctor.picture, language)
    if written and not args.json:
        print(words.say(language, "doctor-picture_written", file=args.picture))
    return written


def run_doctor(args: argparse.Namespace) -> int:
    """Looks at every part and says what to do."""
    from device.cameras import open_camera
    from device.keeping.deck import deck_in_use
    from device.machine.doctor import PARTS, WRONG, Doctor
    from device.machine.install import is_of_the_service

    settings, kept = _settings_found(settings_path(args.settings), language_of(args))
    if args.camera is not None:
        settings = replace(settings, camera=args.camera)
    language = language_of(args)
    settings = replace(settings, language=language, deck=str(deck_in_use(settings, args.settings) or ""))
    doctor = Doctor(
        settings,
        lambda: open_camera(settings.camera, size=settings.capture, mains_hz=settings.mains_hz),
        of_the_service=is_of_the_service(settings_path(args.settings)),
    )
    table = partial(words.say, language)
    names = {part: table(f"doctor-part_{part}") for part in PARTS}
    width = max(map(len, names.values()))
    wrong, all_well = 0, "all_well"
    for finding in _found_meanwhile(chain([kept], doctor.findings()), table("doctor-part_camera")):
        wrong += finding.level == WRONG
        all_well = "all_but_camera" if finding.code == "camera_in_use" else all_well
        says = table(f"doctor-{finding.code}", **finding.facts)
        if args.json:
            print(json.dumps({**finding.to_dict(), "says": says}, ensure_ascii=False), flush=True)
        else:
            print(f"{MARKS[finding.level]} {names[finding.part]:{width}}  {says}", flush=True)
    pictured = not args.picture or _pictured(doctor, args, language)
    if not args.json:
        print(table("doctor-some_wrong", count=wrong) if wrong else table(f"doctor-{all_well}"))
    if not pictured:
        return BAD_INPUT
    return 1 if wrong else 0


def _found_meanwhile(findings: "Iterator[Finding]", what: str) -> "Iterator[Finding]":
    """The findings; while one is long in coming (a camera that hangs) it is said what is looked at."""
    while True:
        with working(what):
            finding = next(findings, None)
        if finding is None:
            return
        yield finding


def run_install(args: argparse.Namespace) -> int:
    """Installs."""
    from device.machine import install

    target, language = install.target_of(args.root), language_of(args)
    return carry_out(install.plan_install(target, CHECKOUT, language), target, args.dry_run, language)


def run_uninstall(args: argparse.Namespace) -> int:
    """Takes away what was installed."""
    from device.machine import install

    target = install.target_of(args.root)
    return carry_out(install.plan_uninstall(target, args.purge), target, args.dry_run, language_of(args))


def needs_root(target: "install.InstallTarget", dry: bool, language: str) -> int | None:
    """Starts again as root where that is needed. An exit status: it cannot be done at all."""
    said = partial(words.say, language)
    if not (target.root / "etc").is_dir():
        return complain(said("machine-no_system", root=target.root))
    if os.geteuid() != 0 and not dry:
        print(f"hisabu: {said('machine-asking_sudo')}", file=sys.stderr, flush=True)
        try:
            os.execvp("sudo", ["sudo", "--", *sys.orig_argv])
        except FileNotFoundError:
            return complain(said("machine-no_sudo"))
    return None


def carry_out(steps: "Iterator[install.Step]", target: "install.InstallTarget", dry: bool, language: str) -> int:
    """Does a plan, or shows it; the exit status."""
    from device.machine import install

    if (status := needs_root(target, dry, language)) is not None:
        return status
    try:
        install.carry_out(steps, target, lambda line: print(line, flush=True), dry, language=language)
    except install.InstallError as error:
        return complain(in_words(error, language))
    return 0
