"""Reads what the browser script sends, or says what is wrong with it."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, NoReturn, Optional

from ._text import count_units, is_blank, write_number
from ._urls import is_page_url, is_referrer

_MAX_PIXELS = 100_000
_MAX_NAME_UNITS = 256
_MAX_VALUE_UNITS = 2048
_MAX_PARAMETERS = 12
_VIEW_MEMBERS = ("ScreenWidth", "ScreenHeight", "Absolute")
_EVENT_MEMBERS = ("Name", "Parameters")


@dataclass(frozen=True)
class Collected:
    width: float
    height: float
    #: As the browser writes it, or anything else that came in its place.
    language: object
    referrer: Optional[str]
    page: str
    #: None for a page view.
    name: Optional[str]
    parameters: list[dict[str, str]]


class WrongBody(ValueError):
    """Its text is for the developer of the page, and repeats no value."""


def read_collected(data: bytes) -> Collected:
    body = _parse(data)
    # In any letter case, so that ``name`` is a fault and not a page view.
    is_event = any(member.lower() in ("name", "parameters") for member in body)
    _check_spelling(body, _VIEW_MEMBERS + (_EVENT_MEMBERS if is_event else ()))
    page, referrer = body.get("Absolute"), body.get("Referrer")
    width, height = _read_pixels(body, "ScreenWidth"), _read_pixels(body, "ScreenHeight")
    if not is_page_url(page):
        raise WrongBody("Absolute: expected an absolute http or https URL of at most 8192 characters")
    return Collected(
        width=width,
        height=height,
        language=body.get("Language"),
        referrer=referrer if is_referrer(referrer) else None,
        page=page,
        name=_read_name(body.get("Name"), "Name") if is_event else None,
        parameters=_read_parameters(body.get("Parameters")) if is_event else [],
    )


def _parse(data: bytes) -> dict[str, Any]:
    try:
        text = data.decode("utf-8", "replace").removeprefix("\ufeff")
        body = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise WrongBody("Body: expected a JSON object, got text that is not JSON") from None
    if not isinstance(body, dict):
        raise WrongBody("Body: expected a JSON object, got another value")
    return body


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _check_spelling(value: dict[str, Any], members: tuple[str, ...], path: str = "") -> None:
    spelling = {member.lower(): member for member in members}
    for came in value:
        right = spelling.get(came.lower(), came)
        if right != came:
            raise WrongBody(f"{path}{right}: expected the member to be spelled {right}")


def _read_pixels(body: dict[str, Any], member: str) -> float:
    value = body.get(member)
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise WrongBody(f"{member}: expected a number or null")
    # A browser that hides its screen may send any number.
    return min(max(value, 0), _MAX_PIXELS)


def _read_name(value: object, path: str) -> str:
    if isinstance(value, str) and count_units(value) <= _MAX_NAME_UNITS and not is_blank(value):
        return value
    raise WrongBody(
        f"{path}: expected a string of 1 to {_MAX_NAME_UNITS} characters that are not all white space"
    )


def _read_parameters(given: object) -> list[dict[str, str]]:
    if given is None:
        return []
    if isinstance(given, dict):
        given = [{"Name": name, "Value": value} for name, value in given.items()]
    if not isinstance(given, list) or len(given) > _MAX_PARAMETERS:
        raise WrongBody(f"Parameters: expected an array of 0 to {_MAX_PARAMETERS} elements")
    return [_read_parameter(each, f"Parameters[{index}]") for index, each in enumerate(given)]


def _read_parameter(each: object, path: str) -> dict[str, str]:
    if not isinstance(each, dict):
        raise WrongBody(f"{path}: expected an object")
    _check_spelling(each, ("Name", "Value"), f"{path}.")
    value = _to_text(each.get("Value"))
    if not isinstance(value, str) or count_units(value) > _MAX_VALUE_UNITS:
        raise WrongBody(f"{path}.Value: expected a string of at most {_MAX_VALUE_UNITS} characters")
    return {"Name": _read_name(each.get("Name"), f"{path}.Name"), "Value": value}


def _to_text(value: object) -> object:
    """Numbers and booleans become text, so that a page can send them as they are."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        try:
            return write_number(value)
        except OverflowError:
            return write_number(math.copysign(math.inf, value))
    return value
