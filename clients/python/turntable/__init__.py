"""The command line `turntable`."""

__version__ = "0.1.0"
