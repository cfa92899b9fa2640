from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass, replace
from typing import Callable, Optional

from ._checks import check_function

_INTERVAL_S = 60.0
#: Some messages hold a number that differs each time. Beyond this, faults are distinguished by kind.
_MAX_MESSAGES = 50
_log = logging.getLogger("trackside")


@dataclass(frozen=True)
class Fault:
    """Something that went wrong with records. It never holds an API key, an address or a value."""

    kind: str
    message: str
    #: How many records, or attempts to send one, since this fault was last reported.
    records: int = 1
    cause: Optional[BaseException] = None


class FaultTeller:
    """Reports a fault at once, and the same fault at most once a minute."""

    def __init__(self, on_error: Optional[Callable[[Fault], object]] = None) -> None:
        self._on_error = _write_to_log if on_error is None else on_error
        check_function("on_error", self._on_error)
        self._lock = threading.Lock()
        #: When each fault was last reported, and what came since then.
        self._told: dict[str, tuple[float, Optional[Fault]]] = {}

    def tell(self, fault: Fault) -> None:
        now = time.monotonic()
        with self._lock:
            name = f"{fault.kind}: {fault.message}"
            is_full = name not in self._told and len(self._told) >= _MAX_MESSAGES
            # The message of this kind says by how many seconds a clock is wrong.
            if is_full or fault.kind == "time-refused":
                name = fault.kind
            told_at, untold = self._told.get(name, (now - _INTERVAL_S, None))
            if untold is not None:
                fault = replace(fault, records=untold.records + fault.records)
            is_due = now - told_at >= _INTERVAL_S
            self._told[name] = (now, None) if is_due else (told_at, fault)
        if is_due:
            self._pass_on(fault)

    def tell_rest(self) -> None:
        """Report the faults that are waiting for their minute to pass."""
        now = time.monotonic()
        with self._lock:
            rest = {name: fault for name, (_, fault) in self._told.items() if fault is not None}
            self._told.update((name, (now, None)) for name in rest)
        for fault in rest.values():
            self._pass_on(fault)

    def _pass_on(self, fault: Fault) -> None:
        try:
            self._on_error(fault)
        except Exception:
            # A program's own function that fails must not become the problem of any request.
            _log.debug("on_error failed", exc_info=True)


def _write_to_log(fault: Fault) -> None:
    noun = "record" if fault.records == 1 else "records"
    _log.error("%s: %s (%d %s)", fault.kind, fault.message, fault.records, noun, exc_info=fault.cause)
