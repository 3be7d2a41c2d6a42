"""A game over REST, as a client sees it."""

from __future__ import annotations

from random import Random
from typing import Any

import httpx

Form = dict[str, Any]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


class RestTable:
    """A game, its tokens, and a client to ask with."""

    def __init__(self, client: httpx.AsyncClient, created: Form) -> None:
        self.client = client
        self.id: str = created["id"]
        self.host: str = created["hostToken"]
        self.tokens: dict[int, str] = {}

    @classmethod
    async def open(cls, client: httpx.AsyncClient, edition: str, seats: int, **facts: Any) -> RestTable:
        """A new game with a person in every seat that has no bot."""
        answer = await client.post("/v1/games", json={"edition": edition, "seats": seats, **facts})
        assert answer.status_code == 201, answer.text
        table = cls(client, answer.json())
        for seat in range(seats):
            if str(seat) not in facts.get("bots", {}):
                taken = await client.post(
                    f"/v1/games/{table.id}/seats", json={"name": f"person {seat}", "seat": seat}
                )
                assert taken.status_code == 201, taken.text
                table.tokens[seat] = taken.json()["token"]
        return table

    async def view(self, seat: int | None = None, **query: Any) -> Form:
        headers = {} if seat is None else bearer(self.tokens[seat])
        answer = await self.client.get(f"/v1/games/{self.id}", params=query, headers=headers)
        assert answer.status_code == 200, answer.text
        form: Form = answer.json()
        return form

    async def legal(self, seat: int) -> Form:
        answer = await self.client.get(f"/v1/games/{self.id}/legal-moves", headers=bearer(self.tokens[seat]))
        form: Form = answer.json()
        return form

    async def play(self, seat: int, body: Form, key: str = "") -> httpx.Response:
        headers = bearer(self.tokens[seat]) | ({"Idempotency-Key": key} if key else {})
        return await self.client.post(f"/v1/games/{self.id}/moves", json=body, headers=headers)

    async def play_random(self, random: Random) -> None:
        """People play random moves until the game is over, waiting for the bots between them."""
        view = await self.view()
        while view["status"] == "running":
            people = [seat for seat in view["activeSeats"] if seat in self.tokens]
            if not people:
                view = await self.view(after=view["version"], wait=10)
                continue
            legal = await self.legal(people[0])
            if not legal["moves"]:
                view = await self.view()
                continue
            chosen = random.choice(legal["moves"])
            answer = await self.play(people[0], {"version": legal["version"], "moveId": chosen["id"]})
            assert answer.status_code in (200, 409), answer.text
            view = answer.json()["view"] if answer.status_code == 200 else await self.view()
