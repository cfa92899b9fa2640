from __future__ import annotations

import os
from typing import Optional

_MAX_CHARACTERS = 64


def read_release(value: Optional[str]) -> Optional[str]:
    """Read the option, or else the environment. A variable that is set to nothing is not set."""
    if value is not None:
        return _check_release("release", value)
    variable = os.environ.get("TRACKSIDE_RELEASE", "").strip()
    return _check_release("TRACKSIDE_RELEASE", variable) if variable else None


def _check_release(name: str, value: object) -> str:
    release = value.strip() if isinstance(value, str) else ""
    # It is sent as a header.
    if 1 <= len(release) <= _MAX_CHARACTERS and all(" " <= character <= "~" for character in release):
        return release
    raise ValueError(
        f"{name}: expected 1 to {_MAX_CHARACTERS} printable ASCII characters, such as a version or a commit"
    )
