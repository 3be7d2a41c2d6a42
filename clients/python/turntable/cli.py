"""The command `turntable` and its verbs."""

import argparse
import sys
from collections.abc import Sequence

from turntable.verify import add_arguments, verify


def main(arguments: Sequence[str] | None = None) -> None:
    """Carry a command out; the exit code is 0 if all is well, 1 if not, 2 if it was not understood."""
    parser = argparse.ArgumentParser(prog="turntable", description="Turntable, a server for train games.")
    verbs = parser.add_subparsers(title="commands", required=True, metavar="command")
    verb = verbs.add_parser("verify", help="replay a record and check everything it says")
    add_arguments(verb)
    verb.set_defaults(carry_out=verify)
    given = parser.parse_args(arguments)
    code: int = given.carry_out(given)
    sys.exit(code)
