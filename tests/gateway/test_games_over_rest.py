"""Whole games over HTTP alone, by polling, by server-sent events and by WebSocket, people and bots mixed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import httpx
import pytest
import websockets

from tests.kit.gateway_process import GatewayProcess
from tests.kit.rest_table import RestTable, bearer
from turntable_rules import EDITIONS, verify_record

pytestmark = pytest.mark.tree


async def sse(client: httpx.AsyncClient, path: str, headers: dict[str, str]) -> AsyncIterator[dict[str, str]]:
    """The events of a stream until it ends."""
    async with client.stream("GET", path, headers=headers, timeout=60) as answer:
        assert answer.status_code == 200, await answer.aread()
        assert answer.headers["content-type"].startswith("text/event-stream")
        event: dict[str, str] = {}
        async for line in answer.aiter_lines():
            if line.startswith(":"):
                continue
            if line:
                name, _, value = line.partition(": ")
                event[name] = value
            elif event:
                yield event
                event = {}


@pytest.mark.parametrize("edition", EDITIONS)
async def test_people_and_bots_play_to_the_end_and_the_record_is_valid(
    client: httpx.AsyncClient, edition: str
) -> None:
    seats = EDITIONS[edition].max_players
    table = await RestTable.open(client, edition, seats, bots={"1": "greedy"})
    seen: list[dict[str, str]] = []

    async def watch() -> None:
        async for event in sse(client, f"/v1/games/{table.id}/events", bearer(table.tokens[0])):
            seen.append(event)

    watching = asyncio.create_task(watch())
    await table.play_random(Random(edition))
    await asyncio.wait_for(watching, 30)
    record = (await client.get(f"/v1/games/{table.id}/record")).json()
    verdict = verify_record(record)
    assert verdict.valid, verdict
    result = (await client.get(f"/v1/games/{table.id}/result")).json()
    assert result == record["result"] == (await table.view())["result"]
    assert seen[0]["event"] == "view" and seen[-1]["event"] == "end"
    versions = [int(event["id"]) for event in seen[:-1]]
    assert versions == list(range(versions[0], (await table.view())["version"] + 1))
    log = (await client.get(f"/v1/games/{table.id}/moves", params={"limit": 1000})).json()
    assert [update["version"] for update in log["items"]] == list(range(1, len(log["items"]) + 1))


async def test_a_stream_resumes_after_the_last_event_and_then_has_nothing_left(
    client: httpx.AsyncClient,
) -> None:
    table = await RestTable.open(client, "card", 2)
    await table.play_random(Random(2))
    last = (await table.view())["version"]
    path, token = f"/v1/games/{table.id}/events", bearer(table.tokens[1])
    resumed = [event async for event in sse(client, path, {**token, "Last-Event-ID": str(last - 5)})]
    assert [event.get("id") for event in resumed] == [str(last - 4 + n) for n in range(5)] + [None]
    answer = await client.get(path, headers={**token, "Last-Event-ID": str(last)})
    assert answer.status_code == 204
    assert (await client.get(path, headers={"Last-Event-ID": "x"})).status_code == 400


async def test_a_game_over_a_websocket(client: httpx.AsyncClient, gateway: GatewayProcess) -> None:
    table = await RestTable.open(client, "card", 2)
    random = Random(3)
    url = gateway.url.replace("http", "ws") + f"/v1/games/{table.id}/ws"
    async with websockets.connect(url) as one, websockets.connect(url) as two:
        sockets = [one, two]
        views: list[dict[str, Any]] = []
        for seat, socket in enumerate(sockets):
            await socket.send(json.dumps({"type": "hello", "token": table.tokens[seat]}))
            first = json.loads(await socket.recv())
            assert first["type"] == "view" and first["you"]["seat"] == seat
            views.append(first)
        await one.send(json.dumps({"type": "move", "ref": 7, "version": 99, "move": {"type": "draw_deck"}}))
        refused = json.loads(await one.recv())
        assert (refused["type"], refused["ref"], refused["code"]) == ("problem", 7, "stale_version")
        status, active = "running", views[0]["activeSeats"]
        while status == "running":
            seat = active[0]
            legal = await table.legal(seat)
            move = {key: value for key, value in random.choice(legal["moves"]).items() if key != "id"}
            sent = {"type": "move", "ref": "r", "version": legal["version"], "move": move}
            await sockets[seat].send(json.dumps(sent))
            while (answer := json.loads(await sockets[seat].recv()))["type"] != "result":
                assert answer["type"] in ("update", "end"), answer
            status, active = answer["view"]["status"], answer["view"]["activeSeats"]
    assert verify_record((await client.get(f"/v1/games/{table.id}/record")).json()).valid


async def test_a_websocket_without_a_hello_is_closed(
    gateway: GatewayProcess, client: httpx.AsyncClient
) -> None:
    table = await RestTable.open(client, "card", 2)
    url = gateway.url.replace("http", "ws") + f"/v1/games/{table.id}/ws"
    async with websockets.connect(url) as socket:
        await socket.send('{"type": "move"}')
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4401


async def test_a_retried_move_is_played_once_and_a_stale_one_says_the_current_version(
    client: httpx.AsyncClient,
) -> None:
    table = await RestTable.open(client, "usa", 2)
    legal = await table.legal(0)
    body = {"version": legal["version"], "moveId": legal["moves"][0]["id"]}
    first = await table.play(0, body, "once")
    again = await table.play(0, body, "once")
    assert first.status_code == again.status_code == 200
    assert {**again.json(), "view": 0} == {**first.json(), "view": 0}
    assert (await table.view())["version"] == legal["version"] + 1
    other = await table.play(0, {**body, "moveId": legal["moves"][1]["id"]}, "once")
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_mismatch")
    legal = await table.legal(1)
    await table.play(1, {"version": legal["version"], "moveId": legal["moves"][0]["id"]})
    view = await table.view()
    stale = await table.play(view["activeSeats"][0], {"version": 1, "move": {"type": "draw_deck"}})
    assert stale.status_code == 409
    assert stale.json()["code"] == "stale_version" and stale.json()["currentVersion"] == view["version"]


async def test_created_games_can_be_found_watched_and_waited_for(client: httpx.AsyncClient) -> None:
    table = await RestTable.open(client, "lyon", 2)
    games = (await client.get("/v1/games", params={"status": "running", "edition": "lyon"})).json()["items"]
    assert table.id in [game["id"] for game in games]
    answer = await client.get(f"/v1/games/{table.id}")
    tag = answer.headers["etag"]
    assert tag.endswith('-s"') and "Authorization" in answer.headers["vary"]
    same = await client.get(f"/v1/games/{table.id}", headers={"If-None-Match": tag})
    assert same.status_code == 304
    version = answer.json()["version"]
    waiting = asyncio.create_task(table.view(0, after=version, wait=20))
    await asyncio.sleep(0.1)
    legal = await table.legal(1)
    await table.play(1, {"version": legal["version"], "moveId": legal["moves"][0]["id"]})
    assert (await asyncio.wait_for(waiting, 10))["version"] == version + 1
