"""Compares plain data of the engine with message types: every key has its field, every value could be put in it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

# Wrappers that give a list or a multiset of cards the presence a repeated field lacks.
WRAPPERS = {"TicketChoice": "tickets", "CardPile": "cards"}
# Objects from a name to a value become lists: the fields that hold name and value.
ENTRIES = {"CardCount": ("card", "count"), "RouteOwner": ("route", "seat"), "StationOwner": ("city", "seat")}
WHOLE = {
    FieldDescriptor.CPPTYPE_INT32: int,
    FieldDescriptor.CPPTYPE_INT64: int,
    FieldDescriptor.CPPTYPE_BOOL: bool,
    FieldDescriptor.CPPTYPE_STRING: str,
}


def prefix_of(enum: EnumDescriptor) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", enum.name).upper() + "_"


def words_of(enum: EnumDescriptor) -> list[str]:
    """The enumeration as the engine spells it, the zero value left out."""
    prefix = prefix_of(enum)
    assert enum.values[0].name == f"{prefix}UNSPECIFIED" and enum.values[0].number == 0
    assert all(value.name.startswith(prefix) for value in enum.values)
    return [value.name.removeprefix(prefix).lower() for value in enum.values[1:]]


class Shapes:
    """Notes what does not fit, and which fields were met."""

    def __init__(self) -> None:
        self.faults: set[str] = set()
        self.met: dict[str, set[str]] = {}

    def message(self, data: object, kind: Descriptor) -> None:
        if kind.name in WRAPPERS:
            self.field(data, kind.fields_by_name[WRAPPERS[kind.name]])
            return
        if not isinstance(data, Mapping):
            self.faults.add(f"{kind.name}: {data!r} is no object")
            return
        for key, value in data.items():
            field = kind.fields_by_name.get(key)
            if field is None:
                self.faults.add(f"{kind.name} has no field {key}")
            else:
                self.met.setdefault(kind.name, set()).add(key)
                self.field(value, field)

    def field(self, value: object, field: FieldDescriptor) -> None:
        if field.is_repeated:
            self.items(value, field)
        elif value is None:
            if not field.has_presence and field.enum_type is None:
                self.faults.add(f"{field.full_name} cannot be absent")
        else:
            self.single(value, field)

    def items(self, value: object, field: FieldDescriptor) -> None:
        kind = field.message_type
        if isinstance(value, Mapping) and kind is not None and kind.name in ENTRIES:
            name, worth = ENTRIES[kind.name]
            for key, item in value.items():
                self.message({name: key, worth: item}, kind)
        elif isinstance(value, (list, tuple)):
            for item in value:
                if item is None and field.enum_type is not None:
                    continue  # an empty slot is the zero value
                self.single(item, field)
        else:
            self.faults.add(f"{field.full_name}: {type(value).__name__} in a repeated field")

    def single(self, value: object, field: FieldDescriptor) -> None:
        if field.message_type is not None:
            self.message(value, field.message_type)
        elif field.enum_type is not None:
            if value not in words_of(field.enum_type):
                self.faults.add(f"{field.enum_type.name} lacks {value!r}")
        elif field.type == FieldDescriptor.TYPE_BYTES:
            bytes.fromhex(str(value))
        elif field.name == "first_player" and value == "random":
            assert field.has_presence
        elif type(value) is not WHOLE[field.cpp_type]:
            self.faults.add(f"{field.full_name}: {value!r} does not fit")

    def unmet(self, kind: Descriptor) -> set[str]:
        """Fields that no data had, although data of the kind were met."""
        return {field.name for field in kind.fields} - self.met.get(kind.name, set())
