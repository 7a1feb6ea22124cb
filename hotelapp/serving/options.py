"""Where the server listens, and how many processes and threads it has: read from the environment."""

import re
from dataclasses import dataclass, field
from ipaddress import ip_address

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from hotelapp import environment as env

HOST_AND_PORT = re.compile(r"(?P<host>\[[0-9a-fA-F:.]+\]|[\w.-]+):(?P<port>[0-9]{1,5})")
LOCAL_HOSTS = {"127.0.0.1": "127.0.0.1", "localhost": "127.0.0.1", "[::1]": "::1"}
ANY_PROXY = "*"


@dataclass(frozen=True)
class ServerOptions:
    """The options of the server. Threads are those of each process."""

    address: str = "127.0.0.1:8000"
    processes: int = 2
    threads: int = field(default_factory=lambda: settings.SERVER_THREADS)
    stop_seconds: float = 8
    trusted_proxy: str = ""


def server_options() -> ServerOptions:
    """The options that the environment names. Raises ``ImproperlyConfigured``, which names the variable."""
    default = ServerOptions()
    address = _address(env.text("SERVER_ADDRESS", default.address))
    return ServerOptions(
        address,
        env.number("SERVER_PROCESSES", default.processes, 1, 64),
        trusted_proxy=_trusted_proxy(address),
    )


def _address(text: str) -> str:
    match = HOST_AND_PORT.fullmatch(text)
    if match is None or not 0 < int(match["port"]) < 2**16:
        raise ImproperlyConfigured(f"SERVER_ADDRESS must be host:port, such as 0.0.0.0:8000; it is {text!r}.")
    return text


def _trusted_proxy(address: str) -> str:
    """The address of the proxy whose ``X-Forwarded-For`` and ``X-Forwarded-Proto`` count; blank if there is none.

    A server that only this machine reaches has its proxy on this machine. Otherwise the proxy must be named: whoever is
    trusted here can choose the address by which logins are limited.
    """
    host = address.rpartition(":")[0]
    local = LOCAL_HOSTS.get(host, "") if settings.BEHIND_TLS_PROXY else ""
    named = env.text("TRUSTED_PROXY", local)
    if not named and settings.BEHIND_TLS_PROXY:
        raise ImproperlyConfigured(
            f"TRUSTED_PROXY is not set. With BEHIND_TLS_PROXY and the address {address}, name the proxy's IP address, "
            "or * if the proxy alone can reach this address."
        )
    try:
        return named if named in {"", ANY_PROXY} else str(ip_address(named))
    except ValueError as error:
        raise ImproperlyConfigured(f"TRUSTED_PROXY must be an IP address, or *; it is {named!r}.") from error
