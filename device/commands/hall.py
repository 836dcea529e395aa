"""The command `hisabu hall`: many tables on one page, their logs kept."""

import argparse
import logging
import sys
import time
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from device import words
from device.commands.console import add_language, complain, language_of
from device.commands.parsing import Help
from device.words import in_words
from engine.errors import GameError

FOLDER = Path("~/.local/share/hisabu/hall")

CODE_WAITS_S = 300.0
"""For a phone to ask for a code."""
NEEDED = ("networkx",)
"""What a hall imports and a table does not; psycopg only where its store is PostgreSQL."""


def add_parsers(commands: Any) -> None:
    """Adds this command to the command line."""
    hall = commands.add_parser("hall", help="hall")
    hall.add_argument("--broker", default="mqtt://localhost", metavar="URL", help="broker")
    hall.add_argument("--user", default="", metavar="NAME", help="user")
    hall.add_argument("--password", default="", metavar="FILE", help="password")
    hall.add_argument("--ca", default="", metavar="FILE", help="ca")
    hall.add_argument("--store", default="", metavar="PLACE", help="store")
    hall.add_argument("--folder", type=Path, default=FOLDER, metavar="FOLDER", help=Help("folder", where=FOLDER))
    hall.add_argument("--no-share", action="store_true", help="hall_no_share")
    hall.add_argument("--page", default="127.0.0.1:8090", metavar="HOST:PORT", help="hall_page")
    hall.add_argument("--unpaired", type=int, default=250, metavar="N", help="hall_unpaired")
    hall.add_argument("--acl", nargs="+", metavar="TABLE", help="acl")
    add_language(hall)
    hall.set_defaults(run=run_hall)
    actions = hall.add_subparsers(metavar="setup, code, forget, move", title="hall_kept")
    making = actions.add_parser("setup", help="hall_setup")
    making.add_argument("--tables", type=int, metavar="N", help="hall_tables")
    making.add_argument("--renew", type=int, nargs="+", default=[], metavar="N", help="hall_renew")
    making.add_argument("--homeassistant", action="store_true", help="hall_home")
    making.add_argument("--page", default="0.0.0.0:8090", metavar="HOST:PORT", help="hall_at")
    making.add_argument("--dry-run", action="store_true", help="dry_run")
    making.add_argument("--root", type=Path, default=Path("/"), metavar="DIR", help="root")
    add_language(making, argparse.SUPPRESS)
    making.set_defaults(run=run_setup)
    code = actions.add_parser("code", help="hall_code")
    code.add_argument("--folder", type=Path, default=argparse.SUPPRESS, metavar="FOLDER", help="above")
    add_language(code, argparse.SUPPRESS)
    code.set_defaults(run=run_code)
    gone = actions.add_parser("forget", help="hall_forget")
    gone.add_argument("name", metavar="NAME", help="name")
    _add_where(gone)
    gone.set_defaults(run=run_forget)
    moving = actions.add_parser("move", help="hall_move")
    moving.add_argument("to", metavar="PLACE", help="move_to")
    _add_where(moving)
    moving.set_defaults(run=run_move)


def _add_where(action: argparse.ArgumentParser) -> None:
    """Where the hall's things are, said after an action as well as before it."""
    action.add_argument("--store", default=argparse.SUPPRESS, metavar="PLACE", help="above")
    action.add_argument("--folder", type=Path, default=argparse.SUPPRESS, metavar="FOLDER", help="above")
    add_language(action, argparse.SUPPRESS)


def _missing() -> GameError | None:
    """What to do where a library that only a hall needs is not there; None if all are."""
    lacks = [name for name in NEEDED if find_spec(name) is None]
    if not lacks:
        return None
    return GameError("hall_lacks", name=lacks[0])


def run_hall(args: argparse.Namespace) -> int:
    """Listens to all tables until it is stopped."""
    if args.acl:
        from device.outputs.broker.acl import acl
        from device.outputs.broker.messages import TABLE_NAME

        wrong = [name for name in args.acl if not TABLE_NAME.fullmatch(name)]
        if wrong:
            return complain(words.say(language_of(args), "mistake-no_table_name", value=wrong[0]))
        print(acl(args.acl, home="homeassistant"), end="")
        return 0
    from device.following.loop import StopOnSignals
    from device.outputs.broker.link import Address

    if lacks := _missing():
        return complain(in_words(lacks, language_of(args)))
    from device.hall.run import Hall

    logging.basicConfig(level=logging.WARNING, format="hisabu: %(message)s", stream=sys.stderr)
    try:
        address = Address.of(args.broker, args.user, args.password, args.ca)
        place = _place(args.page)
    except ValueError as error:
        return complain(in_words(error, language_of(args)))
    folder = args.folder.expanduser()
    try:
        place_of_store = args.store or str(folder / "hall.db")
        hall = Hall(address, place_of_store, folder, place, language_of(args), args.unpaired, not args.no_share)
        hall.start()
    except OSError as error:
        return complain(in_words(error, language_of(args)))
    stop = StopOnSignals()
    while not stop.is_set():
        time.sleep(0.2)
    hall.close()
    return 0


