"""The tests of tests/rules that are not played over gRPC, each with its reason."""

NOT_OVER_GRPC = {
    "test_a_pile_that_completes_either_ticket_but_not_both": (
        "S-144 to the letter needs tickets that are not in the box; the test after it plays the same with real ones"
    ),
    "test_of_equal_values_more_tickets_are_completed": (
        "S-146 to the letter needs tickets that are not in the box; the test after it plays the same with real ones"
    ),
    "test_every_ticket_joins_two_stops_of_the_board": (
        "looks at the board file, half of S-165; test_rules_over_grpc.py looks at the board as the service gives it"
    ),
    "test_games_for_too_few_or_too_many_are_not_created": (
        "S-011 without a table; test_rules_over_grpc.py asks the service for the same games"
    ),
    # Not scenarios: they say that a seat has few wagons left and no routes, which the service rightly refuses.
    "test_the_last_wagons_cannot_begin_a_longer_route": "looks at the routes, so none may be given to the seat",
    "test_extra_cards_need_no_wagons_and_all_cards_are_discarded": (
        "its board is too small for the routes that would account for the wagons"
    ),
}
