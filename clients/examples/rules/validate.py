"""Ask a rules service whether moves are legal, play one, and read the reason of a refusal.

python validate.py [ADDRESS]    (turntable-proto, grpcio and grpcio-status have to be installed)
"""

from __future__ import annotations

import sys
from typing import Any

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from turntable_proto.rules.v1 import rules_service_pb2 as pb
from turntable_proto.rules.v1 import rules_service_pb2_grpc as pb_grpc


def error_info(error: Any) -> error_details_pb2.ErrorInfo:
    """The reason of a failed call, for programs: it never changes its meaning."""
    info = error_details_pb2.ErrorInfo()
    status = rpc_status.from_call(error)
    if status is None or not any(detail.Unpack(info) for detail in status.details):
        raise error
    return info


def main() -> None:
    """Deal a game, then try a move too early, the same move by force, and a legal one."""
    address = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051"
    with grpc.insecure_channel(address) as channel:
        rules = pb_grpc.RulesServiceStub(channel)
        dealt = rules.NewGame(
            pb.NewGameRequest(ruleset={"edition": "usa", "player_count": 2}, seed=bytes(32))
        )
        # The service keeps nothing: every request brings the position, here as the engine's compact bytes.
        ruleset, position = {"edition": "usa", "player_count": 2}, dealt.outcome.position
        seat = dealt.outcome.active_seats[0]

        early = {"text": "claim montreal_new_york 3blue"}
        question = pb.ValidateMoveRequest(ruleset=ruleset, position=position, seat=seat, move=early)
        refusal = rules.ValidateMove(question).refusal
        print(f"illegal: {refusal.code} ({refusal.clause}): {refusal.message}")

        try:
            rules.ApplyMove(pb.ApplyMoveRequest(ruleset=ruleset, position=position, seat=seat, move=early))
        except grpc.RpcError as error:
            info = error_info(error)
            print(f"refused: {info.reason}, clause {info.metadata['clause']}, phase {info.metadata['phase']}")

        legal = rules.ListLegalMoves(pb.ListLegalMovesRequest(ruleset=ruleset, position=position, seat=seat))
        move = {"move": legal.moves[-1].move}
        played = rules.ApplyMove(
            pb.ApplyMoveRequest(ruleset=ruleset, position=position, seat=seat, move=move)
        )
        events = ", ".join(str(event.WhichOneof("type")) for event in played.outcome.events)
        print(f"played: {len(legal.moves)} moves were legal; events: {events}")


if __name__ == "__main__":
    main()
