"""The enumerations and oneofs name exactly what the engine and the documents name."""

from __future__ import annotations

import dataclasses
from typing import get_args

from tests.proto.shapes import words_of
from turntable_proto.game.v1 import (
    board_fault_pb2,
    board_pb2,
    card_set_pb2,
    cards_pb2,
    edition_pb2,
    error_pb2,
    move_pb2,
    options_pb2,
    position_pb2,
    record_pb2,
    result_pb2,
    statistics_pb2,
)
from turntable_proto.session.v1 import game_pb2, seat_pb2, session_service_pb2
from turntable_rules import EDITIONS, Board, CardSet, Edition, Fault, Refusal
from turntable_rules.engine import board, moves, statistics
from turntable_rules.engine.cards import CARD_NAMES
from turntable_rules.engine.options import option_names
from turntable_rules.engine.state import ENDING_NAMES, PHASE_NAMES

# The problem codes of the REST contract with their HTTP status.
PROBLEMS = {
    400: "malformed unknown_edition unknown_option bad_board",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    409: "stale_version not_your_turn wrong_phase illegal_move seat_taken game_full not_started not_finished "
    "game_frozen game_finished idempotency_mismatch",
    413: "too_large",
    429: "rate_limited",
    503: "unconfirmed unavailable",
}
MOVES = (
    "keep_tickets draw_deck draw_row claim draw_tickets build_station tunnel_pay tunnel_abandon stop_drawing "
    "play_same play_three pass"
)


def snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def fields_of(kind: type) -> set[str]:
    return {field.name for field in dataclasses.fields(kind)}


def test_cards_are_numbered_one_above_the_engine() -> None:
    assert words_of(cards_pb2.Card.DESCRIPTOR) == list(CARD_NAMES)
    assert [value.number for value in cards_pb2.Card.DESCRIPTOR.values] == list(range(10))


def test_phases_are_the_engines() -> None:
    assert words_of(position_pb2.Phase.DESCRIPTOR) == list(PHASE_NAMES)


def test_endings_are_the_engines_and_adjudication() -> None:
    assert words_of(result_pb2.Ending.DESCRIPTOR) == [*ENDING_NAMES[1:], "adjudicated"]


def test_the_twelve_moves_are_there_under_their_names() -> None:
    fields = move_pb2.Move.DESCRIPTOR.oneofs_by_name["move"].fields
    # In JSON the names have no capitals only where they are one word; compare them in one spelling.
    assert [snake(field.json_name) for field in fields] == MOVES.split()
    assert {field.message_type.name.removesuffix("Turn") for field in fields if field.message_type} == {
        kind.__name__ for kind in get_args(moves.Move)
    }


def test_every_move_has_the_fields_of_the_engines() -> None:
    kinds = {kind.__name__: kind for kind in get_args(moves.Move)}
    for field in move_pb2.Move.DESCRIPTOR.fields:
        assert field.message_type is not None
        engine = kinds[field.message_type.name.removesuffix("Turn")]
        assert set(field.message_type.fields_by_name) == fields_of(engine), field.name
    assert set(cards_pb2.Payment.DESCRIPTOR.fields_by_name) == fields_of(moves.Payment)


def test_every_option_of_every_edition_is_there() -> None:
    known = {name for edition in EDITIONS.values() for name in option_names(edition)}
    assert set(options_pb2.GameOptions.DESCRIPTOR.fields_by_name) == known
    assert words_of(options_pb2.LongestPathRule.DESCRIPTOR) == ["trail", "no_fork"]
    assert words_of(options_pb2.SecondCardRule.DESCRIPTOR) == ["may", "must"]


def test_an_edition_tells_all_its_facts() -> None:
    facts = fields_of(Edition) - {"name", "data"} | {"display_name"}
    described = {"default_options", "option_names", "board", "card_set", "provenance_note"}
    assert set(edition_pb2.Edition.DESCRIPTOR.fields_by_name) == facts | described


def test_boards_and_card_sets_tell_all_their_facts() -> None:
    for message, kind in (
        (board_pb2.Board, Board),
        (board_pb2.Place, board.Place),
        (board_pb2.Country, board.Country),
        (board_pb2.Route, board.Route),
        (board_pb2.Ticket, board.Ticket),
        (board_pb2.TicketTarget, board.Target),
        (card_set_pb2.CardSet, CardSet),
        (card_set_pb2.City, board.City),
        (card_set_pb2.Destination, board.Destination),
        (card_set_pb2.BigCity, board.BigCity),
    ):
        renamed = {"name": "display_name", "long": "is_long", "to": "place"}
        facts = {renamed.get(name, name) for name in fields_of(kind)}
        assert set(message.DESCRIPTOR.fields_by_name) == facts, kind
    assert words_of(board_pb2.RouteKind.DESCRIPTOR) == ["rail", "ferry", "tunnel"]


def test_refusals_and_faults_keep_their_codes_as_text() -> None:
    assert set(error_pb2.Refusal.DESCRIPTOR.fields_by_name) == fields_of(Refusal)
    assert set(board_fault_pb2.BoardFault.DESCRIPTOR.fields_by_name) == fields_of(Fault) | {"clause"}


def test_statistics_are_complete() -> None:
    seat = fields_of(statistics.SeatStatistics) | {"mean_route_length"}
    assert set(statistics_pb2.SeatStatistics.DESCRIPTOR.fields_by_name) == seat
    game = fields_of(statistics.GameStatistics)
    assert set(statistics_pb2.GameStatistics.DESCRIPTOR.fields_by_name) == game


def test_every_problem_code_is_a_reason() -> None:
    codes = [code for line in PROBLEMS.values() for code in line.split()]
    assert words_of(error_pb2.ErrorReason.DESCRIPTOR) == codes


def test_log_entries_say_what_happened_and_through_whom() -> None:
    kinds = "move retire takeover return freeze resume adjudicate"
    table = "create sit leave assign start reveal cancel"  # only in the updates of a game, not in its record
    assert words_of(record_pb2.LogEntryKind.DESCRIPTOR) == [*kinds.split(), *table.split()]
    assert words_of(record_pb2.Actor.DESCRIPTOR) == "player bot clock host operator".split()


def test_games_and_seats_have_the_states_of_the_contract() -> None:
    assert words_of(game_pb2.GameStatus.DESCRIPTOR) == "open running frozen finished cancelled".split()
    assert words_of(game_pb2.Visibility.DESCRIPTOR) == "public unlisted private".split()
    assert words_of(game_pb2.TimeoutPolicy.DESCRIPTOR) == "bot auto forfeit".split()
    assert words_of(game_pb2.ResignPolicy.DESCRIPTOR) == "bot retire".split()
    assert words_of(seat_pb2.SeatState.DESCRIPTOR) == "active away retired".split()


def test_the_exchange_carries_every_unary_call() -> None:
    """A call and its answer have the same name and number, so that neither can be forgotten."""
    service = session_service_pb2.DESCRIPTOR.services_by_name["SessionService"]
    unary = {
        snake(method.name): (method.input_type.name, method.output_type.name)
        for method in service.methods
        if not method.client_streaming and not method.server_streaming
    }
    calls = session_service_pb2.Call.DESCRIPTOR.oneofs_by_name["request"].fields
    answers = session_service_pb2.Answer.DESCRIPTOR.oneofs_by_name["response"].fields
    numbers = {field.name: field.number for field in calls}
    assert numbers == {field.name: field.number for field in answers if field.name != "failure"}
    types = {field.name: field.message_type.name for field in calls if field.message_type}
    assert types == {name: request for name, (request, _) in unary.items()}
