from __future__ import annotations

import weakref
from typing import Callable


def call_weakly(method: Callable[..., object]) -> Callable[..., None]:
    """The interpreter keeps what it calls later, and must not keep a client that nobody uses."""
    weak = weakref.WeakMethod(method)  # type: ignore[type-var]

    def call(*arguments: object) -> None:
        strong = weak()
        if strong is not None:
            strong(*arguments)

    return call
