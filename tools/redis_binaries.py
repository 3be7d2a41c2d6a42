"""A real Redis server for the tests: the one on PATH, else Debian's, unpacked below build/ without root.

python -m tools.redis_binaries
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "redis"
PACKAGES = ("redis-server", "redis-tools")
# Each round brings the libraries the packages of the round before depend on.
ROUNDS = 3
REMEDY = "install Redis 7 or newer so that redis-server is on PATH (on Debian and Ubuntu: apt-get install redis-server)"

# The tree may be moved, so the wrapper finds its files by its own place.
WRAPPER = """\
#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
LD_LIBRARY_PATH=$(printf '%s:' "$here"/files/usr/lib/*-linux-gnu* "$here"/files/lib/*-linux-gnu*)$LD_LIBRARY_PATH
export LD_LIBRARY_PATH
exec "$here/files/usr/bin/redis-server" "$@"
"""


class RedisMissingError(Exception):
    """There is no Redis server here and none can be had; the message says what to do."""


def redis_server() -> Path:
    """The server to test with; the first call on a machine without one takes a few seconds."""
    found = shutil.which("redis-server")
    return Path(found).absolute() if found else unpacked_server(PLACE)


def unpacked_server(place: Path) -> Path:
    """Debian's server unpacked into a directory, once for all processes that ask."""
    place.mkdir(parents=True, exist_ok=True)
    wrapper = place / "redis-server"
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not wrapper.exists():
            for tool in ("apt-get", "dpkg-deb", "ldd"):
                if shutil.which(tool) is None:
                    raise RedisMissingError(
                        f"no redis-server on PATH and no {tool} to get one with: {REMEDY}"
                    )
            unpack(place)
            # Complete or absent: a process killed halfway leaves no wrapper.
            draft = place / "redis-server.new"
            draft.write_text(WRAPPER)
            draft.chmod(0o755)
            draft.rename(wrapper)
    return wrapper


def unpack(place: Path) -> None:
    """Download and unpack the packages, then the packages of the shared libraries still missing."""
    for leftover in ("packages", "files"):
        shutil.rmtree(place / leftover, ignore_errors=True)
    packages: Sequence[str] = PACKAGES
    for _ in range(ROUNDS):
        depends = fetch(place, packages)
        missing = missing_libraries(place / "files")
        if not missing:
            return
        packages = [name for name in depends if re.match("lib|lua", name) and not is_installed(name)]
        if not packages:
            break
    raise RedisMissingError(f"Debian's redis-server lacks {', '.join(missing)}: {REMEDY}")


def fetch(place: Path, packages: Sequence[str]) -> list[str]:
    """Download and unpack some packages; the names of those they depend on, the first of each choice."""
    store = place / "packages" / packages[0]
    store.mkdir(parents=True)
    download(place, store, packages)
    depends: set[str] = set()
    for package in store.glob("*.deb"):
        run("dpkg-deb", "-x", os.fspath(package), os.fspath(place / "files"))
        wanted = run("dpkg-deb", "-f", os.fspath(package), "Depends").stdout
        depends.update(re.findall(r"(?:^|,)\s*([a-z0-9.+-]+)", wanted))
    return sorted(depends)


def is_installed(package: str) -> bool:
    """Whether the machine has a package itself."""
    command = ("dpkg-query", "-W", "-f", "${db:Status-Status}", package)
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout == "installed"


def download(place: Path, store: Path, packages: Sequence[str]) -> None:
    """Download packages, with the machine's package lists or, where it has none, with lists of our own."""
    try:
        run("apt-get", "download", *packages, cwd=store)
    except RedisMissingError:
        lists, cache = place / "lists", place / "cache"
        for directory in (lists, cache):
            (directory / "partial").mkdir(parents=True, exist_ok=True)
        # Without root nobody else can be chosen to download as; with it, nobody else may write here.
        own = (
            "-o",
            f"Dir::State::Lists={lists}",
            "-o",
            f"Dir::Cache={cache}",
            "-o",
            "APT::Sandbox::User=root",
        )
        run("apt-get", *own, "update")
        run("apt-get", *own, "download", *packages, cwd=store)


def missing_libraries(files: Path) -> list[str]:
    """The shared libraries the unpacked server does not find."""
    directories = [*files.glob("usr/lib/*-linux-gnu*"), *files.glob("lib/*-linux-gnu*")]
    environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(map(str, directories))}
    found = subprocess.run(
        ["ldd", files / "usr" / "bin" / "redis-server"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return re.findall(r"(\S+) => not found", found.stdout)


def run(*command: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command quietly; if it fails, say what it said and what to do."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RedisMissingError(f"{command[0]} failed: {done.stderr.strip()[-400:]}\n{REMEDY}")
    return done


def main() -> None:
    try:
        server = redis_server()
    except RedisMissingError as error:
        sys.exit(f"redis_binaries: {error}")
    print(server)
    print(run(os.fspath(server), "--version").stdout.strip())


if __name__ == "__main__":
    main()
