"""The commands that read pictures: cards, enrol and seeds. What they do loads OpenCV, so it is imported when used."""

import argparse
from pathlib import Path
from typing import Any

from device.commands import read_board
from device.commands.console import add_language


def add_parsers(commands: Any) -> None:
    """Adds these commands to the command line."""
    cards = commands.add_parser(
        "cards",
        help="cards",
        description="cards_about",
    )
    cards.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="card_pictures")
    cards.add_argument("--json", action="store_true", help="json")
    cards.add_argument("--draw", type=Path, metavar="OUT", help="draw")
    cards.add_argument("--settings", type=Path, metavar="FILE", help="settings")
    add_language(cards)
    cards.set_defaults(run=run_cards)
    enrol = commands.add_parser(
        "enrol",
        help="enrol",
        description="enrol_about",
    )
    enrol.add_argument("images", nargs="*", type=Path, metavar="PICTURE", help="enrol_pictures")
    enrol.add_argument("--cards", help="enrol_cards")
    enrol.add_argument(
        "--camera",
        nargs="?",
        const="",
        metavar="CAMERA",
        help="enrol_camera",
    )
    enrol.add_argument("--anew", action="store_true", help="anew")
    enrol.add_argument("--forget", action="store_true", help="forget")
    enrol.add_argument("--settings", type=Path, metavar="FILE", help="settings")
    add_language(enrol)
    enrol.set_defaults(run=run_enrol)
    read_board.add_parser(commands)


def run_cards(args: argparse.Namespace) -> int:
    """Reads cards."""
    from device.commands import read_cards

    return read_cards.run_cards(args)


def run_enrol(args: argparse.Namespace) -> int:
    """Learns a deck."""
    from device.commands import enrol_camera, read_cards

    if args.camera is not None and not args.forget:
        return enrol_camera.run(args)
    return read_cards.run_enrol(args)
