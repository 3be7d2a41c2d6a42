"""Create the local environments and the wheels; does nothing when nothing has changed.

Runs on a bare interpreter (standard library only):

    python tools/environment.py dev        .venv: the work tree's tests, lint and types
    python tools/environment.py wheel      dist/: the engine's wheel, compiled where that is possible
    python tools/environment.py proto      dist/: the wheel of the messages generated from proto/
    python tools/environment.py compiled   .venv-compiled: the compiled wheel and what the tests need
    python tools/environment.py lock       requirements/*.txt from requirements/*.in
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements"
RULES = ROOT / "services" / "rules"
PROTO = ROOT / "proto"
BOTS = ROOT / "clients" / "bots"
DIST = ROOT / "dist"
STAMP = ".turntable-key"
UV = "uv==0.13.8"
LOCKED = ("test", "dev", "build")  # in this order: each may refer to the ones before


def say(message: str) -> None:
    print(f"turntable: {message}", flush=True)


def run(*command: str | Path, cwd: Path = ROOT, **variables: str) -> None:
    """Run a command; end with its exit code if it fails."""
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **variables}
    environment.pop("PYTHONPATH", None)
    code = subprocess.run(command, cwd=cwd, env=environment, check=False).returncode
    if code:
        say(f"failed with exit code {code}: {shlex.join(map(str, command))}")
        sys.exit(code)


def key_of(files: Iterable[Path], *facts: str) -> str:
    """A digest of the interpreter, the place, some facts and the files' contents."""
    digest = hashlib.sha256("\n".join((sys.version, sys.base_prefix, str(ROOT), *facts)).encode())
    for path in files:
        digest.update(f"\n{path.relative_to(ROOT)}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def is_current(stamp: Path, key: str) -> bool:
    return stamp.is_file() and stamp.read_text() == key


def python_of(name: str) -> Path:
    return ROOT / name / "bin" / "python"


def works(python: Path) -> bool:
    """Whether the interpreter starts: its base may have been removed or replaced."""
    if not python.exists():
        return False
    return subprocess.run((python, "-c", "import pip"), capture_output=True, check=False).returncode == 0


def ensure(name: str, *requirements: str, wheels: Sequence[Path] = ()) -> Path:
    """The interpreter of environment `name`, holding exactly the pinned requirements and our own wheels."""
    files = [REQUIREMENTS / f"{requirement}.txt" for requirement in requirements]
    directory, python = ROOT / name, python_of(name)
    key = key_of(files, "environment/2")
    if not (is_current(directory / STAMP, key) and works(python)):
        say(f"creating {name} with Python {sys.version.split()[0]}")
        shutil.rmtree(directory, ignore_errors=True)
        run(sys.executable, "-m", "venv", directory)
        for file in files:
            run(python, "-m", "pip", "install", "-qq", "--require-hashes", "--no-deps", "-r", file)
        (directory / STAMP).write_text(key)
    for wheel in wheels:
        install(directory, wheel)
    return python


def install(directory: Path, wheel: Path) -> None:
    """Put one of our wheels into an environment, in place of an older one."""
    stamp, key = stamp_of(directory, wheel), key_of([wheel])
    if is_current(stamp, key):
        return
    stamp.unlink(missing_ok=True)
    options = ("-qq", "--no-index", "--no-deps", "--force-reinstall")
    run(python_of(directory.name), "-m", "pip", "install", *options, wheel)
    stamp.write_text(key)


def stamp_of(directory: Path, wheel: Path) -> Path:
    """Where the key of a distribution built or installed is kept."""
    return directory / f"{STAMP}-{wheel.name.split('-')[0]}"


def obstacle_to_compiling() -> str | None:
    """What is missing for compiling, or None."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        return f"no C compiler here ({compiler} is not on PATH)"
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        return "no Python headers here (Python.h; on Debian and Ubuntu the package is python3-dev)"
    return None


def sources() -> list[Path]:
    """The files that go into the wheel."""
    return sorted(
        path
        for path in RULES.rglob("*")
        if path.is_file()
        and path.suffix not in {".pyc", ".so"}
        and not {"__pycache__", "build"} & set(path.parts)
        and not any(part.endswith(".egg-info") for part in path.parts)
    )


def wheel_key(files: list[Path], *, compile_it: bool) -> str:
    return key_of([*files, REQUIREMENTS / "build.txt"], "wheel/1", str(compile_it))


def compiled_python() -> Path | None:
    """The interpreter with the compiled wheel of the sources as they are now, or None."""
    python = python_of(".venv-compiled")
    current = is_current(DIST / f"{STAMP}-turntable_rules", wheel_key(sources(), compile_it=True))
    return python if current and python.exists() else None


def build_wheel(*, compile_it: bool) -> Path:
    """Build the wheel from a copy of the sources, so that no build product lies beside them."""
    files = sources()
    key = wheel_key(files, compile_it=compile_it)
    built = built_wheel("turntable_rules", key)
    if built:
        return built
    python = ensure(".venv-build", "build")
    copy = ROOT / "build" / "rules"
    shutil.rmtree(copy, ignore_errors=True)
    for path in files:
        target = copy / path.relative_to(RULES)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    say(f"building the {'compiled' if compile_it else 'pure Python'} wheel")
    return pack(python, copy, "turntable_rules", key, TURNTABLE_COMPILE=str(int(compile_it)))


def proto_wheel() -> Path:
    """Generate the Python of the protos and build its wheel."""
    generator = ROOT / "tools" / "generate_proto.py"
    protos = sorted(PROTO.rglob("*.proto"))
    files = [*protos, PROTO / "pyproject.toml", generator, REQUIREMENTS / "build.txt"]
    key = key_of(files, "proto/1")
    built = built_wheel("turntable_proto", key)
    if built:
        return built
    python = ensure(".venv-build", "build")
    generated = ROOT / "build" / "proto"
    say("generating Python from the protos")
    run(python, generator, generated)
    # One fixed date: equal protos then give an equal wheel.
    return pack(python, generated, "turntable_proto", key, SOURCE_DATE_EPOCH="315532800")


def bots_wheel() -> Path:
    """The wheel of the bots: environments need it for the entry points, by which bots are found."""
    files = [*sorted((BOTS / "turntable_bots").rglob("*.py")), BOTS / "pyproject.toml"]
    key = key_of([*files, REQUIREMENTS / "build.txt"], "bots/1")
    built = built_wheel("turntable_bots", key)
    if built:
        return built
    python = ensure(".venv-build", "build")
    copy = ROOT / "build" / "bots"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(BOTS, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return pack(python, copy, "turntable_bots", key, SOURCE_DATE_EPOCH="315532800")


def built_wheel(distribution: str, key: str) -> Path | None:
    """The wheel built before from the same sources, or None."""
    built = sorted(DIST.glob(f"{distribution}-*.whl"))
    current = is_current(DIST / f"{STAMP}-{distribution}", key)
    return built[0] if current and len(built) == 1 else None


def pack(python: Path, source: Path, distribution: str, key: str, **variables: str) -> Path:
    """Build the wheel of a source directory in place of older ones; the directory is used up."""
    for old in DIST.glob(f"{distribution}-*.whl"):
        old.unlink()
    options = ("--quiet", "--no-build-isolation", "--no-deps", "--no-index", "--no-cache-dir")
    run(python, "-m", "pip", "wheel", *options, "-w", DIST, source, cwd=ROOT, **variables)
    shutil.rmtree(source)
    (wheel,) = DIST.glob(f"{distribution}-*.whl")
    stamp_of(DIST, wheel).write_text(key)
    say(f"built {wheel.relative_to(ROOT)}")
    return wheel


def dev() -> None:
    ensure(".venv", "dev", wheels=[proto_wheel(), bots_wheel()])


def proto() -> None:
    say(f"wheel: {proto_wheel().relative_to(ROOT)}")


def wheel() -> None:
    obstacle = obstacle_to_compiling()
    if obstacle:
        say(f"{obstacle}: the wheel is pure Python")
    say(f"wheel: {build_wheel(compile_it=obstacle is None).relative_to(ROOT)}")


def compiled() -> None:
    obstacle = obstacle_to_compiling()
    if obstacle:
        # A stale environment would pass for a fresh one.
        shutil.rmtree(ROOT / ".venv-compiled", ignore_errors=True)
        say(f"{obstacle}: the engine cannot be compiled; everything works interpreted, only slower")
        return
    ensure(".venv-compiled", "test", wheels=[build_wheel(compile_it=True), proto_wheel(), bots_wheel()])


def lock() -> None:
    directory = ROOT / ".venv-lock"
    shutil.rmtree(directory, ignore_errors=True)
    run(sys.executable, "-m", "venv", directory)
    run(python_of(".venv-lock"), "-m", "pip", "install", "-qq", UV)
    resolution = ("--universal", "--python-version", "3.11", "--upgrade", "--generate-hashes")
    silence = ("--quiet", "--no-annotate", "--no-header", "--no-emit-index-url", "--no-emit-find-links")
    for name in LOCKED:
        files = (f"{name}.in", "-o", f"{name}.txt")
        run(directory / "bin" / "uv", "pip", "compile", *resolution, *silence, *files, cwd=REQUIREMENTS)
    shutil.rmtree(directory)


COMMANDS = {"dev": dev, "wheel": wheel, "proto": proto, "compiled": compiled, "lock": lock}


def main() -> None:
    if len(sys.argv) != 2 or sys.argv[1] not in COMMANDS:
        sys.exit(f"usage: environment.py {'|'.join(COMMANDS)}")
    COMMANDS[sys.argv[1]]()


if __name__ == "__main__":
    main()
