"""The time that a record is sent with if it had to wait."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Optional

#: Sooner than that, the time of arrival says the same.
_WORTH_TELLING_S = 5.0
#: The server takes records of the last 25 hours, unless it is configured otherwise. The hour is for
#: repeats, which must not change anymore.
_LONGEST_TELLABLE_S = 24 * 60 * 60.0
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True)
class Moment:
    """A time by both clocks, because either can stop or jump."""

    monotonic_s: float
    wall_s: float

    def since(self, earlier: Moment) -> float:
        """Return the larger time of the two: one clock stops during sleep, and the other can be set back."""
        return max(self.monotonic_s - earlier.monotonic_s, self.wall_s - earlier.wall_s)


def now() -> Moment:
    return Moment(time.monotonic(), time.time())


def find_occurred_at(handed_over: Moment, now: Moment) -> Optional[float]:
    """Return the time to send with a record, or None if it is to count when it arrives."""
    # This is never negative, so the time is never in the future.
    waited_s = now.since(handed_over)
    if not _WORTH_TELLING_S < waited_s <= _LONGEST_TELLABLE_S:
        return None
    return now.wall_s - waited_s


def add_occurred_at(body: bytes, occurred_at: Optional[float]) -> bytes:
    """Add the time at the end of a body."""
    if occurred_at is None:
        return body
    moment = _EPOCH + timedelta(milliseconds=round(occurred_at * 1000))
    text = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return body[:-1] + f',"OccurredAt":"{text}"}}'.encode("ascii")
