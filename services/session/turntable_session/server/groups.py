"""Legal moves with claims and stations once per route or city, and all the payments for it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from turntable_proto.game.v1 import cards_pb2
from turntable_session.vocabulary.moves import legal_move_to_proto
from turntable_session.vocabulary.to_proto import Init, preparing

_SUBJECTS: Final = {"claim": "route", "build_station": "city"}
_payment: Final = preparing(cards_pb2.Payment.DESCRIPTOR)


def grouped_moves(moves: Sequence[Mapping[str, Any]]) -> Init:
    """Moves and groups of a response, in the order in which they were listed."""
    single: list[Init] = []
    groups: dict[tuple[str, str], Init] = {}
    for move in moves:
        kind = move["type"]
        if kind not in _SUBJECTS:
            single.append(legal_move_to_proto(move))
            continue
        subject = move[_SUBJECTS[kind]]
        group = groups.setdefault((kind, subject), {kind: subject, "payments": []})
        group["payments"].append({"action_id": move["id"], "payment": _payment(move["payment"])})
    return {"moves": single, "groups": list(groups.values())}
