from __future__ import annotations

import hashlib
import math
import re
from dataclasses import dataclass
from typing import Any, Callable, Optional, Protocol, Sequence, Union

from ._addresses import AddressReader, Proxies, is_public
from ._answers import ALLOWED, Answer, allow_origin, bare_tag, refused, taken
from ._checks import check_function, check_tracker
from ._collected import Collected, WrongBody, read_collected
from ._data import RESPECTFUL_SCRIPT, SCRIPT
from ._faults import Fault, FaultTeller
from ._languages import is_language_code, read_accept_language, read_language
from ._locations import Location, LocationSource, complete_location, list_sources
from ._page_loads import is_page, is_page_load
from ._rate_limit import RateLimit
from ._request import IncomingRequest
from ._text import count_units
from ._urls import Site, is_page_url, is_referrer, read_site

MAX_BODY_BYTES = 32 * 1024
_MAX_USER_AGENT_LENGTH = 2048
_MAX_CLIENT_ID_UNITS = 512
_PATH = re.compile(r"/[^?#\s]*[^?#\s/]")
_ORIGIN_ADVICE = "list it in origins if it is yours, and set proxies if yours looks different to visitors"
_TOO_MANY = (
    "A visitor sent too many records in a minute, and the rest was left out. If that was no attack, "
    "raise rate_per_minute; if all visitors seem to be one, set proxies."
)
_FORWARDING = (
    "x-forwarded-for",
    "forwarded",
    "cf-connecting-ip",
    "fly-client-ip",
    "x-vercel-forwarded-for",
    "x-nf-client-connection-ip",
)


class Tracker(Protocol):
    """The part of the client that a handler needs."""

    def track_page_view(self, metrics: dict[str, Any]) -> None: ...

    def track_event(self, name: str, parameters: Any, metrics: dict[str, Any]) -> None: ...


@dataclass(frozen=True)
class _Sender:
    host: Optional[str]
    #: Only for a listed page of another origin, whose browser needs to be allowed.
    allowed_origin: Optional[str] = None


