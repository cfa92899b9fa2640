from __future__ import annotations

import threading
import unittest

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
        # Some may still have been on their way.
        self.wait_for_records("closed", 100)
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

        def send(record: Record, attempt: int) -> Attempt:
            is_sending.set()
            may_fail.wait(_LONGEST_WAIT_S)
            return Attempt(Result("unavailable", 503, "Later"), True)

        teller = FaultTeller(self.note)
        queue = RecordQueue(
            send=send,
            make_line=lambda: Line(max_records=10, max_bytes=100, max_age_s=60, tell=teller.tell),
            concurrency=1,
            teller=teller,
        )
        for key in "abc":
            queue.push(Record(key, "/api/page-view", b"{}", "stream.1", now()))
        is_sending.wait(_LONGEST_WAIT_S)
        self.assertEqual(queue.close(0), 3)
        self.assertEqual(self.records("closed"), 2)
        may_fail.set()
        self.wait_for_records("closed", 3)
        self.assertEqual((queue.counts().queued, queue.counts().dropped), (0, 3))


if __name__ == "__main__":
    unittest.main()
