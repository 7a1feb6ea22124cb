"""The address of a client, as the server tells it.

No header is trusted, because a client can send any header. Behind a proxy, the server sets ``REMOTE_ADDR``.
"""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.http import HttpRequest

SHARED_BITS = 64
"""Whoever has an IPv6 address has 2 to the power of 64 of them. They begin with the same 64 bits."""


def address_of(request: HttpRequest) -> str:
    """The client's address for the log; blank if the server does not tell it."""
    address = _parsed(request)
    return "" if address is None else str(address)


def network_of(request: HttpRequest) -> str | None:
    """The address by which attempts to log in are counted: an IPv4 address, or the first 64 bits of an IPv6 address.

    It is ``None`` if the server does not tell it.
    """
    address = _parsed(request)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, SHARED_BITS), strict=False).network_address)
    return None if address is None else str(address)


def _parsed(request: HttpRequest) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address
