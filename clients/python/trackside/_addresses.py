"""Finds the visitor behind the proxies that are trusted, and nobody behind those that are not."""

from __future__ import annotations

import ipaddress
import re
from typing import Callable, Iterator, NamedTuple, Optional, Sequence, Union

from ._request import IncomingRequest
from ._urls import make_site

_Network = Union[ipaddress.IPv4Network, ipaddress.IPv6Network]
_SPACES = " \t\n\v\f\r\u00a0"
_LONGEST_ADDRESS = 128
_MAX_HOPS = 32
_LISTS = ("x-forwarded-for", "forwarded")
_HEADER_NAME = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.A)
_MAPPED = ipaddress.IPv6Network("::ffff:0:0/96")
_NAMED = {
    "loopback": ("127.0.0.0/8", "::1"),
    "private": (
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "fc00::/7",
        "fe80::/10",
    ),
}


class Proxies:
    """Which machines in front of the backend may say where a request comes from.

    ``Proxies(hops=1)``: this many proxies append to the list, and nobody can bypass them.
    ``Proxies(networks=["loopback", "10.0.0.0/8"])``: the addresses of the proxies. This is the safest choice.
    ``Proxies(header="cf-connecting-ip")``: one header that the platform sets and overwrites.
    """

    def __init__(
        self,
        *,
        hops: Optional[int] = None,
        networks: Optional[Sequence[str]] = None,
        header: Optional[str] = None,
        list: Optional[str] = None,
    ) -> None:
        if sum(given is not None for given in (hops, header)) > 1:
            raise ValueError("proxies: expected either header or hops, got both")
        if hops is not None and networks is not None:
            raise ValueError("proxies: expected either hops or networks, got both")
        if hops is None and networks is None and header is None:
            raise ValueError("proxies: expected hops, networks or header, got none of them")
        if hops is not None and (isinstance(hops, bool) or hops not in range(1, _MAX_HOPS + 1)):
            raise ValueError(f"proxies.hops: expected a whole number from 1 to {_MAX_HOPS}, got {hops!r}")
        if header is not None and list is not None:
            raise ValueError("proxies.list: expected only with hops or networks, got it with header")
        if list is not None and list not in _LISTS:
            raise ValueError(f"proxies.list: expected 'x-forwarded-for' or 'forwarded', got {list!r}")
        self.hops = hops
        self.networks = None if networks is None else _read_networks(networks)
        self.header = None if header is None else _read_header_name(header)
        self.list = list or "x-forwarded-for"


class Visitor(NamedTuple):
    #: None if it cannot be known: no address is better than a forged one, or than a proxy's.
    ip: Optional[str]
    #: How many of our proxies the request came through. 0: only the connection can be trusted.
    hops: int
    #: The element of ``Forwarded`` that the outermost of them wrote.
    element: Optional[str] = None


class AddressReader:
    def __init__(self, proxies: Optional[Proxies]) -> None:
        if proxies is not None and not isinstance(proxies, Proxies):
            raise ValueError(
                f"proxies: expected one such as Proxies(hops=1), got {type(proxies).__name__}"
            )
        self._proxies = proxies

    def find(self, request: IncomingRequest) -> Visitor:
        proxies = self._proxies
        if proxies is None:
            return Visitor(read_address(request.peer), 0)
        if proxies.header is not None:
            return _find_by_header(request, proxies) or _unproxied(request)
        if proxies.hops is not None:
            return _find_by_hops(request, proxies) or _unproxied(request)
        return _find_by_networks(request, proxies)

    def origin(self, request: IncomingRequest) -> str:
        """Return scheme and host as the visitor sees them."""
        found = self.find(request)
        scheme, host = request.scheme, None
        if found.hops > 0:
            proto = self._read_part(request, found, "proto") or ""
            host = self._read_part(request, found, "host")
            scheme = proto.lower() if proto.lower() in ("http", "https") else scheme
        # The port that the request itself leaves out is that of its own scheme.
        own = make_site(request.scheme, request.host)
        site = (host and make_site(scheme, host)) or (own and make_site(scheme, own.host))
        return (site or make_site(scheme, "localhost")).origin  # type: ignore[union-attr]

    def _read_part(self, request: IncomingRequest, found: Visitor, part: str) -> Optional[str]:
        if self._proxies is not None and self._proxies.list == "forwarded":
            return found.element and read_pair(found.element, part)
        return _pick_from_right(request.header(f"x-forwarded-{part}"), found.hops)


