from __future__ import annotations

from http import HTTPStatus
from typing import Any, Callable, Iterable, Iterator, Optional
from urllib.parse import quote

from ._answers import Answer
from ._checks import check_function
from ._handler import MAX_BODY_BYTES, Handler, Tracker
from ._request import IncomingRequest

_Environ = dict[str, Any]
_StartResponse = Callable[..., Any]
_App = Callable[[_Environ, _StartResponse], Iterable[bytes]]


class WsgiMiddleware:
    """Serves the endpoint, and with ``count_pages`` counts each HTML page that the application sends.

    The other options are those of ``Handler``. ``client_id`` gets the WSGI environment.
    """

    def __init__(self, app: _App, trackside: Tracker, *, count_pages: bool = False, **options: Any) -> None:
        check_function("app", app, "a WSGI application")
        self._app = app
        self._counts_pages = count_pages
        self._handler = Handler(trackside, **options)

    def __call__(self, environ: _Environ, start_response: _StartResponse) -> Iterable[bytes]:
        path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
        if self._handler.matches(path):
            return _send(self._answer(environ), start_response)
        if self._counts_pages and environ.get("REQUEST_METHOD") == "GET":
            return self._watch(environ, start_response)
        return self._app(environ, start_response)

    def track_event(self, environ: _Environ, name: str, parameters: object = ()) -> None:
        """Record an event for the visitor of a request. Returns at once and never raises."""
        self._handler.track_event(_to_request(environ), environ, name, parameters)

    def _answer(self, environ: _Environ) -> Answer:
        request = _to_request(environ)
        answer = self._handler.answer_without_body(request)
        if answer is None:
            answer = self._handler.answer_body(request, _read_body(environ), environ)
        return answer

    def _watch(self, environ: _Environ, start_response: _StartResponse) -> Iterable[bytes]:
        request = _to_request(environ)
        if not self._handler.is_candidate(request):
            return self._app(environ, start_response)
        page = _Page(lambda status, kind: self._handler.count(request, status, kind, environ))

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            page.note(status, headers)
            return start_response(status, headers, exc_info) if exc_info else start_response(status, headers)

        body = self._app(environ, start)
        # Most applications have said their status by now. Their body is left as it is, since servers
        # look at its length and its file.
        return body if page.count() else _CountedBody(body, page)


class _Page:
    """Counts the answer once its status is known."""

    def __init__(self, count: Callable[[int, Optional[str]], None]) -> None:
        self._count = count
        self._status: Optional[int] = None
        self._content_type: Optional[str] = None
        self._is_counted = False

    def note(self, status: str, headers: list[tuple[str, str]]) -> None:
        code = status[:3]
        self._status = int(code) if code.isdigit() else 0
        types = [value for name, value in headers if name.lower() == "content-type"]
        self._content_type = types[-1] if types else None

    def count(self) -> bool:
        if self._status is None:
            return False
        if not self._is_counted:
            self._is_counted = True
            self._count(self._status, self._content_type)
        return True


class _CountedBody:
    """The body of an application that says its status only when it is asked for the first piece."""

    def __init__(self, body: Iterable[bytes], page: _Page) -> None:
        self._body = body
        self._page = page

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._body:
            self._page.count()
            yield piece
        self._page.count()

    def close(self) -> None:
        close = getattr(self._body, "close", None)
        if close is not None:
            close()


def _to_request(environ: _Environ) -> IncomingRequest:
    def header(name: str) -> Optional[str]:
        key = name.upper().replace("-", "_")
        value = environ.get(key if key == "CONTENT_TYPE" else f"HTTP_{key}")
        return value if isinstance(value, str) else None

    return IncomingRequest(
        method=environ.get("REQUEST_METHOD", "GET"),
        scheme="https" if environ.get("wsgi.url_scheme") == "https" else "http",
        target=_read_target(environ),
        header=header,
        peer=environ.get("REMOTE_ADDR") or None,
    )


def _read_target(environ: _Environ) -> str:
    # Gunicorn and uWSGI keep what the client wrote. The path of WSGI is already decoded.
    raw = environ.get("RAW_URI") or environ.get("REQUEST_URI")
    if isinstance(raw, str) and raw:
        return raw
    path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
    query = environ.get("QUERY_STRING", "")
    target = quote(path.encode("latin-1", "replace"), safe="/:@!$&'()*+,;=~") or "/"
    return f"{target}?{query}" if query else target


def _read_body(environ: _Environ) -> Optional[bytes]:
    """Return the body, or None if it is too long."""
    length = environ.get("CONTENT_LENGTH") or ""
    if length.isdigit() and int(length) > MAX_BODY_BYTES:
        return None
    if not length.isdigit() and not environ.get("wsgi.input_terminated"):
        return b""
    wanted = int(length) if length.isdigit() else MAX_BODY_BYTES + 1
    try:
        body: bytes = environ["wsgi.input"].read(wanted)
    except (OSError, ValueError, KeyError):
        return b""
    return body


def _send(answer: Answer, start_response: _StartResponse) -> list[bytes]:
    headers = list(answer.headers.items())
    if answer.status not in (204, 304):
        headers.append(("Content-Length", str(len(answer.body))))
    start_response(f"{answer.status} {HTTPStatus(answer.status).phrase}", headers)
    return [answer.body] if answer.body else []
