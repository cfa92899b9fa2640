from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from typing import Callable, Hashable

#: A whole office or a mobile network can be behind one address.
_VISITORS_OF_ADDRESS = 10
#: A few megabytes: more visitors than one server has in a minute.
_MAX_KEYS = 20_000


class RateLimit:
    """Limits the records of a visitor, which is an address (for IPv6 its /64) with a user agent.

    A user agent is easily forged, so an address has a limit too.
    """

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        if not 0 < per_minute < float("inf"):
            raise ValueError(f"rate_per_minute: expected a number above 0, got {per_minute!r}")
        self._lock = threading.Lock()
        self._visitors = _Buckets(per_minute, clock)
        self._addresses = _Buckets(per_minute * _VISITORS_OF_ADDRESS, clock)

    def take(self, address: str, user_agent: str) -> float:
        """Count one record. Returns 0, or the seconds until the next one is allowed."""
        network = _network_of(address)
        with self._lock:
            return self._addresses.take(network) or self._visitors.take((network, hash(user_agent)))


class _Buckets:
    """A bucket of tokens for each key, full at first and refilled over a minute."""

    def __init__(self, per_minute: float, clock: Callable[[], float]) -> None:
        self._capacity = max(1.0, per_minute)
        self._per_s = per_minute / 60
        self._clock = clock
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, key: Hashable) -> float:
        now = self._clock()
        tokens, at = self._buckets.pop(key, (self._capacity, now))
        tokens = min(self._capacity, tokens + (now - at) * self._per_s)
        wait_s = 0.0 if tokens >= 1 else (1 - tokens) / self._per_s
        if len(self._buckets) >= _MAX_KEYS:
            self._buckets.popitem(last=False)
        self._buckets[key] = (tokens if wait_s else tokens - 1, now)
        return wait_s


def _network_of(address: str) -> str:
    """A household has a /64 to itself, and its devices take new addresses at will."""
    parsed = ipaddress.ip_address(address)
    return address if parsed.version == 4 else parsed.exploded[:19]
