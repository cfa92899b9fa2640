"""Checks what a program passes in, so that a mistake shows when it starts. Values are not repeated."""

from __future__ import annotations


def check_function(name: str, value: object, expected: str = "a function") -> None:
    if not callable(value):
        raise ValueError(f"{name}: expected {expected}, got {type(value).__name__}")


def check_tracker(value: object) -> None:
    methods = (getattr(value, name, None) for name in ("track_page_view", "track_event"))
    if not all(callable(method) for method in methods):
        expected = "a client such as Trackside(url, api_key)"
        raise ValueError(f"trackside: expected {expected}, got {type(value).__name__}")
