"""Refusals as `application/problem+json`: one function from every error to its answer."""

import logging
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.status_codes import HTTP_500_INTERNAL_SERVER_ERROR

from turntable_session.problems import Problem

LOGGER = logging.getLogger("turntable.gateway")

STATUS: Final = {
    "malformed": 400,
    "unknown_edition": 400,
    "unknown_option": 400,
    "bad_board": 400,
    "unauthenticated": 401,
    "forbidden": 403,
    "not_found": 404,
    "stale_version": 409,
    "not_your_turn": 409,
    "wrong_phase": 409,
    "illegal_move": 409,
    "seat_taken": 409,
    "game_full": 409,
    "not_started": 409,
    "not_finished": 409,
    "game_frozen": 409,
    "game_finished": 409,
    "idempotency_mismatch": 409,
    "too_large": 413,
    "rate_limited": 429,
    "unconfirmed": 503,
    "unavailable": 503,
}
TITLES: Final = {code: code.replace("_", " ").capitalize() for code in STATUS}
_FACTS: Final = {"current_version": "currentVersion"}


def problem_form(problem: Problem) -> dict[str, Any]:
    """The body of a refusal (RFC 9457)."""
    form: dict[str, Any] = {
        "type": f"/problems/{problem.code}",
        "title": TITLES[problem.code],
        "status": STATUS[problem.code],
        "detail": problem.detail,
        "code": problem.code,
    }
    form |= {_FACTS.get(name, name): value for name, value in problem.facts.items()}
    if problem.faults:
        form["faults"] = problem.faults
    return form


def problem_response(problem: Problem) -> Response[dict[str, Any]]:
    """The answer to a refused request."""
    headers = {"WWW-Authenticate": "Bearer"} if problem.code == "unauthenticated" else {}
    if problem.code in ("unavailable", "unconfirmed"):
        headers["Retry-After"] = "1"
    form = problem_form(problem)
    return Response(form, status_code=form["status"], headers=headers, media_type="application/problem+json")


def refuse(_: Request[Any, Any, Any], problem: Problem) -> Response[dict[str, Any]]:
    """Litestar's handler for our own refusals."""
    return problem_response(problem)


def refuse_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[dict[str, Any]]:
    """Litestar's own errors in our vocabulary: a body it cannot read, a path or method that is none."""
    if error.status_code in (404, 405):
        return problem_response(Problem("not_found", "there is nothing here by that name and method"))
    if error.status_code == 413:
        return problem_response(Problem("too_large", "the body is too large"))
    if error.status_code >= HTTP_500_INTERNAL_SERVER_ERROR:
        return fail(request, error)
    faults = [
        f"{fault.get('key', 'body')}: {fault.get('message', '')}" if isinstance(fault, dict) else str(fault)
        for fault in (error.extra if isinstance(error.extra, list) else [])
    ]
    return problem_response(Problem("malformed", "; ".join(faults) or error.detail, faults))


def refuse_nested(_: Request[Any, Any, Any], __: RecursionError) -> Response[dict[str, Any]]:
    """A body that is nested deeper than anything we know."""
    return problem_response(Problem("malformed", "the body is nested too deeply"))


def fail(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """An error that nobody foresaw: logged, and told without details."""
    if isinstance(error.__cause__ or error.__context__, RecursionError):
        return refuse_nested(request, RecursionError())
    LOGGER.error("a request failed", exc_info=error, extra={"route": request.scope.get("path_template", "")})
    form = problem_form(Problem("unavailable", "the server failed; the fault is logged"))
    form["status"] = HTTP_500_INTERNAL_SERVER_ERROR
    return Response(form, status_code=form["status"], media_type="application/problem+json")