class Handler:
    """The endpoint and the page counter, for any framework. An adapter brings the request.

    ``client_id`` gets the adapter's own request, and returns your id for the visitor or None.
    """

    def __init__(
        self,
        trackside: Tracker,
        *,
        path: str = "/side",
        proxies: Optional[Proxies] = None,
        location: Union[LocationSource, Sequence[LocationSource]] = (),
        language: str = "en",
        client_id: Optional[Callable[[Any], Optional[str]]] = None,
        origins: Sequence[str] = (),
        rate_per_minute: Optional[float] = 60,
        respect_do_not_track: bool = False,
        ignore: Optional[Callable[[str], bool]] = None,
        on_error: Optional[Callable[[Fault], object]] = None,
    ) -> None:
        check_tracker(trackside)
        for name, function in (("client_id", client_id), ("ignore", ignore)):
            if function is not None:
                check_function(name, function)
        if not isinstance(path, str) or not _PATH.fullmatch(path):
            raise ValueError(f'path: expected one such as "/side", got {path!r}')
        if not is_language_code(language):
            raise ValueError(f'language: expected two letters of ISO 639-1 such as "en", got {language!r}')
        self._trackside = trackside
        self._path = path
        self._addresses = AddressReader(proxies)
        self._sources = list_sources(location)
        self._language = language.lower()
        self._client_id = client_id
        self._listed = [_read_listed(origin) for origin in origins]
        self._limit = None if rate_per_minute is None else RateLimit(rate_per_minute)
        self._respects = respect_do_not_track
        self._ignore = ignore
        self._teller = FaultTeller(on_error)
        self._script = (RESPECTFUL_SCRIPT if respect_do_not_track else SCRIPT).encode()
        self._tag = f'W/"{hashlib.sha256(self._script).hexdigest()[:16]}"'

    def matches(self, path: str) -> bool:
        """Return whether a path is the endpoint's. Some servers add a slash."""
        return path in (self._path, f"{self._path}/")

    def report(self, cause: BaseException) -> None:
        message = "Expected to handle the request, got an exception."
        self._teller.tell(Fault("unexpected", message, cause=cause))

    # The endpoint

    def answer_without_body(self, request: IncomingRequest) -> Optional[Answer]:
        """Return the answer to a request whose body does not matter, or None if it has to be read."""
        try:
            return self._answer_without_body(request)
        except Exception as cause:
            self.report(cause)
            return taken(None)

    def answer_body(self, request: IncomingRequest, body: Optional[bytes], original: object) -> Answer:
        """Return the answer to what a page sent. None is a body that is too long. Never raises."""
        try:
            return self._take(request, body, original)
        except Exception as cause:
            # Visitors can do nothing about our faults, and should not see them.
            self.report(cause)
            return taken(None)

    def _answer_without_body(self, request: IncomingRequest) -> Optional[Answer]:
        if request.method in ("GET", "HEAD"):
            return self._answer_script(request)
        if request.method == "OPTIONS":
            return self._answer_preflight(request)
        if request.method != "POST":
            text = f"Method: expected one of {ALLOWED}"
            return refused(405, text, None, {"Allow": ALLOWED})
        origin = self._addresses.origin(request)
        sender = self._judge_sender(request, origin)
        if sender is None:
            text = f"Origin: expected a page of {origin}, got another origin or none; {_ORIGIN_ADVICE}"
            return refused(403, text, None)
        if self._is_refused_by_visitor(request):
            return taken(sender.allowed_origin)
        ip = self._read_ip(request)
        wait_s = 0.0 if ip is None else self._wait_s(ip, request)
        if wait_s > 0:
            seconds = max(1, math.ceil(wait_s))
            text = f"Too many from this address; wait {seconds} s"
            return refused(429, text, sender.allowed_origin, {"Retry-After": f"{seconds}"})
        return None

    def _take(self, request: IncomingRequest, body: Optional[bytes], original: object) -> Answer:
        origin = self._addresses.origin(request)
        sender = self._judge_sender(request, origin) or _Sender(None)
        allowed = sender.allowed_origin
        if body is None or len(body) > MAX_BODY_BYTES:
            return refused(413, f"Body: expected at most {MAX_BODY_BYTES} bytes, got more", allowed)
        try:
            collected = read_collected(body)
        except WrongBody as fault:
            return refused(400, str(fault), allowed)
        if not self._is_own_page(collected.page, sender, origin):
            text = f"Absolute: expected a page of {origin}, got one of another host; {_ORIGIN_ADVICE}"
            return refused(403, text, allowed)
        ip = self._addresses.find(request).ip
        if ip is not None:
            self._record_collected(collected, ip, request, original)
        return taken(allowed)

    def _record_collected(
        self, collected: Collected, ip: str, request: IncomingRequest, original: object
    ) -> None:
        metrics = self._describe(
            request,
            original,
            ip=ip,
            language=read_language(collected.language, self._language),
            page=collected.page,
            referrer=collected.referrer,
            screen={"Width": collected.width, "Height": collected.height},
        )
        if collected.name is None:
            self._trackside.track_page_view(metrics)
        else:
            self._trackside.track_event(collected.name, collected.parameters, metrics)

    def _answer_script(self, request: IncomingRequest) -> Answer:
        headers = {
            "Cache-Control": "public, max-age=3600, stale-while-revalidate=86400",
            "ETag": self._tag,
            "Cross-Origin-Resource-Policy": "cross-origin" if self._listed else "same-origin",
        }
        if self._listed:
            headers["Access-Control-Allow-Origin"] = "*"
        held = [bare_tag(tag) for tag in (request.header("if-none-match") or "").split(",")]
        if "*" in held or bare_tag(self._tag) in held:
            return Answer(304, headers)
        headers["Content-Type"] = "text/javascript; charset=utf-8"
        headers["X-Content-Type-Options"] = "nosniff"
        return Answer(200, headers, b"" if request.method == "HEAD" else self._script)

    def _answer_preflight(self, request: IncomingRequest) -> Answer:
        sender = self._judge_sender(request, self._addresses.origin(request))
        allowed = sender.allowed_origin if sender else None
        headers = {"Cache-Control": "no-store", "Allow": ALLOWED, **allow_origin(allowed)}
        if allowed is not None:
            headers["Access-Control-Allow-Methods"] = "POST"
            headers["Access-Control-Allow-Headers"] = "content-type"
            headers["Access-Control-Max-Age"] = "86400"
        return Answer(204, headers)

    def _judge_sender(self, request: IncomingRequest, own_origin: str) -> Optional[_Sender]:
        """Decide whose page sent a request. Browsers say so themselves, and no script can change it."""
        fetch_site = request.header("sec-fetch-site")
        given = request.header("origin")
        source = read_site(given if given is not None else request.header("referer"))
        # This holds even behind a proxy that changes the host.
        if fetch_site == "same-origin":
            return _Sender(source.host if source else None)
        if source is None:
            return None
        if source in self._listed:
            return _Sender(source.host, source.origin)
        if fetch_site in ("same-site", "cross-site"):
            return None
        # Only the host, because the scheme looks different behind a proxy that ends TLS.
        own = read_site(own_origin)
        return _Sender(source.host) if own is not None and source.host == own.host else None

    def _is_own_page(self, page: str, sender: _Sender, own_origin: str) -> bool:
        site, own = read_site(page), read_site(own_origin)
        if site is None or own is None:
            return False
        return site.host in (sender.host, own.host) or any(site.host == each.host for each in self._listed)

    # Pages and events

    def is_candidate(self, request: IncomingRequest) -> bool:
        """Return whether a request may load a page. Others need no watching."""
        try:
            return is_page_load(request) and not self.matches(request.path)
        except Exception as cause:
            self.report(cause)
            return False

    def count(
        self, request: IncomingRequest, status: int, content_type: Optional[str], original: object
    ) -> None:
        """Record a page view if the answer was a page. Never raises."""
        try:
            if not is_page(status, content_type, request) or self._is_refused_by_visitor(request):
                return
            page = self._addresses.origin(request) + request.path_and_query
            if not is_page_url(page) or (self._ignore is not None and self._ignore(page)):
                return
            ip = self._read_ip(request)
            if ip is None or self._wait_s(ip, request) > 0:
                return
            metrics = self._describe_request(request, original, ip, page, _read_referrer(request))
            self._trackside.track_page_view(metrics)
        except Exception as cause:
            self.report(cause)

    def track_event(
        self, request: IncomingRequest, original: object, name: str, parameters: object
    ) -> None:
        """Record an event of the backend for the visitor of a request. Never raises."""
        try:
            ip = None if self._is_refused_by_visitor(request) else self._read_ip(request)
            if ip is None:
                return
            page = self._addresses.origin(request) + request.path_and_query
            referrer = _read_referrer(request)
            source, own = read_site(referrer), read_site(page)
            # The visitor sees the page that the form or script was sent from.
            if request.method != "GET" and referrer and source and own and source.host == own.host:
                page, referrer = referrer, None
            metrics = self._describe_request(request, original, ip, page, referrer)
            self._trackside.track_event(name, parameters, metrics)
        except Exception as cause:
            self.report(cause)

    def _describe_request(
        self, request: IncomingRequest, original: object, ip: str, page: str, referrer: Optional[str]
    ) -> dict[str, Any]:
        language = read_accept_language(request.header("accept-language"), self._language)
        screen = {"Width": 0, "Height": 0}
        return self._describe(
            request, original, ip=ip, language=language, page=page, referrer=referrer, screen=screen
        )

    def _describe(
        self,
        request: IncomingRequest,
        original: object,
        *,
        ip: str,
        language: str,
        page: str,
        referrer: Optional[str],
        screen: dict[str, float],
    ) -> dict[str, Any]:
        user_agent = (request.header("user-agent") or "")[:_MAX_USER_AGENT_LENGTH]
        return {
            "Browser": {"IP": ip, "UserAgent": user_agent},
            "Identify": {"ClientId": self._identify(original)},
            "Language": {"Code": language},
            "Page": {"Absolute": page},
            "Referrer": {"Absolute": referrer},
            "Screen": screen,
            "Location": self._locate(request, ip),
        }

    def _identify(self, original: object) -> Optional[str]:
        if self._client_id is None:
            return None
        try:
            given: object = self._client_id(original)
        except Exception as cause:
            self._tell_without("client_id", cause)
            return None
        if given is None or given == "":
            return None
        # Account numbers from a database are not always strings.
        text = str(given) if isinstance(given, int) and not isinstance(given, bool) else given
        if isinstance(text, str) and count_units(text) <= _MAX_CLIENT_ID_UNITS:
            return text
        message = (
            f"client_id: expected a string of at most {_MAX_CLIENT_ID_UNITS} characters; "
            "the record was sent without it"
        )
        self._teller.tell(Fault("callback", message))
        return None

    def _locate(self, request: IncomingRequest, ip: str) -> Location:
        first: Optional[Location] = None
        for source in self._sources:
            try:
                found = complete_location(source(request, ip))
            except Exception as cause:
                self._tell_without("location", cause)
                continue
            if found["CountryCode"] is not None:
                return found
            first = first or found
        return first or complete_location(None)

    def _tell_without(self, what: str, cause: Exception) -> None:
        message = f"{what}: failed, so the record was sent without it"
        self._teller.tell(Fault("callback", message, cause=cause))

    def _is_refused_by_visitor(self, request: IncomingRequest) -> bool:
        return self._respects and "1" in (request.header("dnt"), request.header("sec-gpc"))

    def _read_ip(self, request: IncomingRequest) -> Optional[str]:
        """If the address is unknown or a proxy's, only the settings can help, so that is reported."""
        ip, hops, _ = self._addresses.find(request)
        if ip is None:
            message = "The visitor's address is not known, so nothing was recorded: set or correct proxies."
            self._teller.tell(Fault("no-address", message))
        elif hops == 0 and not is_public(ip):
            header = next((name for name in _FORWARDING if request.header(name) is not None), None)
            if header is not None:
                message = (
                    f"Requests come from an inner address with {header}, so a proxy stands in front, "
                    "and all visitors are counted as one: set proxies."
                )
                self._teller.tell(Fault("proxies", message))
        return ip

    def _wait_s(self, ip: str, request: IncomingRequest) -> float:
        wait_s = 0.0 if self._limit is None else self._limit.take(ip, request.header("user-agent") or "")
        if wait_s > 0:
            self._teller.tell(Fault("too-many", _TOO_MANY))
        return wait_s


def _read_referrer(request: IncomingRequest) -> Optional[str]:
    referer = request.header("referer")
    return referer if is_referrer(referer) else None


def _read_listed(origin: str) -> Site:
    site = read_site(origin) if isinstance(origin, str) else None
    if site is None or site.scheme not in ("http", "https") or not re.fullmatch(r"\w+://[^/?#@]+/?", origin):
        raise ValueError(f'origins: expected one such as "https://www.shop.example", got {origin!r}')
    return site
