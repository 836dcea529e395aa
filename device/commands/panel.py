"""The commands `hisabu panel flash` and `hisabu panel show`: the lamp panel's program, and a look at every lamp."""

import argparse
import contextlib
import importlib.util
import subprocess
import sys
import tempfile
import time
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from device import words
from device.commands.console import add_language, complain, language_of
from device.commands.parsing import Slip
from device.words import in_words

PACKAGE = ("__init__.py", "protocol.py", "lamps.py", "panel.py")
"""What lies on the Pico in a folder of the same name as here; main.py lies beside it, where MicroPython starts it."""
PREPARE = """
import os
try: os.remove("main.py")
except OSError: pass
try: os.mkdir("firmware")
except OSError: pass
"""
"""main.py goes first and comes back last: a copy that breaks off leaves a Pico that can be flashed again."""
RESTART_S = 10.0
"""A Pico is back on USB after one or two seconds, and its program waits two more."""
MPREMOTE_S = 120.0
"""Copying takes some ten seconds."""


def add_parsers(subparsers: Any) -> None:
    """Adds the command to the console script's parser."""
    panel = subparsers.add_parser("panel", help="panel")
    doing = panel.add_subparsers(dest="doing", required=True, metavar="DO")
    flash = doing.add_parser(
        "flash",
        help="flash",
        description="flash_about",
    )
    flash.set_defaults(run=run_flash)
    show = doing.add_parser("show", help="show", description="show_about")
    show.add_argument("--seconds", type=_seconds, default=0.7, metavar="S", help="seconds")
    show.set_defaults(run=run_show)
    for parser in (flash, show):
        parser.add_argument("--port", metavar="PORT", help="port")
        add_language(parser)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 60:
        raise Slip("no_time", value=text)
    return seconds


def run_show(args: argparse.Namespace) -> int:
    """`hisabu panel show`: each lamp in turn, then all of them."""
    from device.machine.wiring import load
    from device.outputs.panel import PanelOutput
    from firmware import protocol

    language = language_of(args)
    said = partial(words.say, language)
    wiring = load()
    names = {pixel: lamp for lamp, pixel in wiring.panel.index.items()}
    dark = (protocol.DARK, 0, 0, 0)
    white = (protocol.STEADY, 255, 255, 255)
    panel = PanelOutput(args.port, wiring)
    try:
        for pixel in range(wiring.panel.pixels):
            panel.show_picture(protocol.picture([white if at == pixel else dark for at in range(wiring.panel.pixels)]))
            print(f"{pixel:3}  {names.get(pixel, said('panel-behind'))}", flush=True)
            time.sleep(args.seconds)
        panel.show_picture(protocol.picture([white] * wiring.panel.pixels))
        print(f"     {said('panel-all', limit=wiring.panel.limit_ma)}", flush=True)
        time.sleep(2 * args.seconds)
    except OSError as error:
        return complain(in_words(error, language))
    finally:
        panel.close()
    return 0


def run_flash(args: argparse.Namespace) -> int:
    """`hisabu panel flash`: the program onto the Pico, and a hello from it."""
    from device.machine.wiring import load
    from device.outputs.panel import PanelAway, firmware_wiring, greet

    language = language_of(args)
    said = partial(words.say, language)
    if importlib.util.find_spec("mpremote") is None:
        return complain(said("panel-no_mpremote", python=sys.executable))
    wiring = load()
    try:
        port = _only_port(args.port)
        if greet(port, wiring, leave=True) is not None:
            print(said("panel-sleeps"), flush=True)
            _wait_for(port)
        with tempfile.TemporaryDirectory() as folder:
            about = Path(folder) / "wiring.json"
            about.write_bytes(firmware_wiring(wiring))
            done = subprocess.run(copy_command(port, about), capture_output=True, timeout=MPREMOTE_S, check=False)
        if done.returncode:
            lines = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
            return complain(said("panel-not_copied", why=lines[-1] if lines else said("panel-failed")))
        print(said("panel-copied"), flush=True)
        until_s = time.monotonic() + RESTART_S
        while time.monotonic() < until_s:
            with contextlib.suppress(PanelAway):  # While it restarts there is no port.
                if greet(port, wiring):
                    print(said("panel-answers"))
                    return 0
            time.sleep(0.2)
    except subprocess.TimeoutExpired:
        return complain(said("panel-hangs"))
    except PanelAway as error:
        return complain(in_words(error, language))
    return complain(said("panel-no_answer"))


def copy_command(port: str, about: Path) -> list[str]:
    """What mpremote is asked to do."""
    with_program = files("firmware")
    package = [str(with_program / name) for name in PACKAGE]
    steps = [
        ["exec", PREPARE],
        ["cp", *package, ":firmware/"],
        ["cp", str(about), ":wiring.json"],
        ["cp", str(with_program / "main.py"), ":main.py"],
        ["reset"],
    ]
    command = [sys.executable, "-m", "mpremote", "connect", port, "resume"]
    for step in steps:
        command += ["+", *step]
    return command


def _only_port(given: str | None) -> str:
    """The port that was asked for, or the one Pico there is."""
    from device.outputs.panel import NO_PICO, PanelAway, find_ports

    if given:
        return given
    ports = find_ports()
    if not ports:
        raise PanelAway(NO_PICO)
    if len(ports) > 1:
        raise PanelAway("picos", places=ports)
    return ports[0]


def _wait_for(port: str) -> None:
    """Until the port can be opened again after a restart."""
    from device.outputs.panel import PanelAway, open_port

    time.sleep(1.0)
    until_s = time.monotonic() + RESTART_S
    while True:
        try:
            open_port(port).close()
            return
        except PanelAway:
            if time.monotonic() > until_s:
                raise
            time.sleep(0.2)
