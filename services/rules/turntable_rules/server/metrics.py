"""What the rules service counts, for Prometheus."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from prometheus_client import CollectorRegistry, Gauge
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from turntable_rules import COMPILED, ENGINE_REVISION

SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5)
POSITIONS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 4096)


class Distribution:
    """How often values fell below each bound. Only the event loop counts, so it needs no lock."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Count one value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def add_to(self, family: HistogramMetricFamily, labels: Sequence[str]) -> None:
        """The counts as Prometheus wants them, each bound with all that is below it."""
        buckets: list[tuple[str, float]] = []
        below = 0
        names = [*(str(float(bound)) for bound in self.bounds), "+Inf"]
        for name, count in zip(names, self.counts, strict=True):
            below += count
            buckets.append((name, below))
        family.add_metric(labels, buckets, self.total)


class Metrics(Collector):
    """All metrics of one service in a registry of their own; counting is part of every call, showing is rare."""

    def __init__(self) -> None:
        self.batch = Distribution(POSITIONS)
        self._latency: dict[tuple[str, str], Distribution] = {}
        self._requests: dict[tuple[str, str], int] = {}
        self._refusals: dict[tuple[str, str], int] = {}
        self.registry = CollectorRegistry()
        self.registry.register(self)
        engine = Gauge(
            "turntable_rules_engine",
            "1, with the engine's build and revision.",
            ["build", "revision"],
            registry=self.registry,
        )
        engine.labels("compiled" if COMPILED else "interpreted", str(ENGINE_REVISION)).set(1)

    def answered(self, method: str, edition: str, code: str, seconds: float) -> None:
        """Count one call."""
        latency = self._latency.get((method, edition))
        if latency is None:
            latency = self._latency[method, edition] = Distribution(SECONDS)
        latency.observe(seconds)
        self._requests[method, code] = self._requests.get((method, code), 0) + 1

    def refused(self, code: str, clause: str) -> None:
        """Count one refused move."""
        self._refusals[code, clause] = self._refusals.get((code, clause), 0) + 1

    def collect(self) -> Iterator[Metric]:
        """Everything counted so far; called by the thread of the metrics page, hence the copies."""
        latency = HistogramMetricFamily(
            "turntable_rules_request_seconds",
            "Time to answer a call, by method and edition.",
            labels=["method", "edition"],
        )
        for labels, distribution in list(self._latency.items()):
            distribution.add_to(latency, labels)
        yield latency
        yield _counter(
            "turntable_rules_requests",
            "Calls answered, by method and status code.",
            ["method", "code"],
            self._requests,
        )
        yield _counter(
            "turntable_rules_refusals",
            "Moves refused, by code and clause.",
            ["code", "clause"],
            self._refusals,
        )
        batch = HistogramMetricFamily(
            "turntable_rules_batch_positions", "Positions in one batch or stream message.", labels=[]
        )
        self.batch.add_to(batch, ())
        yield batch


def _counter(
    name: str, text: str, labels: Sequence[str], counts: dict[tuple[str, str], int]
) -> CounterMetricFamily:
    family = CounterMetricFamily(name, text, labels=labels)
    for values, count in list(counts.items()):
        family.add_metric(values, count)
    return family
