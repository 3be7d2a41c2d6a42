"""Problems as statuses of failed calls and as failures inside answers, and back with all their facts."""

import re
from typing import Final

import grpc
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from turntable_proto.game.v1 import error_pb2
from turntable_session.problems import CODES, Problem
from turntable_session.vocabulary.to_proto import Init
from turntable_session.vocabulary.words import numbers_of, words_of

DOMAIN: Final = "session.turntable"
# A status travels as trailing metadata, of which clients take 8 KiB by default.
MAX_TEXT: Final = 500
"""Most bytes of one message or fault in a status; a failure inside an answer is told in full."""
MAX_FAULTS: Final = 3500

_Code = grpc.StatusCode
GRPC_CODES: Final[dict[str, grpc.StatusCode]] = {
    "malformed": _Code.INVALID_ARGUMENT,
    "unknown_edition": _Code.INVALID_ARGUMENT,
    "unknown_option": _Code.INVALID_ARGUMENT,
    "bad_board": _Code.INVALID_ARGUMENT,
    "unauthenticated": _Code.UNAUTHENTICATED,
    "forbidden": _Code.PERMISSION_DENIED,
    "not_found": _Code.NOT_FOUND,
    "stale_version": _Code.ABORTED,
    "not_your_turn": _Code.FAILED_PRECONDITION,
    "wrong_phase": _Code.FAILED_PRECONDITION,
    "illegal_move": _Code.FAILED_PRECONDITION,
    "seat_taken": _Code.ALREADY_EXISTS,
    "game_full": _Code.FAILED_PRECONDITION,
    "not_started": _Code.FAILED_PRECONDITION,
    "not_finished": _Code.FAILED_PRECONDITION,
    "game_frozen": _Code.FAILED_PRECONDITION,
    "game_finished": _Code.FAILED_PRECONDITION,
    "idempotency_mismatch": _Code.ALREADY_EXISTS,
    "too_large": _Code.RESOURCE_EXHAUSTED,
    "rate_limited": _Code.RESOURCE_EXHAUSTED,
    "unconfirmed": _Code.UNAVAILABLE,
    "unavailable": _Code.UNAVAILABLE,
}
"""The gRPC code of every problem."""

_REASONS: Final = error_pb2.ErrorReason.DESCRIPTOR
_REFUSED: Final = ("illegal_move", "not_your_turn", "wrong_phase", "game_finished")
_TEXTS: Final = ("clause", "reason", "phase", "allowed")
"""Facts that are texts even where they look like numbers."""
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]{0,18})")


def to_status(problem: Problem, code: grpc.StatusCode | None = None) -> status_pb2.Status:
    """A `google.rpc.Status` with `ErrorInfo`, and `BadRequest` where faults are listed."""
    facts = {key: shortened(value) for key, value in _metadata(problem).items()}
    info = error_details_pb2.ErrorInfo(reason=problem.code.upper(), domain=DOMAIN, metadata=facts)
    details = [_packed(info)]
    if problem.faults:
        violations = [{"description": fault} for fault in fitting(problem.faults)]
        details.append(_packed(error_details_pb2.BadRequest(field_violations=violations)))
    number = (code or GRPC_CODES[problem.code]).value[0]
    return status_pb2.Status(code=number, message=shortened(problem.detail), details=details)


def _packed(message: error_details_pb2.ErrorInfo | error_details_pb2.BadRequest) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed


def to_failure(problem: Problem, code: grpc.StatusCode | None = None) -> Init:
    """The problem as the answer to one call of many."""
    facts = problem.facts
    init: Init = {
        "code": (code or GRPC_CODES[problem.code]).value[0],
        "reason": numbers_of(_REASONS)[problem.code],
        "message": problem.detail,
        "metadata": _metadata(problem),
        "faults": problem.faults,
    }
    if problem.code in _REFUSED and "clause" in facts:
        init["refusal"] = {
            "code": str(facts.get("reason", "")),
            "clause": str(facts["clause"]),
            "message": problem.detail,
            "allowed": str(facts.get("allowed", "")),
        }
    return init


def from_failure(failure: error_pb2.Failure) -> Problem:
    """The problem inside an answer."""
    code = words_of(_REASONS).get(failure.reason) or "unavailable"
    return Problem(code, failure.message, list(failure.faults), **_facts(dict(failure.metadata)))


def from_error(error: grpc.aio.AioRpcError) -> Problem | None:
    """The problem of a failed call; None if the call itself went wrong on its way."""
    status = rpc_status.from_call(error)  # type: ignore[arg-type]
    if status is None:
        return None
    info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in status.details:
        if not detail.Unpack(info):
            detail.Unpack(bad)
    code = info.reason.lower()
    if info.domain != DOMAIN or code not in CODES:
        return None
    faults = [violation.description for violation in bad.field_violations]
    return Problem(code, status.message, faults, **_facts(dict(info.metadata)))


def _metadata(problem: Problem) -> dict[str, str]:
    return {_camel(key): str(value) for key, value in problem.facts.items()}


def _facts(metadata: dict[str, str]) -> dict[str, str | int]:
    facts: dict[str, str | int] = {}
    for key, value in metadata.items():
        name = re.sub(r"[A-Z]", lambda capital: f"_{capital[0].lower()}", key)
        facts[name] = int(value) if name not in _TEXTS and _NUMBER.fullmatch(value) else value
    return facts


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def shortened(text: str) -> str:
    """The text, or as much of it as fits into a status."""
    encoded = text.encode(errors="replace")
    return text if len(encoded) <= MAX_TEXT else encoded[:MAX_TEXT].decode(errors="ignore") + "…"


def fitting(faults: list[str]) -> list[str]:
    """As many faults as fit into a status, and the number of the others."""
    listed: list[str] = []
    size = 0
    for fault in faults:
        fault = shortened(fault)
        size += len(fault.encode(errors="replace"))
        if size > MAX_FAULTS:
            return [*listed, f"and {len(faults) - len(listed)} more"]
        listed.append(fault)
    return listed
