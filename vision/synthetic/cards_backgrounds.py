"""Table tops, clutter and hands, all drawn: wood, cloth, felt, wax cloth, printed paper, coins, phones, arms."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.decks import Image, draw_suit

Rng = np.random.Generator

_WORDS = [
    "HISABU",
    "Turufu",
    "1907",
    "K",
    "10",
    "Q",
    "a9",
    "J",
    "7",
    "le",
    "jeu",
    "de",
    "cartes",
    "AS",
    "Tour",
    "8",
    "6",
    "marche",
    "de",
    "Mamoudzou",
    "D",
    "R",
    "V",
    "3",
    "billing",
    "42",
    "B",
    "5",
]


def smooth_noise(rng: Rng, height: int, width: int, cells: tuple[int, int]) -> NDArray[np.float32]:
    """Noise in -1..1 that changes over about width/cells pixels."""
    small = rng.uniform(-1, 1, (max(2, cells[1]), max(2, cells[0]))).astype(np.float32)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)


def _colour(rng: Rng, kind: str) -> NDArray[np.float32]:
    if kind == "wood":
        hue, sat, val = rng.uniform(8, 20), rng.uniform(50, 190), rng.uniform(60, 235)
    elif kind == "pale":
        hue, sat, val = rng.uniform(0, 180), rng.uniform(0, 35), rng.uniform(170, 255)
    else:
        hue, sat, val = rng.uniform(0, 180), rng.uniform(0, 230), rng.uniform(25, 235)
    pixel = np.array([[[hue, sat, val]]], np.uint8)
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def _wood(rng: Rng, h: int, w: int) -> NDArray[np.float32]:
    along = int(rng.integers(2, 10))
    grain = 0.6 * smooth_noise(rng, h, w, (along, int(rng.integers(30, 160))))
    grain += 0.4 * smooth_noise(rng, h, w, (along * 3, int(rng.integers(100, 400))))
    rings = np.sin(6 * smooth_noise(rng, h, w, (3, 6)) * rng.uniform(0.5, 4) + grain * 3)
    depth = rng.uniform(0.05, 0.35)
    out = _colour(rng, "wood") * (1 + depth * (0.6 * grain + 0.4 * rings))[..., None]
    if rng.random() < 0.5:
        step = int(rng.integers(60, 300))
        for y in range(int(rng.integers(step)), h, step):
            out[y : y + 2] *= 0.55
            shift = rng.uniform(0.85, 1.15)
            out[y : y + step] *= shift
    return out.astype(np.float32)


def _cloth(rng: Rng, h: int, w: int) -> NDArray[np.float32]:
    a, b, c = _colour(rng, "any"), _colour(rng, "any"), _colour(rng, "pale")
    pitch = int(rng.integers(12, 120))
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    kind = rng.integers(4)
    if kind == 0:
        mix = ((x // pitch + y // pitch) % 2)[..., None]
    elif kind == 1:
        mix = (((x // pitch) % 2) * 0.5 + ((y // pitch) % 2) * 0.5)[..., None]
    elif kind == 2:
        mix = ((x // pitch) % 2)[..., None]
    else:
        mix = ((np.mod(x, pitch) - pitch / 2) ** 2 + (np.mod(y, pitch) - pitch / 2) ** 2 < (pitch / 4) ** 2)[..., None]
    mix = mix.astype(np.float32)
    out: NDArray[np.float32] = a * mix + (c if rng.random() < 0.5 else b) * (1 - mix)
    out += 6 * smooth_noise(rng, h, w, (w // 3, h // 3))[..., None]
    return out


def _speckle(rng: Rng, h: int, w: int) -> NDArray[np.float32]:
    out = np.ones((h, w, 3), np.float32) * _colour(rng, "any")
    for cells in (w // 3, w // 8, 12):
        out += rng.uniform(3, 40) * smooth_noise(rng, h, w, (cells, cells * h // w))[..., None]
    return out


def _plain(rng: Rng, h: int, w: int) -> NDArray[np.float32]:
    kind = "pale" if rng.random() < 0.4 else "any"
    out = np.ones((h, w, 3), np.float32) * _colour(rng, kind)
    return out * (1 + rng.uniform(0, 0.06) * smooth_noise(rng, h, w, (w // 4, h // 4)))[..., None]


def _wax_cloth(rng: Rng, h: int, w: int) -> NDArray[np.float32]:
    picture = np.ascontiguousarray(np.clip(_plain(rng, h, w), 0, 255).astype(np.uint8))
    for _ in range(int(rng.integers(30, 160))):
        ink = tuple(int(v) for v in _colour(rng, "any"))
        spot = (int(rng.integers(w)), int(rng.integers(h)))
        size = int(rng.integers(6, 60))
        kind = rng.integers(5)
        if kind == 0:
            draw_suit(picture, "HDSC"[rng.integers(4)], spot, size, ink)
        elif kind == 1:
            for k in range(6):
                angle = k * np.pi / 3
                petal = (round(spot[0] + size * 0.5 * np.cos(angle)), round(spot[1] + size * 0.5 * np.sin(angle)))
                cv2.circle(picture, petal, max(2, size // 3), ink, -1, cv2.LINE_AA)
        elif kind == 2:
            cv2.ellipse(picture, spot, (size, max(2, size // 3)), rng.uniform(0, 360), 0, 360, ink, -1, cv2.LINE_AA)
        elif kind == 3:
            cv2.circle(picture, spot, size, ink, int(rng.integers(1, 6)), cv2.LINE_AA)
        else:
            write_lines(rng, picture, (spot[0], spot[1], size * 6, size * 2), ink)
    return picture.astype(np.float32)


def write_lines(rng: Rng, picture: Image, box: tuple[int, int, int, int], ink: tuple[int, ...]) -> None:
    """Printed lines of big and small words in a box (x, y, width, height): what is not an index."""
    x, y, w, h = box
    size = rng.uniform(0.3, 1.6)
    font = int(rng.choice([0, 1, 2, 3, 4, 6]))
    pitch = int(26 * size) + 2
    for row in range(y + pitch, y + h, pitch):
        text = " ".join(_WORDS[i] for i in rng.integers(len(_WORDS), size=8))
        text = text[: max(1, int(w / (17 * size)))]
        cv2.putText(picture, text, (x, row), font, size, ink, max(1, int(size * rng.uniform(1, 3))), cv2.LINE_AA)


def table_top(rng: Rng, width: int, height: int) -> Image:
    """A table top of a kind drawn by chance, somewhat turned."""
    makers = (_wood, _wood, _cloth, _speckle, _plain, _plain, _wax_cloth)
    side = int(np.hypot(width, height)) + 2
    picture = makers[rng.integers(len(makers))](rng, side, side)
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.uniform(0, 360)), 1.0)
    turn[:, 2] -= ((side - width) / 2, (side - height) / 2)
    picture = cv2.warpAffine(np.clip(picture, 0, 255), turn, (width, height), borderMode=cv2.BORDER_REFLECT)
    return picture.astype(np.uint8)


def clutter_thing(rng: Rng, unit: float) -> Image:
    """Something that is no card, as BGRA of a few units (a unit is about the width of a card): coin, phone, paper."""
    kind = rng.integers(5)
    if kind == 0:
        d = max(8, int(unit * rng.uniform(0.3, 0.5)))
        thing = np.zeros((d, d, 4), np.uint8)
        ink = tuple(int(v) for v in _colour(rng, "wood"))
        cv2.circle(thing, (d // 2, d // 2), d // 2 - 1, (*ink, 255), -1, cv2.LINE_AA)
        cv2.circle(thing, (d // 2, d // 2), int(d * 0.4), (*(int(v * 0.7) for v in ink), 255), 1, cv2.LINE_AA)
        cv2.putText(
            thing,
            str(rng.choice(["1", "2", "5", "10", "20", "50"])),
            (d // 4, int(d * 0.65)),
            0,
            d / 55,
            (*(int(v * 0.5) for v in ink), 255),
            max(1, d // 25),
            cv2.LINE_AA,
        )
        return thing
    w, h = int(unit * rng.uniform(0.8, 2.2)), int(unit * rng.uniform(1.2, 3))
    thing = np.zeros((h, w, 4), np.uint8)
    thing[..., 3] = 255
    if kind == 1:
        thing[..., :3] = rng.integers(5, 50)
        for _ in range(int(rng.integers(0, 20))):
            x, y, d = int(rng.integers(w)), int(rng.integers(h)), max(2, int(unit * 0.15))
            cv2.rectangle(thing, (x, y), (x + d, y + d), (*map(int, _colour(rng, "any")), 255), -1)
    else:
        paper = _colour(rng, "pale" if kind < 4 else "any")
        thing[..., :3] = paper
        ink = (*map(int, _colour(rng, "any") * rng.choice([0.1, 1.0])), 255)
        write_lines(rng, thing, (int(w * 0.05), 0, int(w * 0.9), h), ink)
        if rng.random() < 0.6:
            x, y = int(rng.integers(w)), int(rng.integers(h))
            cv2.rectangle(thing, (x, y), (x + w // 2, y + h // 3), (*map(int, _colour(rng, "any")), 255), -1)
        for _ in range(int(rng.integers(0, 4))):
            spot = (float(rng.integers(w)), float(rng.integers(h)))
            draw_suit(thing, "HDSC"[rng.integers(4)], spot, unit * rng.uniform(0.1, 0.5), ink)
    return thing


def hand_mask(rng: Rng, width: int, height: int, unit: float) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A hand and forearm reaching in from outside: its mask, and its colour for every pixel."""
    mask = np.zeros((height, width), np.uint8)
    angle = rng.uniform(0, 2 * np.pi)
    tip = np.array([width, height]) * rng.uniform(0.1, 0.9, 2)
    towards = np.array([np.cos(angle), np.sin(angle)])
    palm = tip - towards * unit * 1.1
    far = palm - towards * (width + height)

    def limb(a: NDArray[np.float64], b: NDArray[np.float64], thick: float) -> None:
        cv2.line(mask, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), 255, max(1, int(thick)), cv2.LINE_AA)

    limb(far, palm, unit * 0.9)
    cv2.circle(mask, (int(palm[0]), int(palm[1])), max(1, int(unit * 0.5)), 255, -1, cv2.LINE_AA)
    across = np.array([-towards[1], towards[0]])
    for k in range(5):
        spread = (k - 2) * 0.25 + rng.uniform(-0.08, 0.08)
        direction = towards + across * spread * (1.8 if k in (0, 4) else 1)
        reach = unit * rng.uniform(0.6, 1.1)
        start = palm + across * unit * 0.22 * (k - 2)
        limb(start, start + direction * reach, unit * rng.uniform(0.2, 0.26))
    skin = np.array([rng.uniform(40, 160), rng.uniform(60, 185), rng.uniform(90, 235)], np.float32)
    skin.sort()
    edge = cv2.GaussianBlur(mask, (0, 0), max(1.0, unit * 0.1)).astype(np.float32) / 255
    return mask, skin * (0.45 + 0.6 * edge[..., None])
