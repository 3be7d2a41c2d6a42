"""Build the engine: pure Python, or with its hot modules compiled by mypyc when TURNTABLE_COMPILE=1."""

import os
from pathlib import Path
from typing import Any

from setuptools import setup

ENGINE = Path("turntable_rules", "engine")
# A new module of the engine is compiled unless it is named here.
COLD_MODULES = {"__init__"}
HOT_MODULES = sorted(path.stem for path in ENGINE.glob("*.py") if path.stem not in COLD_MODULES)


def extensions() -> list[Any]:
    """The C extensions to build; none for a pure Python build."""
    if os.environ.get("TURNTABLE_COMPILE", "0") != "1":
        return []
    from mypyc.build import mypycify

    # An empty config file: the settings for checking the work tree are not meant for the build.
    options = ["--config-file=", "--python-version=3.11"]
    paths = [str(ENGINE / f"{name}.py") for name in HOT_MODULES]
    return mypycify([*options, *paths], opt_level="3", debug_level="0", group_name="turntable_rules")


setup(ext_modules=extensions())
