from __future__ import annotations

import os
import secrets
import threading

from ._weakly import call_weakly


class RecordNumbers:
    """Numbers the records of one client in the order in which they are handed over.

    The stream's name is random, so it says nothing about a machine or a visitor.
    """

    def __init__(self) -> None:
        self._start_anew()
        if hasattr(os, "register_at_fork"):
            # Two processes with one stream would take the same numbers.
            os.register_at_fork(after_in_child=call_weakly(self._start_anew))

    def take(self) -> str:
        """Return the stream and the next number, such as ``5mQ1v_0hPz-kT3aX.17``."""
        with self._lock:
            self._last += 1
            return f"{self._stream}.{self._last}"

    def _start_anew(self) -> None:
        self._lock = threading.Lock()
        self._stream = secrets.token_urlsafe(12)
        self._last = 0
