"""Counts the visitors of a website with Trackside, through the website's own backend."""

from ._addresses import Proxies
from ._faults import Fault
from ._handler import Handler
from ._locations import cloudflare, cloudfront, from_headers, netlify, vercel
from ._request import IncomingRequest
from ._sending import Result
from .asgi import AsgiMiddleware
from .client import Counts, Trackside
from .wsgi import WsgiMiddleware

__all__ = [
    "AsgiMiddleware",
    "Counts",
    "Fault",
    "Handler",
    "IncomingRequest",
    "Proxies",
    "Result",
    "Trackside",
    "WsgiMiddleware",
    "cloudflare",
    "cloudfront",
    "from_headers",
    "netlify",
    "vercel",
]
