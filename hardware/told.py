"""What the guide's words must say and must not: commands that fail, light that does not add up, dangers left unsaid,
consumables and tools that no list has. Each fault is a line that says what to change. No model is needed for these."""

import re
from collections.abc import Mapping, Sequence

from hardware import light, models, strength
from hardware.parts import Consumable, Tool, consumables, tools

CREEPS_FROM = 0.25
"""Of its strength: PETG under a steady load beyond this gives way slowly where it is hot. A rule of thumb."""
LUX_WITHIN = 1.3
"""A sentence may round so much, up or down."""

Pages = Mapping[str, str]
"""The guide's pages by name: "minimal", "minimal.fr" and so on."""


def command_faults(pages: Pages) -> list[str]:
    """Commands that do not work where the guide has them typed."""
    found = []
    for name, text in pages.items():
        for line in re.findall(r"rpicam-hello[^\n`]*", text):
            if "--list-cameras" not in line:
                found.append(f"{name}: {line!r} shows nothing through ssh, and the device holds the camera")
        if re.search(r"ssh +-X|\bpi@", text):
            found.append(f"{name}: there is no user pi, and no window comes through ssh")
        if re.search(r"from gpiozero import", text):
            found.append(f"{name}: gpiozero alone misses the header of a Pi 5 on kernels since 2026: hisabu pins")
    return found


def light_faults(pages: Pages) -> list[str]:
    """Sentences that promise more light on the table than a lamp gives."""
    found = []
    for name, text in pages.items():
        for sentence in re.split(r"(?<=[.!?]) |\n", text):
            lumen, lux = re.search(r"(\d[\d  ,.]*\d) ?(?:lumens?|lm)\b", sentence), re.search(r"(\d+) lux", sentence)
            metres = re.search(r"(\d+(?:[.,]\d+)?) (?:m|metres?|mètres?)\b", sentence)
            if not lumen or not lux:
                continue
            if not metres:
                found.append(f"{name}: {lumen[1]} lumen are {lux[1]} lux at no distance: {sentence[:60]!r}")
                continue
            gives = light.lux(float(re.sub(r"\D", "", lumen[1])), float(metres[1].replace(",", ".")))
            if not 1 / LUX_WITHIN <= float(lux[1]) / gives <= LUX_WITHIN:
                found.append(f"{name}: {lumen[1]} lumen at {metres[1]} m are {gives:.0f} lux, not {lux[1]}")
    return found


WARNED = (
    # where a page says the first, it must say the second too: why
    (r"DS3231", r"dtoverlay=i2c-rtc,ds3231", "a clock module does nothing without its overlay line"),
    (r"button cell|pile bouton", r"swallow|aval", "button cells kill children who swallow them"),
    (r"`Q1`", r"under the table top|sous le plateau|surge|parafoudre", "on the floor Q1 is out of the supply's reach"),
)
WORKED = (
    # where a step does the first, its page must say the second too
    (r"\bsolder |\bsoudez", r"fumes|fumées", "solder's fumes: an open window"),
    (r"\bsolder |\bsoudez", r"safety glasses|lunettes de protection", "solder spits: safety glasses"),
    (r"\b(drill|saw)\b|\b(percez|sciez)\b", r"safety glasses|lunettes de protection", "swarf flies: safety glasses"),
)


def danger_faults(pages: Pages) -> list[str]:
    """Things that are told without what makes them safe or work."""
    asked = [(name, text, text, WARNED) for name, text in pages.items()]
    asked += [(name, "\n".join(body for _, body in steps(text)), text, WORKED) for name, text in pages.items()]
    return [
        f"{name}: {why}"
        for name, where, page, rules in asked
        for said, wanted, why in rules
        if re.search(said, where, re.IGNORECASE) and not re.search(wanted, page, re.IGNORECASE)
    ]


def creep_faults(pages: Pages, share: float) -> list[str]:
    """Whether it is said that a printed clamp under load is to be tightened again."""
    if share <= CREEPS_FROM:
        return []
    return [
        f"{name}: the clamp bears {100 * share:.0f} % of its strength and creeps in heat: tighten again after a week"
        for name in ("standard", "standard.fr")
        if not re.search(r"after a week|au bout d’une semaine", pages[name])
    ]


def steps(text: str) -> list[tuple[str, str]]:
    """The numbered steps of a page: title and words."""
    parts = re.split(r"^## (\d+\. .*)$", text, flags=re.MULTILINE)
    return [
        (title, re.split(r"^## ", body, flags=re.MULTILINE)[0])
        for title, body in zip(parts[1::2], parts[2::2], strict=True)
    ]


TABLE = re.compile(r"<!-- table.*?<!-- end -->", re.DOTALL)
RIGHT = re.compile(r"^\*\*(?:It is right when|C’est bon quand)\*\* (.+?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
"""What a maker has when a step is right."""


def step_faults(pages: Pages, builds: Sequence[str]) -> list[str]:
    """Steps without a picture, or without what one has when they are right."""
    found = []
    for name in (*builds, *(f"{build}.fr" for build in builds)):
        mine = steps(pages[name])
        if not mine:
            found.append(f"{name}: no steps")
        for title, body in mine:
            if "![" not in body:
                found.append(f"{name}: step {title!r} has no picture")
            if not RIGHT.search(body):
                found.append(f"{name}: step {title!r} does not say what is there when it is right")
    return found


def inherited(pages: Pages, build: str) -> str:
    """What a builder of this build reads: the tournament build is the standard build and what differs."""
    return pages[build] + (pages["standard"] if build == "tournament" else "")


def list_faults(pages: Pages, builds: Sequence[str], used: Sequence[Consumable], lent: Sequence[Tool]) -> list[str]:
    """Consumables and tools that a step uses and no list has, or that are listed and used nowhere."""
    found = []
    for build in builds:
        page = TABLE.sub("", inherited(pages, build))
        text = "\n".join(body for _, body in steps(page))
        for thing in used:
            named, said = f"`{thing.ref}`" in text, re.search(rf"\b{thing.words}", text, re.IGNORECASE)
            if build in thing.amounts and not named:
                found.append(f"{build}: no step names {thing.ref}, {thing.what}")
            if build not in thing.amounts and (named or said):
                found.append(f"{build}: a step uses {thing.what}, which is not on its list")
        for tool in lent:
            said = re.search(rf"\b{tool.words}", page, re.IGNORECASE)
            same = any(build in other.builds and other.words == tool.words for other in lent)
            if build in tool.builds and not said:
                found.append(f"{build}: no step uses the {tool.what}")
            if said and not same:
                found.append(f"{build}: a step uses the {tool.what}, which is not on its list")
    return found


def faults(pages: Pages, builds: Sequence[str]) -> list[str]:
    """All of it."""
    share = strength.weakest_of_clamp(models.parameters()).share
    return [
        *command_faults(pages),
        *light_faults(pages),
        *danger_faults(pages),
        *creep_faults(pages, share),
        *step_faults(pages, builds),
        *list_faults(pages, builds, consumables(), tools()),
    ]
