"""Errors of the engine as statuses of the service: one function, one vocabulary (ErrorReason)."""

import grpc
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2

from turntable_proto.game.v1 import error_pb2
from turntable_rules import BadPosition, BoardError, IllegalMove, OptionError, Refusal

DOMAIN = "rules.turntable"
# A status travels as trailing metadata, of which clients take 8 KiB by default; and a fault may quote what was sent.
MAX_TEXT = 500
"""Most bytes of one message or fault."""
MAX_FAULTS = 3500
"""Most bytes of all faults in one answer; what is broken everywhere need not be told to the end."""

_PREFIX = "ERROR_REASON_"
# Refusals that are problems of their own in the API; all others are illegal moves.
_OWN_REASON = {
    "not_your_turn": "NOT_YOUR_TURN",
    "wrong_phase": "WRONG_PHASE",
    "game_finished": "GAME_FINISHED",
    "malformed_move": "MALFORMED",
    "unknown_seat": "MALFORMED",
}


class ServiceError(Exception):
    """A call that fails for a reason the caller should know."""

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        message: str,
        metadata: dict[str, str] | None = None,
        faults: list[str] | None = None,
        refusal: Refusal | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = shortened(message)
        self.metadata = {key: shortened(value) for key, value in (metadata or {}).items()}
        self.faults = fitting(faults or [])
        self.refusal = refusal


def shortened(text: str) -> str:
    """The text, or as much of it as fits."""
    encoded = text.encode()
    return text if len(encoded) <= MAX_TEXT else encoded[:MAX_TEXT].decode(errors="ignore") + "…"


def fitting(faults: list[str]) -> list[str]:
    """As many faults as fit, and the number of the others."""
    listed: list[str] = []
    size = 0
    for fault in faults:
        fault = shortened(fault)
        size += len(fault.encode())
        if size > MAX_FAULTS:
            return [*listed, f"and {len(faults) - len(listed)} more"]
        listed.append(fault)
    return listed


def malformed(message: str, faults: list[str] | None = None) -> ServiceError:
    """A request that cannot be read."""
    return ServiceError(grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED", message, faults=faults)


def as_service_error(
    error: Exception, seat: int | None = None, phase: str | None = None
) -> ServiceError | None:
    """The service's error for one of the engine's, or None for an error nobody foresaw."""
    match error:
        case ServiceError():
            return error
        case IllegalMove(refusal=refusal):
            return _refused(refusal, seat, phase)
        case BadPosition(faults=faults):
            return malformed("the position is not sound", faults)
        case OptionError(faults=faults):
            reason = "UNKNOWN_EDITION" if faults[0].startswith("edition:") else "UNKNOWN_OPTION"
            return ServiceError(grpc.StatusCode.INVALID_ARGUMENT, reason, "; ".join(faults), faults=faults)
        case BoardError(faults=faults):
            listed = [str(fault) for fault in faults]
            return ServiceError(
                grpc.StatusCode.INVALID_ARGUMENT, "BAD_BOARD", "the board is not sound", faults=listed
            )
    return None


def _refused(refusal: Refusal, seat: int | None, phase: str | None) -> ServiceError:
    reason = _OWN_REASON.get(refusal.code, "ILLEGAL_MOVE")
    malformed_move = reason == "MALFORMED"
    code = grpc.StatusCode.INVALID_ARGUMENT if malformed_move else grpc.StatusCode.FAILED_PRECONDITION
    metadata = {"reason": refusal.code, "clause": refusal.clause}
    if refusal.allowed:
        metadata["allowed"] = refusal.allowed
    if seat is not None:
        metadata["seat"] = str(seat)
    if phase is not None:
        metadata["phase"] = phase
    return ServiceError(code, reason, str(refusal), metadata, refusal=refusal)


def to_status(error: ServiceError) -> status_pb2.Status:
    """The error as a `google.rpc.Status` with `ErrorInfo`, and `BadRequest` where faults are listed."""
    details = [
        _packed(error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=error.metadata))
    ]
    if error.faults:
        violations = [
            error_details_pb2.BadRequest.FieldViolation(description=fault) for fault in error.faults
        ]
        details.append(_packed(error_details_pb2.BadRequest(field_violations=violations)))
    return status_pb2.Status(code=error.code.value[0], message=error.message, details=details)


def _packed(message: error_details_pb2.ErrorInfo | error_details_pb2.BadRequest) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed


def to_failure(error: ServiceError) -> error_pb2.Failure:
    """The error as the answer to one item of a batch."""
    failure = error_pb2.Failure(
        code=error.code.value[0],
        reason=error_pb2.ErrorReason.Value(_PREFIX + error.reason),
        message=error.message,
        metadata=error.metadata,
        faults=error.faults,
    )
    if error.refusal is not None and error.reason != "MALFORMED":
        failure.refusal.CopyFrom(to_refusal(error.refusal))
    return failure


def to_refusal(refusal: Refusal) -> error_pb2.Refusal:
    """A refusal as a message."""
    return error_pb2.Refusal(
        code=refusal.code,
        clause=refusal.clause,
        message=shortened(refusal.message),
        allowed=shortened(refusal.allowed),
    )
