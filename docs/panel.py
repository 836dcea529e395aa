"""Draws docs/panel.png: the lamp panel at a few moments of a game, with the firmware's own colours.

.venv/bin/python docs/panel.py [OUT]
"""

import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from device.following.show import Prompt, Show
from device.machine.wiring import PanelWiring, load
from device.outputs.panel import GAMMA, draw
from engine.match import Match
from firmware.lamps import PanelLamps

Image = NDArray[np.uint8]
WIRING = load()
STEP = 44
"""Pixels between two lamps."""
MARGIN = 40
SIZE = (5 * STEP + 2 * MARGIN, 5 * STEP + 2 * MARGIN + 24)
SIGNS = {"C": "clubs", "D": "dia.", "H": "hearts", "S": "spades", "JOKER": "jk"}


def board(lamps: PanelLamps, panel: PanelWiring, title: str) -> Image:
    """The panel's face with its lamps as an eye sees them."""
    width, height = SIZE
    face = np.full((height, width, 3), 24, np.float32)
    pixel = 0
    for number, row in enumerate(panel.rows):
        places = list(enumerate(row))
        left = MARGIN + (5 - len(row)) * STEP / 2 + STEP / 2
        for column, name in places if number % 2 == 0 else places[::-1]:
            at = (round(left + column * STEP), round(height - 24 - MARGIN - STEP / 2 - number * STEP))
            rgb = np.array(lamps.rgb[3 * pixel : 3 * pixel + 3], np.float32)
            seen = 255 * (rgb / 255) ** (1 / GAMMA)
            if name:
                glow = np.zeros_like(face)
                cv2.circle(glow, at, 13, [float(value) for value in seen[::-1]], -1)
                face = np.maximum(face, cv2.GaussianBlur(glow, (0, 0), 5) * 0.8)
                cv2.circle(face, at, 11, [float(max(40, value)) for value in seen[::-1]], -1)
                label = SIGNS.get(name.split(":")[-1], name.split(":")[-1] if ":" in name else "")
                ink = (10, 10, 10) if seen.max() > 120 else (130, 130, 130)
                wide = cv2.getTextSize(label, cv2.FONT_HERSHEY_SIMPLEX, 0.3, 1)[0][0]
                cv2.putText(
                    face, label, (at[0] - wide // 2, at[1] + 4), cv2.FONT_HERSHEY_SIMPLEX, 0.3, ink, 1, cv2.LINE_AA
                )
            pixel += 1
    cv2.putText(face, title, (8, height - 10), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (230, 230, 230), 1, cv2.LINE_AA)
    return face.clip(0, 255).astype(np.uint8)


def moment(show: Show, at_ms: int, title: str) -> Image:
    """A show, so long after it came."""
    lamps = PanelLamps(WIRING.panel.pixels, WIRING.panel.limit_ma)
    lamps.take(draw(show, WIRING), 0)
    lamps.draw(at_ms)
    return board(lamps, WIRING.panel, title)


def played(game: str, players: int, *events: dict[str, object]) -> dict[str, object]:
    """The view after these events."""
    match = Match(game, players)
    for event in events:
        match.add(event)
    return match.view.to_dict()


def main() -> None:
    """Nine moments on one sheet."""
    deal = {"event": "deal", "dealer": 3, "turn_up": "3H"}
    cards = [{"event": "play", "seat": seat, "card": card} for seat, card in enumerate(("4C", "AC", "5C", "6C"))]
    wrong = {"event": "play", "seat": 1, "card": "9H"}
    markers = {"markers": [["8", "9", "JOKER"], ["10"]]}
    turn = played("turufu", 4, deal, cards[0])
    lost, foreign = (PanelLamps(WIRING.panel.pixels, WIRING.panel.limit_ma) for _ in range(2))
    lost.draw_host_lost(1000)
    foreign.draw_mismatch(0)
    sheet = [
        moment(Show({}), 0, "before a match"),
        moment(Show(turn), 1200, "turufu 4: player 2's turn"),
        moment(Show(played("turufu", 4, deal, *cards) | markers), 100, "trick won: flash; markers"),
        moment(Show(played("turufu", 4, deal, cards[0], wrong), alert="!"), 0, "alert: player 2"),
        moment(Show(turn | {"alert": {"notice": "revoke"}}), 0, "alert that names nobody"),
        moment(Show(turn, prompt=Prompt("?", ("7H", "7D"))), 300, "question: runs round"),
        moment(Show(played("mraha", 2) | {"turn": 1}), 1200, "mraha: North's turn"),
        board(lost, WIRING.panel, "host lost: walks the strip"),
        board(foreign, WIRING.panel, "another version"),
    ]
    rows = [np.hstack(sheet[at : at + 3]) for at in (0, 3, 6)]
    out = sys.argv[1] if len(sys.argv) > 1 else str(Path(__file__).with_name("panel.png"))
    cv2.imwrite(out, np.vstack(rows))


if __name__ == "__main__":
    main()
