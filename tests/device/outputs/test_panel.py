"""The lamp panel as an output: what its lamps show of a game, and what happens to the cable."""

import contextlib
import errno
import os
import termios
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.cli import main
from device.following.show import Output, Prompt, Show
from device.machine.wiring import load
from device.outputs.panel import (
    PanelAway,
    PanelLink,
    PanelOutput,
    PanelVersion,
    draw,
    find_ports,
    firmware_wiring,
    greet,
)
from engine.match import Match
from firmware import protocol
from firmware.lamps import VIOLET, PanelLamps
from firmware.protocol import ALERT, BREATHE, CHASE, DARK, FLASH, FLASH_THEN_BREATHE, STEADY
from tests.device.outputs.test_outputs import EVERY_TROUBLE
from tools.stand_ins.cable import Cable
from tools.stand_ins.pico import Pico

WIRING = load()
SOON_S = 10.0
"""For what takes tenths of a second on an idle machine."""


def lamps(show: Show) -> dict[str, tuple[int, tuple[int, int, int]]]:
    """What each named lamp does, and its colour."""
    picture = draw(show, WIRING)[protocol.PICTURE_HEADER_BYTES :]
    return {
        name: (picture[4 * at], (picture[4 * at + 1], picture[4 * at + 2], picture[4 * at + 3]))
        for name, at in WIRING.panel.index.items()
    }


def doing(show: Show, what: int) -> set[str]:
    return {name for name, (does, _) in lamps(show).items() if does & 15 == what}


def played(game: str, players: int, *events: dict[str, Any], **options: Any) -> dict[str, Any]:
    match = Match(game, players, options or None)
    for event in events:
        match.add(event)
    return match.view.to_dict()


DEAL = {"event": "deal", "dealer": 3, "turn_up": "3S"}
TRICK = [{"event": "play", "seat": seat, "card": card} for seat, card in enumerate(("4H", "AH", "5H", "6H"))]


# -- what the lamps show -----------------------------------------------------------------------------------------------


def test_trump_and_turn() -> None:
    show = Show(played("turufu", 4, DEAL))
    assert doing(show, BREATHE) == {"bottom"}
    seen = lamps(show)
    assert [suit for suit in "CDHS" if seen[suit][0] == STEADY] == ["S"]
    assert {name for name, (does, _) in seen.items() if does == DARK} == {
        "C", "D", "H", *(f"{side}:{card}" for side in (0, 1) for card in ("8", "9", "10", "2", "JOKER")),
    }  # fmt: skip


def test_partners_shine_in_their_sides_colour() -> None:
    seen = lamps(Show(played("turufu", 4, DEAL, *TRICK[:1])))
    blue, amber = seen["top"][1], seen["left_upper"][1]
    assert blue[2] > 2 * blue[0]
    assert amber[0] > 2 * amber[2]
    assert amber[0] > 5 * seen["right_lower"][1][0] > 0, "the other seat of that side shines weakly"


def test_the_winner_flashes_and_goes_on_to_breathe_when_it_leads() -> None:
    complete = Show(played("turufu", 4, DEAL, *TRICK))
    assert doing(complete, FLASH) | doing(complete, FLASH_THEN_BREATHE) == {"left_lower", "left_upper"}
    led = Show(played("turufu", 4, DEAL, *TRICK, {"event": "play", "seat": 1, "card": "5D"}))
    assert doing(led, FLASH) == {"left_lower", "left_upper"}
    assert doing(led, BREATHE) == {"top"}
    assert lamps(led)["left_upper"][0] >> 4 == lamps(complete)["left_upper"][0] >> 4, "it would flash again"


def test_the_lamp_of_a_seat_is_where_it_sits_whichever_way_turns_go() -> None:
    view = played("triomphe", 4, {"event": "deal", "dealer": 0, "turn_up": "7H"}, teams="sides")
    assert view["turn"] == 1
    assert doing(Show(view, extra={"clockwise": False}), BREATHE) == {"right_lower", "right_upper"}
    assert doing(Show(view, extra={"clockwise": True}), BREATHE) == {"left_lower", "left_upper"}
    assert doing(Show(view | {"turn": 2}, extra={"clockwise": False}), BREATHE) == {"top"}
    accused = view | {"alert": {"rule": "out_of_turn", "seat": 3}}
    assert doing(Show(accused, extra={"clockwise": False}), ALERT) == {"left_lower", "left_upper"}


