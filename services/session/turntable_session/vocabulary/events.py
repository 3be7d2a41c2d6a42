"""Events as messages: what everybody knows, and what one seat alone may know beside it."""

from collections.abc import Mapping
from typing import Any, Final

from turntable_proto.game.v1 import event_pb2
from turntable_rules import Event
from turntable_session.vocabulary.from_proto import Facts, reading
from turntable_session.vocabulary.to_proto import Init, preparing

_PUBLIC: Final = {
    field.name: field.message_type
    for field in event_pb2.Event.DESCRIPTOR.oneofs_by_name["type"].fields
    if field.message_type is not None
}
_PRIVATE: Final = {
    field.name: field.message_type
    for field in event_pb2.PrivatePart.DESCRIPTOR.oneofs_by_name["type"].fields
    if field.message_type is not None
}


def seen_event_to_proto(facts: Mapping[str, Any]) -> Init:
    """An event as one reader may know it: `Event.seen_by`."""
    kind = str(facts["type"])
    public = {name: facts[name] for name in _PUBLIC[kind].fields_by_name}
    init: Init = {kind: preparing(_PUBLIC[kind])(public)}
    if len(facts) > len(public) + 1:
        private = {name: facts[name] for name in _PRIVATE[kind].fields_by_name}
        # A private part is for the seat the event is about.
        init["private_part"] = {"seat": facts["seat"], kind: preparing(_PRIVATE[kind])(private)}
    return init


def seen_event_from_proto(message: event_pb2.Event) -> Facts:
    """The event as its reader knows it."""
    event = event_from_proto(message)
    return event.in_full()


def event_from_proto(message: event_pb2.Event) -> Event:
    """An event of the engine's with both its parts."""
    kind = message.WhichOneof("type")
    if kind is None:
        raise ValueError("an event of a kind that is not known here")
    public = reading(_PUBLIC[kind])(getattr(message, kind))
    if not message.HasField("private_part"):
        return Event(kind, public)
    part = message.private_part
    return Event(kind, public, part.seat, reading(_PRIVATE[kind])(getattr(part, kind)))