def read_address(text: Optional[str]) -> Optional[str]:
    """Read an address as proxies write it: with a port, brackets, quotes or a zone.

    Each address has one spelling, and IPv4 that is written as IPv6 becomes IPv4.
    """
    if text is None or len(text) > _LONGEST_ADDRESS:
        return None
    bare = text.strip(_SPACES)
    if len(bare) > 1 and bare.startswith('"') and bare.endswith('"'):
        bare = bare[1:-1].strip(_SPACES)
    bare = _without_port(bare)
    if ":" in bare:
        bare = bare.split("%", 1)[0]
    address = _parse(bare)
    return None if address is None else str(address)


def is_public(address: str) -> bool:
    """Return whether an address can belong to a visitor from the internet, and not to a proxy next to us."""
    return not _is_inside(address, _INNER)


def _parse(text: str) -> Union[ipaddress.IPv4Address, ipaddress.IPv6Address, None]:
    if "%" in text:
        return None
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _without_port(text: str) -> str:
    if text.startswith("["):
        inner, bracket, after = text[1:].partition("]")
        return inner if bracket and (after == "" or after.startswith(":")) else ""
    return text.partition(":")[0] if text.count(":") == 1 else text


def _read_address_with_port(text: str) -> Optional[str]:
    """CloudFront writes ``2001:db8::1:443`` without brackets, so only this finds the port."""
    return read_address(text if ":" not in text or "]" in text else text.rpartition(":")[0])


def _read_networks(networks: Sequence[str]) -> list[_Network]:
    if isinstance(networks, str) or len(networks) == 0:
        raise ValueError("proxies.networks: expected a list such as ['loopback', '10.0.0.0/8']")
    return [network for entry in networks for network in _read_network(entry)]


def _read_network(entry: str) -> list[_Network]:
    try:
        if not re.fullmatch(r"[^/]*(/\d{1,3})?", entry) or "%" in entry:
            raise ValueError
        found = [ipaddress.ip_network(text, strict=False) for text in _NAMED.get(entry, (entry,))]
    except (TypeError, ValueError):
        raise ValueError(
            f"proxies.networks: expected an address or CIDR such as 10.0.0.0/8, "
            f"or 'loopback' or 'private', got {entry!r}"
        ) from None
    return [_unmap(network) for network in found]


def _unmap(network: _Network) -> _Network:
    """Addresses are compared as IPv4 where they are IPv4, so networks have to be, too."""
    if network.version == 4 or network.prefixlen < 96 or not network.subnet_of(_MAPPED):
        return network
    return ipaddress.ip_network((int(network.network_address) & 0xFFFFFFFF, network.prefixlen - 96))


def _is_inside(address: str, networks: Sequence[_Network]) -> bool:
    parsed = ipaddress.ip_address(address)
    return any(parsed.version == network.version and parsed in network for network in networks)


_INNER = [
    network
    for entry in ("loopback", "private", "100.64.0.0/10", "0.0.0.0/8", "::")
    for network in _read_network(entry)
]


def _read_header_name(header: str) -> str:
    if not isinstance(header, str) or not _HEADER_NAME.fullmatch(header):
        raise ValueError(f"proxies.header: expected a name such as cf-connecting-ip, got {header!r}")
    if header.lower() in _LISTS:
        raise ValueError(f"proxies.header: expected a header of one address, got the list {header!r}")
    return header.lower()


def _unproxied(request: IncomingRequest) -> Visitor:
    """A public peer that forwards nothing bypassed the proxy. An internal one is the proxy itself."""
    peer = read_address(request.peer)
    return Visitor(peer if peer is not None and is_public(peer) else None, 0)


