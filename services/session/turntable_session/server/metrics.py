"""What the front of the session service counts, for Prometheus; the core counts for itself."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

SECONDS: Final = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0)
CALLS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256, 1024)


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
        below = 0
        buckets: list[tuple[str, float]] = []
        for bound, count in zip([*map(float, self.bounds), None], self.counts, strict=True):
            below += count
            buckets.append(("+Inf" if bound is None else str(bound), below))
        family.add_metric(labels, buckets, self.total)


class Metrics(Collector):
    """Calls, exchanges and watches; labels come from closed lists only."""

    def __init__(self) -> None:
        self.calls_received = Distribution(CALLS)
        self.answers_sent = Distribution(CALLS)
        self.exchanges = 0
        self.watches = 0
        self._seconds: dict[str, Distribution] = {}
        self._answered: dict[tuple[str, str], int] = {}

    def answered(self, method: str, reason: str, seconds: float) -> None:
        """Count one call; `reason` is `OK` or that of the failure."""
        distribution = self._seconds.get(method)
        if distribution is None:
            distribution = self._seconds[method] = Distribution(SECONDS)
        distribution.observe(seconds)
        self._answered[method, reason] = self._answered.get((method, reason), 0) + 1

    def collect(self) -> Iterator[Metric]:
        """Everything counted so far; called by the thread of the metrics page, hence the copies."""
        name = "turntable_session_grpc"
        seconds = HistogramMetricFamily(
            f"{name}_request_seconds", "Time to answer a call, by method.", labels=["method"]
        )
        for method, distribution in list(self._seconds.items()):
            distribution.add_to(seconds, (method,))
        yield seconds
        answered = CounterMetricFamily(
            f"{name}_requests", "Calls answered, by method and reason.", labels=["method", "reason"]
        )
        for labels, count in list(self._answered.items()):
            answered.add_metric(labels, count)
        yield answered
        for suffix, text, distribution in (
            ("exchange_calls", "Calls in one message of an exchange.", self.calls_received),
            ("exchange_answers", "Answers in one message of an exchange.", self.answers_sent),
        ):
            family = HistogramMetricFamily(f"{name}_{suffix}", text, labels=[])
            distribution.add_to(family, ())
            yield family
        yield GaugeMetricFamily(f"{name}_exchanges", "Open exchanges.", self.exchanges)
        yield GaugeMetricFamily(f"{name}_watches", "Open watches.", self.watches)
