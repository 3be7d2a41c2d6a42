"""Run the rules service: python -m turntable_rules.server (settings: TURNTABLE_RULES_… in the environment)."""

import asyncio
import os
import sys

from turntable_rules.server.app import StartError, serve
from turntable_rules.server.logs import start_logging
from turntable_rules.server.settings import SettingsError, read_settings


def main() -> None:
    """Read the settings and serve."""
    try:
        settings = read_settings(os.environ)
    except SettingsError as error:
        sys.exit(f"turntable-rules: {error}")
    start_logging(settings.log_level)
    try:
        asyncio.run(serve(settings))
    except StartError as error:
        sys.exit(f"turntable-rules: {error}")


if __name__ == "__main__":
    main()