def run_setup(args: argparse.Namespace) -> int:
    """Sets this machine up as a hall."""
    from device.commands.machine import CHECKOUT, carry_out, needs_root
    from device.hall.setup import SETTINGS, Wanted, codes_of, plan_setup
    from device.machine.install import InstallError, target_of

    language = language_of(args)
    said = partial(words.say, language)
    target = target_of(args.root)
    wanted = Wanted(args.tables, args.page, language, tuple(args.renew), args.homeassistant)
    try:
        if not _place(args.page):
            raise GameError("no_place", value=args.page)
        if (status := needs_root(target, args.dry_run, language)) is not None:
            return status
        codes = codes_of(target, wanted)
        status = carry_out(plan_setup(target, wanted, CHECKOUT, codes), target, args.dry_run, language)
    except BrokenPipeError:
        raise  # Who reads has read enough.
    except (InstallError, ValueError, OSError) as error:
        return complain(in_words(error, language))
    if status or args.dry_run:
        return status
    print(said("hall-setup-done", port=args.page.rpartition(":")[2]))
    for code in codes.tables:
        print(said("hall-setup-table", table=code.table, code=code.text))
    if codes.home:
        print(said("hall-setup-home", password=codes.home))
    print(said("hall-setup-again", folder=SETTINGS))
    return 0


def run_code(args: argparse.Namespace) -> int:
    """Waits for a phone that asks for a code, and shows that."""
    from device.hall.run import CODE
    from device.hall.setup import STATE

    said = partial(words.say, language_of(args))
    file = (STATE if args.folder == FOLDER else args.folder.expanduser()) / CODE
    print(said("hall-code_waits"), file=sys.stderr, flush=True)
    until_s = time.monotonic() + CODE_WAITS_S
    while time.monotonic() < until_s:
        try:
            print(said("hall-code", code=file.read_text(encoding="utf-8").strip()))
            return 0
        except FileNotFoundError:
            time.sleep(0.2)
        except OSError as error:
            return complain(in_words(error, language_of(args)))
    return complain(said("hall-code_none"))


def run_forget(args: argparse.Namespace) -> int:
    """Takes a name out of what a hall keeps."""
    if lacks := _missing():
        return complain(in_words(lacks, language_of(args)))
    from device.hall.register import Register
    from device.hall.store import Store

    said = partial(words.say, language_of(args))
    folder = args.folder.expanduser()
    try:
        store = Store(args.store or str(folder / "hall.db"))
        gone = Register(store).forget(args.name)
    except OSError as error:
        return complain(in_words(error, language_of(args)))
    if not gone.found and not gone.logs:
        return complain(said("hall-forget-unknown", name=args.name))
    store.note("hisabu hall forget", "a player was forgotten", "")
    store.close()
    print(said("hall-forget-done", name=args.name, logs=gone.logs, remarks=gone.remarks))
    return 0


def run_move(args: argparse.Namespace) -> int:
    """Copies a hall's store to another place; the old one stays as it is."""
    if lacks := _missing():
        return complain(in_words(lacks, language_of(args)))
    from device.hall.store import Store, moved

    said = partial(words.say, language_of(args))
    place = args.store or str(args.folder.expanduser() / "hall.db")
    if "://" not in place and not Path(place).exists():
        return complain(said("hall-move-nothing", place=place))
    try:
        old, new = Store(place), Store(args.to)
        rows = moved(old, new)
    except OSError as error:
        return complain(in_words(error, language_of(args)))
    old.close()
    new.close()
    print(said("hall-move-done", rows=rows))
    return 0


def _place(text: str) -> tuple[str, int] | None:
    """Where the page is; None: nowhere. ValueError: that is no place."""
    if text == "off":
        return None
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or not 0 <= int(port) < 65536:
        raise GameError("no_place", value=text)
    return host.strip("[]"), int(port)
