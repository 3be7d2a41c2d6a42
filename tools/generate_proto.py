"""Generate the sources of the distribution turntable-proto from proto/: modules, type stubs, marker.

    python tools/generate_proto.py build/proto

Needs grpcio-tools and mypy-protobuf (requirements/build.txt). The import package is `turntable_proto`, so that
it cannot collide with the package `turntable` of the SDK; the descriptors keep the paths of the .proto files.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
PACKAGE = "turntable_proto"

# `from turntable.game.v1 import move_pb2 as …` in modules and stubs, and the module name that classes report.
IMPORT = re.compile(r"^(\s*from )turntable\.(?=\w+\.v\d+ import )", re.MULTILINE)
MODULE_NAME = re.compile(r"(?<=DESCRIPTOR, ')turntable\.(?=\w+\.v\d+\.\w+_pb2')")


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: generate_proto.py DIRECTORY")
    target = Path(sys.argv[1]).resolve()
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    compile_protos(target)
    (target / "turntable").rename(target / PACKAGE)
    for path in [*target.rglob("*.py"), *target.rglob("*.pyi")]:
        text = path.read_text("utf-8")
        path.write_text(MODULE_NAME.sub(f"{PACKAGE}.", IMPORT.sub(rf"\1{PACKAGE}.", text)), "utf-8")
    make_packages(target / PACKAGE)
    shutil.copyfile(PROTO / "pyproject.toml", target / "pyproject.toml")


def compile_protos(target: Path) -> None:
    """Messages for every file; clients and servers only for those that define a service."""
    files = sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))
    services = [file for file in files if file.endswith("_service.proto")]
    protoc(f"--python_out={target}", f"--mypy_out=quiet:{target}", *files)
    protoc(f"--grpc_python_out={target}", f"--mypy_grpc_out=quiet:{target}", *services)


def protoc(*arguments: str) -> None:
    # The plugins are beside the interpreter, which need not be on the path.
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    command = (sys.executable, "-m", "grpc_tools.protoc", "-I.", *arguments)
    code = subprocess.run(command, cwd=PROTO, env={**os.environ, "PATH": path}, check=False).returncode
    if code:
        sys.exit(code)


def make_packages(package: Path) -> None:
    (package / "py.typed").write_text("")
    for directory in (package, *(path for path in package.rglob("*") if path.is_dir())):
        name = ".".join(directory.relative_to(package.parent).parts)
        (directory / "__init__.py").write_text(f'"""Generated from the protos: {name}."""\n')


if __name__ == "__main__":
    main()
