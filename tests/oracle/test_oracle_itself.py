"""The oracle against the scenarios of docs/rules.md, section 7, with expected values from that text."""

import hashlib
import random

import pytest

from tests.oracle import apply_move, legal_moves, load_board, new_position, score
from tests.oracle.naive_cards import settle
from tests.oracle.naive_random import shuffled
from tests.oracle.naive_rules import EDITIONS, tickets_of
from tests.oracle.scenario import SEED, moves_of, play, started, table

ALL_COUNTS = [(edition, n) for edition, rules in EDITIONS.items() for n in rules["players"]]


def test_generator_reads_one_stream_per_event():
    position = {"seed": SEED.hex(), "draws": 7}
    stream = hashlib.shake_256(b"turntable-rng/1" + SEED + bytes([0] * 7 + [7])).digest(200)
    words = [int.from_bytes(stream[i : i + 2], "big") for i in range(0, 200, 2)]
    expected = list("abcd")
    for i, word in zip((3, 2, 1), words, strict=False):  # no word of this stream is refused
        assert word < 65535
        j = word % (i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    assert shuffled(position, list("abcd")) == expected
    assert position["draws"] == 8


@pytest.mark.parametrize(("edition", "players"), ALL_COUNTS)
def test_random_games_end_and_conserve_cards_and_tickets(edition, players):
    """COMMON-DECK-1, S-135."""
    chance = random.Random(f"{edition} {players}")
    rules, board = EDITIONS[edition], load_board(edition)
    position = new_position(edition, players, {"max_turns": 40}, chance.randbytes(32))
    while position["phase"] != "finished":
        seat = next(s for s in range(players) if legal_moves(position, s, board))
        position = apply_move(position, seat, chance.choice(legal_moves(position, seat, board)), board)
        hands = [player[zone] for player in position["players"] for zone in ("hand", "road")]
        cards = len(position["deck"]) + sum(card is not None for card in position["row"])
        cards += sum(sum(counts.values()) for counts in [*hands, position["discard"]])
        columns = [column for player in position["players"] for column in player["yard"]]
        cards += sum(column["wagons"] + column["locos"] for column in columns)
        if position["tunnel"]:
            paid = position["tunnel"]["payment"]
            cards += len(position["tunnel"]["revealed"]) + paid["wagons"] + paid["locos"]
        assert cards == 8 * rules["per_colour"] + rules["locos"]
        assert len({column["colour"] for column in columns}) == len(columns)
        tickets = position["pile"] + position["unseen_out"]
        for player in position["players"]:
            tickets = tickets + player["tickets"] + player["offer"] + player["out"] + player["completed"]
        assert sorted(tickets) == sorted(ticket["id"] for ticket in tickets_of(board))
    for line, player in zip(score(position, board)["seats"], position["players"], strict=True):
        if edition != "card":
            assert line["start_score"] + line["route_points"] == player["score"]  # COMMON-SCORE-2


def test_setup_counts():
    """S-007, S-009, S-011."""
    swiss = new_position("switzerland", 3, {}, SEED)
    assert (len(swiss["deck"]), len(swiss["pile"])) == (93, 31)
    player = swiss["players"][0]
    assert (player["wagons"], player["score"], len(player["offer"])) == (40, 100, 5)
    card = new_position("card", 4, {}, SEED)
    assert (len(card["deck"]), len(card["pile"])) == (59, 22)
    assert all(sum(p["hand"].values()) == 8 and p["hand"]["loco"] >= 1 for p in card["players"])
    for edition, players in [("switzerland", 4), ("usa", 1), ("usa", 6), ("card", 5)]:
        with pytest.raises(ValueError):
            new_position(edition, players, {}, SEED)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_rejected_setup_tickets_go_under_the_pile_in_seat_order(order):
    """S-003."""
    board = load_board("usa")
    position = new_position("usa", 2, {}, SEED)
    pile, (a, b) = position["pile"], (player["offer"] for player in position["players"])
    choice = {0: f"keep_tickets {a[0]},{a[2]}", 1: f"keep_tickets {b[0]},{b[1]}"}
    for seat in order:
        position = apply_move(position, seat, choice[seat], board)
    assert position["pile"] == [*pile, a[1], b[2]]


def test_rejected_mid_game_tickets():
    """S-016, S-017, S-018, S-019."""
    for edition, kept, under in [
        ("usa", 1, True),
        ("switzerland", 1, False),
        ("europe", 1, True),
        ("card", 0, True),
    ]:
        position, board = started(edition, 2)
        pile = position["pile"]
        position = play(position, board, "draw_tickets")
        offer = position["players"][0]["offer"]
        assert offer == pile[: len(offer)]
        position = play(position, board, "keep_tickets " + (offer[1] if kept else "-"))
        rejected = [ticket for ticket in offer if not kept or ticket != offer[1]]
        assert position["pile"] == pile[len(offer) :] + (rejected if under else [])
        assert position["players"][0]["out"] == ([] if under else rejected)


def test_drawing_and_the_face_up_loco():
    """S-021, S-022, S-023."""
    position, board = started("usa", 2)
    table(position, ["red", "blue", "loco", "green", "white"], ["black", "yellow", "red"])
    first = play(position, board, "draw_row 0")
    assert first["row"][0] == "black"
    assert first["phase"] == "after_first_card"
    assert "draw_row 2" not in legal_moves(first, 0, board)
    second = play(first, board, "draw_row 0")
    assert (second["row"][0], second["active"]) == ("yellow", 1)
    assert play(position, board, "draw_row 2")["active"] == 1


def test_flush_between_two_cards():
    """S-030."""
    position, board = started("usa", 2)
    new_row = ["red", "red", "white", "loco", "black"]
    table(position, ["loco", "loco", "red", "blue", "green"], ["loco", *new_row, "blue"])
    position = play(position, board, "draw_row 2")
    assert position["row"] == new_row
    assert position["discard"] == {"loco": 3, "blue": 1, "green": 1}
    assert moves_of(position, board, "draw_row ") == {"0", "1", "2", "4"}


def test_flush_that_is_held_back_or_limited():
    """S-033, S-034, S-035."""
    position, board = started("usa", 2, flush_limit=2)
    table(position, ["loco", "loco", "red", "red", "red"], ["loco"] * 3)
    position = play(position, board, "draw_row 2")
    assert position["row"] == ["loco", "loco", "loco", "red", "red"]
    assert position["row_stands"] is False
    position["draws"], standing = 0, 0
    for _ in range(60):
        table(position, ["loco"] * 4 + ["red"], ["loco"] * 10 + ["red", "red"])
        position["row_stands"] = False
        settle(position)
        stands = position["row"].count("loco") >= 3
        assert position["row_stands"] is stands
        standing += stands
    assert standing > 0
    table(position, ["loco", "loco", "loco"])
    settle(position)
    assert position["row"] == ["loco", "loco", "loco", None, None]


def test_short_decks():
    """S-038, S-039, S-040, S-041, S-042."""
    position, board = started("usa", 2)
    table(position, ["red"] * 5, ["blue"], {"green": 20})
    position = play(position, board, "draw_deck")
    assert (position["deck"], position["discard"]) == (["green"] * 20, {})
    for edition, row, moves in [
        ("usa", ["red", "blue"], ["draw_row 0", "draw_row 1"]),
        ("usa", ["red"], ["draw_row 0"]),
        ("usa", ["loco", "red"], ["draw_row 1"]),
        ("europe", ["loco"], ["draw_row 0"]),
    ]:
        position, board = started(edition, 2)
        table(position, row)
        assert play(position, board, *moves)["active"] == 1


def test_switzerland_locos():
    """S-027, S-061, S-062."""
    position, board = started("switzerland", 2)
    table(position, ["loco", "loco", "red", "blue", "white"], ["green", "black", "red"])
    position["players"][0]["hand"] = {"red": 2, "loco": 5}
    after = play(position, board, "draw_row 0", "draw_row 1")
    assert after["players"][0]["hand"]["loco"] == 7
    kinds = {route["id"]: route["kind"] for route in board["routes"]}
    claims = [claim.split(" ") for claim in moves_of(position, board, "claim ")]
    assert {kinds[route] for route, paid in claims if "loco" in paid} == {"tunnel"}
    assert ["baden-basel", "2red+1loco"] in claims


def test_pass_and_the_end_when_all_pass():
    """S-044, S-045, S-046, S-175."""
    position, board = started("usa", 3)
    table(position, [])
    position["pile"], tickets = [], position["pile"]
    for player in position["players"]:
        player["hand"] = {}
    assert legal_moves(position, 0, board) == ["pass"]
    ended = play(position, board, "pass", "pass", "pass")
    assert (ended["phase"], ended["ending"], ended["passed"]) == ("finished", "normal", [0, 1, 2])
    position["pile"] = tickets[:3]
    assert legal_moves(position, 0, board) == ["draw_tickets"]
    position, board = started("europe", 2)
    table(position, [])
    position["pile"] = []
    position["players"][0].update(hand={"red": 1}, wagons=0)
    assert {move.split(" ")[0] for move in legal_moves(position, 0, board)} == {"build_station", "pass"}


def test_card_rejects_are_shuffled_back():
    """S-010."""
    board = load_board("card")
    position = new_position("card", 4, {}, SEED)
    draws, pile, offers = position["draws"], position["pile"], [p["offer"] for p in position["players"]]
    for seat, offer in enumerate(offers):
        kept = offer[:1] if seat == 0 else offer
        position = apply_move(position, seat, "keep_tickets " + ",".join(kept), board)
    assert sorted(position["pile"]) == sorted(pile + offers[0][1:])
    assert position["pile"][:22] != pile
    assert position["draws"] == draws + 1


def test_turn_order_and_public_bound():
    """S-161, S-168, S-172."""
    board = load_board("usa")
    position, _ = started("usa", 4, first_player=2)
    table(position, ["red", "blue", "green", "white", "black"], ["loco"] * 40)
    position = play(position, board, "draw_row 0", "draw_deck")
    assert position["players"][2]["hand_at_least"] == {"red": 1}
    assert legal_moves(position, 2, board) == []
    seats = []
    for _ in range(4):
        seats.append(position["active"])
        position = play(position, board, "draw_deck", "draw_deck")
    assert seats == [3, 0, 1, 2]


def test_max_turns():
    """S-119, and CARD-ROUND2 not begun under COMMON-END-8."""
    position, board = started("card", 4, max_turns=3)
    for _ in range(3):
        position = play(position, board, "draw_tickets", "keep_tickets -")
    assert (position["phase"], position["ending"], position["active"]) == ("finished", "max_turns", 2)
    assert position["turns"] == 3
