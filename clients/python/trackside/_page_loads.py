"""Distinguishes page loads from all other requests."""

from __future__ import annotations

import re
from typing import Optional

from ._request import IncomingRequest

_AHEAD = re.compile(r"prefetch|prerender|preview|instant", re.I)
_AHEAD_HEADERS = ("sec-purpose", "x-sec-purpose", "purpose", "x-purpose", "x-moz")
#: Headers of scripts that load parts of pages.
_PIECE_HEADERS = ("hx-request", "turbo-frame", "rsc", "next-router-prefetch", "x-nextjs-data")
_HEALTH_PATHS = re.compile(r"/(?:health|healthz|livez|readyz|ping|up|status)")
_HEALTH_AGENTS = re.compile(
    r"kube-probe|ELB-HealthChecker|GoogleHC|GoogleStackdriverMonitoring|Consul Health Check"
    r"|Route ?53-Health-Check|Cloudflare-(?:Healthchecks|Traffic-Manager)|Edge Health Probe"
    r"|Load Balancer Agent|Envoy/HC|HAProxy",
    re.I,
)
_HTML = re.compile(r"\s*(?:text/html|application/xhtml\+xml)\s*(?:;|$)", re.I)


def is_page_load(request: IncomingRequest) -> bool:
    """Return whether a person asks for a page, as far as that is known before the answer."""
    header = request.header
    if request.method != "GET":
        return False
    if header("sec-fetch-dest") not in (None, "document"):
        return False
    if header("sec-fetch-mode") not in (None, "navigate"):
        return False
    if header("range") is not None or (header("x-requested-with") or "").lower() == "xmlhttprequest":
        return False
    if any(header(name) is not None for name in _PIECE_HEADERS):
        return False
    if any(_AHEAD.search(header(name) or "") for name in _AHEAD_HEADERS):
        return False
    is_check = _HEALTH_AGENTS.search(header("user-agent") or "") or _HEALTH_PATHS.fullmatch(request.path)
    return not is_check


def is_page(status: int, content_type: Optional[str], request: IncomingRequest) -> bool:
    """Return whether the answer was a page. A 304 has no type, so the request shows what was asked for."""
    if status == 304 and content_type is None:
        is_document = request.header("sec-fetch-dest") == "document"
        return is_document or "text/html" in (request.header("accept") or "").lower()
    return (200 <= status <= 299 or status == 304) and _HTML.match(content_type or "") is not None
