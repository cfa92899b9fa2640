"""Runs the cases that clients/test gives to every client, and writes the results as JSON.

``conformance.py cases`` runs cases through both adapters, ``conformance.py late`` repeats records,
``conformance.py contract`` sends records and waits for the answers, and ``conformance.py serve`` is a small
website.
"""

from __future__ import annotations

import asyncio
import io
import json
import socketserver
import sys
import threading
from pathlib import Path
from typing import Any, Iterable, Optional
from urllib.parse import unquote_to_bytes
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from trackside import (  # noqa: E402
    AsgiMiddleware,
    Proxies,
    Trackside,
    WsgiMiddleware,
    cloudflare,
    cloudfront,
    from_headers,
    netlify,
    vercel,
)

from trackside._line import Flight, Line  # noqa: E402
from trackside._sending import Attempt, Record, Result  # noqa: E402
from trackside._times import Moment  # noqa: E402

_SOURCES = {"cloudflare": cloudflare, "cloudfront": cloudfront, "netlify": netlify, "vercel": vercel}


class KeptRecords:
    """Stands in for the client, and keeps the records that it gets."""

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []

    def track_page_view(self, metrics: dict[str, Any]) -> None:
        self.records.append({"path": "/api/page-view", "body": {"Metrics": metrics}})

    def track_event(self, name: str, parameters: Any, metrics: dict[str, Any]) -> None:
        body = {"Name": name, "Parameters": parameters, "Metrics": metrics}
        self.records.append({"path": "/api/event-view", "body": body})


def read_settings(settings: dict[str, Any]) -> dict[str, Any]:
    names = {"respectDoNotTrack": "respect_do_not_track", "language": "language", "origins": "origins"}
    options = {names[name]: value for name, value in settings.items() if name in names}
    if "proxies" in settings:
        options["proxies"] = Proxies(**settings["proxies"])
    if "location" in settings:
        options["location"] = [
            _SOURCES[source] if isinstance(source, str) else from_headers(**source)
            for source in settings["location"]
        ]
    return options


def run_wsgi(case: dict[str, Any]) -> dict[str, Any]:
    request, answer = case["request"], case["answer"]
    path, _, query = request["target"].partition("?")
    body = request["body"].encode("utf-8")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": request["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "CONTENT_LENGTH": str(len(body)),
        "REMOTE_ADDR": request["peer"] or "",
        "wsgi.url_scheme": request["scheme"],
        "wsgi.input": io.BytesIO(body),
    }
    for name, value in request["headers"]:
        key = f"HTTP_{name.upper().replace('-', '_')}"
        environ[key] = f"{environ[key]}, {value}" if key in environ else value
    content_type = answer["contentType"]
    headers = [] if content_type is None else [("Content-Type", content_type)]

    def app(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        start_response(f"{answer['status']} Answer", headers)
        return [b"page"]

    kept = KeptRecords()
    statuses: list[int] = []
    middleware = WsgiMiddleware(app, kept, count_pages=True, **_options(case))
    middleware(environ, lambda status, headers, *_: statuses.append(int(status[:3])))
    return _outcome(case, kept, statuses[0])


def run_asgi(case: dict[str, Any], loop: asyncio.AbstractEventLoop) -> dict[str, Any]:
    request, answer = case["request"], case["answer"]
    path, _, query = request["target"].partition("?")
    scope = {
        "type": "http",
        "method": request["method"],
        "scheme": request["scheme"],
        "path": unquote_to_bytes(path).decode("utf-8", "replace"),
        "raw_path": path.encode("latin-1"),
        "query_string": query.encode("latin-1"),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in request["headers"]],
        "client": None if request["peer"] is None else (request["peer"], 51234),
    }
    content_type = answer["contentType"]
    headers = [] if content_type is None else [(b"Content-Type", content_type.encode())]
    body = request["body"].encode("utf-8")
    # In two pieces, as a slow browser sends it.
    pieces = [
        {"type": "http.request", "body": body[:100], "more_body": True},
        {"type": "http.request", "body": body[100:], "more_body": False},
    ]
    statuses: list[int] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": answer["status"], "headers": headers})
        await send({"type": "http.response.body", "body": b"page"})

    async def receive() -> dict[str, Any]:
        return pieces.pop(0)

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    kept = KeptRecords()
    middleware = AsgiMiddleware(app, kept, count_pages=True, **_options(case))
    loop.run_until_complete(middleware(scope, receive, send))
    return _outcome(case, kept, statuses[0])


