"""Home Assistant finds a table by itself: one message says what there is to show and to press (device discovery)."""

from collections.abc import Mapping
from typing import Any

from device.outputs.broker.messages import BUTTON, topic

PREFIX = "homeassistant"


def discovery_topic(table: str) -> str:
    """Where Home Assistant looks."""
    return f"{PREFIX}/device/hisabu_{table}/config"


def discovery(table: str, name: str, sides: int, version: str, buttons: bool) -> dict[str, Any]:
    """What Home Assistant is told of a table. sides: how many score. buttons: undo and answers may be pressed."""
    view = topic(table, "view")
    parts: dict[str, dict[str, Any]] = {
        f"score_{side}": _sensor(f"Score {side + 1}", "mdi:counter", view, f"{{{{ value_json.scores[{side}] }}}}")
        for side in range(sides)
    }
    parts["trump"] = _sensor("Trump", "mdi:cards-playing", view, "{{ value_json.trump_name or 'none' }}")
    parts["turn"] = _sensor("Turn", "mdi:account-arrow-right", view, "{{ value_json.turn_name or 'none' }}")
    parts["last_trick"] = _sensor("Last trick", "mdi:cards", view, "{{ value_json.last_trick_name or 'none' }}")
    parts["question"] = _sensor(
        "Question", "mdi:help", view, "{{ value_json.prompt.text if value_json.prompt else 'none' }}"
    )
    parts["alert"] = {
        "platform": "event",
        "name": "Alert",
        "icon": "mdi:alert",
        "state_topic": topic(table, "alert"),
        "event_types": ["alert"],
    }
    if buttons:
        for press, label in (("undo", "Take back"), ("A", "Answer A"), ("B", "Answer B"), ("C", "Answer C")):
            parts[f"button_{press.lower()}"] = {
                "platform": "button",
                "name": label,
                "command_topic": topic(table, BUTTON),
                "payload_press": press,
            }
    for key, part in parts.items():
        part["unique_id"] = f"hisabu_{table}_{key}"
        part["object_id"] = f"hisabu_{table}_{key}"
    return {
        "device": {"identifiers": [f"hisabu_{table}"], "name": name, "manufacturer": "Hisabu", "sw_version": version},
        "origin": {"name": "Hisabu", "sw_version": version},
        "availability_topic": topic(table, "status"),
        "availability_template": "{{ 'online' if value_json.online else 'offline' }}",
        "qos": 1,
        "components": parts,
    }


def _sensor(name: str, icon: str, state_topic: str, template: str) -> dict[str, Any]:
    return {"platform": "sensor", "name": name, "icon": icon, "state_topic": state_topic, "value_template": template}


def alert_event(sentence: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """An alert as Home Assistant's event entities take it, and as everybody else may read it."""
    return {"event_type": "alert", "sentence": sentence, **{k: v for k, v in facts.items() if k != "event_type"}}
