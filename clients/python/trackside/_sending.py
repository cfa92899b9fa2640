"""Sends one request to Trackside, and says what its answer means."""

from __future__ import annotations

import http.client
import json
import os
import re
import ssl
import threading
import time
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Callable, Optional
from urllib.parse import urlsplit

from ._times import Moment

_MAX_ANSWER_BYTES = 16 * 1024
_MAX_MESSAGE_LENGTH = 1000


@dataclass(frozen=True)
class Record:
    """A record as it was handed over. Every attempt has this key and this number."""

    #: The Idempotency-Key, by which the server recognizes a repeat.
    key: str
    path: str
    body: bytes
    #: Its stream and number.
    sequence: str
    handed_over: Moment


@dataclass(frozen=True)
class Result:
    """The outcome of a record that a program waited for."""

    #: "accepted", "malformed", "unauthorized", "contingent-used-up" or "unavailable".
    kind: str
    #: The HTTP status, or 0 if there was no answer.
    code: int
    message: str
    retry_after_s: Optional[float] = None


@dataclass(frozen=True)
class Attempt:
    result: Result
    #: Whether the same request may get another answer in a moment.
    is_transient: bool = False
    #: Whether the record may have been counted although no answer says so.
    is_uncertain: bool = False


class Sender:
    """Keeps one connection for each thread. Never raises."""

    def __init__(self, url: str, api_key: str, release: Optional[str], timeout_s: float) -> None:
        parts = urlsplit(url)
        self._api_key = api_key
        self._release = release
        self._base_path = parts.path.rstrip("/")
        self._timeout_s = timeout_s
        self._connect = _connector(parts.scheme, parts.hostname or "", parts.port, timeout_s)
        self._threads = threading.local()

    def send(self, record: Record, number: int) -> Attempt:
        """Send the record. ``number`` says which attempt this is, from 1 on."""
        kept = self._kept()
        may_have_arrived = False
        if kept is not None:
            try:
                return self._exchange(kept, record, number)
            except (http.client.RemoteDisconnected, ConnectionError, BrokenPipeError):
                # The server has closed the idle connection. The key makes another try safe, but the record
                # may have arrived.
                self._drop()
                number += 1
                may_have_arrived = True
            except (OSError, http.client.HTTPException) as error:
                self._drop()
                return _no_answer(error)
        try:
            fresh = self._connect()
            fresh.connect()
        except (OSError, ValueError) as error:
            return _no_answer(error, is_reached=may_have_arrived)
        self._threads.connection = fresh
        self._threads.process = os.getpid()
        try:
            attempt = self._exchange(fresh, record, number)
        except (OSError, http.client.HTTPException) as error:
            self._drop()
            return _no_answer(error)
        return replace(attempt, is_uncertain=attempt.is_uncertain or may_have_arrived)

    def _kept(self) -> Optional[http.client.HTTPConnection]:
        connection: Optional[http.client.HTTPConnection] = getattr(self._threads, "connection", None)
        # After a fork, the connection is the parent's.
        return connection if connection is None or self._threads.process == os.getpid() else None

    def _exchange(
        self, connection: http.client.HTTPConnection, record: Record, number: int
    ) -> Attempt:
        headers = {
            "Authorization": self._api_key,
            "Content-Type": "application/json",
            "Idempotency-Key": record.key,
            # With a first attempt, the server doesn't have to ask others.
            "Trackside-Attempt": str(number),
            "Trackside-Sequence": record.sequence,
        }
        if self._release is not None:
            headers["Trackside-Release"] = self._release
        connection.request("POST", self._base_path + record.path, record.body, headers)
        response = connection.getresponse()
        deadline = time.monotonic() + self._timeout_s
        text = b""
        while len(text) <= _MAX_ANSWER_BYTES:
            piece = response.read1(_MAX_ANSWER_BYTES + 1 - len(text))
            if not piece:
                break
            text += piece
            if time.monotonic() > deadline:
                raise TimeoutError("the answer took too long")
        if len(text) > _MAX_ANSWER_BYTES:
            text = b""
            self._drop()
        elif response.will_close:
            self._drop()
        # Some versions of Python wait for this before they use the connection again.
        response.close()
        return read_answer(response.status, response.headers.get, text, self._api_key, time.time())

    def _drop(self) -> None:
        connection = getattr(self._threads, "connection", None)
        self._threads.connection = None
        if connection is not None:
            connection.close()


