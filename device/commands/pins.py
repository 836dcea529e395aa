"""The command `hisabu pins`: each lamp, the sound and each button of what was built, tried by hand. Pins are found as
the device finds them, by the header's own chip."""

import argparse
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import Any

from device import words
from device.commands.console import add_language, complain, language_of
from device.keeping.settings import SettingsError, load, settings_path
from device.machine import pins
from device.machine.wiring import load as load_wiring

TONES = ("A4", "E5", "A5")
LAMP_HZ = 500.0
PRESS_S = 30.0
LOOK_EVERY_S = 0.05


def add_parsers(commands: Any) -> None:
    """Adds the command."""
    parser = commands.add_parser("pins", help="pins")
    parser.add_argument("--seconds", type=float, default=0.7, metavar="S", help="seconds")
    add_language(parser)
    parser.set_defaults(run=run_pins)


def run_pins(args: argparse.Namespace) -> int:
    """Every part of the build that hangs on a pin of the Pi."""
    language = language_of(args)
    said = partial(words.say, language)
    try:
        build = load(settings_path(None)).build
    except (SettingsError, OSError):
        build = "minimal"
    wiring = load_wiring()
    if build not in wiring.builds:
        return complain(said("pins-no_wires", build=build))
    wired = wiring.pins(build)
    try:
        for (group, name), pin in wired.items():
            if group in ("suit_lamps", "side_lamps"):
                _light(pin, args.seconds)
                print(said("pins-lamp", name=name, pin=pin), flush=True)
        for (group, _), pin in wired.items():
            if group == "buzzer":
                print(said("pins-sound"), flush=True)
                _play(pin)
        missing = _press({name: pin for (group, name), pin in wired.items() if group == "buttons"}, language, PRESS_S)
    except pins.PinsAway as error:
        return complain(error.said(language))
    if missing:
        print(said("pins-missing", names=sorted(missing)))
        return 1
    print(said("pins-all_well"))
    return 0


def _light(pin: int, seconds: float) -> None:
    lamp = pins.lamp(pin, LAMP_HZ)
    try:
        lamp.value = 1.0
        time.sleep(seconds)
        lamp.value = 0.0
    finally:
        pins.release(lamp)


def _play(pin: int) -> None:
    sounder = pins.piezo(pin, "A4", 2)
    try:
        for tone in TONES:
            sounder.play(tone)
            time.sleep(0.3)
        sounder.stop()
    finally:
        pins.release(sounder)


def _press(buttons: Mapping[str, int], language: str, limit_s: float) -> set[str]:
    """Waits until every button was pressed once; those that were not."""
    print(words.say(language, "pins-press", names=list(buttons), seconds=round(limit_s)), flush=True)
    left = set(buttons)
    with ExitStack() as held:
        switches = {}
        for name, pin in buttons.items():
            switches[name] = pins.switch(pin)
            held.callback(pins.release, switches[name])
        until_s = time.monotonic() + limit_s
        while left and time.monotonic() < until_s:
            for name in _pressed(switches, left):
                print(words.say(language, "pins-pressed", name=name), flush=True)
                left.discard(name)
            time.sleep(LOOK_EVERY_S)
    return left


def _pressed(switches: Mapping[str, Any], among: Iterable[str]) -> list[str]:
    return [name for name in sorted(among) if switches[name].is_pressed]
