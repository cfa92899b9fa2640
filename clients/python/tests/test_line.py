"""When a record is sent, and when it is given up. Time is a number here."""

from __future__ import annotations

import unittest
from typing import Optional, Union

from trackside._faults import Fault
from trackside._line import Flight, Line, backoff_s
from trackside._sending import Attempt, Record, Result
from trackside._times import Moment

_DAY_S = 24 * 60 * 60.0
_ACCEPTED = Attempt(Result("accepted", 200, "Success"))


def _away(
    retry_after_s: Optional[float] = None, code: int = 503, is_uncertain: bool = False
) -> Attempt:
    return Attempt(Result("unavailable", code, "Later", retry_after_s), True, is_uncertain)


class LineTest(unittest.TestCase):
    def setUp(self) -> None:
        self.faults: list[Fault] = []
        self.line = Line(
            max_records=3, max_bytes=100, max_age_s=_DAY_S, tell=self.faults.append, choose=lambda: 1.0
        )

    def add(self, key: str, now: float = 0.0, size: int = 10) -> bool:
        record = Record(key, "/api/page-view", b"x" * size, "stream.1", Moment(now, now))
        return self.line.add(record, now)

    def next(self, now: float, *, slept_s: float = 0.0) -> Union[Flight, float, None]:
        return self.line.next(Moment(now, now + slept_s))

    def take(self, now: float) -> Flight:
        found = self.next(now)
        assert isinstance(found, Flight), found
        return found

    def kinds(self) -> list[str]:
        return [fault.kind for fault in self.faults]

    def test_sends_in_order_and_several_at_once(self) -> None:
        self.add("a")
        self.add("b")
        self.assertEqual([self.take(0).queued.record.key for _ in range(2)], ["a", "b"])
        self.assertIsNone(self.next(0))

    def test_drops_what_there_is_no_room_for(self) -> None:
        for key in "abc":
            self.assertTrue(self.add(key))
        self.assertFalse(self.add("d"))
        self.assertEqual((self.line.counts.queued, self.line.counts.dropped), (3, 1))
        self.assertEqual(self.kinds(), ["queue-full"])

    def test_drops_what_has_too_many_bytes(self) -> None:
        self.assertTrue(self.add("a", size=60))
        self.assertFalse(self.add("b", size=60))

    def test_doubles_the_delay_up_to_30_seconds(self) -> None:
        self.add("a")
        now, delays = 0.0, []
        for _ in range(9):
            self.line.land(self.take(now), _away(), now)
            wait_s = self.next(now)
            assert isinstance(wait_s, float)
            delays.append(wait_s)
            now += wait_s
        self.assertEqual(delays, [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30])

    def test_adds_a_random_part_to_the_delay(self) -> None:
        self.assertEqual([backoff_s(3, lambda: part) for part in (0.0, 0.5, 1.0)], [0, 0.5, 1])

    def test_waits_as_long_as_the_server_asks_but_no_more_than_5_minutes(self) -> None:
        self.add("a")
        self.line.land(self.take(0), _away(retry_after_s=20), 0)
        self.assertEqual(self.next(0), 20.25)
        self.line.land(self.take(20.25), _away(retry_after_s=100_000), 20.25)
        self.assertEqual(self.next(20.25), 300.5)

    def test_sends_one_record_to_see_whether_the_server_is_back(self) -> None:
        self.add("a")
        self.add("b")
        self.line.land(self.take(0), _away(), 0)
        probe = self.take(1)
        self.assertIsNone(self.next(1))
        self.line.land(probe, _ACCEPTED, 1)
        self.assertEqual(self.take(1).queued.record.key, "b")

    def test_counts_failures_at_the_same_moment_once(self) -> None:
        self.add("a")
        self.add("b")
        first, second = self.take(0), self.take(0)
        self.line.land(first, _away(), 0)
        self.line.land(second, _away(), 0)
        self.assertEqual(self.next(0), 0.25)

    def test_tries_another_record_when_one_keeps_failing(self) -> None:
        self.add("a")
        self.add("b")
        keys = []
        for now in (0.0, 100.0, 200.0, 300.0):
            flight = self.take(now)
            keys.append(flight.queued.record.key)
            self.line.land(flight, _away(), now)
        self.assertEqual(keys, ["a", "a", "a", "b"])

    def test_gives_up_after_24_hours(self) -> None:
        self.add("a")
        self.line.land(self.take(0), _away(), 0)
        self.assertIsInstance(self.next(_DAY_S), Flight)
        self.add("b", now=1)
        self.assertIsNone(self.next(2 + _DAY_S))
        self.assertEqual(self.kinds(), ["unavailable", "too-old"])

    def test_does_not_repeat_after_55_minutes_what_may_have_been_counted(self) -> None:
        self.add("a")
        self.line.land(self.take(0), _away(is_uncertain=True), 0)
        self.assertIsInstance(self.next(55 * 60), Flight)
        self.setUp()
        self.add("a")
        self.line.land(self.take(0), _away(is_uncertain=True), 0)
        self.assertIsNone(self.next(55 * 60 + 1))
        self.assertEqual(self.kinds(), ["unavailable", "unknown-outcome"])

    def test_counts_the_time_during_which_the_machine_sleeps(self) -> None:
        self.add("a")
        self.line.land(self.take(0), _away(is_uncertain=True), 0)
        self.assertIsNone(self.next(1, slept_s=55 * 60))
        self.assertEqual(self.kinds(), ["unavailable", "unknown-outcome"])

    def test_keeps_records_while_the_key_is_wrong_and_asks_once_a_minute(self) -> None:
        self.add("a")
        self.line.land(self.take(0), Attempt(Result("unauthorized", 401, "No")), 0)
        self.assertEqual(self.next(0), 60.25)
        self.assertEqual(self.line.counts.queued, 1)

    def test_drops_what_the_server_refuses(self) -> None:
        for kind, code in (("malformed", 400), ("contingent-used-up", 429)):
            self.add(kind)
            self.line.land(self.take(0), Attempt(Result(kind, code, "No")), 0)
        self.assertEqual((self.line.counts.refused, self.line.counts.queued), (2, 0))
        self.assertEqual(self.kinds(), ["malformed", "contingent-used-up"])

    def test_drops_what_a_firewall_refuses_six_times(self) -> None:
        self.add("a")
        for attempt in range(6):
            self.line.land(self.take(attempt * 1000), _away(code=403), attempt * 1000)
        self.assertEqual((self.line.counts.dropped, self.line.counts.queued), (1, 0))
        self.assertEqual(self.kinds()[-1], "refused-on-the-way")

    def test_leaves_nothing_behind_at_the_end(self) -> None:
        self.assertEqual((self.line.leave(), self.faults), (0, []))
        for key in "abc":
            self.add(key)
        self.assertEqual(self.line.leave(), 3)
        self.assertEqual((self.line.counts.dropped, self.line.counts.queued), (3, 0))
        self.assertEqual([(fault.kind, fault.records) for fault in self.faults], [("closed", 3)])
        for key in "abc":
            self.add(key)
        self.take(0)
        self.assertEqual(self.line.leave(), 3)
        self.assertEqual((self.line.counts.dropped, self.line.counts.queued), (6, 0))
        self.assertEqual([fault.records for fault in self.faults], [3, 2, 1])


if __name__ == "__main__":
    unittest.main()
