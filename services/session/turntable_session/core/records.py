"""Records of finished games: everything that is needed to replay and check them."""

import json
from datetime import UTC, datetime
from typing import Any, Final

from turntable_rules import RECORD_FORMAT, move_to_json, parse_move
from turntable_session.domain.entries import Entry
from turntable_session.domain.game import Commit, Game, result_of
from turntable_session.domain.rules import Rules
from turntable_session.domain.seeds import commitment, seed_of_deal
from turntable_session.forms.results import result_form

_RECORDED: Final = frozenset({"move", "retire", "takeover", "return", "freeze", "resume", "adjudicate"})


def format_time(at: int) -> str:
    """Milliseconds since 1970 as RFC 3339."""
    time = datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")
    return time.replace("+00:00", "Z")


async def record_of(game: Game, commits: list[Commit], rules: Rules) -> dict[str, Any]:
    """The record of a finished game from all its commits. Equal logs give equal records."""
    sheet = game.sheet
    assert game.position is not None
    view = await rules.view(game.position, None)
    result = result_of(await rules.result(game.position), sheet.verdict)
    entries = [commit.entry for commit in commits if commit.entry.kind in _RECORDED]
    record: dict[str, Any] = {
        "format": RECORD_FORMAT,
        "id": sheet.id,
        "engine": sheet.engine,
        "edition": sheet.settings.edition,
        "options": view["options"],
        "players": sheet.settings.seats,
        "names": [seat.name for seat in sheet.seats],
        "boardDigest": game.table.board_digest,
        "seed": sheet.seed.hex(),
        "seedCommitment": commitment(sheet.seed),
        "seedGiven": sheet.seed_given,
    }
    if sheet.settings.board:
        record["board"] = json.loads(sheet.settings.board)
    promised = [(number, seat) for number, seat in enumerate(sheet.seats) if seat.entropy_hash]
    if promised:
        record["entropies"] = [
            {"seat": number, "entropyHash": seat.entropy_hash, "entropy": seat.entropy.hex()}
            for number, seat in promised
        ]
    record["log"] = [_logged(entry) for entry in entries]
    record["result"] = result_form(result)
    hashes = [entry.hash for entry in entries if entry.hash]
    record["finalHash"] = hashes[-1].hex() if hashes else await _dealt_hash(game, rules)
    return record


def _logged(entry: Entry) -> dict[str, Any]:
    logged: dict[str, Any] = {"kind": entry.kind, "by": entry.by, "at": format_time(entry.at)}
    if entry.seat >= 0:
        logged["seat"] = entry.seat
    if entry.kind == "move":
        logged["move"] = move_to_json(parse_move(entry.move))
    if entry.kind == "takeover":
        logged["bot"] = entry.facts["bot"]
    if entry.kind == "adjudicate":
        logged["winners"] = entry.facts["winners"]
    if entry.hash:
        logged["stateHash"] = entry.hash.hex()
    return logged


async def _dealt_hash(game: Game, rules: Rules) -> str:
    """The hash of a game that was decided before anybody moved."""
    outcome = await rules.deal(game.table, seed_of_deal(game.sheet.seed, game.sheet.seats))
    return outcome.hash.hex()


def engine_result(form: dict[str, Any]) -> dict[str, Any]:
    """The engine's result of a recorded one."""
    names = {"longestPath": "longest_path", "borrowedRoutes": "loans", "cityBonuses": "city_bonuses"}
    seats = [{names.get(key, key): value for key, value in seat.items()} for seat in form["seats"]]
    return {"seats": seats, "winners": form["winners"], "ending": form["ending"]}
