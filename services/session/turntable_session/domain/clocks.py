"""Clocks as arithmetic on what the log says: nothing ticks, a deadline is a point in time."""

from collections.abc import Sequence

from turntable_session.domain.sheet import Sheet


def deadline(sheet: Sheet, phase: str, seat: int) -> int | None:
    """When the time of a seat that owes a decision runs out; None if it has no clock or stands still."""
    clock = sheet.settings.clock
    if clock is None or sheet.status != "running" or not sheet.seats[seat].is_timed:
        return None
    if phase == "setup_tickets":
        return sheet.turn_began + clock.setup_ms
    if clock.kind == "move":
        return sheet.turn_began + clock.turn_ms
    return sheet.since + sheet.seats[seat].bank_ms


def next_deadline(sheet: Sheet, phase: str, active_seats: Sequence[int]) -> int | None:
    """The first deadline of all seats that owe a decision."""
    times = [time for seat in active_seats if (time := deadline(sheet, phase, seat)) is not None]
    return min(times, default=None)


def start_clocks(sheet: Sheet, at: int) -> None:
    """Fill the banks and let the time of the first decisions run."""
    clock = sheet.settings.clock
    sheet.since = sheet.turn_began = at
    if clock is not None:
        for seat in range(len(sheet.seats)):
            sheet.change_seat(seat, bank_ms=clock.bank_ms)


def decided(sheet: Sheet, seat: int, at: int, *, at_setup: bool, turn_over: bool) -> None:
    """Charge a seat for the decision it has made, and let the time of the next run."""
    clock = sheet.settings.clock
    if clock is not None and clock.kind == "bank" and not at_setup and sheet.seats[seat].is_timed:
        left = max(0, sheet.seats[seat].bank_ms - (at - sheet.since))
        sheet.change_seat(seat, bank_ms=left + (clock.increment_ms if turn_over else 0))
    if not at_setup:
        sheet.since = at
    if turn_over:
        sheet.since = sheet.turn_began = at


def resume_clocks(sheet: Sheet, at: int) -> None:
    """Go on as if no time had passed since the game was frozen."""
    pause = at - sheet.frozen_at
    sheet.since += pause
    sheet.turn_began += pause
    sheet.frozen_at = 0


def restart_clock(sheet: Sheet, at: int) -> None:
    """Give whoever decides now their time from now on: a player who is back, or the next after one who left."""
    sheet.since = sheet.turn_began = at
