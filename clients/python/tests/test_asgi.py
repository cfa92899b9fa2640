from __future__ import annotations

import asyncio
import unittest
from typing import Any

from trackside import AsgiMiddleware, Trackside

from .answering_server import AnsweringServer

_METRICS = {"Page": {"Absolute": "https://shop.example/"}}


async def _app(scope: Any, receive: Any, send: Any) -> None:
    for step in ("startup", "shutdown"):
        message = await receive()
        assert message["type"] == f"lifespan.{step}"
        await send({"type": f"lifespan.{step}.complete"})


class _Tracker:
    """Has nothing to flush."""

    def track_page_view(self, metrics: Any) -> None: ...

    def track_event(self, name: str, parameters: Any, metrics: Any) -> None: ...


class LifespanTest(unittest.TestCase):
    def _live(self, middleware: AsgiMiddleware, at_end: Any = None) -> list[str]:
        coming = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
        sent: list[str] = []

        async def receive() -> dict[str, Any]:
            return coming.pop(0)

        async def send(message: dict[str, Any]) -> None:
            sent.append(message["type"])
            if at_end is not None and message["type"] == "lifespan.shutdown.complete":
                at_end()

        asyncio.run(middleware({"type": "lifespan"}, receive, send))
        return sent

    def test_sends_what_is_queued_before_the_server_ends_the_process(self) -> None:
        with AnsweringServer() as server:
            client = Trackside(server.url, "key")
            for _ in range(20):
                client.track_page_view(_METRICS)
            at_end: list[int] = []
            sent = self._live(AsgiMiddleware(_app, client), lambda: at_end.append(client.counts().queued))
            self.assertEqual(sent, ["lifespan.startup.complete", "lifespan.shutdown.complete"])
            self.assertEqual((at_end, server.records), ([0], 20))
            client.close()

    def test_passes_the_start_and_end_of_the_application_on(self) -> None:
        sent = self._live(AsgiMiddleware(_app, _Tracker()))
        self.assertEqual(sent, ["lifespan.startup.complete", "lifespan.shutdown.complete"])
