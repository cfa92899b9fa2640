"""Decides which record is sent when. It has no threads and no clock of its own."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, replace
from typing import Callable, Optional, Union

from ._faults import Fault
from ._sending import Attempt, Record, Result
from ._times import Moment, add_occurred_at, find_occurred_at

_FIRST_BACKOFF_S = 0.25
_LONGEST_BACKOFF_S = 30.0
#: The server remembers a key for an hour. A repeat after that would count twice.
_SAFE_TO_REPEAT_S = 55 * 60.0
_UNAUTHORIZED_WAIT_S = 60.0
_LONGEST_ASKED_S = 5 * 60.0
_MAX_REFUSALS = 6
#: After this many failures of one record, others are tried, because that record may be at fault.
_PATIENCE = 3


def backoff_s(failures: int, choose: Callable[[], float] = random.random) -> float:
    """Return a delay with full jitter, so that many clients don't return at the same moment."""
    return choose() * min(_LONGEST_BACKOFF_S, _FIRST_BACKOFF_S * 2 ** min(failures - 1, 20))


@dataclass
class Queued:
    record: Record
    tracked_at: float
    uncertain_since: Optional[Moment] = None
    attempts: int = 0
    failures: int = 0
    refusals: int = 0
    #: The time that it was last sent with.
    occurred_at: Optional[float] = None
    is_time_refused: bool = False

    def to_send(self, now: Moment) -> Record:
        """Return the record as it is sent now. What the server may have is repeated byte for byte."""
        if self.uncertain_since is None:
            is_timed = not self.is_time_refused
            self.occurred_at = find_occurred_at(self.record.handed_over, now) if is_timed else None
        return replace(self.record, body=add_occurred_at(self.record.body, self.occurred_at))

    def drop_time(self, result: Result) -> bool:
        """Leave the time out from now on, if that is what the server refuses. Return whether it is."""
        if self.occurred_at is None or self.uncertain_since is not None:
            return False
        self.is_time_refused = result.kind == "malformed" and result.message.startswith("OccurredAt:")
        return self.is_time_refused


@dataclass
class Flight:
    queued: Queued
    started_at: Moment
    wave: int


@dataclass
class Counts:
    #: Tracked and not yet settled.
    queued: int = 0
    #: Answered with 200.
    accepted: int = 0
    #: Refused with 400 or 429, or not sent at all, because JSON can't hold them or they are too large.
    refused: int = 0
    #: Lost without an answer: no room, too old, or left over.
    dropped: int = 0
    #: Attempts after the first.
    retried: int = 0


