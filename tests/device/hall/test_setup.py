"""`hisabu hall setup`: a plan that a person may read, files that a real Mosquitto obeys, codes that a table takes."""

import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from device.cli import main
from device.following.menu import DIGITS, JOIN, Menu
from device.hall import setup
from device.hall.setup import Codes, Wanted, codes_of, plan_setup
from device.keeping.broker_code import FILE, TableCode, check, joined
from device.keeping.settings import Settings
from device.machine.install import InstallError, InstallTarget, Run, Write, carry_out
from device.outputs.broker.link import Address, Link
from tests.device.hall.brokers import ROOT, Mosquitto


@pytest.fixture
def machine(tmp_path: Path) -> InstallTarget:
    """As much of a Debian as is looked at."""
    tree = tmp_path / "tree"
    for name, text in {
        "etc/passwd": "root:x:0:0:::/bin/sh\nmosquitto:x:0:0::/:/bin/false\nhisabu-hall:x:0:0::/:/bin/false\n",
        "etc/group": "root:x:0:\n",
        "etc/mosquitto/mosquitto.conf": "persistence true\ninclude_dir /etc/mosquitto/conf.d\n",
        "usr/lib/hisabu/bin/hisabu": "",
        "var/lib/dpkg/info/mosquitto.list": "",
        "var/lib/dpkg/info/avahi-utils.list": "",
    }.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return InstallTarget(tree, running=True)


def set_up(target: InstallTarget, wanted: Wanted, ran: list[Sequence[str]] | None = None) -> Codes:
    codes = codes_of(target, wanted)
    calls = [] if ran is None else ran

    def run(words: Sequence[str]) -> int:
        calls.append(words)
        return 0

    carry_out(plan_setup(target, wanted, ROOT, codes), target, lambda line: None, dry=False, run=run)
    return codes


