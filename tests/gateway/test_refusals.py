"""Every refusal is a problem with a code, whatever comes in; and nothing ever fails with a 500."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.kit.rest_table import RestTable, bearer
from turntable_gateway.problems import STATUS
from turntable_session.problems import CODES

pytestmark = pytest.mark.tree


def test_every_code_has_a_status() -> None:
    assert set(STATUS) == set(CODES)


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/v1/games", {}, 400, "malformed"),
        ("POST", "/v1/games", [], 400, "malformed"),
        ("POST", "/v1/games", {"edition": "usa", "seats": "two"}, 400, "malformed"),
        ("POST", "/v1/games", {"edition": "usa", "seats": 2, "colour": 1}, 400, "malformed"),
        ("POST", "/v1/games", {"edition": "atlantis", "seats": 2}, 400, "unknown_edition"),
        ("POST", "/v1/games", {"edition": "usa", "seats": 2, "options": {"x": 1}}, 400, "unknown_option"),
        ("POST", "/v1/games", {"edition": "usa", "seats": 2, "board": {}}, 400, "bad_board"),
        ("POST", "/v1/games", {"edition": "usa", "seats": 2, "seed": "xyz"}, 400, "malformed"),
        ("POST", "/v1/games", {"edition": "usa", "seats": 2, "seed": "ab"}, 400, "malformed"),
        ("POST", "/v1/games", {"edition": "usa", "seats": 2, "visibility": "dark"}, 400, "malformed"),
        ("POST", "/v1/games", {"edition": "usa", "seats": 2, "clock": {"type": "sand"}}, 400, "malformed"),
        ("POST", "/v1/games", {"edition": "usa", "seats": 2, "bots": {"0": "hal"}}, 400, "malformed"),
        ("GET", "/v1/games/nothing", None, 404, "not_found"),
        ("GET", "/v1/games/0000aaaaaaaaaaaaaaaaaaaaaaaa/record", None, 404, "not_found"),
        ("GET", "/v1/games?limit=0", None, 400, "malformed"),
        ("GET", "/v1/games?limit=many", None, 400, "malformed"),
        ("GET", "/v1/games?status=asleep", None, 400, "malformed"),
        ("GET", "/v1/games?cursor=%20", None, 400, "malformed"),
        ("GET", "/v1/editions/atlantis", None, 404, "not_found"),
        ("GET", "/nowhere", None, 404, "not_found"),
        ("PATCH", "/v1/games", {}, 404, "not_found"),
        ("GET", "/problems/unknown", None, 404, "not_found"),
        ("POST", "/v1/validations", {"edition": "usa"}, 400, "malformed"),
    ],
)
async def test_a_bad_request_gets_its_problem(
    client: httpx.AsyncClient, method: str, path: str, body: Any, status: int, code: str
) -> None:
    answer = await client.request(method, path, json=body)
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["status"]) == (status, code, status), problem
    assert problem["detail"] and problem["title"] and problem["type"] == f"/problems/{code}"


async def test_bodies_that_are_no_json_or_too_large_are_refused(client: httpx.AsyncClient) -> None:
    for body in (b"", b"{", b"\xff\xfe", b"[" * 10_000, b"nul"):
        answer = await client.post("/v1/games", content=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), body[:10]
    large = json.dumps({"edition": "usa", "seats": 2, "metadata": {"x": "y" * 600_000}})
    answer = await client.post("/v1/games", content=large)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


async def test_tokens_are_asked_for_and_told_apart(client: httpx.AsyncClient) -> None:
    table = await RestTable.open(client, "usa", 2)
    path = f"/v1/games/{table.id}"
    assert (await client.get(f"{path}/legal-moves")).status_code == 401
    assert (await client.get(f"{path}/legal-moves", headers=bearer("tts_wrong"))).status_code == 401
    assert (await client.get(f"{path}/legal-moves", headers={"Authorization": "Basic x"})).status_code == 401
    assert (await client.post(f"{path}/freeze", headers=bearer(table.tokens[0]))).status_code == 403
    frozen = await client.post(f"{path}/freeze", headers=bearer(table.host))
    assert frozen.status_code == 200
    refused = await table.play(0, {"version": frozen.json()["version"], "move": {"type": "draw_deck"}})
    assert (refused.status_code, refused.json()["code"]) == (409, "game_frozen")
    assert (await client.post(f"{path}/resume", headers=bearer(table.host))).status_code == 200
    both = await table.play(0, {"version": 3, "move": {"type": "draw_deck"}, "moveId": 1})
    assert (both.status_code, both.json()["code"]) == (400, "malformed")


async def test_an_illegal_move_names_its_clause(client: httpx.AsyncClient) -> None:
    table = await RestTable.open(client, "usa", 2)
    answer = await table.play(0, {"version": 3, "move": {"type": "keep_tickets", "tickets": []}})
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["reason"]) == (
        409,
        "illegal_move",
        "too_few_tickets",
    )
    assert problem["clause"].startswith("COMMON-")


async def test_operations_answer(client: httpx.AsyncClient) -> None:
    assert (await client.get("/health/live")).json() == {"status": "alive"}
    assert (await client.get("/health/ready")).json() == {"status": "ready"}
    page = (await client.get("/metrics")).text
    assert "turntable_gateway_request_seconds" in page and "turntable_session_commits_total" in page
    schema = (await client.get("/schema")).json()
    assert schema["openapi"].startswith("3.1") and "/v1/games/{game}/moves" in schema["paths"]
    for path in ("/", "/docs", "/problems/stale_version"):
        answer = await client.get(path)
        assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/html")
        assert "http://" not in answer.text.replace("http://127.0.0.1", "") and "https://" not in answer.text
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_positions_and_boards_are_judged_without_a_game(client: httpx.AsyncClient) -> None:
    from turntable_rules import format_position, new_game, ruleset

    state = new_game(ruleset("usa", 2), bytes(32))
    body = {"edition": "usa", "players": 2, "position": format_position(state), "seat": 0}
    verdict = (await client.post("/v1/validations", json={**body, "move": {"type": "draw_deck"}})).json()
    assert verdict["legal"] is False and verdict["clause"] == "COMMON-SETUP-10"
    bad = await client.post("/v1/boards/check", json={"name": "x"})
    assert bad.status_code == 200 and bad.json()["valid"] is False and bad.json()["faults"]
    edition = (await client.get("/v1/editions/europe")).json()
    assert len(edition["routes"]) == 101 and len(edition["tickets"]) == 46
