"""Records of finished games as messages. The JSON form says more: names, and the facts of single entries."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from turntable_proto.game.v1 import record_pb2
from turntable_rules import move_to_json, parse_move
from turntable_session.messages.times import time_to_proto
from turntable_session.vocabulary.moves import move_to_proto
from turntable_session.vocabulary.to_proto import Init, typed_options
from turntable_session.vocabulary.views import result_to_proto
from turntable_session.vocabulary.words import numbers_of

_KINDS: Final = record_pb2.LogEntryKind.DESCRIPTOR
_ACTORS: Final = record_pb2.Actor.DESCRIPTOR
_RESULT_KEYS: Final = {
    "longestPath": "longest_path",
    "borrowedRoutes": "loans",
    "cityBonuses": "city_bonuses",
}


def record_to_proto(record: Mapping[str, Any]) -> Init:
    """A record of the form `turntable-record/1`."""
    board = record.get("board")
    return {
        "format": record["format"],
        "engine_revision": record["engine"],
        "ruleset": {
            "edition": record["edition"],
            "player_count": record["players"],
            "options": typed_options(record["options"])[0],
            "board_json": "" if board is None else json.dumps(board),
        },
        "board_digest": record["boardDigest"],
        "seed": bytes.fromhex(record["seed"]),
        "seed_commitment": record["seedCommitment"],
        "entropies": [_entropy_to_proto(added) for added in record.get("entropies", ())],
        "log": [_entry_to_proto(entry) for entry in record["log"]],
        "result": _result_to_proto(record["result"]),
        "final_hash": record["finalHash"],
    }


def _entropy_to_proto(added: Mapping[str, Any]) -> Init:
    return {
        "seat": added["seat"],
        "entropy_hash": added["entropyHash"],
        "entropy": bytes.fromhex(added["entropy"]),
    }


def _entry_to_proto(entry: Mapping[str, Any]) -> Init:
    at = datetime.fromisoformat(entry["at"])
    init: Init = {
        "kind": numbers_of(_KINDS)[entry["kind"]],
        "seat": entry.get("seat"),
        "by": numbers_of(_ACTORS)[entry["by"]],
        "commit_time": time_to_proto(round(at.timestamp() * 1000)),
        "state_hash": entry.get("stateHash", ""),
    }
    move = entry.get("move")
    if move is not None:
        init["move"] = move_to_proto(move_to_json(parse_move(move)) if isinstance(move, str) else move)
    return init


def _result_to_proto(form: Mapping[str, Any]) -> Init:
    seats = [{_RESULT_KEYS.get(key, key): value for key, value in seat.items()} for seat in form["seats"]]
    return result_to_proto({**form, "seats": seats})
