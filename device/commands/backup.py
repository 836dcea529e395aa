"""The command `hisabu backup`: everything that is kept goes into one file, or comes in from one."""

import argparse
import contextlib
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

from device import version, words
from device.commands.console import BAD_INPUT, add_language, complain, language_of
from device.keeping.alone import alone_in
from device.keeping.files import open_plain
from device.keeping.settings import Settings, SettingsError, load, save, settings_path
from device.words import in_words


def add_parsers(commands: Any) -> None:
    """Adds this command to the command line."""
    backup = commands.add_parser("backup", help="backup")
    backup.add_argument("where", type=Path, metavar="FILE", help="backup_file")
    backup.add_argument("--take-in", action="store_true", help="backup_take_in")
    backup.add_argument("--settings", type=Path, metavar="FILE", help="settings")
    add_language(backup)
    backup.set_defaults(run=run_backup)


def run_backup(args: argparse.Namespace) -> int:
    """Saves everything, or takes it in."""
    path = settings_path(args.settings)
    try:
        settings = load(path)
    except SettingsError as error:
        for problem in error.said(language_of(args)):
            complain(f"{path}: {problem}")
        return BAD_INPUT
    return (_take_in if args.take_in else _save)(args.where, settings, path, language_of(args))


def _save(where: Path, settings: Settings, path: Path, language: str) -> int:
    from device.keeping.backup import packed

    if where.exists():
        return complain(words.say(language, "matches-there", path=where))
    fresh = where.with_name(f".{where.name}.new")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "wb") as file:
            for piece in packed(settings, path, version.of_the_program()):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(where)
    except BaseException as error:
        with contextlib.suppress(OSError):
            fresh.unlink()
        if isinstance(error, OSError):
            error.filename = str(where)  # As it was typed.
        raise
    print(words.say(language, "machine-backup_saved", file=where, mb=round(where.stat().st_size / 1e6, 1)))
    return 0


def _take_in(where: Path, settings: Settings, path: Path, language: str) -> int:
    from device.keeping.backup import Backup, BackupError, take_in

    said = partial(words.say, language)
    with alone_in(settings.matches_folder) as alone:
        if not alone:
            return complain(said("machine-backup_running"))
        try:
            with open_plain(where) as file:
                taken = take_in(Backup(file), settings, path)
        except BackupError as error:
            return complain(f"{where}: {in_words(error, language)}")
        save(path, taken.settings)
    print(said("machine-backup_taken", matches=taken.matches, there=taken.there))
    if not taken.deck_fits:
        print(said("page-backup-deck_anew"), file=sys.stderr)
    if taken.left:
        print(said("page-backup-left", left=", ".join(taken.left)), file=sys.stderr)
    return 0
