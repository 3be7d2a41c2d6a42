"""What needs no game: editions, checks of boards, and verdicts on positions."""

from typing import Any

import msgspec
from litestar import get, post

from turntable_gateway.bodies import Validation
from turntable_rules import (
    EDITIONS,
    BadPosition,
    BoardError,
    IllegalMove,
    OptionError,
    check_move,
    load_position,
    move_from_json,
    parse_board,
    parse_move,
    ruleset,
)
from turntable_session.forms.boards import board_facts
from turntable_session.problems import Problem, malformed

Form = dict[str, Any]
MAX_BOARD_BYTES = 256 * 1024


def edition_form(name: str) -> Form:
    """An edition in a list."""
    edition = EDITIONS[name]
    return {
        "id": edition.id,
        "name": edition.name,
        "minPlayers": edition.min_players,
        "maxPlayers": edition.max_players,
        "wagons": edition.wagons,
        "stations": edition.stations,
        "hasBoard": not edition.yards,
    }


@get("/v1/editions", summary="The six editions", tags=["reference"], cache=False)
async def editions() -> Form:
    """In short."""
    return {"items": [edition_form(name) for name in EDITIONS]}


@get("/v1/editions/{edition:str}", summary="One edition with its board and options", tags=["reference"])
async def edition_of(edition: str) -> Form:
    """Board, tickets, parameters, options with their defaults, and where the data come from."""
    if edition not in EDITIONS:
        raise Problem("not_found", f"there is no edition {edition[:40]!r}; there are: {', '.join(EDITIONS)}")
    facts = EDITIONS[edition]
    rules = ruleset(edition, facts.min_players)
    board = rules.board
    form = edition_form(edition) | board_facts(rules) | {"options": rules.options.to_json(facts)}
    form["boardDigest"] = rules.digest
    if board is not None:
        form |= {"width": board.width, "height": board.height, "reconstructed": board.reconstructed}
        form["places"] = [
            {"id": place.id, "name": place.name, "x": place.x, "y": place.y, "country": place.country}
            for place in board.places
        ]
    return form


@post("/v1/boards/check", summary="Check a fan's board", status_code=200, tags=["reference"])
async def check_board(data: dict[str, Any]) -> Form:
    """All faults, or the board's digest and statistics."""
    text = msgspec.json.encode(data)
    if len(text) > MAX_BOARD_BYTES:
        raise Problem("too_large", f"a board has at most {MAX_BOARD_BYTES} bytes")
    try:
        board = parse_board(text.decode())
    except BoardError as error:
        faults = [
            {"code": fault.code, "path": fault.path, "message": fault.message, "clause": fault.clause}
            for fault in error.faults
        ]
        return {"valid": False, "faults": faults}
    statistics = {
        "places": len(board.places),
        "routes": len(board.routes),
        "tickets": len(board.tickets),
        "spaces": sum(route.length for route in board.routes),
    }
    return {"valid": True, "faults": [], "digest": board.digest, "statistics": statistics}


@post("/v1/validations", summary="Is a move legal in a position?", status_code=200, tags=["reference"])
async def validate(data: Validation) -> Form:
    """Stateless: legal, or why not and what would be allowed."""
    try:
        board = None if data.board is None else parse_board(msgspec.json.encode(data.board).decode())
        rules = ruleset(data.edition, data.players, data.options, board)
        state = load_position(data.position, board)
        move = parse_move(data.move) if isinstance(data.move, str) else move_from_json(data.move)
    except OptionError as error:
        code = "unknown_edition" if error.faults[0].startswith("edition:") else "unknown_option"
        raise Problem(code, "; ".join(error.faults), list(error.faults)) from error
    except BoardError as error:
        raise Problem(
            "bad_board", "the board is not sound", [str(fault) for fault in error.faults]
        ) from error
    except BadPosition as error:
        raise Problem("malformed", "the position is not sound", list(error.faults)) from error
    except IllegalMove as error:
        refusal = error.refusal
        return {"legal": False, "code": refusal.code, "clause": refusal.clause, "message": refusal.message}
    if state.rules.fingerprint != rules.fingerprint:
        raise malformed("the position belongs to another edition, number of players, options or board")
    refusal_found = check_move(state, data.seat, move)
    if refusal_found is None:
        return {"legal": True}
    return {
        "legal": False,
        "code": refusal_found.code,
        "clause": refusal_found.clause,
        "message": refusal_found.message,
        "allowed": refusal_found.allowed or None,
    }
