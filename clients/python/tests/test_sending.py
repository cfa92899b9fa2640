from __future__ import annotations

import unittest

from trackside import Trackside

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
