from __future__ import annotations

import json
import math
import time
import uuid
from typing import Any, Callable, Mapping, Optional, Sequence, Union
from urllib.parse import urlsplit

from ._faults import Fault, FaultTeller
from ._line import Counts, Line, Queued, backoff_s
from ._numbers import RecordNumbers
from ._queue import RecordQueue
from ._release import read_release
from ._sending import Attempt, Record, Result, Sender
from ._text import write_number
from ._times import now

__all__ = ["Counts", "Parameters", "Trackside"]

Metrics = Mapping[str, Any]
#: ``{"plan": "pro", "seats": 5}``, or ``[{"Name": "plan", "Value": "pro"}]``.
Parameters = Union[Mapping[str, Union[str, int, float, bool, None]], Sequence[Mapping[str, str]]]

#: The most that the server reads.
_MAX_BODY_BYTES = 512 * 1024
#: A program waits for this. If the server asks for more time, the program has to send it later.
_LONGEST_WAIT_S = 30.0


class Trackside:
    """Sends page views and events, in the background or with an answer.

    Make one for each website and process, and share it between threads.
    """

    def __init__(
        self,
        url: str,
        api_key: str,
        *,
        release: Optional[str] = None,
        timeout_s: float = 10.0,
        retries: int = 3,
        max_records: int = 10_000,
        max_bytes: int = 64 * 1024 * 1024,
        max_age_s: float = 24 * 60 * 60.0,
        concurrency: int = 4,
        on_error: Optional[Callable[[Fault], object]] = None,
    ) -> None:
        _check_number("timeout_s", timeout_s, 0.001, 120)
        _check_number("retries", retries, 0, 10)
        _check_number("max_records", max_records, 1, 10_000_000)
        _check_number("max_bytes", max_bytes, 2**20, 2**40)
        _check_number("max_age_s", max_age_s, 1, 30 * 24 * 60 * 60)
        _check_number("concurrency", concurrency, 1, 1000)
        self._teller = FaultTeller(on_error)
        self._retries = int(retries)
        self._sender = Sender(
            _check_url(url), _check_api_key(api_key), read_release(release), timeout_s
        )
        self._numbers = RecordNumbers()
        self._queue = RecordQueue(
            send=self._sender.send,
            make_line=lambda tell: Line(
                max_records=int(max_records),
                max_bytes=int(max_bytes),
                max_age_s=max_age_s,
                tell=tell,
            ),
            concurrency=int(concurrency),
            teller=self._teller,
        )

    def track_page_view(self, metrics: Metrics) -> None:
        """Take a page view and return at once. Never raises; faults go to ``on_error``."""
        self._track("/api/page-view", lambda: {"Metrics": metrics})

    def track_event(self, name: str, parameters: Parameters, metrics: Metrics) -> None:
        """Take an event and return at once. Never raises; faults go to ``on_error``."""
        self._track("/api/event-view", lambda: _event_body(name, parameters, metrics))

    def page_view(self, metrics: Metrics) -> Result:
        """Send a page view and wait for the answer."""
        return self._deliver("/api/page-view", lambda: {"Metrics": metrics})

    def event(self, name: str, parameters: Parameters, metrics: Metrics) -> Result:
        """Send an event and wait for the answer."""
        return self._deliver("/api/event-view", lambda: _event_body(name, parameters, metrics))

    def flush(self, within_s: float = 5.0) -> int:
        """Wait until all tracked records are settled or the time is up. Returns how many remain."""
        return self._queue.flush(within_s)

    def close(self, within_s: float = 5.0) -> int:
        """Flush, then take no more records. Returns how many were left over."""
        return self._queue.close(within_s)

    def counts(self) -> Counts:
        return self._queue.counts()

    def _track(self, path: str, make_body: Callable[[], object]) -> None:
        try:
            record = self._make_record(path, make_body)
            if isinstance(record, Result):
                self._queue.count_refused()
                self._teller.tell(Fault(record.kind, record.message))
            else:
                self._queue.push(record)
        except Exception as cause:
            message = "Expected to take the record, got an exception from what was passed in."
            self._teller.tell(Fault("unexpected", message, cause=cause))

    def _deliver(self, path: str, make_body: Callable[[], object]) -> Result:
        record = self._make_record(path, make_body)
        if isinstance(record, Result):
            return record
        queued = Queued(record, record.handed_over.monotonic_s)
        attempt = self._try(queued)
        for failures in range(1, self._retries + 1):
            asked_s = attempt.result.retry_after_s or 0.0
            if not attempt.is_transient or asked_s > _LONGEST_WAIT_S:
                break
            time.sleep(asked_s + backoff_s(failures))
            attempt = self._try(queued)
        return attempt.result

    def _try(self, queued: Queued) -> Attempt:
        moment = now()
        queued.attempts += 1
        attempt = self._sender.send(queued.to_send(moment), queued.attempts)
        if attempt.is_uncertain and queued.uncertain_since is None:
            queued.uncertain_since = moment
        # If a clock is wrong, the record is not lost, but counts when it arrives.
        return self._try(queued) if queued.drop_time(attempt.result) else attempt

    def _make_record(self, path: str, make_body: Callable[[], object]) -> Union[Record, Result]:
        body = _write_body(make_body)
        if isinstance(body, Result):
            return body
        return Record(str(uuid.uuid4()), path, body, self._numbers.take(), now())


