"""Games held in Redis: created, seated, played, timed, watched and archived."""

__version__ = "0.1.0"
