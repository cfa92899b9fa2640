from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Optional

_HOST = re.compile(r"(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?", re.I | re.A)
_UNSAFE = re.compile(r"[^!-~]|[\"<>`]")


@dataclass(frozen=True)
class IncomingRequest:
    """A request as every adapter presents it."""

    method: str
    #: The scheme as the server sees it, without a proxy.
    scheme: str
    #: The path with its query, as the client wrote it.
    target: str
    #: Returns a header by its lower-case name. Each character is one byte; repeats are joined by ", ".
    header: Callable[[str], Optional[str]]
    #: The address of the other side of the connection, if the server knows it.
    peer: Optional[str]

    @property
    def host(self) -> str:
        """The host that the client asked for. It can send anything, but a host stays a host."""
        host = self.header("host") or ""
        return host if _HOST.fullmatch(host) else "localhost"

    @property
    def path_and_query(self) -> str:
        target = self.target.split("#", 1)[0]
        if not target.startswith("/"):
            absolute = re.match(r"https?://[^/?]*(/.*)", target, re.I | re.S)
            target = absolute[1] if absolute else "/"
        return _UNSAFE.sub(lambda found: _encode(found[0]), target)

    @property
    def path(self) -> str:
        return self.path_and_query.split("?", 1)[0]


def _encode(character: str) -> str:
    data = character.encode("latin-1") if character <= "\xff" else character.encode("utf-8", "replace")
    return "".join(f"%{byte:02X}" for byte in data)
