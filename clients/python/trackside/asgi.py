from __future__ import annotations

import asyncio
from typing import Any, Awaitable, Callable, Optional

from ._answers import Answer
from ._checks import check_function
from ._handler import MAX_BODY_BYTES, Handler, Tracker
from ._request import IncomingRequest

_Scope = dict[str, Any]
_Receive = Callable[[], Awaitable[dict[str, Any]]]
_Send = Callable[[dict[str, Any]], Awaitable[None]]
_App = Callable[[_Scope, _Receive, _Send], Awaitable[None]]

_BODY_LIMIT_S = 10.0


class AsgiMiddleware:
    """Serves the endpoint, and with ``count_pages`` counts each HTML page that the application sends.

    The other options are those of ``Handler``. ``client_id`` gets the ASGI scope.
    """

    def __init__(self, app: _App, trackside: Tracker, *, count_pages: bool = False, **options: Any) -> None:
        check_function("app", app, "an ASGI application")
        self._app = app
        self._counts_pages = count_pages
        self._handler = Handler(trackside, **options)
        # Another tracker than our client need not have it.
        self._flush: Optional[Callable[[], object]] = getattr(trackside, "flush", None)

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, self._flush_at_end(send))
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        elif self._handler.matches(scope.get("path", "")):
            await _send_answer(await self._answer(scope, receive), send)
        elif self._counts_pages and scope.get("method") == "GET":
            await self._app(scope, receive, self._watch(scope, send))
        else:
            await self._app(scope, receive, send)

    def track_event(self, scope: _Scope, name: str, parameters: object = ()) -> None:
        """Record an event for the visitor of a request. Returns at once and never raises."""
        self._handler.track_event(_to_request(scope), scope, name, parameters)

    async def _answer(self, scope: _Scope, receive: _Receive) -> Answer:
        request = _to_request(scope)
        answer = self._handler.answer_without_body(request)
        if answer is None:
            answer = self._handler.answer_body(request, await _read_body(receive), scope)
        return answer

    def _flush_at_end(self, send: _Send) -> _Send:
        """uvicorn ends its process with a signal, after which nothing runs that Python does at its end."""
        flush = self._flush
        if flush is None:
            return send

        async def flush_first(message: dict[str, Any]) -> None:
            if message["type"] in ("lifespan.shutdown.complete", "lifespan.shutdown.failed"):
                await asyncio.to_thread(flush)
            await send(message)

        return flush_first

    def _watch(self, scope: _Scope, send: _Send) -> _Send:
        request = _to_request(scope)
        if not self._handler.is_candidate(request):
            return send

        async def watch(message: dict[str, Any]) -> None:
            await send(message)
            if message["type"] == "http.response.start":
                content_type = _find_header(message.get("headers", ()), b"content-type")
                self._handler.count(request, message["status"], content_type, scope)

        return watch


def _to_request(scope: _Scope) -> IncomingRequest:
    headers: list[tuple[bytes, bytes]] = list(scope.get("headers", ()))
    client = scope.get("client")
    raw_path = scope.get("raw_path")
    path = raw_path.decode("latin-1") if raw_path else scope.get("path", "/")
    query = scope.get("query_string", b"").decode("latin-1")
    return IncomingRequest(
        method=scope.get("method", "GET"),
        scheme="https" if scope.get("scheme") == "https" else "http",
        target=f"{path}?{query}" if query else path,
        header=lambda name: _find_header(headers, name.encode("latin-1")),
        peer=client[0] if client else None,
    )


def _find_header(headers: Any, name: bytes) -> Optional[str]:
    values = [value.decode("latin-1") for each, value in headers if each.lower() == name]
    return ", ".join(values) if values else None


async def _read_body(receive: _Receive) -> Optional[bytes]:
    """Return the body, None if it is too long, or a part if the client went away or is too slow."""
    body = b""

    async def read() -> None:
        nonlocal body
        while len(body) <= MAX_BODY_BYTES:
            message = await receive()
            if message["type"] != "http.request":
                return
            body += message.get("body", b"")
            if not message.get("more_body", False):
                return

    try:
        await asyncio.wait_for(read(), _BODY_LIMIT_S)
    except asyncio.TimeoutError:
        return b""
    return None if len(body) > MAX_BODY_BYTES else body


async def _send_answer(answer: Answer, send: _Send) -> None:
    headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in answer.headers.items()]
    if answer.status not in (204, 304):
        headers.append((b"content-length", str(len(answer.body)).encode()))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})
