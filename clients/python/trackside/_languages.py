from __future__ import annotations

import re
from typing import Optional

from ._data import LANGUAGES, OTHER_LANGUAGES

_LONGEST_HEADER = 1024
_CODES = frozenset(LANGUAGES.split())
_OTHERS = dict(pair.split(":") for pair in OTHER_LANGUAGES.split())
_PRIMARY = re.compile(r"[\t\n\v\f\r \u00a0]*([a-z]{2,3})(?![a-z\d])", re.I | re.A)
_QUALITY = re.compile(r"[\s\u00a0]*q[\s\u00a0]*=(.*)", re.I | re.A | re.S)
_NUMBER = re.compile(r"0(?:\.\d{0,9})?|1(?:\.0{0,9})?", re.A)


def is_language_code(code: object) -> bool:
    return isinstance(code, str) and code.isascii() and code.lower() in _CODES


def read_language(tag: object, fallback: str) -> str:
    """Return the two letters of ISO 639-1 for a browser's language tag."""
    return _find_language(tag) or fallback


def read_accept_language(header: Optional[str], fallback: str) -> str:
    """Return the visitor's first choice that has a two-letter code."""
    best, best_quality = fallback, 0.0
    for part in (header or "")[:_LONGEST_HEADER].split(","):
        tag, *parameters = part.split(";")
        quality = _read_quality(parameters)
        # Strictly greater: the first of equals counts, and a quality of 0 refuses a language.
        if quality > best_quality:
            language = _find_language(tag)
            if language is not None:
                best, best_quality = language, quality
    return best


def _find_language(tag: object) -> Optional[str]:
    found = _PRIMARY.match(tag) if isinstance(tag, str) else None
    if found is None:
        return None
    primary = found[1].lower()
    # ``fil`` has no two-letter code: ``tl`` is another language, and ``fi`` is Finnish.
    return primary if primary in _CODES else _OTHERS.get(primary)


def _read_quality(parameters: list[str]) -> float:
    for parameter in parameters:
        found = _QUALITY.match(parameter)
        if found is not None:
            text = found[1].strip("\t\n\v\f\r \u00a0")
            return float(text) if _NUMBER.fullmatch(text) else -1.0
    return 1.0
