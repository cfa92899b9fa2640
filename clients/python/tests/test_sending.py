from __future__ import annotations

import unittest

from trackside import Trackside
from trackside._sending import read_answer

from .answering_server import AnsweringServer

_METRICS = {"Page": {"Absolute": "https://shop.example/"}}


class SendingTest(unittest.TestCase):
    def test_sends_record_after_record_by_one_connection(self) -> None:
        with AnsweringServer() as server:
            client = Trackside(server.url, "key", retries=0)
            results = [client.page_view(_METRICS) for _ in range(3)]
            self.assertEqual([result.kind for result in results], ["accepted"] * 3)
            self.assertEqual((server.records, server.connections), (3, 1))
            client.close()

    def test_says_only_in_the_first_request_with_a_record_that_it_is_the_first(self) -> None:
        with AnsweringServer() as server:
            client = Trackside(server.url, "key", retries=1)
            client.page_view(_METRICS)
            server.unanswered = 2
            # The kept connection breaks, then the fresh one.
            self.assertEqual(client.page_view(_METRICS).kind, "accepted")
            self.assertEqual(server.attempts[:2], ["1", "1"])
            self.assertEqual(server.attempts[2:], ["2", "2"])
            client.close()

    def test_knows_from_the_answer_that_the_record_may_be_counted_all_the_same(self) -> None:
        text = b'{"Code":503,"Message":"Later"}'
        for outcome, is_uncertain in ((None, False), ("unknown", True), ("other", False)):
            headers = {"trackside-outcome": outcome}
            attempt = read_answer(503, headers.get, text, "key", 0)
            self.assertEqual((attempt.is_transient, attempt.is_uncertain), (True, is_uncertain))
