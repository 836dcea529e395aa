"""Who may do what on a Mosquitto broker, as its ACL file has it: a table writes under its own name alone."""

from collections.abc import Sequence

from device.outputs.broker.messages import BUTTON, OF_THE_HALL, OF_THE_TABLE, topic


def acl(tables: Sequence[str], hall: str = "hall", home: str | None = None) -> str:
    """The file. Users are named as the tables; `hall` reads all and writes what is the hall's; `home`, if there is
    one, is Home Assistant, which reads all and may press buttons."""
    lines = ["# Who may do what. mosquitto.conf names this file as acl_file, and says allow_anonymous false."]
    for table in tables:
        lines += ["", f"user {table}"]
        lines += [f"topic write {topic(table, what)}" for what in OF_THE_TABLE if what != "status"]
        lines.append(f"topic readwrite {topic(table, 'status')}")  # It hears of another that has its name.
        lines += [f"topic read {topic(table, what)}" for what in (*OF_THE_HALL, BUTTON)]
        lines.append(f"topic write homeassistant/device/hisabu_{table}/config")
    lines += ["", f"user {hall}"]
    lines += [f"topic read {topic('+', what)}" for what in OF_THE_TABLE]
    lines += [f"topic write {topic('+', what)}" for what in OF_THE_HALL]
    if home:
        lines += ["", f"user {home}", "topic read homeassistant/#", "topic write homeassistant/status"]
        lines += [f"topic read {topic('+', what)}" for what in ("status", "view", "alert", "question")]
        lines.append(f"topic write {topic('+', BUTTON)}")
    return "\n".join(lines) + "\n"
