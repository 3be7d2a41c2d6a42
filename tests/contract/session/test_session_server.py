"""The session server itself: settings, health, metrics, logs, and the life of its process."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from prometheus_client import CollectorRegistry

import turntable_rules
import turntable_session
from tests.contract.session.fake_sessions import ANY_PORT, FakeSessions, connected, game, ready, serving
from turntable_session.client.remote import RemoteSessions
from turntable_session.core.port import Caller
from turntable_session.domain.settings import GameSettings
from turntable_session.logs import start_logging
from turntable_session.messages.failures import GRPC_CODES
from turntable_session.problems import CODES, Problem
from turntable_session.server.app import SessionServer, StartError
from turntable_session.server.callers import Peer, address_of, parse_networks
from turntable_session.server.service import SERVICE
from turntable_session.server.settings import Settings, SettingsError, read_settings

pytestmark = pytest.mark.tree

PATHS = [
    str(Path(package.__file__ or "").resolve().parents[1]) for package in (turntable_rules, turntable_session)
]


def test_settings_come_from_the_environment() -> None:
    given = {
        "TURNTABLE_SESSION_PORT": "0",
        "TURNTABLE_SESSION_GRACE_SECONDS": "1.5",
        "TURNTABLE_SESSION_REFLECTION": "no",
        "TURNTABLE_SESSION_STORE": "embedded",
        "TURNTABLE_SESSION": "grpc://elsewhere:1",
        "HOME": "/root",
    }
    found = read_settings(given, frozenset({"store"}))
    assert found == Settings(port=0, grace_seconds=1.5, reflection=False)


def test_settings_that_belong_to_nobody_or_make_no_sense_are_all_named() -> None:
    given = {
        "TURNTABLE_SESSION_PROT": "1",
        "TURNTABLE_SESSION_PORT": "many",
        "TURNTABLE_SESSION_REFLECTION": "perhaps",
        "TURNTABLE_SESSION_LOG_LEVEL": "loud",
        "TURNTABLE_SESSION_MAX_IN_FLIGHT": "0",
        "TURNTABLE_SESSION_TRUSTED_PEERS": "everybody",
        "TURNTABLE_SESSION_TLS_KEY": "/no/such/file",
    }
    with pytest.raises(SettingsError) as caught:
        read_settings(given, frozenset({"store"}))
    assert all(variable in str(caught.value) for variable in given)
    assert "TURNTABLE_SESSION_STORE" in str(caught.value), "what there is instead"


def test_every_problem_has_its_grpc_code() -> None:
    assert tuple(GRPC_CODES) == CODES


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:203.0.113.9:4711", "203.0.113.9"),
        ("ipv6:%5B2001:db8::1%5D:4711", "2001:db8::1"),
        ("ipv6:[::1]:4711", "::1"),
        ("unix:/run/session.sock", "unix"),
        ("unix:", "unix"),
        ("", ""),
    ],
)
def test_addresses_are_read_from_grpcs_names_of_peers(peer: str, address: str) -> None:
    assert address_of(peer) == address


def test_only_trusted_peers_speak_for_others() -> None:
    networks = parse_networks("10.0.0.0/8, ::1/128")
    for peer, believed in (("ipv4:10.1.2.3:1", True), ("ipv6:[::1]:1", True), ("ipv4:11.0.0.1:1", False)):
        caller = Peer(peer, networks).caller("Bearer t", "192.0.2.1")
        assert caller == Caller("t", "192.0.2.1" if believed else address_of(peer))
    assert Peer("unix:", ()).is_trusted and not Peer("", networks).is_trusted
    assert Peer("ipv4:10.1.2.3:1", networks).caller("", "") == Caller("", "10.1.2.3")


async def health(server: SessionServer, service: str = SERVICE.full_name) -> int:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        return int((await stub.Check(health_pb2.HealthCheckRequest(service=service))).status)


SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING


async def test_health_says_what_the_core_says() -> None:
    wrong: list[str | Exception] = []

    async def truth() -> str | None:
        if wrong and isinstance(wrong[0], Exception):
            raise wrong[0]
        return str(wrong[0]) if wrong else None

    server = SessionServer(ANY_PORT, FakeSessions(), truth, CollectorRegistry())
    server.health._every = 0.01
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        watch = stub.Watch(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == SERVING
        for reason in ("the store does not answer", KeyError("something")):
            wrong[:] = [reason]
            assert (await watch.read()).status == NOT_SERVING
            assert await health(server) == NOT_SERVING
            wrong.clear()
            assert (await watch.read()).status == SERVING
        with pytest.raises(grpc.aio.AioRpcError):
            await health(server, "no such service")
        await server.stop()
        assert (await watch.read()).status == NOT_SERVING
        assert await watch.read() is grpc.aio.EOF


async def test_a_server_on_a_taken_port_says_so() -> None:
    async with serving(FakeSessions(), metrics_port=0) as server:
        for taken in (Settings(port=server.port), Settings(port=0, metrics_port=server.metrics_port)):
            with pytest.raises(StartError, match="cannot listen"):
                await SessionServer(taken, FakeSessions(), ready, CollectorRegistry()).start()


async def test_metrics_tell_of_calls_without_telling_who_made_them() -> None:
    sessions = FakeSessions()

    def answer(name: str, *_: Any) -> Any:
        if name == "get_game":
            return game("g")
        raise Problem("illegal_move", "no", clause="COMMON-1", reason="route_taken")

    sessions.answer = answer
    async with serving(sessions, metrics_port=0) as server, connected(server) as remote:
        await remote.get_game(Caller("tts_secret", "203.0.113.9"), "0001secretgame")
        with pytest.raises(Problem):
            await remote.resign(Caller("tts_secret"), "0001secretgame")
        page = await asyncio.to_thread(_page, server.metrics_port)
    for wanted in (
        'turntable_session_grpc_requests_total{method="GetGame",reason="OK"} 1.0',
        'turntable_session_grpc_requests_total{method="Resign",reason="ILLEGAL_MOVE"} 1.0',
        'turntable_session_grpc_request_seconds_bucket{le="+Inf",method="GetGame"} 1.0',
        "turntable_session_grpc_exchanges 1.0",
        'turntable_session_grpc_exchange_calls_bucket{le="1.0"} 2.0',
    ):
        assert wanted in page, wanted
    assert "secret" not in page and "203.0.113.9" not in page


def _page(port: int) -> str:
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as answer:
        return str(answer.read().decode())


async def test_an_error_nobody_foresaw_is_logged_by_type_and_place_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = logging.getLogger("turntable")
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "propagate", False)
    start_logging("debug")
    sessions = FakeSessions()

    def broken(*_: Any) -> Any:
        raise KeyError("the seed is 1234")

    async def broken_watch(*_: Any) -> AsyncIterator[Any]:
        raise KeyError("the seed is 1234")
        yield

    async with serving(sessions) as server, connected(server) as remote:
        for answer, asked in (
            (broken, lambda: remote.get_game(Caller("tts_secret"), "g")),
            (broken_watch, lambda: anext(remote.watch(Caller("tts_secret"), "g"))),
        ):
            sessions.answer = answer
            with pytest.raises(Problem) as caught:
                await asked()
            assert caught.value.code == "unavailable"
            assert "1234" not in f"{caught.value} {caught.value.facts}"
    log = capsys.readouterr().err
    assert log.count('"error": "KeyError"') == 2 and "test_session_server.py:" in log
    assert "1234" not in log and "secret" not in log


def environment(tmp_path: Path, **settings: object) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TURNTABLE_")}
    given = {f"TURNTABLE_SESSION_{name.upper()}": str(value) for name, value in settings.items()}
    path = os.pathsep.join(filter(None, (kept.get("PYTHONPATH"), *PATHS)))
    return {
        **kept,
        "PYTHONPATH": path,
        "PYTHONDONTWRITEBYTECODE": "1",
        "TURNTABLE_SESSION_PORT": "0",
        "TURNTABLE_SESSION_DATA": str(tmp_path / "data"),
        **given,
    }


COMMAND = (sys.executable, "-m", "turntable_session.server")


async def test_the_process_serves_games_until_it_is_told_to_stop(tmp_path: Path) -> None:
    """On an embedded store; a second life finds the games of the first."""
    facts, token = None, ""
    for life in range(2):
        with (tmp_path / f"log{life}").open("w") as log:
            process = subprocess.Popen(
                COMMAND, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert process.stdout is not None
        try:
            line = await asyncio.to_thread(process.stdout.readline)
            assert " listens on " in line, (tmp_path / f"log{life}").read_text()
            remote = _client(line.split(" listens on ")[1].strip())
            if facts is None:
                created = await remote.create_game(Caller(), GameSettings("usa", 2), key="one")
                facts, token = created.view.game, created.host_token
            assert await remote.get_game(Caller(token), facts.id) == facts
            await remote.close()
            process.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(process.wait, 30) == 0
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
        assert '"serving"' in (tmp_path / f"log{life}").read_text()
        assert token not in (tmp_path / f"log{life}").read_text()


def _client(address: str) -> RemoteSessions:
    return RemoteSessions(f"grpc://{address}", seconds=30)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"prot": 1}, "TURNTABLE_SESSION_PROT is not a setting"),
        ({"durability": "always"}, "DURABILITY"),
        ({"store": "redis://127.0.0.1:1/0", "secret": "x" * 32, "store_patience": 0.2}, "turntable-session:"),
    ],
    ids=["unknown", "impossible", "no store"],
)
def test_a_process_that_cannot_start_says_why(
    tmp_path: Path, settings: dict[str, object], words: str
) -> None:
    done = subprocess.run(
        COMMAND,
        env=environment(tmp_path, **settings),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1 and done.stdout == ""
    assert words in done.stderr and "Traceback" not in done.stderr