def _event_body(name: str, parameters: Parameters, metrics: Metrics) -> dict[str, object]:
    return {"Name": name, "Parameters": _list_parameters(parameters), "Metrics": metrics}


def _list_parameters(parameters: object) -> object:
    """Turn the short form into the interface's list. What is None is left out."""
    if not isinstance(parameters, Mapping):
        return parameters
    given = ((name, value) for name, value in parameters.items() if value is not None)
    return [{"Name": name, "Value": _to_text(value)} for name, value in given]


def _to_text(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return write_number(value)
    return value


def _write_body(make_body: Callable[[], object]) -> Union[bytes, Result]:
    try:
        text = json.dumps(make_body(), allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        return Result("malformed", 400, "Body: expected values that JSON can hold, got others")
    body = text.encode("ascii")
    if len(body) > _MAX_BODY_BYTES:
        return Result("malformed", 400, f"Body: expected at most {_MAX_BODY_BYTES} bytes, got more")
    return body


def _check_url(url: object) -> str:
    """Messages don't repeat values, because key and URL may have been swapped."""
    try:
        parts = urlsplit(url) if isinstance(url, str) else None
        is_right = parts is not None and parts.scheme in ("http", "https") and bool(parts.hostname)
        if parts is not None:
            parts.port  # noqa: B018 (raises for a port that is none)
    except ValueError:
        is_right = False
    if not is_right or parts is None:
        raise ValueError("url: expected an http or https address such as https://trackside.example")
    if parts.username is not None or parts.password is not None:
        raise ValueError("url: expected no user name or password in it. The key goes into api_key.")
    if parts.query or parts.fragment:
        raise ValueError("url: expected no ? and no # in it, since the paths are added at its end")
    return str(url)


def _check_api_key(api_key: object) -> str:
    expected = "api_key: expected the website's API key"
    if not isinstance(api_key, str):
        raise ValueError(f"{expected}, got {type(api_key).__name__}")
    if api_key == "":
        raise ValueError(f"{expected}, got an empty string. Is its environment variable set?")
    if api_key.lower().startswith(("bearer ", "basic ", "authorization: ", "authorization ")):
        raise ValueError(
            f'{expected} alone, got a word in front of it: remove "Bearer", "Basic" or "Authorization:"'
        )
    if not all("!" <= character <= "~" for character in api_key):
        raise ValueError(f"{expected}, got a text with white space or characters that no key has")
    return api_key


def _check_number(name: str, value: object, least: float, most: float) -> None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not least <= value <= most:  # type: ignore[operator]
        raise ValueError(f"{name}: expected a number from {least:g} to {most:g}, got {value!r}")