def test_every_step_is_shown_and_none_is_done(machine: InstallTarget, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(machine.root.rglob("*"))
    assert main(["hall", "setup", "--dry-run", "--root", str(machine.root), "--tables", "3", "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert sorted(machine.root.rglob("*")) == before
    assert "systemctl enable mosquitto hisabu-hall" in said and "allow_anonymous false" in said
    subprocess.run(["sh", "-n"], input=said, text=True, check=True)


@pytest.mark.parametrize(
    ("language", "said"), [("en", "tables are numbered from 1"), ("fr", "les tables sont numérotées de 1")]
)
def test_a_hall_without_tables_is_refused(
    machine: InstallTarget, capsys: pytest.CaptureFixture[str], language: str, said: str
) -> None:
    command = ["hall", "setup", "--dry-run", "--root", str(machine.root), "--tables", "0", "--lang", language]
    assert main(command) == 2
    assert said in capsys.readouterr().err


def test_what_is_made_is_for_its_users_alone(machine: InstallTarget) -> None:
    ran: list[Sequence[str]] = []
    codes = set_up(machine, Wanted(tables=3), ran)
    assert [code.table for code in codes.tables] == ["table-1", "table-2", "table-3"]
    for path in (setup.CODES, setup.PASSWORD, setup.PASSWORDS, setup.RIGHTS):
        assert machine.at(path).stat().st_mode & 0o077 == 0, path
    hashes = machine.at(setup.PASSWORDS).read_text()
    assert not any(secret in hashes for secret in codes.passwords.values())
    assert ran[-2:] == [("systemctl", "restart", "mosquitto"), ("systemctl", "restart", "hisabu-hall")]
    assert f"ExecStart={setup.PACKAGED}/bin/hisabu hall" in machine.at(setup.UNIT).read_text()


def test_a_second_time_codes_stay_and_more_tables_get_theirs(machine: InstallTarget) -> None:
    first = set_up(machine, Wanted(tables=2))
    again = set_up(machine, Wanted())
    assert again == first
    more = set_up(machine, Wanted(tables=4, home=True))
    assert more.tables[:2] == first.tables and len(more.tables) == 4 and more.home and more.hall == first.hall
    renewed = set_up(machine, Wanted(renewed=(2,)))
    assert renewed.tables[0] == first.tables[0] and renewed.tables[1] != first.tables[1]
    assert renewed.home == more.home
    with pytest.raises(InstallError):
        codes_of(machine, Wanted(renewed=(9,)))


@pytest.mark.parametrize("file", ["etc/mosquitto/conf.d/mine.conf", "etc/mosquitto/mosquitto.conf"])
def test_a_broker_that_somebody_set_up_otherwise_is_left_to_him(machine: InstallTarget, file: str) -> None:
    (machine.root / file).parent.mkdir(parents=True, exist_ok=True)
    (machine.root / file).write_text("listener 1883\nallow_anonymous true\n")
    with pytest.raises(InstallError, match=rf"hall_other_broker.*/{file}"):
        set_up(machine, Wanted())
    assert not machine.at(setup.CODES).exists()


def test_from_a_checkout_the_program_is_copied_and_installed(machine: InstallTarget) -> None:
    (machine.root / "usr/lib/hisabu/bin/hisabu").unlink()
    (machine.root / "usr/lib/hisabu/bin").rmdir()
    (machine.root / "usr/lib/hisabu").rmdir()
    steps = list(plan_setup(machine, Wanted(), ROOT, codes_of(machine, Wanted())))
    pip = [step.words for step in steps if isinstance(step, Run) and "pip" in step.words]
    assert len(pip) == 1 and pip[0][-1] == "/opt/hisabu-hall[hall]"
    unit = next(step.text for step in steps if isinstance(step, Write) and step.path == setup.UNIT)
    assert "ExecStart=/opt/hisabu-hall/.venv/bin/hisabu hall" in unit


def test_a_code_with_a_wrong_digit_is_no_code() -> None:
    code = TableCode(7, "48291352")
    assert TableCode.read(code.text) == code and TableCode.read(code.text.replace(" ", "-")) == code
    plain = code.text.replace(" ", "")
    for at, digit in enumerate(plain):
        for other in set("0123456789") - {digit}:
            with pytest.raises(ValueError, match="broker_code"):
                TableCode.read(plain[:at] + other + plain[at + 1 :])
    for text in ("", "1", plain[:-1], "00123456784", plain + "0", "x" * 11):
        with pytest.raises(ValueError):
            TableCode.read(text)
    assert check("7992739871") == "3"
    assert TableCode.read(TableCode(123, "00000001").text).table == "table-123"


# -- a table takes its code --------------------------------------------------------------------------------------------


def pressed(menu: Menu, line: str) -> Menu:
    """Goes to the line that begins so, and chooses it."""
    for _ in menu.page.lines:
        if not menu.page.lines[menu.page.chosen or 0].startswith(line):
            menu = menu.press("A").menu or menu
    assert menu.page.lines[menu.page.chosen or 0].startswith(line), menu.page.lines
    step = menu.press("C")
    assert step.menu is not None
    return step.menu


def test_three_buttons_type_a_code() -> None:
    code = TableCode(7, "48291352")
    menu = Menu.open(Settings(language="en"), {}).told(["mqtt://hall.local"], away=False)
    menu = pressed(pressed(menu, "Broker"), "Code of the hall")
    for digit in code.text.replace(" ", ""):
        menu = pressed(menu, digit)
    assert menu.page.lines[0] == code.text.replace(" ", "") and menu.page.lines[-1] == "Done"
    for _ in DIGITS:
        menu = menu.press("A").menu or menu
    step = menu.press("C")
    assert (step.action, step.code) == (JOIN, code.text.replace(" ", ""))
    assert step.settings.broker == "mqtt://hall.local", "the one that was found"
    assert step.menu is not None and step.menu.page.title == "Wrong code", "unless the table says otherwise"


def test_b_takes_the_last_digit_back_and_then_leaves() -> None:
    menu = Menu.open(Settings(language="en", broker="mqtt://hall.local"), {})
    menu = pressed(pressed(pressed(menu, "Broker"), "Code of the hall"), "4")
    assert menu.page.lines[0] == "4" and "Done" not in menu.page.lines
    menu = menu.press("B").menu or menu
    assert menu.page.lines[0] == "–"
    menu = menu.press("B").menu or menu
    assert menu.page.title == "Broker"


def test_the_password_is_kept_in_a_file_that_only_the_device_reads(tmp_path: Path) -> None:
    code = TableCode(7, "48291352")
    first = joined(Settings(broker="mqtt://hall.local"), code.text, tmp_path)
    assert (first.table, first.broker_user, first.broker_on) == ("table-7", "table-7", True)
    file = Path(first.broker_password)
    assert file.read_text().strip() == code.secret and file.stat().st_mode & 0o077 == 0
    second = joined(first, TableCode(7, "00000000").text, tmp_path)
    assert second != first, "another password of the same table is another setting, so that it is tried"
    assert [path.name for path in tmp_path.glob(f"{FILE}*")] == [Path(second.broker_password).name]
    with pytest.raises(ValueError):
        joined(second, "123", tmp_path)


# -- a real broker -----------------------------------------------------------------------------------------------------


def linked(address: Address, topic: str, got: list[bytes]) -> Link:
    """A client that is in, or was told why it is not."""

    def heard(name: str, payload: bytes, retained: bool) -> bool:
        got.append(payload)
        return True

    link = Link(address, f"client-{address.user}", heard, [topic])
    link.open()
    assert settled(lambda: link.there or link.why is not None)
    return link


def settled(done: Callable[[], bool]) -> bool:
    until_s = time.monotonic() + 10.0
    while not done() and time.monotonic() < until_s:
        time.sleep(0.02)
    return done()


def test_a_real_broker_lets_in_who_has_the_code_and_nobody_else(machine: InstallTarget, tmp_path: Path) -> None:
    codes = set_up(machine, Wanted(tables=2))
    made = machine.at(setup.CONFIGURATION).read_text().splitlines()
    lines = [line for line in made if not line.startswith(("#", "listener"))]
    folder = str(machine.at(setup.RIGHTS).parent)
    real = Mosquitto(tmp_path, [line.replace("/etc/mosquitto", folder) for line in lines]).start()

    def table(code: str, number: int) -> Address:
        settings = joined(Settings(broker=f"mqtt://127.0.0.1:{real.port}"), code, tmp_path / f"table-{number}")
        return Address.of(settings.broker, settings.broker_user, settings.broker_password)

    links = []
    try:
        got: list[bytes] = []
        hall_password = tmp_path / "hall-password"
        hall_password.write_text(codes.hall)
        at_the_hall = Address("127.0.0.1", real.port, user="hall", password_file=str(hall_password))
        links.append(linked(at_the_hall, "hisabu/+/view", got))
        links.append(linked(table(codes.tables[0].text, 1), "hisabu/table-1/have", []))
        assert all(link.there for link in links)
        guessed = TableCode(1, f"{(int(codes.tables[0].secret) + 1) % 10**8:08}")
        for stranger in (table(guessed.text, 2), Address("127.0.0.1", real.port)):
            refused = linked(stranger, "hisabu/table-1/have", [])
            assert not refused.there and "refuses us" in str(refused.why)
            refused.close()
        links[1].send("hisabu/table-2/view", b"a stranger's")
        links[1].send("hisabu/table-1/view", b"its own")
        assert settled(lambda: bool(got))
        time.sleep(0.2)
        assert got == [b"its own"]
    finally:
        for link in links:
            link.close()
        real.kill()
