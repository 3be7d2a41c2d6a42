"""The end of a turn, the last round, and the end of the game (COMMON-TURN-7, COMMON-END, FSM-12)."""

from typing import Final

from turntable_rules.engine.events import Event, Log
from turntable_rules.engine.result import result_to_json
from turntable_rules.engine.rounds import fulfil, start_second_round
from turntable_rules.engine.scoring import score
from turntable_rules.engine.state import (
    ACTION,
    ENDING_NAMES,
    FINISHED,
    FORFEIT,
    MAX_TURNS,
    NO_TRIGGER,
    NORMAL,
    TURN_START,
    State,
)
from turntable_rules.engine.yards import depart

_LAST_WAGONS: Final = 2


def begin_turn(state: State, seat: int, log: Log) -> None:
    """Give the turn to a seat that is not retired; in the card game step 1 happens on the way in."""
    state.active = seat
    if log is not None:
        log.append(Event("turn_started", {"seat": seat, "turn": state.turns + 1}))
    if state.rules.yards:
        depart(state, seat, log)
        state.phase = ACTION
    else:
        state.phase = TURN_START


def end_turn(state: State, log: Log) -> None:
    """End a turn in which something was done; the cards have settled already."""
    state.passed = 0
    pass_on(state, log)


def end_turn_by_pass(state: State, log: Log) -> None:
    """End a turn in which the active seat passed (COMMON-PASS-3)."""
    state.passed |= 1 << state.active
    pass_on(state, log)


def pass_on(state: State, log: Log) -> None:
    """Count the turn, then go to the next seat that plays, or end the game."""
    players = state.rules.players
    while not _count_turn(state, log):
        state.active = (state.active + 1) % players
        if not state.is_retired(state.active):
            begin_turn(state, state.active, log)
            return
        if log is not None:
            log.append(Event("turn_skipped", {"seat": state.active}))


def _count_turn(state: State, log: Log) -> bool:
    """FSM-12 for the turn just ended; True if the game is over."""
    rules = state.rules
    state.turns += 1
    if state.retired and one_seat_left(state):  # its last choice was settled on the way out
        finish(state, FORFEIT, log)
        return True
    out_of_turns = rules.max_turns > 0 and state.turns >= rules.max_turns
    if state.final_left != NO_TRIGGER:
        state.final_left -= 1
        if state.final_left == 0:
            return _end_round(state, out_of_turns, log)
    elif _triggers_last_round(state):
        state.final_left = rules.players
        if log is not None:
            log.append(Event("last_round_started", {"seat": state.active, "turns_left": rules.players}))
    if not rules.yards and _all_passed(state):
        finish(state, NORMAL, log)
        return True
    if out_of_turns:
        finish(state, MAX_TURNS, log)
        return True
    return False


def one_seat_left(state: State) -> bool:
    """Whether only one seat is not retired (COMMON-RESIGN-4)."""
    return state.rules.players - bin(state.retired).count("1") == 1


def _triggers_last_round(state: State) -> bool:
    """COMMON-END-1 on a board; CARD-END-1 where an empty deck ends the round."""
    if state.rules.yards:
        return state.deck_left == 0
    return state.wagons[state.active] <= _LAST_WAGONS


def _all_passed(state: State) -> bool:
    """COMMON-END-7: every seat that is not retired, in unbroken succession."""
    everybody = (1 << state.rules.players) - 1
    return state.passed != 0 and (state.passed | state.retired) == everybody


def _end_round(state: State, out_of_turns: bool, log: Log) -> bool:
    """The last turn of a round is over; True if the game is too (CARD-SETUP-5)."""
    rules = state.rules
    two_rounds = rules.edition.two_rounds_from > 0 and rules.players >= rules.edition.two_rounds_from
    if not (two_rounds and state.round == 1):
        finish(state, NORMAL, log)
        return True
    if out_of_turns:
        finish(state, MAX_TURNS, log)
        return True
    fulfil(state, log)
    start_second_round(state, (state.active + 1) % rules.players, log)
    return False


def finish(state: State, ending: int, log: Log) -> None:
    """End the game at once; a round of the card game is fulfilled first (COMMON-END-8)."""
    if state.rules.yards:
        fulfil(state, log)
    if state.final_left > 0:  # cut short: nobody plays the turns left
        state.final_left = NO_TRIGGER
    state.phase = FINISHED
    state.ending = ending
    if log is not None:
        log.append(
            Event("game_finished", {"ending": ENDING_NAMES[ending], "result": result_to_json(score(state))})
        )