def _connector(
    scheme: str, host: str, port: Optional[int], timeout_s: float
) -> Callable[[], http.client.HTTPConnection]:
    if scheme == "http":
        return lambda: http.client.HTTPConnection(host, port, timeout=timeout_s)
    context = ssl.create_default_context()
    return lambda: http.client.HTTPSConnection(host, port, timeout=timeout_s, context=context)


def _no_answer(error: Exception, is_reached: bool = True) -> Attempt:
    what = "no answer" if is_reached else "no connection"
    message = (
        f"Expected an answer from Trackside, got {what} ({type(error).__name__}): "
        "check that it's running and that url is correct."
    )
    return Attempt(Result("unavailable", 0, message), is_transient=True, is_uncertain=is_reached)


def read_answer(
    status: int, header: Callable[[str], Optional[str]], text: bytes, api_key: str, now: float
) -> Attempt:
    answer = _parse_answer(text, api_key)
    retry_after = _read_retry_after(header("retry-after"), now)
    if answer is None or (answer[0] == 200 and not 200 <= status <= 299):
        return _judge_stranger(status, retry_after)
    code, message = answer
    if code == 200:
        return Attempt(Result("accepted", 200, message))
    if code == 400:
        return Attempt(Result("malformed", 400, message))
    if code == 401:
        return Attempt(Result("unauthorized", 401, message))
    if code == 429:
        wait = retry_after if retry_after is not None else _seconds_to_next_month(now)
        return Attempt(Result("contingent-used-up", 429, message, wait))
    if code in (404, 405):
        return Attempt(Result("unavailable", code, _wrong_url(code)))
    result = Result("unavailable", code, message, retry_after)
    # The server may count the record all the same.
    is_uncertain = header("trackside-outcome") == "unknown"
    return Attempt(result, _is_transient(code), is_uncertain)


def _judge_stranger(status: int, retry_after: Optional[float]) -> Attempt:
    """Something other than Trackside answered: a proxy in front of it, or whatever is at that address."""
    result = Result("unavailable", status, _describe_stranger(status), retry_after)
    # A gateway's 5xx can come after the server has counted the record.
    is_uncertain = status >= 500 or 200 <= status <= 299
    return Attempt(result, _is_transient(status), is_uncertain)


def _describe_stranger(status: int) -> str:
    if status in (404, 405):
        return _wrong_url(status)
    if 300 <= status <= 399:
        return (
            f"Expected an answer from Trackside, got the redirect {status}. It is not followed, "
            "because the API key would be sent along: set url to the final address."
        )
    if status < 300:
        return (
            f"Expected an answer from Trackside, got status {status} from something else: "
            "check that url is the address of Trackside."
        )
    return (
        f"Expected an answer from Trackside, got status {status} from something in front of it: "
        "check the proxy or firewall in between."
    )


def _wrong_url(status: int) -> str:
    return (
        f"Expected an answer from Trackside, got status {status}: check that url is the address of "
        "Trackside, without /api/page-view."
    )


def _is_transient(status: int) -> bool:
    return status >= 500 or status in (408, 425, 429)


def _parse_answer(text: bytes, api_key: str) -> Optional[tuple[int, str]]:
    try:
        answer = json.loads(text)
        code, message = answer["Code"], answer["Message"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if type(code) is not int or not isinstance(message, str):
        return None
    # Whatever is at that address could send the key back to us, and messages end up in logs.
    return code, message.replace(api_key, "[API key]")[:_MAX_MESSAGE_LENGTH]


def _read_retry_after(value: Optional[str], now: float) -> Optional[float]:
    if value is None:
        return None
    if re.fullmatch(r"\d{1,15}", value, re.A):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (TypeError, ValueError, OverflowError):
        return None


def _seconds_to_next_month(now: float) -> float:
    today = datetime.fromtimestamp(now, timezone.utc)
    year, month = (today.year + 1, 1) if today.month == 12 else (today.year, today.month + 1)
    return datetime(year, month, 1, tzinfo=timezone.utc).timestamp() - now
