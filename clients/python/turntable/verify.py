"""turntable verify: is a record true?"""

import argparse
import json
import sys
from pathlib import Path

from turntable_rules import Verdict, verify_record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("records", nargs="+", metavar="record.json", help="files, or - for standard input")
    parser.add_argument("--json", action="store_true", help="one JSON object per record")


def verify(arguments: argparse.Namespace) -> int:
    """Say of each record whether it is valid, or where it diverges; 1 if one is not valid."""
    all_valid = True
    for name in arguments.records:
        verdict = _verdict(name)
        all_valid = all_valid and verdict.valid
        if arguments.json:
            facts = {"record": name, "valid": verdict.valid, "entries": verdict.entries}
            if not verdict.valid:
                facts |= {"fault": verdict.fault, "entry": verdict.entry}
            print(json.dumps(facts))
        else:
            print(f"{name}: {verdict}")
    return 0 if all_valid else 1


def _verdict(name: str) -> Verdict:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
        return verify_record(json.loads(text))
    except OSError as error:
        return Verdict(False, f"it cannot be read: {error.strerror}")
    except (ValueError, RecursionError) as error:
        return Verdict(False, f"it is not JSON: {str(error)[:200]}")
