"""The generated distribution: complete, typed, and clear of the SDK's package."""

from __future__ import annotations

import importlib
import importlib.metadata
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf.message import Message

import turntable_proto
from turntable_proto.game.v1 import move_pb2
from turntable_proto.rules.v1 import rules_service_pb2_grpc
from turntable_proto.session.v1 import session_service_pb2_grpc

PROTO = Path(__file__).resolve().parents[2] / "proto"
PACKAGE = Path(str(turntable_proto.__file__)).parent
FILES = sorted(path.relative_to(PROTO / "turntable") for path in PROTO.rglob("*.proto"))
MODULES = sorted(path for path in PACKAGE.rglob("*_pb2*.py"))


def name_of(module: Path) -> str:
    return ".".join(("turntable_proto", *module.relative_to(PACKAGE).with_suffix("").parts))


@pytest.mark.parametrize("file", FILES, ids=str)
def test_every_proto_has_its_module(file: Path) -> None:
    module = importlib.import_module(name_of(PACKAGE / file.with_name(f"{file.stem}_pb2")))
    assert module.DESCRIPTOR.name == f"turntable/{file.as_posix()}"
    assert module.DESCRIPTOR.package == f"turntable.{'.'.join(file.parent.parts)}"


def test_every_module_belongs_to_a_proto_and_has_type_stubs() -> None:
    assert {path.name.split("_pb2")[0] for path in MODULES} == {file.stem for file in FILES}
    assert [path for path in MODULES if not path.with_suffix(".pyi").is_file()] == []
    assert (PACKAGE / "py.typed").is_file()


def test_no_module_is_called_turntable() -> None:
    """In a fresh interpreter: importing everything must not touch the name of the SDK's package."""
    source = "import importlib, sys\n"
    source += "".join(f"importlib.import_module({name_of(path)!r})\n" for path in MODULES)
    source += "print([name for name in sys.modules if name.split('.')[0] == 'turntable'])"
    found = subprocess.run((sys.executable, "-c", source), capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_no_text_of_the_package_imports_turntable() -> None:
    pattern = re.compile(r"^\s*(?:from|import) turntable\b", re.MULTILINE)
    assert [
        path for path in PACKAGE.rglob("*.py*") if path.suffix != ".pyc" and pattern.search(path.read_text())
    ] == []


def test_messages_know_their_module() -> None:
    move: Message = move_pb2.Move(draw_row=move_pb2.DrawRow(slot=3))
    assert type(move).__module__ == "turntable_proto.game.v1.move_pb2"
    assert pickle.loads(pickle.dumps(move)) == move


def test_services_keep_their_names_on_the_wire() -> None:
    source = Path(str(rules_service_pb2_grpc.__file__)).read_text("utf-8")
    assert "'/turntable.rules.v1.RulesService/ApplyMove'" in source
    assert issubclass(rules_service_pb2_grpc.RulesServiceServicer, object)
    assert issubclass(session_service_pb2_grpc.SessionServiceServicer, object)


def test_the_floors_are_what_the_generated_code_demands() -> None:
    """Generated code refuses a runtime older than its compiler."""
    floors = " ".join(importlib.metadata.requires("turntable-proto") or [])
    module = Path(str(move_pb2.__file__)).read_text("utf-8")
    protobuf = re.search(r"Protobuf Python Version: (\S+)", module)
    assert protobuf and re.search(rf"protobuf\S*>={re.escape(protobuf[1])}\b", floors)
    assert f"grpcio>={rules_service_pb2_grpc.GRPC_GENERATED_VERSION}" in floors
