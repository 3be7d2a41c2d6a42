"""Messages by name, with nested ones as dictionaries: protobuf takes them, its type stubs do not know."""

from __future__ import annotations

from typing import Any

from turntable_proto.game.v1 import record_pb2
from turntable_proto.rules.v1 import rules_service_pb2


class _Make:
    """`make.GetViewRequest(position={"state": state})`."""

    def __getattr__(self, name: str) -> Any:
        return getattr(rules_service_pb2, name, None) or getattr(record_pb2, name)


make = _Make()
