"""Counts and trims texts like the tracking interface, which does it like JavaScript."""

from __future__ import annotations

import math
import re
from decimal import Decimal

SPACES = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_GAPS = re.compile(f"[{SPACES}\x00-\x1f\x7f-\x9f]+")


def count_units(text: str) -> int:
    """Return the length in UTF-16 code units."""
    return len(text) + sum(character > "\uffff" for character in text)


def cut(text: str, max_units: int) -> str:
    """Shorten a text, but not in the middle of a character."""
    if count_units(text) <= max_units:
        return text
    units = 0
    for at, character in enumerate(text):
        units += 2 if character > "\uffff" else 1
        if units > max_units:
            return text[:at]
    return text


def is_blank(text: str) -> bool:
    return text.strip(SPACES) == ""


def close_gaps(text: str) -> str:
    """Replace each run of white space and control characters with one space, and trim the ends."""
    return _GAPS.sub(" ", text).strip(SPACES)


def write_number(value: float) -> str:
    """Write a number as a browser does, so that 5.0 and 5 are the same value of a parameter."""
    number = float(value)
    if math.isinf(number) or math.isnan(number):
        return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "0"
    shortest = Decimal(repr(number))
    if 1e-6 <= abs(number) < 1e21:
        plain = format(shortest, "f")
        return plain.rstrip("0").rstrip(".") if "." in plain else plain
    sign, digits, _ = shortest.normalize().as_tuple()
    exponent = shortest.adjusted()
    text = "".join(map(str, digits))
    mantissa = text[0] + (f".{text[1:]}" if len(text) > 1 else "")
    return f"{'-' if sign else ''}{mantissa}e{'+' if exponent > 0 else '-'}{abs(exponent)}"
