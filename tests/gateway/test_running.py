"""Running the server: what it prints is true, what it keeps is kept, and it stops when it is told."""

from __future__ import annotations

import shlex
import socket
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.kit.gateway_process import GatewayProcess

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


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(AssertionError, match="cannot listen on"):
            GatewayProcess(tmp_path / "data", turntable_gateway_port=taken.getsockname()[1]).__enter__()


def test_an_unknown_setting_is_told(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="TURNTABLE_GATEWAY_PROT is not a setting"):
        GatewayProcess(tmp_path / "data", turntable_gateway_prot=1).__enter__()
