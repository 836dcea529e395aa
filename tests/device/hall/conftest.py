"""A store of each kind, for tests that say what every store does: SQLite, and a PostgreSQL started for it."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.hall.store import Store
from tests.device.hall.brokers import free_port, missing


def _programs() -> Path | None:
    """Where Debian keeps PostgreSQL's own programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real PostgreSQL; its address. It refuses to run as root, so it runs as the user that Debian made for it."""
    programs = _programs()
    root = os.geteuid() == 0
    if programs is None or (root and shutil.which("runuser") is None):
        missing("PostgreSQL is not installed: apt install postgresql")
    assert programs is not None
    folder, port = Path("/tmp") / f"hisabu-postgres-{os.getpid()}", free_port()
    folder.mkdir()
    before = ["runuser", "-u", "postgres", "--"] if root else []
    if root:
        shutil.chown(folder, "postgres")

    def run(*command: str) -> None:
        subprocess.run([*before, *command], check=True, stdout=subprocess.DEVNULL, cwd="/")

    data = str(folder / "data")
    run(str(programs / "initdb"), "-D", data, "-A", "trust", "-U", "hisabu", "--no-sync")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    control = str(programs / "pg_ctl")
    run(control, "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgresql://hisabu@127.0.0.1:{port}/postgres"
    finally:
        run(control, "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgres"])
def store_address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a store may be, empty."""
    if request.param == "sqlite":
        yield str(tmp_path / "hall.db")
        return
    address = request.getfixturevalue("postgres")
    yield address
    import psycopg

    with psycopg.connect(address, autocommit=True) as db:
        for (name,) in db.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall():
            db.execute(f'DROP TABLE "{name}"')


@pytest.fixture
def store(store_address: str) -> Iterator[Store]:
    one = Store(store_address)
    yield one
    one.close()
