"""The gateway: REST, live events and the pages people see first."""

__version__ = "0.1.0"