def test_markers_of_each_side() -> None:
    view = played("turufu", 4, DEAL) | {"markers": [["8", "JOKER"], ["10"]]}
    seen = lamps(Show(view))
    assert {name for name in seen if ":" in name and seen[name][0] == STEADY} == {"0:8", "0:JOKER", "1:10"}
    assert seen["0:8"][1] != seen["1:10"][1]


def test_an_alert_points_at_who_is_named() -> None:
    view = played("turufu", 4, DEAL, TRICK[0], {"event": "play", "seat": 1, "card": "9H"})
    show = Show(view, alert="9♥ is not in this game's pack.")
    assert doing(show, ALERT) == {"left_lower", "left_upper"}
    assert not doing(show, BREATHE)
    assert lamps(show)["S"][1] < lamps(replace(show, view=played("turufu", 4, DEAL), alert=None))["S"][1], (
        "trump steps back"
    )


def test_an_alert_that_names_nobody_points_at_nobody() -> None:
    proof = {"claims": [{"seat": 1}, {"seat": 2}], "explanations": [[[1, 1]], [[2, 1]]], "guilty": []}
    for alert in ({"notice": "revoke", "level_of_proof": "provisional", "tricks": [1]}, proof):
        assert len(doing(Show(played("turufu", 4, DEAL) | {"alert": alert}), ALERT)) == 6
    pointed = {"claims": [{"seat": 2}], "explanations": [[[2, 1]]], "guilty": [2]}
    assert doing(Show(played("turufu", 4, DEAL) | {"alert": pointed}), ALERT) == {"top"}


def test_a_question_runs_round_the_table_and_an_alert_comes_first() -> None:
    show = Show(played("turufu", 4, DEAL), prompt=Prompt("Which?", ("7♥", "7♦")))
    ring = ["bottom", "left_lower", "left_upper", "top", "right_upper", "right_lower"]
    assert doing(show, CHASE) == set(ring)
    assert [lamps(show)[name][0] >> 4 for name in ring] == sorted({lamps(show)[name][0] >> 4 for name in ring})
    assert not doing(replace(show, alert="!"), CHASE)


def test_mraha_shows_whose_turn() -> None:
    assert doing(Show(played("mraha", 2)), BREATHE) == {"bottom"}
    assert doing(Show(played("mraha", 2) | {"turn": 1}), BREATHE) == {"top"}
    over = played("mraha", 2) | {"winner": 1}
    del over["turn"]
    assert doing(Show(over), FLASH_THEN_BREATHE) == {"top"}


def test_a_match_that_nobody_won_flashes_at_both_places() -> None:
    over = played("awale", 2) | {"phase": "over"}
    del over["turn"]
    assert doing(Show(over), FLASH_THEN_BREATHE) == {"bottom", "top"}


@pytest.mark.parametrize(
    ("game", "players"), [("turufu", 2), ("turufu", 6), ("triomphe", 5), ("triomphe", 3), ("pille", 3)]
)
def test_every_game_has_a_picture(game: str, players: int) -> None:
    view = played(game, players)
    for turn in range(players):
        seat = {WIRING.panel.index[name] for name in doing(Show(view | {"turn": turn}), BREATHE)}
        assert seat == set(WIRING.panel.seat(players, turn))


def test_before_a_match_the_places_glow() -> None:
    assert len(doing(Show({}), STEADY)) == 6
    assert len(doing(Show({}, prompt=Prompt("Which game?", ("turufu",))), CHASE)) == 6


def test_brightness_reaches_the_lamps() -> None:
    def light(brightness: float) -> int:
        made = PanelLamps(WIRING.panel.pixels, WIRING.panel.limit_ma)
        assert made.take(draw(Show({}, brightness=brightness), WIRING), 0)
        made.draw(0)
        return sum(made.rgb)

    assert light(0.0) == 0
    assert 0 < light(0.5) < light(1.0)


# -- the cable ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def one_pico() -> Iterator[Pico]:
    with Pico() as pico:
        yield pico


@pytest.fixture
def pico(one_pico: Pico) -> Pico:
    one_pico.boot()
    return one_pico


def until(true: Callable[[], object]) -> None:
    end_s = time.monotonic() + SOON_S
    while not true():
        assert time.monotonic() < end_s, "it did not happen"
        time.sleep(0.01)


