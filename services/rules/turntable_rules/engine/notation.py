"""The position string: a position on one line, for logs, tests and bug reports (docs/engine.md)."""

import json
from collections.abc import Callable, Mapping, Sequence

from turntable_rules.engine.bad_position import BadPosition
from turntable_rules.engine.cards import CARD_LETTERS, CARD_NAMES
from turntable_rules.engine.position import POSITION_FORMAT, Position, to_position
from turntable_rules.engine.state import State

_NOTHING = "-"
_NULL = "*"
_EMPTY_SLOT = "."
_LETTER = dict(zip(CARD_NAMES, CARD_LETTERS, strict=True))
_CARD = dict(zip(CARD_LETTERS, CARD_NAMES, strict=True))


def format_position(state: State) -> str:
    """The state on one line."""
    return format_readable(to_position(state))


def format_readable(position: Mapping[str, object]) -> str:
    """A readable position on one line."""
    words = [POSITION_FORMAT]
    for key, codec in _WORDS.items():
        words.append(f"{key}={codec[0](position[key])}")
    players = position["players"]
    assert isinstance(players, Sequence)
    for seat, player in enumerate(players):
        fields = [f"{key}:{codec[0](player[key])}" for key, codec in _PLAYER_WORDS.items()]
        words.append(f"p{seat}=" + ";".join(fields))
    return " ".join(words)


def parse_position(text: str) -> Position:
    """Read a position string into its readable form; raises BadPosition where it cannot be read."""
    words = text.strip().split(" ")
    if words[0] != POSITION_FORMAT:
        raise BadPosition([f"a position begins with {POSITION_FORMAT}"])
    given = _pairs(words[1:], "=")
    players: list[object] = []
    while f"p{len(players)}" in given:
        where = f"p{len(players)}"
        players.append(_parse_words(where + ".", _pairs(given.pop(where).split(";"), ":"), _PLAYER_WORDS))
    position = _parse_words("", given, _WORDS)
    position["format"] = POSITION_FORMAT
    position["players"] = players
    return position


def _pairs(words: Sequence[str], sign: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        key, found, value = word.partition(sign)
        if not found or key in pairs:
            raise BadPosition([f"{word[:40]!r} is not a new key{sign}value word"])
        pairs[key] = value
    return pairs


Codec = tuple[Callable[[object], str], Callable[[str], object]]


def _parse_words(where: str, given: Mapping[str, str], words: Mapping[str, Codec]) -> Position:
    faults = [f"{where}{key}: unknown" for key in given if key not in words]
    faults += [f"{where}{key}: missing" for key in words if key not in given]
    position: Position = {}
    for key, value in given.items():
        if key in words:
            try:
                position[key] = words[key][1](value)
            except (ValueError, KeyError, RecursionError):
                faults.append(f"{where}{key}: cannot be read")
    if faults:
        raise BadPosition(faults)
    return position


def _format_counts(counts: object) -> str:
    assert isinstance(counts, Mapping)
    return "".join(_LETTER[card] * counts[card] for card in CARD_NAMES if card in counts) or _NOTHING


def _parse_counts(text: str) -> object:
    counts: dict[str, int] = {}
    for card in _parse_cards(text):
        counts[card] = counts.get(card, 0) + 1
    return {card: counts[card] for card in CARD_NAMES if card in counts}


def _format_cards(cards: object) -> str:
    assert isinstance(cards, Sequence)
    return "".join(_EMPTY_SLOT if card is None else _LETTER[card] for card in cards) or _NOTHING


def _parse_cards(text: str) -> list[str]:
    return [] if text == _NOTHING else [_CARD[letter] for letter in text]


def _parse_row(text: str) -> object:
    return [None if letter == _EMPTY_SLOT else _CARD[letter] for letter in text]


def _format_list(items: object) -> str:
    assert isinstance(items, Sequence)
    return ",".join(str(item) for item in items) or _NOTHING


def _parse_list(text: str) -> list[str]:
    return [] if text == _NOTHING else text.split(",")


def _format_routes(routes: object) -> str:
    assert isinstance(routes, Mapping)
    return ",".join(f"{route}:{owner}" for route, owner in routes.items()) or _NOTHING


def _parse_routes(text: str) -> object:
    routes: dict[str, int] = {}
    for item in _parse_list(text):
        name, _, owner = item.partition(":")
        if name in routes:
            raise ValueError(name)
        routes[name] = int(owner)
    return routes


def _format_column(column: object) -> str:
    assert isinstance(column, Mapping)
    return f"{column['colour'] or _NULL}/{column['wagons']}/{column['locos']}"


def _parse_column(text: str) -> dict[str, object]:
    colour, wagons, locos = text.split("/")
    return {"colour": None if colour == _NULL else colour, "wagons": int(wagons), "locos": int(locos)}


def _format_tunnel(tunnel: object) -> str:
    if tunnel is None:
        return _NULL
    assert isinstance(tunnel, Mapping)
    cards = _format_cards(tunnel["revealed"])
    return f"{tunnel['route']}/{_format_column(tunnel['payment'])}/{cards}/{tunnel['due']}"


def _parse_tunnel(text: str) -> object:
    route, colour, wagons, locos, cards, due = text.split("/")
    payment = _parse_column(f"{colour}/{wagons}/{locos}")
    return {"route": route, "payment": payment, "revealed": _parse_cards(cards), "due": int(due)}


def _format_json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


def _nullable(format_value: Callable[[object], str], read: Callable[[str], object]) -> Codec:
    return (
        lambda value: _NULL if value is None else format_value(value),
        lambda text: None if text == _NULL else read(text),
    )


def _truth(text: str) -> object:
    return {"0": False, "1": True}[text]


_NUMBER: Codec = (str, int)
_TEXT: Codec = (str, str)
_TRUTH: Codec = (lambda value: "1" if value else "0", _truth)
_COUNTS: Codec = (_format_counts, _parse_counts)
_IDS: Codec = (_format_list, _parse_list)

_WORDS: dict[str, Codec] = {
    "edition": _TEXT,
    "player_count": _NUMBER,
    "options": (_format_json, json.loads),
    "board": _TEXT,
    "seed": _TEXT,
    "draws": _NUMBER,
    "phase": _TEXT,
    "active": _NUMBER,
    "first": _NUMBER,
    "turns": _NUMBER,
    "round": _NUMBER,
    "final_turns_left": _nullable(str, int),
    "passed": (_format_list, lambda text: [int(seat) for seat in _parse_list(text)]),
    "row_stands": _TRUTH,
    "ending": _nullable(str, str),
    "deck": (_format_cards, _parse_cards),
    "row": (_format_cards, _parse_row),
    "discard": _COUNTS,
    "pile": _IDS,
    "unseen_out": _IDS,
    "routes": (_format_routes, _parse_routes),
    "tunnel": _nullable(_format_tunnel, _parse_tunnel),
}

_PLAYER_WORDS: dict[str, Codec] = {
    "hand": _COUNTS,
    "hand_at_least": _COUNTS,
    "tickets": _IDS,
    "offer": _IDS,
    "choice": _nullable(_format_list, _parse_list),
    "out": _IDS,
    "completed": _IDS,
    "wagons": _NUMBER,
    "score": _NUMBER,
    "stations": _IDS,
    "retired": _TRUTH,
    "yard": (
        lambda columns: _format_list([_format_column(column) for column in columns]),  # type: ignore[attr-defined]
        lambda text: [_parse_column(column) for column in _parse_list(text)],
    ),
    "road": _COUNTS,
}