def _options(case: dict[str, Any]) -> dict[str, Any]:
    return {**read_settings(case["settings"]), "on_error": lambda fault: None}


def _outcome(case: dict[str, Any], kept: KeptRecords, status: int) -> dict[str, Any]:
    record: Optional[dict[str, Any]] = kept.records[0] if kept.records else None
    return {"status": status if case["kind"] == "endpoint" else None, "record": record}


_ATTEMPTS = {
    "accepted": Attempt(Result("accepted", 200, "Success")),
    "time-refused": Attempt(Result("malformed", 400, "OccurredAt: expected another, got this")),
    "unauthorized": Attempt(Result("unauthorized", 401, "No")),
    "unavailable": Attempt(Result("unavailable", 503, "Later"), True),
    "unknown": Attempt(Result("unavailable", 503, "Later"), True, True),
    "no-connection": Attempt(Result("unavailable", 0, "No"), True),
    "no-response": Attempt(Result("unavailable", 0, "No"), True, True),
}


def run_late(case: dict[str, Any]) -> list[str]:
    """Return the body of each attempt."""
    started_at = case["startedAt"]
    line = Line(
        max_records=1, max_bytes=1000, max_age_s=1e9, tell=lambda fault: None, choose=lambda: 0.0
    )
    record = Record("key", "/api/page-view", case["body"].encode(), "stream.1", Moment(0.0, started_at))
    line.add(record, 0.0)
    bodies = []
    for each in case["attempts"]:
        after = each["after"]
        now = Moment(after, started_at + after + each["clock"])
        flight = line.next(now)
        assert isinstance(flight, Flight), case["title"]
        sent = flight.queued.to_send(now)
        bodies.append(sent.body.decode())
        line.land(flight, _ATTEMPTS[each["answer"]], after)
    return bodies


def send_records(given: dict[str, Any]) -> list[dict[str, Any]]:
    return [_send_record(given["url"], each) for each in given["requests"]]


def _send_record(url: str, request: dict[str, Any]) -> dict[str, Any]:
    try:
        client = Trackside(url, request["apiKey"])
    except ValueError as error:
        return {"thrown": str(error)}
    body = json.loads(request["body"])
    if request["path"] == "/api/page-view":
        result = client.page_view(body.get("Metrics"))
    else:
        result = client.event(body.get("Name"), body.get("Parameters"), body.get("Metrics"))
    return {"kind": result.kind, "code": result.code, "message": result.message}


class _Server(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


def serve(given: dict[str, Any]) -> None:
    faults: list[str] = []
    client = Trackside(
        given["url"],
        given["apiKey"],
        release=given["release"],
        timeout_s=5,
        on_error=lambda fault: faults.append(fault.kind),
    )

    def shop(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/checkout":
            website.track_event(environ, "Order paid", {"total": 44})
            start_response("303 See Other", [("Location", "/thanks"), ("Content-Length", "0")])
            return []
        start_response("200 OK", [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", "13")])
        return [b"<h1>Shop</h1>"]

    website = WsgiMiddleware(shop, client, count_pages=True, **read_settings(given["settings"]))
    server = make_server("127.0.0.1", 0, website, _Server, _QuietHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"port": server.server_port}), flush=True)
    sys.stdin.read()
    server.shutdown()
    remaining = client.close(within_s=5)
    counts = client.counts()
    print(json.dumps({"remaining": remaining, "faults": faults, "counts": counts.__dict__}), flush=True)


def main() -> None:
    mode = sys.argv[1]
    given = json.loads(sys.stdin.readline())
    if mode == "cases":
        loop = asyncio.new_event_loop()
        asgi = [run_asgi(case, loop) for case in given]
        loop.close()
        print(json.dumps({"WSGI": [run_wsgi(case) for case in given], "ASGI": asgi}))
    elif mode == "late":
        print(json.dumps([run_late(case) for case in given]))
    elif mode == "contract":
        print(json.dumps(send_records(given)))
    else:
        serve(given)


if __name__ == "__main__":
    main()
