"""Check the tree: no address of a package index, no absolute path of a machine, no build product.

python tools/tree.py
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Assembled here, so that this file does not match itself.
INDEX_HOSTS = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"))]
MACHINE_DIRECTORIES = ("home", "root", "Users", "work", "workspace", "tmp", "opt", "mnt", "srv")

FAULTS = {
    "address of a package index": re.compile(
        "|".join(
            (
                *map(re.escape, INDEX_HOSTS),
                r"https?:/{2}\S+/" + r"simple\b",
                r"(?<!no-emit-)(?<!no-)\b(?:extra-)?index-" + r"url\b",
                r'"resolved":\s*"http',
            )
        )
    ),
    "absolute path of a machine": re.compile(
        rf"(?<![\w.}})\]/*~-])/(?:{'|'.join(MACHINE_DIRECTORIES)})/\w|\b[A-Z]:\\{{1,2}}Users\\"
    ),
}
ADDRESS = re.compile(r"https?:/{2}")
BUILD_PRODUCTS = {".so", ".pyd", ".o", ".pyo"}
SOURCE_DIRECTORIES = ("services", "clients", "tools", "bench", "tests")


def tracked() -> Iterator[Path]:
    """The files that are or would be committed."""
    command = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listing.split("\0")):
        if (ROOT / name).is_file():
            yield ROOT / name


def faults_in(path: Path) -> Iterator[str]:
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        return
    place = path.relative_to(ROOT)
    pinned = place.parts[0] == "requirements" or place.name in {"package-lock.json", ".npmrc"}
    for number, line in enumerate(text.splitlines(), 1):
        for fault, pattern in FAULTS.items():
            if pattern.search(line):
                yield f"{place}:{number}: {fault}: {line.strip()[:100]}"
        if pinned and ADDRESS.search(line):
            yield f"{place}:{number}: address in a file of pinned packages: {line.strip()[:100]}"


def build_products() -> Iterator[str]:
    """Build products beside the sources, ignored by git or not: they would shadow an edited file."""
    for directory in SOURCE_DIRECTORIES:
        for path in (ROOT / directory).rglob("*"):
            if path.suffix in BUILD_PRODUCTS and "node_modules" not in path.parts:
                yield f"{path.relative_to(ROOT)}: build product beside the sources"


def main() -> None:
    files = list(tracked())
    faults = [fault for path in files for fault in faults_in(path)]
    faults += build_products()
    for fault in faults:
        print(fault)
    if faults:
        sys.exit(f"{len(faults)} faults in the tree")
    print(f"tree: {len(files)} files, no stray address, path or build product")


if __name__ == "__main__":
    main()
