"""The commands for the machine it runs on: doctor, install and uninstall."""

import argparse
import json
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from device import words
from device.console import complain
from device.settings import Settings, SettingsError, load, settings_path

MARKS = {"well": "✓", "note": "·", "wrong": "✗"}


def add_parsers(commands: Any) -> None:
    """Adds these commands to the command line."""
    doctor = commands.add_parser(
        "doctor",
        help="what works, what does not, what to do",
        description="Exit status 0: all well; 1: something to do.",
    )
    doctor.add_argument("--json", action="store_true", help="JSON Lines")
    doctor.add_argument("--picture", type=Path, metavar="OUT.jpg", help="keep what the camera sees")
    doctor.add_argument("--lang", choices=words.LANGUAGES, help="the language (default: settings)")
    doctor.add_argument("--settings", type=Path, metavar="FILE", help="another settings file")
    doctor.add_argument("--camera", metavar="CAMERA", help="another camera than that of the settings")
    doctor.set_defaults(run=run_doctor)


def run_doctor(args: argparse.Namespace) -> int:
    """Looks at every part and says what to do."""
    import cv2

    from device.cameras import open_camera
    from device.doctor import WELL, WRONG, Doctor, Finding

    path = settings_path(args.settings)
    try:
        settings = load(path)
        kept = Finding("settings", WELL, "settings_well" if path.exists() else "settings_none", {"file": str(path)})
    except (SettingsError, OSError) as error:
        settings = Settings(language=words.system_language())
        kept = Finding("settings", WRONG, "settings_wrong", {"file": str(path), "error": str(error)})
    if args.camera is not None:
        settings = replace(settings, camera=args.camera)
    language = args.lang or settings.language
    doctor = Doctor(settings, lambda: open_camera(settings.camera, size=settings.capture, mains_hz=settings.mains_hz))
    table = words.table(language)
    width = max(map(len, table["doctor_parts"].values()))
    wrong = 0
    for finding in chain([kept], doctor.findings()):
        wrong += finding.level == WRONG
        says = str(table["doctor"][finding.code]).format_map(finding.facts)
        if args.json:
            print(json.dumps({**finding.to_dict(), "says": says}, ensure_ascii=False), flush=True)
        else:
            print(f"{MARKS[finding.level]} {table['doctor_parts'][finding.part]:{width}}  {says}", flush=True)
    if args.picture and doctor.picture is not None and not _written(cv2, args.picture, doctor.picture):
        return complain(f"{args.picture}: cannot be written (a name ending in .jpg or .png, in a folder that is there)")
    if not args.json:
        print(table["doctor"]["some_wrong"].format(count=wrong) if wrong else table["doctor"]["all_well"])
    return 1 if wrong else 0


def _written(cv2: Any, path: Path, image: Any) -> bool:
    try:
        return bool(cv2.imwrite(str(path), image))
    except cv2.error:
        return False
