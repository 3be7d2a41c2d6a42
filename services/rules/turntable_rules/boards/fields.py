"""The fields of one JSON object, handed out by type; whatever is wrong with them is noted, never raised."""

import re
from collections.abc import Mapping
from typing import Final, TypeVar

from turntable_rules.boards.faults import Code, Fault
from turntable_rules.boards.scan import Node

MAX_ID: Final = 64
MAX_TEXT: Final = 80

_ID: Final = re.compile(r"[a-z0-9_-]+")

T = TypeVar("T")


class Fields:
    """Reads one object field by field; `done` then reports the keys nobody asked for."""

    def __init__(self, node: Node, faults: list[Fault]) -> None:
        self._node = node
        self._faults = faults
        self._asked: set[str] = set()
        self._members: dict[str, Node] = {}
        if isinstance(node.value, dict):
            self._members = node.value
        else:
            self._wrong_type(node, "an object")

    @property
    def is_object(self) -> bool:
        """Whether there was an object to read."""
        return isinstance(self._node.value, dict)

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def fault(self, code: Code, name: str, message: str) -> None:
        """Notes a fault of the field `name`; if the object has none, its line is the object's."""
        node = self._members.get(name) if name else None
        if node is None:
            path = _joined(self._node.path, name) if name else self._node.path
            self._faults.append(Fault(code, path, self._node.line, message))
        else:
            self._faults.append(Fault(code, node.path, node.line, message))

    def note(self, node: Node, code: Code, message: str) -> None:
        """Notes a fault of a node somewhere inside the object."""
        self._faults.append(Fault(code, node.path, node.line, message))

    def spelling(self, *names: str) -> str:
        """Which of several spellings of one field the object uses; the first if none."""
        return next((name for name in names if name in self._members), names[0])

    def optional(self, *names: str) -> Node | None:
        """The field's node, or None if it is absent; giving it in two spellings is a fault."""
        self._asked.update(names)
        present = [name for name in names if name in self._members]
        for name in present[1:]:
            self.fault(Code.DUPLICATE_KEY, name, f"{name!r} and {present[0]!r} are the same key")
        return self._members[present[0]] if present else None

    def required(self, *names: str) -> Node | None:
        """The field's node; its absence is a fault."""
        node = self.optional(*names)
        if node is None and self.is_object:
            self.fault(Code.MISSING_KEY, names[0], f"the key {names[0]!r} is missing")
        return node

    def reference(self, *names: str) -> str:
        """An id defined elsewhere; "" if it cannot be read."""
        node = self.required(*names)
        return "" if node is None else self.as_reference(node)

    def as_reference(self, node: Node) -> str:
        """The id a node holds, be it well formed or not; "" if it holds none."""
        if not isinstance(node.value, str):
            self._wrong_type(node, "an id")
            return ""
        if not node.value:
            self.note(node, Code.BAD_ID, "the id is empty")
        return node.value

    def id(self, name: str = "id") -> str:
        """A new id; "" if it cannot be read."""
        node = self.required(name)
        return "" if node is None else self._as_id(node)

    def optional_id(self, name: str) -> str | None:
        """An id that may be absent or null."""
        node = self.optional(name)
        return None if node is None or node.value is None else self._as_id(node)

    def text(self, name: str, default: str) -> str:
        """A line of text to show to people."""
        node = self.optional(name)
        if node is None:
            return default
        if not isinstance(node.value, str):
            self._wrong_type(node, "text")
            return default
        value = node.value
        if not value.strip() or not value.isprintable() or len(value) > MAX_TEXT:
            self.note(node, Code.BAD_TEXT, f"must be 1 to {MAX_TEXT} printable characters")
        return value

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        node = self.optional(name)
        if node is None:
            return default
        if not isinstance(node.value, bool):
            self._wrong_type(node, "true or false")
            return default
        return node.value

    def whole(
        self, names: tuple[str, ...], low: int, high: int, code: Code, default: int | None = None
    ) -> int | None:
        """A whole number within bounds; None if it cannot be read; required unless there is a default."""
        node = self.required(*names) if default is None else self.optional(*names)
        return default if node is None else self.as_whole(node, low, high, code)

    def as_whole(self, node: Node, low: int, high: int, code: Code) -> int | None:
        """The whole number a node holds, if it is within bounds."""
        if not isinstance(node.value, int) or isinstance(node.value, bool):
            self._wrong_type(node, "a whole number")
            return None
        if not low <= node.value <= high:
            self.note(node, code, f"{node.value} is not between {low} and {high}")
            return None
        return node.value

    def choice(
        self, names: tuple[str, ...], known: Mapping[str, T], code: Code, default: T | None = None
    ) -> T | None:
        """The meaning of a known word; None if it cannot be read; required unless there is a default."""
        node = self.required(*names) if default is None else self.optional(*names)
        return default if node is None else self.as_choice(node, known, code)

    def as_choice(self, node: Node, known: Mapping[str, T], code: Code) -> T | None:
        """The meaning of the word a node holds."""
        if not isinstance(node.value, str):
            self._wrong_type(node, "text")
            return None
        if node.value not in known:
            self.note(node, code, f"{_shown(node)} is none of {', '.join(known)}")
            return None
        return known[node.value]

    def nodes(self, name: str, needed: bool = True) -> list[Node]:
        """The elements of a list."""
        node = self.required(name) if needed else self.optional(name)
        return [] if node is None else self.as_nodes(node)

    def as_nodes(self, node: Node) -> list[Node]:
        """The elements of the list a node holds."""
        if isinstance(node.value, list):
            return node.value
        self._wrong_type(node, "a list")
        return []

    def objects(self, name: str, needed: bool = True) -> list["Fields"]:
        """The objects in a list; other elements are faults and left out."""
        elements = [Fields(node, self._faults) for node in self.nodes(name, needed)]
        return [fields for fields in elements if fields.is_object]

    def listed(self, name: str) -> list[Node] | None:
        """The elements of a list already read, without noting its faults again; None if it is no list."""
        node = self._members.get(name)
        return node.value if node is not None and isinstance(node.value, list) else None

    def object(self, name: str, needed: bool = True) -> "Fields | None":
        """The object in a field."""
        node = self.required(name) if needed else self.optional(name)
        return None if node is None else Fields(node, self._faults)

    def members(self) -> dict[str, Node]:
        """All fields, for objects whose keys are data."""
        self._asked.update(self._members)
        return self._members

    def done(self) -> None:
        """Notes every key that has no meaning here."""
        for name in self._members:
            if name not in self._asked:
                self.fault(Code.UNKNOWN_KEY, name, "this key is not known here")

    def _as_id(self, node: Node) -> str:
        if not isinstance(node.value, str):
            self._wrong_type(node, "an id")
            return ""
        # "-" alone means "none" in the notation of moves and positions.
        if not _ID.fullmatch(node.value) or node.value == "-" or len(node.value) > MAX_ID:
            rule = f"an id is 1 to {MAX_ID} of the characters a-z 0-9 _ - and more than a '-'"
            self.note(node, Code.BAD_ID, f"{_shown(node)} is no id: {rule}")
        return node.value

    def _wrong_type(self, node: Node, wanted: str) -> None:
        self.note(node, Code.WRONG_TYPE, f"must be {wanted}, not {_shown(node)}")


def _shown(node: Node) -> str:
    """A value as it appears in a message: short and printable whatever the file holds."""
    value = node.value
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value) if len(repr(value)) <= MAX_TEXT else repr(value)[:MAX_TEXT] + "..."


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
