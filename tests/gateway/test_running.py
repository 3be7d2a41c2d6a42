"""Running the server: what it prints is true, what it keeps is kept, and it stops when it is told."""

from __future__ import annotations

import shlex
import socket
import subprocess
from pathlib import Path
from random import Random

import httpx
import pytest

from tests.kit.gateway_process import GatewayProcess
from tests.kit.rest_table import RestTable
from tools.rules_process import own_build
from tools.session_process import SessionProcess
from turntable_rules import verify_record

pytestmark = pytest.mark.tree

ROOT = Path(__file__).resolve().parents[2]


def test_the_lines_it_prints_work_as_printed(gateway: GatewayProcess) -> None:
    lines = [line.strip() for line in gateway.said if line.strip().startswith("curl ")]
    assert len(lines) == 3
    for line in lines:
        done = subprocess.run(
            [*shlex.split(line), "--fail-with-body", "--silent"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (line, done.stdout)


def test_the_readme_shows_the_same_lines(gateway: GatewayProcess) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for line in gateway.said:
        if line.strip().startswith("curl "):
            assert line.strip().replace(gateway.url, "http://127.0.0.1:8000") in readme


def test_games_are_kept_between_runs_and_an_interrupt_ends_it_cleanly(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with GatewayProcess(data) as server:
        created = httpx.post(f"{server.url}/v1/games", json={"edition": "europe", "seats": 2}).json()
        seat = httpx.post(f"{server.url}/v1/games/{created['id']}/seats", json={"name": "Ann"}).json()
        assert server.stop() == 0
    with GatewayProcess(data) as server:
        game = f"{server.url}/v1/games/{created['id']}"
        view = httpx.get(game, headers={"Authorization": f"Bearer {seat['token']}"}).json()
        assert (view["version"], view["you"]["seat"], view["players"][0]["name"]) == (2, 0, "Ann")
        started = httpx.post(
            f"{game}/start",
            json={"fill": "random"},
            headers={"Authorization": f"Bearer {created['hostToken']}"},
        )
        assert started.status_code == 200
    assert "Traceback" not in (tmp_path / "gateway.log").read_text()


async def test_a_gateway_before_a_session_service_plays_the_same_games(tmp_path: Path) -> None:
    """The edge holds no store: it asks a session service, which asks its own."""
    settings = {"data": str(tmp_path / "session"), "log_level": "error"}
    with (
        SessionProcess(own_build(), settings) as session,
        GatewayProcess(tmp_path / "data", turntable_gateway_session=f"grpc://{session.address}") as server,
    ):
        async with httpx.AsyncClient(base_url=server.url, timeout=30) as client:
            assert (await client.get("/health/ready")).status_code == 200
            table = await RestTable.open(client, "card", 2)
            await table.play_random(Random(5))
            assert verify_record((await client.get(f"/v1/games/{table.id}/record")).json()).valid
            session.stop()
            assert (await client.get("/health/ready")).status_code == 503
            refused = await client.get(f"/v1/games/{table.id}")
            assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(AssertionError, match="cannot listen on"):
            GatewayProcess(tmp_path / "data", turntable_gateway_port=taken.getsockname()[1]).__enter__()


def test_an_unknown_setting_is_told(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="TURNTABLE_GATEWAY_PROT is not a setting"):
        GatewayProcess(tmp_path / "data", turntable_gateway_prot=1).__enter__()
