"""What the core counts, for Prometheus. Labels come from closed lists only."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """All metrics of one core in a registry of their own."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        self.commits = Counter(
            "turntable_session_commits",
            "Entries saved, by kind and actor.",
            ["kind", "by"],
            registry=registry,
        )
        self.moves = Counter(
            "turntable_session_moves", "Moves saved, by edition.", ["edition"], registry=registry
        )
        self.games = Counter(
            "turntable_session_games",
            "Games that came into a status, by edition.",
            ["status", "edition"],
            registry=registry,
        )
        self.refusals = Counter(
            "turntable_session_refusals",
            "Requests refused, by code and clause.",
            ["code", "clause"],
            registry=registry,
        )
        self.commit_seconds = Histogram(
            "turntable_session_commit_seconds",
            "Time the store took to save.",
            buckets=_SECONDS,
            registry=registry,
        )
        self.conflicts = Counter(
            "turntable_session_conflicts", "Commits that found the game elsewhere.", registry=registry
        )
        self.repeats = Counter(
            "turntable_session_repeats", "Requests answered again from the log.", registry=registry
        )
        self.cache = Counter(
            "turntable_session_cache",
            "Games asked for, by whether they were in memory.",
            ["found"],
            registry=registry,
        )
        self.deadlines = Counter(
            "turntable_session_deadlines", "Clocks that ran out, by policy.", ["policy"], registry=registry
        )
        self.deadline_lag = Histogram(
            "turntable_session_deadline_lag_seconds",
            "Time between a deadline and its enforcement.",
            buckets=_SECONDS,
            registry=registry,
        )
        self.watchers = Gauge("turntable_session_watchers", "Open watches.", registry=registry)
        self.stream_lag = Histogram(
            "turntable_session_stream_lag_seconds",
            "Time between a commit and its delivery to a watcher.",
            buckets=_SECONDS,
            registry=registry,
        )
        self.divergences = Counter(
            "turntable_session_divergences",
            "Games stopped because their log did not replay.",
            registry=registry,
        )
        self.archived = Counter("turntable_session_archived", "Records written.", registry=registry)
        self.bot_moves = Counter(
            "turntable_session_bot_decisions",
            "Decisions of bots, by bot and outcome.",
            ["bot", "outcome"],
            registry=registry,
        )
        # Looking a label up costs four times as much as counting.
        self.hit = self.cache.labels("yes")
        self.miss = self.cache.labels("no")
