"""Results as JSON: every component of every total."""

from typing import Any

Form = dict[str, Any]


def result_form(result: Form) -> Form:
    """The engine's result, seat by seat, with winners and ending."""
    return {
        "seats": [_seat(seat) for seat in result["seats"]],
        "winners": result["winners"],
        "ending": result["ending"],
    }


def _seat(seat: Form) -> Form:
    return {
        "seat": seat["seat"],
        "start": seat["start"],
        "routes": seat["routes"],
        "tickets": seat["tickets"],
        "stations": seat["stations"],
        "longestPath": seat["longest_path"],
        "borrowedRoutes": seat["loans"],
        "cityBonuses": seat["city_bonuses"],
        "total": seat["total"],
        "rank": seat["rank"],
        "retired": seat["retired"],
    }
