"""A real Home Assistant without its pages, for test_homeassistant.py: run by a Python that has it.

    python home.py FOLDER PORT

It joins the broker at that port, does what the folder's configuration.yaml says, and answers each line on its input
with one: "states", "calls" (of light.turn_on and tts.speak), "said" (what it warned of), or "press" and a button.
"""

import asyncio
import json
import logging
import sys
from types import MappingProxyType
from typing import Any


class Said(logging.Handler):
    """What Home Assistant warns of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name}: {self.format(record)}")


async def home(folder: str) -> Any:
    """One that is ready for integrations, and has automations."""
    from homeassistant import bootstrap, config_entries, core, core_config, loader
    from homeassistant.config import async_hass_config_yaml
    from homeassistant.setup import async_setup_component

    hass = core.HomeAssistant(folder)
    loader.async_setup(hass)
    hass.config.skip_pip = True
    config = await async_hass_config_yaml(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, config)
    await loader.async_get_custom_components(hass)
    await bootstrap.async_load_base_functionality(hass)
    for domain in bootstrap.CORE_INTEGRATIONS:
        assert await async_setup_component(hass, domain, config), domain
    await core_config.async_process_ha_core_config(hass, {})
    assert await async_setup_component(hass, "automation", config)
    return hass


async def joined(hass: Any, port: int, said: Said) -> None:
    """With MQTT, as its own dialogue sets it up."""
    from homeassistant import config_entries
    from homeassistant.components.mqtt.config_flow import FlowHandler

    entry = config_entries.ConfigEntry(
        data={"broker": "127.0.0.1", "port": port, "discovery": True}, discovery_keys=MappingProxyType({}),
        domain="mqtt", minor_version=FlowHandler.MINOR_VERSION, options={}, source=config_entries.SOURCE_USER,
        subentries_data=None, title="Mosquitto", unique_id=None, version=FlowHandler.VERSION,
    )  # fmt: skip
    await hass.config_entries.async_add(entry)
    assert entry.state is config_entries.ConfigEntryState.LOADED, said.lines


async def run(folder: str, port: int) -> None:
    """Answers until its input ends."""
    said = Said()
    logging.getLogger().addHandler(said)
    hass = await home(folder)
    calls: list[dict[str, Any]] = []

    async def called(call: Any) -> None:
        calls.append({"service": f"{call.domain}.{call.service}", **call.data})

    hass.services.async_register("light", "turn_on", called)
    hass.services.async_register("tts", "speak", called)
    await hass.async_start()
    await joined(hass, port, said)
    while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
        asked, _, entity = line.partition(" ")
        if asked == "press":
            await hass.services.async_call("button", "press", {"entity_id": entity}, blocking=True)
        states = {state.entity_id: state.state for state in hass.states.async_all()}
        answers: dict[str, Any] = {"states": states, "calls": calls, "said": said.lines, "press": None}
        print(json.dumps(answers[asked]), flush=True)
    await hass.async_stop()


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], int(sys.argv[2])))
