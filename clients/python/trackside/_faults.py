from __future__ import annotations

import logging
import os
import threading
import time
from dataclasses import dataclass, replace
from typing import Callable, Optional

from ._checks import check_function
from ._weakly import call_weakly

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


@dataclass
class Told:
    """When a fault was last reported, and what came since then."""

    at: float
    untold: Optional[Fault] = None


class FaultTeller:
    """Reports a fault at once, and the same fault at most once a minute."""

    def __init__(self, on_error: Optional[Callable[[Fault], object]] = None) -> None:
        self._on_error = _write_to_log if on_error is None else on_error
        check_function("on_error", self._on_error)
        self._start_anew()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=call_weakly(self._start_anew))

    def _start_anew(self) -> None:
        # The parent reports its own faults, and one of its threads may have held the lock at the fork.
        self._lock = threading.Lock()
        self._told: dict[str, Told] = {}

    def tell(self, fault: Fault) -> None:
        due = self.note(fault)
        if due is not None:
            self.pass_on(due)

    def note(self, fault: Fault) -> Optional[Told]:
        """Count a fault. Return what to pass on, once no lock is held that a request may wait for."""
        now = time.monotonic()
        with self._lock:
            name = f"{fault.kind}: {fault.message}"
            is_full = name not in self._told and len(self._told) >= _MAX_MESSAGES
            # The message of this kind says by how many seconds a clock is wrong.
            if is_full or fault.kind == "time-refused":
                name = fault.kind
            told = self._told.setdefault(name, Told(now - _INTERVAL_S))
            records = fault.records + (told.untold.records if told.untold is not None else 0)
            told.untold = replace(fault, records=records)
            if now - told.at < _INTERVAL_S:
                return None
            told.at = now
            return told

    def pass_on(self, told: Told) -> None:
        with self._lock:
            fault, told.untold = told.untold, None
            told.at = time.monotonic()
        if fault is None:
            return
        try:
            self._on_error(fault)
        except Exception:
            # A program's own function that fails must not become the problem of any request.
            _log.debug("on_error failed", exc_info=True)

    def tell_rest(self) -> None:
        """Report the faults that are waiting for their minute to pass."""
        with self._lock:
            rest = [told for told in self._told.values() if told.untold is not None]
        for told in rest:
            self.pass_on(told)


def _write_to_log(fault: Fault) -> None:
    noun = "record" if fault.records == 1 else "records"
    _log.error("%s: %s (%d %s)", fault.kind, fault.message, fault.records, noun, exc_info=fault.cause)
