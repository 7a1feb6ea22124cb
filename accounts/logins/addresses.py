"""The address of a client, as the server tells it.

No header is trusted, because a client can send any header. Behind a proxy, the server sets ``REMOTE_ADDR``:
:mod:`hotelapp.serving` says which proxy it trusts.
"""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.http import HttpRequest

SHARED_BITS = 64
"""The bits that are the same in all 2**64 addresses of a client with IPv6."""

NOT_TOLD = IPv4Address(0)


def address_of(request: HttpRequest) -> str:
    """The client's address for the log; blank if the server does not tell it."""
    address = _parsed(request.META.get("REMOTE_ADDR", ""))
    return "" if address is None else str(address)


def network_of(request: HttpRequest) -> str:
    """The address by which attempts to log in are counted: an IPv4 address, or the first 64 bits of an IPv6 address.

    Clients whose address the server does not tell are counted together.
    """
    address = _parsed(request.META.get("REMOTE_ADDR", ""))
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, SHARED_BITS), strict=False).network_address)
    return str(address or NOT_TOLD)


def _parsed(told: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(told)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
