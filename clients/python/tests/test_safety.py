"""Whatever fails, the customer's request does not."""

from __future__ import annotations

import io
import os
import signal
import socket
import unittest
from typing import Any, Iterable

from trackside import AsgiMiddleware, Fault, Proxies, Trackside, WsgiMiddleware, cloudflare
from trackside._faults import FaultTeller
from trackside._rate_limit import RateLimit

_METRICS = {"Page": {"Absolute": "https://shop.example/"}}


def _environ(**more: Any) -> dict[str, Any]:
    return {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": "/",
        "REMOTE_ADDR": "203.0.113.7",
        "HTTP_HOST": "shop.example",
        "wsgi.url_scheme": "https",
        "wsgi.input": io.BytesIO(),
        **more,
    }


def _page(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Type", "text/html")])
    return [b"page"]


class _Broken:
    def track_page_view(self, metrics: Any) -> None:
        raise RuntimeError("broken")

    track_event = track_page_view


class _Kept:
    def __init__(self) -> None:
        self.pages: list[Any] = []

    def track_page_view(self, metrics: Any) -> None:
        self.pages.append(metrics)

    def track_event(self, name: str, parameters: Any, metrics: Any) -> None:
        pass


class SafetyTest(unittest.TestCase):
    def setUp(self) -> None:
        self.faults: list[Fault] = []

    def test_a_client_that_raises_does_not_reach_the_application(self) -> None:
        website = WsgiMiddleware(_page, _Broken(), count_pages=True, on_error=self.faults.append)
        self.assertEqual(list(website(_environ(), lambda *_: None)), [b"page"])
        website.track_event(_environ(), "Order")
        self.assertEqual([fault.kind for fault in self.faults], ["unexpected"])

    def test_an_on_error_that_raises_is_ignored(self) -> None:
        def fail(fault: Fault) -> None:
            raise RuntimeError("broken")

        website = WsgiMiddleware(_page, _Broken(), count_pages=True, on_error=fail)
        self.assertEqual(list(website(_environ(), lambda *_: None)), [b"page"])

    def test_callbacks_that_raise_lose_only_what_they_would_have_added(self) -> None:
        def fail(*_: Any) -> Any:
            raise RuntimeError("broken")

        kept = _Kept()
        website = WsgiMiddleware(
            _page, kept, count_pages=True, client_id=fail, location=fail, on_error=self.faults.append
        )
        list(website(_environ(), lambda *_: None))
        self.assertIsNone(kept.pages[0]["Identify"]["ClientId"])
        self.assertEqual([fault.kind for fault in self.faults], ["callback", "callback"])

    def test_keeps_a_client_id_that_the_interface_accepts(self) -> None:
        for given, expected in [("a-17", "a-17"), (17, "17"), ("", None), ("x" * 513, None), ({}, None)]:
            kept = _Kept()
            website = WsgiMiddleware(
                _page, kept, count_pages=True, client_id=lambda _: given, on_error=self.faults.append
            )
            list(website(_environ(), lambda *_: None))
            self.assertEqual(kept.pages[0]["Identify"]["ClientId"], expected)

    def test_counts_an_application_that_answers_only_when_it_is_read(self) -> None:
        def lazy(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
            start_response("200 OK", [("Content-Type", "text/html")])
            yield b"page"

        kept = _Kept()
        body = WsgiMiddleware(lazy, kept, count_pages=True)(_environ(), lambda *_: None)
        self.assertEqual((list(body), len(kept.pages)), ([b"page"], 1))

    def test_reports_what_json_cannot_represent_and_does_not_raise(self) -> None:
        client = Trackside("http://127.0.0.1:1", "key", on_error=self.faults.append)
        client.track_page_view({"Page": object()})
        client.track_event("Order", {"total": float("nan")}, _METRICS)
        self.assertEqual([fault.kind for fault in self.faults], ["malformed"])
        self.assertEqual((client.counts().queued, client.counts().refused), (0, 2))

    def test_a_server_that_never_answers_holds_up_nobody(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}"
            client = Trackside(url, "key", timeout_s=0.05, retries=0, on_error=self.faults.append)
            client.track_page_view(_METRICS)
            self.assertEqual(client.counts().queued, 1)
            self.assertEqual(client.page_view(_METRICS).kind, "unavailable")
            self.assertEqual(client.close(within_s=0.01), 1)
        client.track_page_view(_METRICS)
        self.assertIn("closed", [fault.kind for fault in self.faults])

    def test_a_forked_process_sends_its_own_records(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}"
            client = Trackside(url, "key", timeout_s=0.05, on_error=self.faults.append)
            client.track_page_view(_METRICS)
            child = os.fork()
            if child == 0:
                # What the parent queued is not the child's, and the child can start threads.
                is_empty = client.counts().queued == 0
                client.track_page_view(_METRICS)
                os._exit(0 if is_empty and client.counts().queued == 1 else 1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            client.close(within_s=0)

    def test_a_forked_process_does_not_report_faults_of_its_parent(self) -> None:
        teller = FaultTeller(self.faults.append)
        for _ in range(2):
            teller.tell(Fault("queue-full", "Expected room, got none."))
        self.assertEqual(len(self.faults), 1)
        # Another thread of the parent may be counting a fault at this moment.
        with teller._lock:
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                teller.tell_rest()
                inherited = len(self.faults)
                teller.tell(Fault("queue-full", "Expected room, got none."))
                os._exit(0 if (inherited, len(self.faults)) == (1, 2) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        teller.tell_rest()
        self.assertEqual(sum(fault.records for fault in self.faults), 2)

    def test_limits_a_visitor_and_an_address(self) -> None:
        now = [0.0]
        limit = RateLimit(2, lambda: now[0])
        self.assertEqual([limit.take("203.0.113.7", "a") for _ in range(3)], [0, 0, 30])
        self.assertEqual(limit.take("203.0.113.7", "b"), 0)
        waits = [limit.take("2001:db8::%x" % each, f"agent {each}") for each in range(21)]
        self.assertEqual((waits[:20], waits[20] > 0), ([0.0] * 20, True))
        now[0] = 30
        self.assertEqual(limit.take("203.0.113.7", "a"), 0)

    def test_reports_wrong_settings_at_the_start(self) -> None:
        for wrong in (
            lambda: Trackside("trackside.example", "key"),
            lambda: Trackside("https://user:secret@trackside.example", "key"),
            lambda: Trackside("https://trackside.example?x", "key"),
            lambda: Trackside("https://trackside.example", ""),
            lambda: Trackside("https://trackside.example", "Bearer key"),
            lambda: Trackside("https://trackside.example", "key", timeout_s=0),
            lambda: Trackside("https://trackside.example", "key", on_error=5),  # type: ignore[arg-type]
            lambda: Proxies(),
            lambda: Proxies(hops=0),
            lambda: Proxies(hops=1, networks=["private"]),
            lambda: Proxies(networks=["10.0.0.0/33"]),
            lambda: Proxies(networks=["10.0.0.0/255.0.0.0"]),
            lambda: Proxies(header="x-forwarded-for"),
            lambda: WsgiMiddleware(_page, _Kept(), path="side"),
            lambda: WsgiMiddleware(_page, _Kept(), language="english"),
            lambda: WsgiMiddleware(_page, _Kept(), origins=["https://shop.example/x"]),
        ):
            with self.assertRaises(ValueError):
                wrong()

    def test_reports_options_of_the_wrong_type_at_the_start(self) -> None:
        for middleware, kind in ((WsgiMiddleware, "a WSGI"), (AsgiMiddleware, "an ASGI")):
            make: Any = middleware
            app = f"app: expected {kind} application, got _Kept"
            tracker = "trackside: expected a client such as Trackside(url, api_key), got function"
            proxies = "proxies: expected one such as Proxies(hops=1), got dict"
            location = "location: expected a function such as cloudflare, or a list of them, got str"
            for expected, wrong in (
                (app, lambda: make(_Kept(), _page)),
                (tracker, lambda: make(_page, _page)),
                (proxies, lambda: make(_page, _Kept(), proxies={"hops": 1})),
                (location, lambda: make(_page, _Kept(), location="x")),
                (location, lambda: make(_page, _Kept(), location=[cloudflare, "x"])),
                ("client_id: expected a function, got str", lambda: make(_page, _Kept(), client_id="x")),
                ("ignore: expected a function, got str", lambda: make(_page, _Kept(), ignore="x")),
                ("on_error: expected a function, got int", lambda: make(_page, _Kept(), on_error=5)),
                ("on_error: expected a function, got int", lambda: make(_page, _Kept(), on_error=0)),
            ):
                with self.assertRaises(ValueError) as raised:
                    wrong()
                self.assertEqual(str(raised.exception), expected)

    def test_reports_the_same_fault_once_a_minute(self) -> None:
        client = Trackside("http://127.0.0.1:1", "key", on_error=self.faults.append)
        for _ in range(100):
            client.track_page_view({"Page": object()})
        self.assertEqual(len(self.faults), 1)


if __name__ == "__main__":
    unittest.main()
