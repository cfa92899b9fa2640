from __future__ import annotations

import os
import re
import unittest
from unittest import mock

from trackside import Trackside
from trackside._numbers import RecordNumbers
from trackside._release import read_release
from trackside._sending import Record, Sender
from trackside._times import now

from .answering_server import AnsweringServer

_METRICS = {"Page": {"Absolute": "https://shop.example/"}}


class NumbersTest(unittest.TestCase):
    def test_counts_from_1_within_a_stream_of_16_characters(self) -> None:
        numbers = RecordNumbers()
        first, second = numbers.take(), numbers.take()
        stream = first.split(".")[0]
        self.assertTrue(re.fullmatch(r"[\w-]{16}", stream, re.A))
        self.assertEqual((first, second), (f"{stream}.1", f"{stream}.2"))
        self.assertNotEqual(RecordNumbers().take(), first)

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_starts_a_new_stream_after_a_fork(self) -> None:
        numbers = RecordNumbers()
        before = numbers.take()
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writing, numbers.take().encode())
            os._exit(0)
        os.waitpid(child, 0)
        inside = os.read(reading, 100).decode()
        os.close(reading)
        os.close(writing)
        self.assertTrue(inside.endswith(".1"))
        self.assertNotEqual(inside.split(".")[0], before.split(".")[0])
        self.assertEqual(numbers.take(), before.replace(".1", ".2"))

    def test_sends_the_number_of_a_record_with_each_attempt_and_the_release_with_all(self) -> None:
        with AnsweringServer() as server:
            client = Trackside(server.url, "key", retries=1, release=" 1.4.2 ")
            client.page_view(_METRICS)
            server.unanswered = 2
            client.page_view(_METRICS)
            client.page_view({"Page": object()})
            client.track_page_view(_METRICS)
            client.close()
        numbers = [int(sequence.split(".")[1]) for sequence in server.sequences]
        self.assertEqual(numbers, [1, 2, 2, 2, 3])
        self.assertEqual(set(server.releases), {"1.4.2"})

    def test_takes_the_release_from_the_environment_if_it_is_set(self) -> None:
        for variable, release in ((" 3f9c2d1 ", "3f9c2d1"), ("", None), ("  ", None)):
            with mock.patch.dict(os.environ, {"TRACKSIDE_RELEASE": variable}):
                self.assertEqual(read_release(None), release)
                self.assertEqual(read_release("other"), "other")

    def test_refuses_a_release_that_no_header_can_hold(self) -> None:
        for value in ("", " ", "x" * 65, "a\nb", "größer", 7):
            with self.assertRaisesRegex(ValueError, "^release: expected 1 to 64 printable"):
                read_release(value)  # type: ignore[arg-type]
        with mock.patch.dict(os.environ, {"TRACKSIDE_RELEASE": "x" * 65}):
            with self.assertRaisesRegex(ValueError, "^TRACKSIDE_RELEASE: "):
                read_release(None)

    def test_knows_that_a_record_may_have_arrived_by_a_connection_that_broke(self) -> None:
        record = Record("key", "/api/page-view", b"{}", "stream.1", now())
        with AnsweringServer() as server:
            sender = Sender(server.url, "key", None, 5.0)
            sender.send(record, 1)
            server.unanswered = 1
            server.close_listener()
            attempt = sender.send(record, 1)
        self.assertEqual((attempt.result.kind, attempt.is_uncertain), ("unavailable", True))


if __name__ == "__main__":
    unittest.main()
