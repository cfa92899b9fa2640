"""Reads as much of a URL as is needed. It refuses too much rather than too little, because the server
refuses a whole record because of one bad URL."""

from __future__ import annotations

import ipaddress
import re
from typing import NamedTuple, Optional

from ._text import count_units

MAX_URL_UNITS = 8192

_WITH_HOST = re.compile(r"([a-z][a-z0-9+.-]*)://([^/?#\\]+)", re.I | re.A)
_HOST = re.compile(r"([a-z\d._-]{1,253}|\[[\da-f:.]{2,45}\])(?::(\d{1,5}))?", re.I | re.A)
_DEFAULT_PORTS = {"http": 80, "https": 443}


class Site(NamedTuple):
    """Where a URL leads to. The host is in lower case, and has its port unless that is the default one."""

    scheme: str
    host: str

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.host}"


def read_site(url: Optional[str]) -> Optional[Site]:
    found = _WITH_HOST.match(url or "")
    if found is None:
        return None
    return make_site(found[1], found[2].rpartition("@")[2])


def make_site(scheme: str, host: str) -> Optional[Site]:
    found = _HOST.fullmatch(host)
    if found is None:
        return None
    scheme = scheme.lower()
    name = _read_name(found[1].lower())
    port = int(found[2]) if found[2] else None
    if name is None or (port is not None and port > 65535):
        return None
    is_ordinary = port is None or port == _DEFAULT_PORTS.get(scheme)
    return Site(scheme, name if is_ordinary else f"{name}:{port}")


def _read_name(name: str) -> Optional[str]:
    try:
        if name.startswith("["):
            return f"[{ipaddress.IPv6Address(name[1:-1]).compressed}]"
        # A name that ends in a number has to be an IPv4 address.
        if re.fullmatch(r"\d+|0x[\da-f]*", name.rstrip(".").rpartition(".")[2], re.A):
            return str(ipaddress.IPv4Address(name))
    except ValueError:
        return None
    return name


def is_page_url(value: object) -> bool:
    site = _read_bounded(value)
    return site is not None and site.scheme in ("http", "https")


def is_referrer(value: object) -> bool:
    return _read_bounded(value) is not None


def _read_bounded(value: object) -> Optional[Site]:
    if not isinstance(value, str) or count_units(value) > MAX_URL_UNITS:
        return None
    return read_site(value)
