from __future__ import annotations

import atexit
import os
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from typing import Callable, Iterator, Optional

from ._faults import Fault, FaultTeller, Told
from ._line import Counts, Flight, Line
from ._sending import Attempt, Record, Result
from ._times import now
from ._weakly import call_weakly

_EXIT_FLUSH_S = 5.0


class RecordQueue:
    """Sends records from its own threads, which start with the first record."""

    def __init__(
        self,
        send: Callable[[Record, int], Attempt],
        make_line: Callable[[Callable[[Fault], None]], Line],
        concurrency: int,
        teller: FaultTeller,
    ) -> None:
        self._send = send
        self._make_line = make_line
        self._concurrency = concurrency
        self._teller = teller
        self._is_closed = False
        self._start_anew()
        atexit.register(call_weakly(self.close), _EXIT_FLUSH_S)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=call_weakly(self._start_anew))

    def push(self, record: Record) -> None:
        with self._hold():
            if self._is_closed:
                self._line.counts.dropped += 1
                self._note(Fault("closed", "Expected no record after close(), got one: it is not sent."))
            elif self._line.add(record, time.monotonic()):
                self._start_worker()
                # Whoever waits in flush() may have waited longest, and would be the only one to wake up.
                self._news.notify_all()

    def count_refused(self) -> None:
        """Count a record that can't be sent."""
        with self._news:
            self._line.counts.refused += 1

    def flush(self, within_s: float) -> int:
        """Wait until all is sent or the time is up, and return how many records remain."""
        remaining = self._wait_until_empty(within_s)
        self._teller.tell_rest()
        return remaining

    def close(self, within_s: float) -> int:
        self._wait_until_empty(within_s)
        with self._hold():
            self._is_closed = True
            remaining = self._line.leave()
            self._news.notify_all()
        self._teller.tell_rest()
        return remaining

    def counts(self) -> Counts:
        with self._news:
            return replace(self._line.counts)

    @contextmanager
    def _hold(self) -> Iterator[None]:
        """Hold the lock. Pass on the faults of that time after it, because requests wait for the lock."""
        with self._news:
            yield
            due, self._due = self._due, []
        for told in due:
            self._teller.pass_on(told)

    def _note(self, fault: Fault) -> None:
        told = self._teller.note(fault)
        if told is not None:
            self._due.append(told)

    def _wait_until_empty(self, within_s: float) -> int:
        deadline = time.monotonic() + within_s
        with self._news:
            self._line.hurry()
            self._news.notify_all()
            if self._line.counts.queued > 0:
                # The thread of an earlier record may have failed to start.
                self._start_worker()
            while self._line.counts.queued > 0 and self._workers > 0:
                remaining_s = deadline - time.monotonic()
                if remaining_s <= 0:
                    break
                self._news.wait(remaining_s)
            return self._line.counts.queued

    def _start_anew(self) -> None:
        # Threads don't survive a fork. What was queued before it is sent by the parent.
        self._news = threading.Condition()
        self._line = self._make_line(self._note)
        self._due: list[Told] = []
        self._workers = 0
        self._idle = 0

    def _start_worker(self) -> None:
        if self._idle > 0 or self._workers >= self._concurrency:
            return
        try:
            threading.Thread(target=self._work, name="trackside", daemon=True).start()
        except Exception as cause:
            message = "Expected to start a thread, got an exception: the next record tries it again."
            self._note(Fault("unexpected", message, cause=cause))
            return
        # Counted only now, because one that didn't start would take up a place for good.
        self._workers += 1

    def _work(self) -> None:
        while True:
            flight = self._take()
            if flight is None:
                return
            try:
                attempt: Optional[Attempt] = self._send(
                    flight.queued.to_send(now()), flight.queued.attempts
                )
            except Exception as cause:
                attempt = None
                message = "Expected to send the record, got an exception: this is a bug in the client."
                self._teller.tell(Fault("unexpected", message, cause=cause))
            with self._hold():
                # Once it is closed, the record is already counted as left over.
                if not self._is_closed:
                    self._line.land(flight, attempt or _FAILED, time.monotonic())
                self._news.notify_all()

    def _take(self) -> Optional[Flight]:
        while True:
            with self._hold():
                if self._is_closed:
                    return None
                found = self._line.next(now())
                if isinstance(found, Flight):
                    return found
                # Faults are passed on first.
                if not self._due:
                    self._idle += 1
                    self._news.wait(found)
                    self._idle -= 1


_FAILED = Attempt(Result("unavailable", 0, "Expected an answer, got an exception."), True, True)
