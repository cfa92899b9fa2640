"""The answers of the endpoint to the browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

ALLOWED = "GET, HEAD, POST, OPTIONS"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes = b""


def bare_tag(tag: str) -> str:
    return tag.strip().removeprefix("W/")


def taken(origin: Optional[str]) -> Answer:
    """We have the record, whatever happens later."""
    return Answer(204, {"Cache-Control": "no-store", **allow_origin(origin)})


def refused(
    status: int, text: str, origin: Optional[str], more: Optional[dict[str, str]] = None
) -> Answer:
    headers = {
        "Cache-Control": "no-store",
        "Content-Type": "text/plain; charset=utf-8",
        "X-Content-Type-Options": "nosniff",
        **allow_origin(origin),
        **(more or {}),
    }
    return Answer(status, headers, f"{text}\n".encode())


def allow_origin(origin: Optional[str]) -> dict[str, str]:
    """Credentials are allowed, because ``client_id`` may read a cookie."""
    if origin is None:
        return {}
    return {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Credentials": "true",
        "Vary": "Origin",
    }
