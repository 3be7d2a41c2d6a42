"""Sound requests for every method of the rules service, from random games of all editions in all position forms."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from google.protobuf.message import Message

import turntable_rules as engine
from turntable_proto.game.v1 import position_pb2, record_pb2, ruleset_pb2
from turntable_proto.rules.v1 import rules_service_pb2 as pb
from turntable_rules.boards.library import BUILTIN_BOARDS, builtin_text
from turntable_rules.server.referee import put_move
from turntable_rules.server.to_proto import fill

FORMS = ("state", "position", "notation")
POSITION_FORMS = position_pb2.PositionForm.values()
TABLES = [
    (edition.id, players)
    for edition in engine.EDITIONS.values()
    for players in range(edition.min_players, edition.max_players + 1)
]


class Game:
    """A random game stopped somewhere, with what has been played."""

    def __init__(self, random: Random) -> None:
        edition, players = random.choice(TABLES)
        self.random = random
        self.ruleset = ruleset_pb2.Ruleset(edition=edition, player_count=players)
        self.seed = random.randbytes(32)
        self.state = engine.new_game(engine.ruleset(edition, players), self.seed)
        self.played: list[tuple[int, engine.Move]] = []
        for _ in range(random.choice((0, players, 12, 60, 250))):
            seats = engine.seats_to_act(self.state)
            if not seats:
                break
            seat = random.choice(seats)
            action = random.choice(engine.legal_actions(self.state, seat))
            move = engine.to_move(self.state, seat, action)
            engine.play(self.state, seat, action)
            self.played.append((seat, move))

    @property
    def seat(self) -> int:
        """A seat that owes a decision, or the first."""
        return self.random.choice(engine.seats_to_act(self.state) or [0])

    def put_position(self, target: position_pb2.AnyPosition) -> None:
        """The position in a form chosen at random."""
        match self.random.choice(FORMS):
            case "state":
                target.state = engine.encode(self.state)
            case "notation":
                target.notation = engine.format_position(self.state)
            case _:
                fill(target.position, engine.to_position(self.state))

    def put_move(self, target: pb.ApplyMoveRequest | pb.MoveItem | pb.ValidateMoveRequest) -> None:
        """A legal move of the seat in a form chosen at random; an action number where there is none."""
        target.seat = self.seat
        actions = engine.legal_actions(self.state, target.seat)
        if not actions:
            target.move.action_id = 0
            return
        action = self.random.choice(actions)
        move = engine.to_move(self.state, target.seat, action)
        match self.random.randrange(3):
            case 0:
                target.move.action_id = action
            case 1:
                target.move.text = engine.format_move(move)
            case _:
                put_move(target.move.move, engine.move_to_json(move))


def list_editions(random: Random) -> Message:
    return pb.ListEditionsRequest(page_size=random.randrange(8), page_token=random.choice(("", "europe")))


def get_edition(random: Random) -> Message:
    return pb.GetEditionRequest(edition=random.choice(list(engine.EDITIONS)))


def new_game(random: Random) -> Message:
    edition, players = random.choice(TABLES)
    request = pb.NewGameRequest(position_form=random.choice(POSITION_FORMS), seed=random.randbytes(32))
    request.ruleset.edition, request.ruleset.player_count = edition, players
    if random.random() < 0.3:
        request.ruleset.options.first_player = random.randrange(players)
        request.ruleset.options.max_turns = random.randrange(50)
    if random.random() < 0.1:
        request.ruleset.board_json = builtin_text(random.choice(BUILTIN_BOARDS))
    return request


def list_legal_moves(random: Random) -> Message:
    game = Game(random)
    request = pb.ListLegalMovesRequest(ruleset=game.ruleset, seat=game.seat, grouped=random.random() < 0.5)
    game.put_position(request.position)
    return request


def validate_move(random: Random) -> Message:
    game = Game(random)
    request = pb.ValidateMoveRequest(ruleset=game.ruleset)
    game.put_position(request.position)
    game.put_move(request)
    return request


def apply_move(random: Random) -> Message:
    game = Game(random)
    request = pb.ApplyMoveRequest(ruleset=game.ruleset, position_form=random.choice(POSITION_FORMS))
    game.put_position(request.position)
    game.put_move(request)
    return request


def _add_items(request: pb.ApplyMovesRequest | pb.StreamMovesRequest, random: Random) -> None:
    for number in range(random.randrange(1, 5)):
        game = Game(random)
        item = request.items.add(correlation_id=number, ruleset=game.ruleset)
        game.put_position(item.position)
        game.put_move(item)
    request.ruleset.CopyFrom(request.items[0].ruleset)
    request.items[0].ClearField("ruleset")


def apply_moves(random: Random) -> Message:
    request = pb.ApplyMovesRequest(position_form=random.choice(POSITION_FORMS))
    _add_items(request, random)
    return request


def stream_moves(random: Random) -> Message:
    request = pb.StreamMovesRequest(position_form=random.choice(POSITION_FORMS))
    _add_items(request, random)
    return request


def get_view(random: Random) -> Message:
    game = Game(random)
    request = pb.GetViewRequest(ruleset=game.ruleset)
    game.put_position(request.position)
    if random.random() < 0.7:
        request.seat = random.randrange(game.ruleset.player_count)
    return request


def score_game(random: Random) -> Message:
    game = Game(random)
    request = pb.ScoreGameRequest(ruleset=game.ruleset)
    game.put_position(request.position)
    return request


def retire_seat(random: Random) -> Message:
    game = Game(random)
    request = pb.RetireSeatRequest(
        ruleset=game.ruleset, seat=game.seat, position_form=random.choice(POSITION_FORMS)
    )
    game.put_position(request.position)
    return request


def replay_game(random: Random) -> Message:
    game = Game(random)
    request = pb.ReplayGameRequest(position_form=random.choice(POSITION_FORMS))
    if random.random() < 0.5:
        script = request.script
        script.ruleset.CopyFrom(game.ruleset)
        script.seed = game.seed
        for seat, move in game.played:
            script.steps.add(seat=seat).move.text = engine.format_move(move)
        return request
    record = request.record
    record.format, record.engine_revision = "turntable-record/1", engine.ENGINE_REVISION
    record.ruleset.CopyFrom(game.ruleset)
    record.seed = game.seed
    for seat, move in game.played:
        entry = record.log.add(kind=record_pb2.LOG_ENTRY_KIND_MOVE, seat=seat)
        put_move(entry.move, engine.move_to_json(move))
    record.final_hash = engine.state_hash(game.state)
    return request


def check_board(random: Random) -> Message:
    request = pb.CheckBoardRequest(board_json=builtin_text(random.choice(BUILTIN_BOARDS)))
    if random.random() < 0.5:
        request.edition = random.choice(list(engine.EDITIONS))
        request.player_count = random.randrange(6)
    return request


SOUND: dict[str, Callable[[Random], Message]] = {
    "ListEditions": list_editions,
    "GetEdition": get_edition,
    "NewGame": new_game,
    "ListLegalMoves": list_legal_moves,
    "ValidateMove": validate_move,
    "ApplyMove": apply_move,
    "ApplyMoves": apply_moves,
    "StreamMoves": stream_moves,
    "GetView": get_view,
    "ScoreGame": score_game,
    "ReplayGame": replay_game,
    "CheckBoard": check_board,
    "RetireSeat": retire_seat,
}
"""A maker of sound requests per method of the service."""
