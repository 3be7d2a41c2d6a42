"""One rules server for the whole process, and a channel to it."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest

from tests.kit.rules_server import ServerThread, serving
from turntable_proto.rules.v1 import rules_service_pb2_grpc as pb_grpc


@pytest.fixture(scope="session")
def rules_server() -> Iterator[ServerThread]:
    """A server in this process, with metrics."""
    with serving(metrics_port=0) as server:
        yield server


@pytest.fixture(scope="session")
def stub(rules_server: ServerThread) -> Iterator[pb_grpc.RulesServiceStub]:
    """A client of it."""
    with grpc.insecure_channel(rules_server.address) as channel:
        yield pb_grpc.RulesServiceStub(channel)