def _find_by_hops(request: IncomingRequest, proxies: Proxies) -> Optional[Visitor]:
    hops, element = 0, None
    for element in elements_from_right(request.header(proxies.list)):
        hops += 1
        if hops == proxies.hops:
            break
    return None if element is None else Visitor(_read_element(element, proxies), hops, element)


def _find_by_networks(request: IncomingRequest, proxies: Proxies) -> Visitor:
    assert proxies.networks is not None
    peer = read_address(request.peer)
    if peer is None or not _is_inside(peer, proxies.networks):
        return Visitor(peer, 0)
    # A proxy that forwards nothing is not a visitor itself.
    found = Visitor(None, 1)
    for hops, element in enumerate(elements_from_right(request.header(proxies.list)), 1):
        ip = _read_element(element, proxies)
        found = Visitor(ip, hops, element)
        if ip is None or not _is_inside(ip, proxies.networks):
            break
    return found


def _find_by_header(request: IncomingRequest, proxies: Proxies) -> Optional[Visitor]:
    assert proxies.header is not None
    if proxies.networks is not None:
        peer = read_address(request.peer)
        if peer is None or not _is_inside(peer, proxies.networks):
            return Visitor(peer, 0)
    # If the header came twice, the platform added the last one.
    value = _pick_from_right(request.header(proxies.header), 1)
    if value is None:
        return None
    is_cloudfront = proxies.header == "cloudfront-viewer-address"
    read: Callable[[str], Optional[str]] = _read_address_with_port if is_cloudfront else read_address
    return Visitor(read(value), 1)


def _read_element(element: str, proxies: Proxies) -> Optional[str]:
    return read_address(read_pair(element, "for") if proxies.list == "forwarded" else element)


def elements_from_right(value: Optional[str]) -> Iterator[str]:
    """Yield the elements of a list from its right end, where our own proxies write.

    Whatever a client put in front, even an unbalanced quote, cannot change the elements after it.
    """
    if value is None:
        return
    end, is_quoted = len(value), False
    for at in range(len(value) - 1, -1, -1):
        sign = value[at]
        if sign == '"':
            if not is_quoted or not _is_escaped(value, at):
                is_quoted = not is_quoted
        elif sign == "," and not is_quoted:
            element = value[at + 1 : end].strip(_SPACES)
            if element:
                yield element
            end = at
    first = value[:end].strip(_SPACES)
    if first:
        yield first


def _is_escaped(value: str, quote_at: int) -> bool:
    at = quote_at
    while at > 0 and value[at - 1] == "\\":
        at -= 1
    return (quote_at - at) % 2 == 1


def _pick_from_right(value: Optional[str], n: int) -> Optional[str]:
    """Return the n-th element from the right end, or the leftmost if there are fewer."""
    picked = None
    for count, picked in enumerate(elements_from_right(value), 1):
        if count == n:
            break
    return picked


def read_pair(element: str, name: str) -> Optional[str]:
    """Return ``for``, ``proto`` or ``host`` of an element of ``Forwarded`` (RFC 7239)."""
    for pair in _pairs_of(element):
        key, equals, value = pair.partition("=")
        if not equals or key.strip(_SPACES).lower() != name:
            continue
        value = value.strip(_SPACES)
        if len(value) > 1 and value.startswith('"') and value.endswith('"'):
            return re.sub(r"\\(.)", r"\1", value[1:-1])
        return value
    return None


def _pairs_of(element: str) -> Iterator[str]:
    """A quoted host comes from the client, so a semicolon in it must not begin a pair."""
    start, at, is_quoted = 0, 0, False
    while at < len(element):
        sign = element[at]
        if sign == '"':
            is_quoted = not is_quoted
        elif sign == "\\" and is_quoted:
            at += 1
        elif sign == ";" and not is_quoted:
            yield element[start:at]
            start = at + 1
        at += 1
    yield element[start:]