def showing(pico: Pico, name: str) -> bool:
    """Whether this lamp breathes or stands there now, and nothing else is violet."""
    return bool(pico.strips) and any(pico.strips[-1][WIRING.panel.index[name]]) and not host_lost(pico)


def host_lost(pico: Pico) -> bool:
    return VIOLET in pico.strips[-1]


def test_a_panel_is_an_output_and_its_troubles_have_words() -> None:
    panel: Output = PanelOutput("/nowhere")
    assert panel.name == "panel"
    assert {PanelAway.trouble, PanelVersion.trouble} <= EVERY_TROUBLE
    panel.close()
    panel.close()


def test_from_a_show_to_the_strip_through_a_socket(pico: Pico) -> None:
    panel = PanelOutput(f"socket://127.0.0.1:{pico.live()}")
    with contextlib.closing(panel):
        panel.show(Show(played("turufu", 4, DEAL)))
        until(lambda: showing(pico, "S") and not showing(pico, "H"))
        panel.show(Show(played("turufu", 4, DEAL | {"turn_up": "3H"})))
        until(lambda: showing(pico, "H") and not showing(pico, "S"))
    until(lambda: not any(map(any, pico.strips[-1])))


def test_a_line_with_faults_still_shows_the_last_picture(pico: Pico, tmp_path: Path) -> None:
    panel = PanelOutput(str(tmp_path / "ttyACM0"))
    with Cable(tmp_path / "ttyACM0", pico.live(), share=0.4) as cable, contextlib.closing(panel):
        for number in range(8):
            with contextlib.suppress(PanelAway):
                panel.show(Show(played("turufu", 4, DEAL | {"turn_up": "3" + "CDH"[number % 3]})))
        cable.mend()
        with contextlib.suppress(PanelAway):  # A busy machine may have been silent for too long; it is tried again.
            panel.show(Show(played("turufu", 4, DEAL)))
        until(lambda: showing(pico, "S"))
        assert sum(cable.to_panel.damaged.values()) > 0


def test_pulled_out_and_put_back_during_play(pico: Pico, tmp_path: Path) -> None:
    panel = PanelOutput(str(tmp_path / "ttyACM0"))
    with Cable(tmp_path / "ttyACM0", pico.live()) as cable, contextlib.closing(panel):
        panel.show(Show(played("turufu", 4, DEAL)))
        until(lambda: showing(pico, "S"))
        cable.pull()
        with pytest.raises(PanelAway) as away:
            until(lambda: panel.show(Show(played("turufu", 4, DEAL | {"turn_up": "3H"}))))
        assert away.value.trouble == "panel_away"
        until(lambda: host_lost(pico))
        cable.put_back()
        until(lambda: showing(pico, "H"))  # The newest picture comes by itself.
        panel.show(Show(played("turufu", 4, DEAL | {"turn_up": "3C"})))
        until(lambda: showing(pico, "C"))


def gone(*_: object) -> None:
    raise termios.error(errno.EIO, os.strerror(errno.EIO))