class Line:
    """Holds records in order until they are delivered. All wait while the server is away."""

    def __init__(
        self,
        *,
        max_records: int,
        max_bytes: int,
        max_age_s: float,
        tell: Callable[[Fault], None],
        choose: Callable[[], float] = random.random,
    ) -> None:
        self.counts = Counts()
        self._max_records = max_records
        self._max_bytes = max_bytes
        self._max_age_s = max_age_s
        self._tell = tell
        self._choose = choose
        self._waiting: deque[Queued] = deque()
        self._bytes = 0
        self._is_away = False
        self._is_probing = False
        self._away_failures = 0
        self._resume_at = 0.0
        #: Changes with each failure that counts, so that failures at the same moment count as one.
        self._wave = 0

    def add(self, record: Record, now: float) -> bool:
        if self.counts.queued >= self._max_records or self._bytes + len(record.body) > self._max_bytes:
            self.counts.dropped += 1
            message = (
                f"Expected room in the queue, got {self._max_records} records or {self._max_bytes} "
                "bytes waiting: find out why they aren't being sent, or raise max_records and max_bytes."
            )
            self._tell(Fault("queue-full", message))
            return False
        self.counts.queued += 1
        self._bytes += len(record.body)
        self._waiting.append(Queued(record, now))
        return True

    def next(self, now: Moment) -> Union[Flight, float, None]:
        """Return what to send now, or the seconds until something may be sent, or None to wait for news."""
        self._give_up_old(now)
        if not self._waiting:
            return None
        if self._is_away:
            if self._is_probing:
                return None
            if now.monotonic_s < self._resume_at:
                return self._resume_at - now.monotonic_s
            self._is_probing = True
        queued = self._waiting.popleft()
        if queued.attempts > 0:
            self.counts.retried += 1
        queued.attempts += 1
        return Flight(queued, now, self._wave)

    def land(self, flight: Flight, attempt: Attempt, now: float) -> None:
        """Note the outcome of an attempt: the end of its record, or another try later."""
        queued, result = flight.queued, attempt.result
        if flight.wave == self._wave:
            self._is_probing = False
        if attempt.is_uncertain and queued.uncertain_since is None:
            queued.uncertain_since = flight.started_at
        if queued.drop_time(result):
            self._note_answer(flight.wave)
            self._tell(Fault("time-refused", _time_refused(result.message)))
            self._waiting.appendleft(queued)
            return
        if result.kind in ("accepted", "malformed", "contingent-used-up"):
            self._note_answer(flight.wave)
            if result.kind == "accepted":
                self.counts.accepted += 1
            else:
                self.counts.refused += 1
                self._tell(Fault(result.kind, result.message))
            self._end(queued)
            return
        is_unauthorized = result.kind == "unauthorized"
        asked_s = _UNAUTHORIZED_WAIT_S if is_unauthorized else result.retry_after_s or 0.0
        self._note_failure(flight.wave, asked_s, now)
        if _is_refused_on_the_way(result.code):
            queued.refusals += 1
        if queued.refusals >= _MAX_REFUSALS:
            self._drop(queued, Fault("refused-on-the-way", result.message))
            return
        self._tell(Fault(result.kind, result.message))
        queued.failures += 1
        if queued.failures < _PATIENCE:
            self._waiting.appendleft(queued)
        else:
            queued.failures = 0
            self._waiting.append(queued)

    def hurry(self) -> None:
        """End a pause, for somebody who cannot wait for it."""
        self._away_failures = 0
        self._resume_at = 0.0

    def leave(self) -> int:
        """Drop all records, and return how many that were. Those on their way may not land anymore."""
        count, lost = self.counts.queued, len(self._waiting)
        if lost > 0:
            message = (
                "Expected to send all records before the program ends, got no answer in time: they are lost."
            )
            self._tell(Fault("closed", message, lost))
        if count > lost:
            message = (
                "Expected an answer before the program ends, got none in time: "
                "records that were on their way may or may not have been counted."
            )
            self._tell(Fault("closed", message, count - lost))
        self._waiting.clear()
        self._bytes = 0
        self.counts.queued = 0
        self.counts.dropped += count
        return count

    def _note_answer(self, wave: int) -> None:
        # An answer to a request from before the last failure says nothing about now.
        if wave == self._wave:
            self._is_away = False
            self._away_failures = 0
            self._resume_at = 0.0

    def _note_failure(self, wave: int, asked_s: float, now: float) -> None:
        if wave != self._wave:
            return
        self._wave += 1
        self._is_away = True
        self._is_probing = False
        self._away_failures += 1
        wait_s = min(asked_s, _LONGEST_ASKED_S) + backoff_s(self._away_failures, self._choose)
        self._resume_at = now + wait_s

    def _give_up_old(self, now: Moment) -> None:
        while self._waiting:
            queued = self._waiting[0]
            is_too_old = now.monotonic_s - queued.tracked_at > self._max_age_s
            since = queued.uncertain_since
            if since is not None and (is_too_old or now.since(since) > _SAFE_TO_REPEAT_S):
                message = (
                    "Expected Trackside to confirm the record within 55 minutes, got no confirmation: it may "
                    "or may not have been counted. It is not sent again, because the server would no longer "
                    "recognize it."
                )
                fault = Fault("unknown-outcome", message)
            elif is_too_old:
                fault = Fault("too-old", "Expected to deliver the record within max_age_s, got no answer.")
            else:
                return
            self._drop(self._waiting.popleft(), fault)

    def _drop(self, queued: Queued, fault: Fault) -> None:
        self.counts.dropped += 1
        self._tell(fault)
        self._end(queued)

    def _end(self, queued: Queued) -> None:
        self.counts.queued -= 1
        self._bytes -= len(queued.record.body)


def _time_refused(refusal: str) -> str:
    return (
        f"Expected Trackside to accept the time at which the record was tracked, got a refusal ({refusal}): "
        "check this machine's clock. The record is sent without the time, so it counts when it arrives."
    )


def _is_refused_on_the_way(code: int) -> bool:
    """A firewall can refuse one page's address forever. 404 and 405 are about the URL."""
    return 400 <= code <= 499 and code not in (401, 404, 405, 408, 425, 429)
