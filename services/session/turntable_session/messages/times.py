"""Points and spans of time, in whole milliseconds, as messages."""

from typing import Any

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from turntable_session.vocabulary.to_proto import Init


def time_to_proto(ms: int) -> Init:
    """A point in time, or a span."""
    seconds, rest = divmod(ms, 1000)
    if rest and seconds < 0:  # a negative span has negative parts only
        seconds, rest = seconds + 1, rest - 1000
    return {"seconds": seconds, "nanos": rest * 1_000_000}


def time_from_proto(time: Timestamp | Duration | Any) -> int:
    """The milliseconds of a point in time or a span."""
    return int(time.seconds) * 1000 + int(time.nanos) // 1_000_000


def seconds_from_proto(span: Duration) -> float:
    """A span in seconds."""
    return span.seconds + span.nanos / 1e9
