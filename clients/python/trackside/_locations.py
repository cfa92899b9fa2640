"""Where visitors are, from the headers of the platform in front of the backend."""

from __future__ import annotations

import base64
import json
import re
from typing import Any, Callable, Mapping, Optional, Sequence, Union
from urllib.parse import unquote

from ._checks import check_function
from ._data import COUNTRIES
from ._request import IncomingRequest
from ._text import close_gaps, cut

Location = dict[str, Optional[str]]
LocationSource = Callable[[IncomingRequest, str], Optional[Mapping[str, Any]]]

_MAX_UNITS = {
    "ContinentCode": 64,
    "CountryCode": 64,
    "City": 256,
    "PostalCode": 64,
    "Region": 256,
    "RegionCode": 64,
    "Timezone": 256,
}
_LONGEST_VALUE = 4096
_CONTINENTS = dict(pair.split(":") for pair in COUNTRIES.split())
_PLACEHOLDERS = frozenset(["", "-", "?", "??", "**", "unknown", "null", "undefined", "(null)"])
_HEADER_NAME = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.A)


def from_headers(**names: str) -> LocationSource:
    """Read the headers of any proxy: ``from_headers(CountryCode="x-geo-country", City="x-geo-city")``."""
    for member, name in names.items():
        if member not in _MAX_UNITS:
            raise ValueError(f"from_headers: expected members of {', '.join(_MAX_UNITS)}, got {member}")
        if not isinstance(name, str) or not _HEADER_NAME.fullmatch(name):
            raise ValueError(f"from_headers: {member}: expected a header name, got {name!r}")
    lower_case = {member: name.lower() for member, name in names.items()}

    def read(request: IncomingRequest, ip: str) -> Optional[Location]:
        found = {member: _read_text(request.header(name)) for member, name in lower_case.items()}
        return _known(complete_location(found))

    return read


#: The rest needs the managed transform "Add visitor location headers"; the country is always sent.
cloudflare = from_headers(
    ContinentCode="cf-ipcontinent",
    CountryCode="cf-ipcountry",
    City="cf-ipcity",
    PostalCode="cf-postal-code",
    Region="cf-region",
    RegionCode="cf-region-code",
    Timezone="cf-timezone",
)

vercel = from_headers(
    ContinentCode="x-vercel-ip-continent",
    CountryCode="x-vercel-ip-country",
    City="x-vercel-ip-city",
    PostalCode="x-vercel-ip-postal-code",
    RegionCode="x-vercel-ip-country-region",
    Timezone="x-vercel-ip-timezone",
)

#: Needs an origin request policy that forwards the CloudFront-Viewer headers.
cloudfront = from_headers(
    CountryCode="cloudfront-viewer-country",
    City="cloudfront-viewer-city",
    PostalCode="cloudfront-viewer-postal-code",
    Region="cloudfront-viewer-country-region-name",
    RegionCode="cloudfront-viewer-country-region",
    Timezone="cloudfront-viewer-time-zone",
)

_netlify_country = from_headers(CountryCode="x-country")


def netlify(request: IncomingRequest, ip: str) -> Optional[Location]:
    """Read one header with everything, as JSON in base64. Some plans only have the country."""
    return _read_netlify(request.header("x-nf-geo")) or _netlify_country(request, ip)  # type: ignore


def list_sources(location: Union[LocationSource, Sequence[LocationSource]]) -> list[LocationSource]:
    sources = list(location) if isinstance(location, Sequence) else [location]
    for source in sources:
        check_function("location", source, "a function such as cloudflare, or a list of them")
    return sources


def complete_location(found: Optional[Mapping[str, Any]]) -> Location:
    """Return a location that the interface accepts. A record must not be lost because of a city's name."""
    given = found if isinstance(found, Mapping) else {}
    location: Location = {
        member: _clean(given.get(member), max_units) for member, max_units in _MAX_UNITS.items()
    }
    country = location["CountryCode"]
    is_country = country is not None and country.isascii() and country.upper() in _CONTINENTS
    location["CountryCode"] = country = country.upper() if is_country and country else None
    continent = (location["ContinentCode"] or "").upper()
    is_continent = continent in _CONTINENTS.values()
    location["ContinentCode"] = continent if is_continent else _CONTINENTS.get(country or "")
    return location


def _known(location: Location) -> Optional[Location]:
    return location if any(value is not None for value in location.values()) else None


def _clean(value: object, max_units: int) -> Optional[str]:
    if not isinstance(value, str):
        return None
    # Shortened first, so that a long text costs no more than a short one.
    text = cut(close_gaps(value[: 4 * max_units]), max_units).rstrip()
    return None if text.lower() in _PLACEHOLDERS else text


def _read_text(value: Optional[str]) -> Optional[str]:
    """Cloudflare sends UTF-8, which servers present byte by byte; others send percent encoding."""
    if value is None or len(value) > _LONGEST_VALUE:
        return None
    try:
        text = value.encode("latin-1").decode("utf-8-sig")
    except ValueError:
        text = value
    if "%" not in text or re.search(r"%(?![\da-fA-F]{2})", text):
        return text
    try:
        return unquote(text, errors="strict")
    except ValueError:
        return text


def _read_netlify(value: Optional[str]) -> Optional[Location]:
    if value is None or len(value) > _LONGEST_VALUE:
        return None
    try:
        bare = re.sub(r"[\t\n\f\r ]", "", value).rstrip("=")
        geo = json.loads(base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True))
    except (ValueError, RecursionError):
        return None
    if not isinstance(geo, dict):
        return None
    country, subdivision = _member(geo, "country"), _member(geo, "subdivision")
    return _known(
        complete_location(
            {
                "CountryCode": country.get("code"),
                "City": geo.get("city"),
                "PostalCode": geo.get("postalCode", geo.get("postal_code")),
                "Region": subdivision.get("name"),
                "RegionCode": subdivision.get("code"),
                "Timezone": geo.get("timezone"),
            }
        )
    )


def _member(geo: dict[str, Any], name: str) -> dict[str, Any]:
    value = geo.get(name)
    return value if isinstance(value, dict) else {}
