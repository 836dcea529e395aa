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
        help="read the cards in pictures",
        description="A line for each picture. All are taken to show one deck: its letters say what a V is.",
    )
    cards.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    cards.add_argument("--json", action="store_true", help="JSON Lines")
    cards.add_argument(
        "--draw", type=Path, metavar="OUT", help="what was seen, drawn: a file, or a folder for several pictures"
    )
    add_language(cards)
    cards.set_defaults(run=run_cards)
    enrol = commands.add_parser(
        "enrol",
        help="learn a house's own deck",
        description="Under the camera (--camera), from one picture a suit, or --cards with one picture.",
    )
    enrol.add_argument("images", nargs="*", type=Path, metavar="PICTURE")
    enrol.add_argument("--cards", help='the cards of one picture in reading order: "AS 10H KD"')
    enrol.add_argument(
        "--camera",
        nargs="?",
        const="",
        metavar="CAMERA",
        help="learn it under the camera, which takes its own pictures as the cards are laid (default: the settings')",
    )
    enrol.add_argument("--anew", action="store_true", help="forget what was enrolled before")
    enrol.add_argument("--forget", action="store_true", help="remove the enrolled deck")
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
