"""A store of each kind, for tests that say what every store does: SQLite, and a PostgreSQL started for it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from device.hall.store import Store
from tests.device.hall.brokers import postgresql


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A real PostgreSQL; its address."""
    with postgresql() as (address, _):
        yield address


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
    store = Store(store_address)
    yield store
    store.close()
