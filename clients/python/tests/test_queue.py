from __future__ import annotations

import threading
import time
import unittest
from unittest import mock

from trackside import Fault, Trackside
from trackside._faults import FaultTeller
from trackside._line import Line
from trackside._queue import RecordQueue
from trackside._sending import Attempt, Record, Result
from trackside._times import now

_METRICS = {"Page": {"Absolute": "https://shop.example/"}}
_LONGEST_WAIT_S = 30


class QueueTest(unittest.TestCase):
    def setUp(self) -> None:
        self.faults: list[Fault] = []
        self.news = threading.Condition()

    def note(self, fault: Fault) -> None:
        with self.news:
            self.faults.append(fault)
            self.news.notify_all()

    def records(self, kind: str) -> int:
        return sum(fault.records for fault in self.faults if fault.kind == kind)

    def wait_for_records(self, kind: str, count: int) -> None:
        with self.news:
            self.news.wait_for(lambda: self.records(kind) == count, _LONGEST_WAIT_S)
            self.assertEqual(self.records(kind), count)

    def test_reports_how_many_records_are_lost_when_nobody_listens(self) -> None:
        client = Trackside("http://127.0.0.1:1", "key", max_records=100, on_error=self.note)
        for _ in range(1000):
            client.track_page_view(_METRICS)
        client.close(within_s=0)
        self.assertEqual(self.records("queue-full"), 900)
        self.assertEqual(self.records("closed"), 100)
        self.assertEqual((client.counts().queued, client.counts().dropped), (0, 1000))

    def test_reports_the_rest_after_a_flush(self) -> None:
        client = Trackside("http://127.0.0.1:1", "key", on_error=self.note)
        for _ in range(100):
            client.track_page_view({"Page": object()})
        self.assertEqual(self.records("malformed"), 1)
        client.flush()
        client.flush()
        self.assertEqual([fault.records for fault in self.faults], [1, 99])

    def test_reports_what_was_on_its_way_when_it_was_closed(self) -> None:
        is_sending, may_fail = threading.Event(), threading.Event()
        self.addCleanup(may_fail.set)

        def send(record: Record, attempt: int) -> Attempt:
            is_sending.set()
            may_fail.wait(_LONGEST_WAIT_S)
            return Attempt(Result("unavailable", 503, "Later"), True)

        others = set(threading.enumerate())
        teller = FaultTeller(self.note)
        queue = RecordQueue(
            send=send,
            make_line=lambda tell: Line(max_records=10, max_bytes=100, max_age_s=60, tell=tell),
            concurrency=1,
            teller=teller,
        )
        for key in "abc":
            queue.push(Record(key, "/api/page-view", b"{}", "stream.1", now()))
        is_sending.wait(_LONGEST_WAIT_S)
        self.assertEqual(queue.close(0), 3)
        self.assertEqual([fault.records for fault in self.faults if fault.kind == "closed"], [2, 1])
        self.assertEqual((queue.counts().queued, queue.counts().dropped), (0, 3))
        may_fail.set()
        for each in set(threading.enumerate()) - others:
            each.join(_LONGEST_WAIT_S)
        self.assertEqual((self.records("closed"), queue.counts().dropped), (3, 3))

    def test_an_on_error_that_takes_long_holds_up_no_other_request(self) -> None:
        may_end = threading.Event()
        self.addCleanup(may_end.set)

        def linger(fault: Fault) -> None:
            self.note(fault)
            may_end.wait(_LONGEST_WAIT_S)

        def track() -> None:
            client.track_page_view(_METRICS)
            client.counts()

        client = Trackside("http://127.0.0.1:1", "key", max_records=1, on_error=linger)
        track()
        self.wait_for_records("unavailable", 1)
        # The first of them is told that the queue is full, the second only counts.
        others = [threading.Thread(target=track, daemon=True) for _ in range(2)]
        others[0].start()
        self.wait_for_records("queue-full", 1)
        others[1].start()
        others[1].join(_LONGEST_WAIT_S)
        self.assertFalse(others[1].is_alive())
        may_end.set()
        client.close(within_s=0)
        self.assertEqual(self.records("queue-full"), 2)

    def test_starts_a_thread_later_if_none_can_be_started_now(self) -> None:
        accepted = Attempt(Result("accepted", 200, "Success"), False)
        queue = RecordQueue(
            send=lambda record, attempt: accepted,
            make_line=lambda tell: Line(max_records=10, max_bytes=100, max_age_s=60, tell=tell),
            concurrency=1,
            teller=FaultTeller(self.note),
        )
        record = Record("a", "/api/page-view", b"{}", "stream.1", now())
        with mock.patch.object(threading.Thread, "start", side_effect=RuntimeError("can't start new thread")):
            queue.push(record)
            began = time.monotonic()
            self.assertEqual(queue.flush(_LONGEST_WAIT_S), 1)
            self.assertLess(time.monotonic() - began, _LONGEST_WAIT_S, "nobody can send it, so nobody waits")
        self.assertEqual((self.records("unexpected"), queue.counts().queued), (2, 1))
        self.assertEqual((queue.flush(_LONGEST_WAIT_S), queue.counts().accepted), (0, 1))
        queue.push(record)
        self.assertEqual((queue.flush(_LONGEST_WAIT_S), queue.counts().accepted), (0, 2))


if __name__ == "__main__":
    unittest.main()