def test_a_cable_pulled_while_the_port_opens_is_only_away(
    pico: Pico, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = PanelOutput(str(tmp_path / "ttyACM0"))
    with Cable(tmp_path / "ttyACM0", pico.live()), contextlib.closing(panel):
        with monkeypatch.context() as pulled:
            pulled.setattr(termios, "tcflush", gone)
            with pytest.raises(PanelAway, match=r"ttyACM0 stopped answering\. Is the panel's cable in\?"):
                panel.show(Show({}))
        panel.show(Show(played("turufu", 4, DEAL)))
        until(lambda: showing(pico, "S"))


def test_a_cable_pulled_before_a_panel_is_sent_to_sleep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(termios, "tcdrain", gone)
    with Pico() as sleeper:  # It leaves its program all the same.
        sleeper.boot()
        with Cable(tmp_path / "ttyACM0", sleeper.live()), pytest.raises(PanelAway, match=r"disconnected: .* stopped"):
            greet(str(tmp_path / "ttyACM0"), WIRING, leave=True)


def test_a_panel_put_in_late_is_found_by_the_next_show(pico: Pico, tmp_path: Path) -> None:
    port = pico.live()
    panel = PanelOutput(str(tmp_path / "ttyACM0"))
    with contextlib.closing(panel):
        with pytest.raises(PanelAway, match="cable"):
            panel.show(Show({}))
        with Cable(tmp_path / "ttyACM0", port):
            panel.show(Show({}))


def test_a_panel_of_another_wiring_is_told_apart(pico: Pico) -> None:
    other = replace(WIRING, panel=replace(WIRING.panel, limit_ma=500))
    panel = PanelOutput(f"socket://127.0.0.1:{pico.live()}", other)
    with contextlib.closing(panel), pytest.raises(PanelVersion, match="panel flash") as foreign:
        panel.show(Show({}))
    assert foreign.value.trouble == "panel_version"
    until(lambda: pico.strips[-1].count(VIOLET) == WIRING.panel.pixels // 2)


def test_little_piles_up_in_a_line_that_hangs() -> None:
    link = PanelLink(firmware_wiring(WIRING), 1)
    link.restart(0.0)
    link.receive(protocol.encode(protocol.HERE, 1, 0, protocol.fingerprint(firmware_wiring(WIRING))), 0.0)
    piled = b""
    for tick in range(300):
        link.want(draw(Show({}, brightness=tick / 300), WIRING))
        piled += link.due(tick / 100)
    assert len(piled) < 3000
    receiver = protocol.Receiver()
    sent = [frame.sequence for byte in piled if (frame := receiver.feed(byte))]
    assert sent[-1] > 240, "the newest waits, not the oldest"


def test_greeting_tells_who_is_there(pico: Pico) -> None:
    url = f"socket://127.0.0.1:{pico.live()}"
    assert greet(url, WIRING) is True
    assert greet(url, replace(WIRING, panel=replace(WIRING.panel, data_pin=3))) is False
    assert greet("loop://", WIRING) is None


def test_a_port_that_only_echoes_is_no_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a REPL does: what the device says itself is no answer."""
    monkeypatch.setattr("device.outputs.panel.ANSWER_S", 0.5)
    panel = PanelOutput("loop://")
    with contextlib.closing(panel), pytest.raises(PanelAway, match="does not answer"):
        panel.show(Show({}))


# -- the commands ------------------------------------------------------------------------------------------------------


def test_the_command_lights_every_lamp_in_turn(pico: Pico, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["panel", "show", "--seconds", "0.08", "--port", f"socket://127.0.0.1:{pico.live()}"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=1)[1] for line in said[2:5]] == ["bottom", "(behind the face)", "right_lower"]
    alone = [
        [at for at, colour in enumerate(strip) if any(colour)]
        for strip in pico.strips
        if sum(map(any, strip)) == 1 and VIOLET not in strip
    ]
    assert [at for (at,) in alone] == list(range(WIRING.panel.pixels))


def test_the_commands_tell_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert main(["panel", "show", "--port", str(tmp_path / "none")]) == 2
    assert "cable" in capsys.readouterr().err
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    assert find_ports() == []
    assert main(["panel", "show"]) == 2
    assert "No Pico with MicroPython on USB" in capsys.readouterr().err
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["panel", "flash"]) == 2
    assert "pip install mpremote" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["panel", "show", "--seconds", "-1"])
    assert "0 to 60" in capsys.readouterr().err


def check_flashed(pico: Pico, said: str) -> None:
    assert "The panel answers." in said
    here = Path(__file__).resolve().parents[3] / "firmware"
    copied = pico.files()
    assert copied.pop("wiring.json") == firmware_wiring(WIRING)
    assert copied.pop("main.py") == (here / "main.py").read_bytes()
    assert copied == {f"firmware/{path.name}": path.read_bytes() for path in here.glob("*.py") if path.stem != "main"}


@pytest.mark.slow
def test_flashing_over_a_program_that_runs(pico: Pico, capsys: pytest.CaptureFixture[str]) -> None:
    """The real mpremote, which speaks to MicroPython's own REPL."""
    assert main(["panel", "flash", "--port", f"socket://127.0.0.1:{pico.live()}"]) == 0
    said = capsys.readouterr().out
    assert "program stops" in said
    check_flashed(pico, said)


@pytest.mark.slow
def test_flashing_a_pico_with_nothing_on_it(pico: Pico, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["panel", "flash", "--port", f"socket://127.0.0.1:{pico.repl()}"]) == 0
    said = capsys.readouterr().out
    assert "program stops" not in said
    check_flashed(pico, said)
