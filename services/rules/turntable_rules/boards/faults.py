"""What can be wrong with a board file: the codes, where the fault is, and the error that carries them all."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

SHOWN: Final = 50
"""How many faults the text of a `BoardError` spells out."""


class Code(StrEnum):
    """Every fault code; the names are stable."""

    # the file
    TOO_BIG = "too_big"
    BAD_ENCODING = "bad_encoding"
    BAD_JSON = "bad_json"
    TOO_DEEP = "too_deep"
    UNKNOWN_FORMAT = "unknown_format"
    # any object
    WRONG_TYPE = "wrong_type"
    MISSING_KEY = "missing_key"
    UNKNOWN_KEY = "unknown_key"
    DUPLICATE_KEY = "duplicate_key"
    BAD_ID = "bad_id"
    BAD_TEXT = "bad_text"
    DUPLICATE_ID = "duplicate_id"
    UNKNOWN_PLACE = "unknown_place"
    # places and countries
    BAD_COORDINATE = "bad_coordinate"
    BAD_LABEL = "bad_label"
    UNKNOWN_COUNTRY = "unknown_country"
    COUNTRY_WITHOUT_EXITS = "country_without_exits"
    EXIT_MISMATCH = "exit_mismatch"
    SHARED_EXIT = "shared_exit"
    ISOLATED_PLACE = "isolated_place"
    # routes
    NO_ROUTES = "no_routes"
    ROUTE_TO_ITSELF = "route_to_itself"
    BAD_LENGTH = "bad_length"
    UNKNOWN_COLOUR = "unknown_colour"
    UNKNOWN_KIND = "unknown_kind"
    NEGATIVE_LOCOS = "negative_locos"
    TOO_MANY_LOCOS = "too_many_locos"
    FERRY_WITHOUT_LOCOS = "ferry_without_locos"
    COLOURED_FERRY = "coloured_ferry"
    FERRY_AND_TUNNEL = "ferry_and_tunnel"
    LOCOS_WITHOUT_FERRY = "locos_without_ferry"
    PARALLEL_WITHOUT_GROUP = "parallel_without_group"
    GROUP_ENDS_DIFFER = "group_ends_differ"
    # tickets
    NO_TICKETS = "no_tickets"
    UNKNOWN_DECK = "unknown_deck"
    NO_TARGETS = "no_targets"
    TARGET_IS_START = "target_is_start"
    DUPLICATE_TARGET = "duplicate_target"
    TICKET_NAMES_EXIT = "ticket_names_exit"
    BAD_POINTS = "bad_points"
    UNREACHABLE_TICKET = "unreachable_ticket"
    # card sets
    BAD_COUNT = "bad_count"
    NO_CARDS = "no_cards"
    BIG_CITY_MISMATCH = "big_city_mismatch"
    # a board under a given ruleset
    LENGTH_NOT_SCORED = "length_not_scored"
    TOO_FEW_LONG_TICKETS = "too_few_long_tickets"
    TOO_FEW_TICKETS = "too_few_tickets"


CLAUSES: Final[dict[Code, str]] = {
    Code.SHARED_EXIT: "SWI-COUNTRY-1",
    Code.COUNTRY_WITHOUT_EXITS: "SWI-COUNTRY-1",
    Code.EXIT_MISMATCH: "SWI-COUNTRY-1",
    Code.FERRY_WITHOUT_LOCOS: "EUR-FERRY-1",
    Code.COLOURED_FERRY: "EUR-FERRY-1",
    Code.LOCOS_WITHOUT_FERRY: "EUR-FERRY-1",
    Code.FERRY_AND_TUNNEL: "COMMON-CLAIM-16",
    Code.PARALLEL_WITHOUT_GROUP: "COMMON-DOUBLE-6",
    Code.GROUP_ENDS_DIFFER: "COMMON-DOUBLE-1",
    Code.NO_TARGETS: "SWI-MULTI-1",
    Code.TICKET_NAMES_EXIT: "SWI-MULTI-1",
    Code.BIG_CITY_MISMATCH: "CARD-CITY-1",
    Code.LENGTH_NOT_SCORED: "COMMON-CLAIM-15",
}
"""The rule behind a fault, where there is one."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong, and where."""

    code: Code
    path: str
    """Such as `routes[3].color`; "" is the whole file."""
    line: int | None
    """Line of that element in the file, from 1; None when the fault is not in a file."""
    message: str
    column: int | None = None
    """Only for text that is not JSON."""

    @property
    def clause(self) -> str:
        """Id of the rule it breaks, "" if it breaks none."""
        return CLAUSES.get(self.code, "")

    def __str__(self) -> str:
        place = "" if self.line is None else f"line {self.line}"
        if self.column is not None:
            place += f", column {self.column}"
        where = ": ".join(part for part in (place, self.path) if part)
        clause = f" ({self.clause})" if self.clause else ""
        return f"{where or 'file'}: {self.message} [{self.code}]{clause}"


def in_file_order(faults: list[Fault]) -> list[Fault]:
    """The same faults, from the top of the file down."""
    return sorted(faults, key=lambda fault: fault.line or 0)


class BoardError(Exception):
    """A board or card file was refused; `faults` says all that is wrong with it."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__(faults)
        self.faults = faults

    def __str__(self) -> str:
        count = len(self.faults)
        lines = ["1 fault" if count == 1 else f"{count} faults"]
        lines += [f"  {fault}" for fault in self.faults[:SHOWN]]
        if count > SHOWN:
            lines.append(f"  and {count - SHOWN} more")
        return "\n".join(lines)
