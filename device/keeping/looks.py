"""Looks at a card table in their written form: a line of JSON each, so that they can be gone through again later."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.sightings import CardLying, Glance, Hand, TableLook

PLACES = 4
"""Decimals kept of a place or an angle: finer than any eye sees."""
SURE_PLACES = 6
"""Of how sure a card is."""
TIME_PLACES = 3


def look_to_dict(look: TableLook) -> dict[str, Any]:
    """A look as JSON can hold it; what is as it mostly is, is left out."""
    told: dict[str, Any] = {"at_s": round(look.at_s, TIME_PLACES), "cards": _cards(look.cards)}
    if look.hands:
        told["hands"] = _hands(look.hands)
    if look.packets:
        told["packets"] = [_rounded(at) for at in look.packets]
    if look.changed:
        told["changed"] = [_rounded(spot) for spot in look.changed]
    told["card_length"] = round(look.card_length, PLACES)
    if not look.fresh:
        told["fresh"] = False
    if look.hidden:
        told["hidden"] = list(look.hidden)
    if look.behind_a_hand:
        told["behind_a_hand"] = True
    if look.glances:
        told["glances"] = [
            {"at_s": round(one.at_s, TIME_PLACES), "cards": _cards(one.cards), "hands": _hands(one.hands)}
            for one in look.glances
        ]
    return told


def look_from_dict(told: Mapping[str, Any]) -> TableLook:
    """The look that was written so. KeyError, TypeError, ValueError: it is none."""
    return TableLook(
        at_s=float(told["at_s"]),
        cards=_read_cards(told["cards"]),
        hands=_read_hands(told.get("hands", ())),
        packets=tuple((float(x), float(y)) for x, y in told.get("packets", ())),
        changed=tuple((float(x), float(y), float(r)) for x, y, r in told.get("changed", ())),
        card_length=float(told["card_length"]),
        fresh=bool(told.get("fresh", True)),
        hidden=tuple(told.get("hidden", ())),
        behind_a_hand=bool(told.get("behind_a_hand", False)),
        glances=tuple(
            Glance(float(one["at_s"]), _read_cards(one["cards"]), _read_hands(one["hands"]))
            for one in told.get("glances", ())
        ),
    )


def _rounded(numbers: Sequence[float]) -> list[float]:
    return [round(one, PLACES) for one in numbers]


def _cards(cards: Sequence[CardLying]) -> list[dict[str, Any]]:
    told = []
    for one in cards:
        about: dict[str, Any] = {"card": one.card, "at": _rounded(one.at)}
        if one.card is not None:
            about["confidence"] = round(one.confidence, SURE_PLACES)
        if one.candidates:
            about["candidates"] = list(one.candidates)
        if one.likely:
            about["likely"] = _rounded(one.likely)
        if not one.outlined:
            about["outlined"] = False
        told.append(about)
    return told


def _read_cards(told: Sequence[Mapping[str, Any]]) -> tuple[CardLying, ...]:
    return tuple(
        CardLying(
            one["card"],
            float(one.get("confidence", 0.0)),
            (float(one["at"][0]), float(one["at"][1])),
            tuple(one.get("candidates", ())),
            bool(one.get("outlined", True)),
            tuple(float(part) for part in one.get("likely", ())),
        )
        for one in told
    )


def _hands(hands: Sequence[Hand]) -> list[dict[str, Any]]:
    return [
        {
            "angle_deg": round(one.angle_deg, PLACES),
            "reach": _rounded(one.reach),
            "came_s": round(one.came_s, TIME_PLACES),
            "left_s": round(one.left_s, TIME_PLACES),
        }
        for one in hands
    ]


def _read_hands(told: Sequence[Mapping[str, Any]]) -> tuple[Hand, ...]:
    return tuple(
        Hand(
            float(one["angle_deg"]),
            (float(one["reach"][0]), float(one["reach"][1])),
            float(one["came_s"]),
            float(one["left_s"]),
        )
        for one in told
    )
