"""What a rules service refuses, in the words of the engine in process."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from turntable_proto.game.v1 import error_pb2
from turntable_rules import Refusal
from turntable_session.problems import Problem
from turntable_session.rules.in_process import refused
from turntable_session.vocabulary.words import words_of

DOMAIN: Final = "rules.turntable"
_REASONS: Final = error_pb2.ErrorReason.DESCRIPTOR


class Fault(NamedTuple):
    """Why a rules service has not done what it was asked."""

    reason: str
    """Such as `illegal_move` or `unknown_option`."""
    message: str
    facts: Mapping[str, str]
    faults: list[str]

    def as_problem(self, seat: int = -1, phase: str = "") -> Problem:
        """The problem that the engine in process would raise, if the rules refuse; else the service is to blame."""
        if "clause" not in self.facts:
            return unavailable("the rules service does not understand us")
        code, clause, allowed = self.facts["reason"], self.facts["clause"], self.facts.get("allowed", "")
        ending = str(Refusal(code, clause, "", allowed))
        return refused(Refusal(code, clause, self.message.removesuffix(ending), allowed), seat, phase)


def fault_of_failure(failure: error_pb2.Failure) -> Fault:
    """The fault of one item among many."""
    reason = words_of(_REASONS).get(failure.reason) or ""
    return Fault(reason, failure.message, dict(failure.metadata), list(failure.faults))


def fault_of_error(error: grpc.aio.AioRpcError) -> Fault:
    """The fault of a failed call; raises Problem if nobody has answered it."""
    status = rpc_status.from_call(error)  # type: ignore[arg-type]
    info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in () if status is None else status.details:
        if not detail.Unpack(info):
            detail.Unpack(bad)
    if status is None or info.domain != DOMAIN:
        raise unavailable("the rules service does not answer") from error
    faults = [violation.description for violation in bad.field_violations]
    return Fault(info.reason.lower(), status.message, dict(info.metadata), faults)


def unavailable(detail: str) -> Problem:
    """No rules, no game."""
    return Problem("unavailable", detail)
