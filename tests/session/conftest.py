"""The core over every kind of store, behind every front."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import pytest

from tests.kit.house import House
from tests.kit.redis_servers import RedisCluster, RedisServer, running_store, store_kinds
from tests.kit.rules_server import serving
from turntable_session.rules.remote import RemoteRules

SOURCES = ("services/rules", "services/session", "clients/bots")


@pytest.fixture(scope="session", autouse=True)
def sources_for_children() -> Iterator[None]:
    """Processes that tests start import the work tree, as the tests do."""
    root = Path(__file__).resolve().parents[2]
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(str(root / source) for source in SOURCES)
    yield
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@pytest.fixture(scope="session")
def store_of(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[str], RedisServer | RedisCluster]]:
    """A running store of a kind, started when it is first asked for and shared by all tests of this process."""
    running: dict[str, RedisServer | RedisCluster] = {}
    with ExitStack() as stack:

        def get(kind: str) -> RedisServer | RedisCluster:
            if kind not in running:
                directory = tmp_path_factory.mktemp(kind)
                running[kind] = stack.enter_context(running_store(kind, directory))
            return running[kind]

        yield get


@pytest.fixture(scope="session")
def rules_address() -> Iterator[str]:
    """A rules service, for cores that ask one."""
    with serving() as server:
        yield server.address


COMPOSITIONS = [f"{front}-{kind}" for kind in store_kinds() for front in ("core", "grpc")]
COMPOSITIONS += ["core_and_rules_service-embedded", "grpc_and_rules_service-embedded"]


@pytest.fixture(params=COMPOSITIONS)
async def house(
    request: pytest.FixtureRequest, store_of: Callable[[str], RedisServer | RedisCluster], tmp_path: Path
) -> AsyncIterator[House]:
    """A core on every kind of store, asked directly and through its service, with its own engine and another's."""
    front, kind = request.param.split("-")
    front, _, other_rules = front.partition("_")
    async with AsyncExitStack() as stack:
        rules = None
        if other_rules:
            rules = RemoteRules(request.getfixturevalue("rules_address"))
            stack.push_async_callback(rules.close)
            await rules.start()
        yield await stack.enter_async_context(House(store_of(kind).url, tmp_path, front=front, rules=rules))


@pytest.fixture
async def local(
    store_of: Callable[[str], RedisServer | RedisCluster], tmp_path: Path
) -> AsyncIterator[House]:
    """A core in this process, where neither the kind of store nor the front matters."""
    async with House(store_of("embedded").url, tmp_path) as opened:
        yield opened
