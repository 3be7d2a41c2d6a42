"""What the rules service counts, for Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from turntable_rules import COMPILED, ENGINE_REVISION


class Metrics:
    """All metrics of one service in a registry of their own. Finding a label costs more than counting: it is kept."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._latency = Histogram(
            "turntable_rules_request_seconds",
            "Time to answer a call, by method and edition.",
            ["method", "edition"],
            registry=self.registry,
            buckets=(0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5),
        )
        self._requests = Counter(
            "turntable_rules_requests",
            "Calls answered, by method and status code.",
            ["method", "code"],
            registry=self.registry,
        )
        self._refusals = Counter(
            "turntable_rules_refusals",
            "Moves refused, by code and clause.",
            ["code", "clause"],
            registry=self.registry,
        )
        self.batch = Histogram(
            "turntable_rules_batch_positions",
            "Positions in one batch or stream message.",
            registry=self.registry,
            buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 4096),
        )
        self.in_flight = Gauge("turntable_rules_in_flight", "Calls under way.", registry=self.registry)
        engine = Gauge(
            "turntable_rules_engine",
            "1, with the engine's build and revision.",
            ["build", "revision"],
            registry=self.registry,
        )
        engine.labels("compiled" if COMPILED else "interpreted", str(ENGINE_REVISION)).set(1)
        self._latency_of: dict[tuple[str, str], Histogram] = {}
        self._requests_of: dict[tuple[str, str], Counter] = {}
        self._refusals_of: dict[tuple[str, str], Counter] = {}

    def answered(self, method: str, edition: str, code: str, seconds: float) -> None:
        """Count one call."""
        latency = self._latency_of.get((method, edition))
        if latency is None:
            latency = self._latency_of[method, edition] = self._latency.labels(method, edition)
        latency.observe(seconds)
        requests = self._requests_of.get((method, code))
        if requests is None:
            requests = self._requests_of[method, code] = self._requests.labels(method, code)
        requests.inc()

    def refused(self, code: str, clause: str) -> None:
        """Count one refused move."""
        refusals = self._refusals_of.get((code, clause))
        if refusals is None:
            refusals = self._refusals_of[code, clause] = self._refusals.labels(code, clause)
        refusals.inc()
