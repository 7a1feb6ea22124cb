"""How the package is configured: one object, given once, before the first list is declared.

A program calls :func:`configure`. A framework that has settings of its own calls :func:`read_from` instead, with a
function that reads them, so that they may change while it runs, as tests do.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from dynamodb_lists.connection.errors import NotConfigured


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """Where the tables are and how long calls may take. Times are in seconds."""

    endpoint_url: str | None = None
    """The address of an engine on this machine; ``None`` for AWS."""
    region: str | None = None
    """The region of AWS; by default that of the SDK's environment."""
    on_aws: bool | None = None
    """Whether the SDK looks for credentials everywhere; by default, if there is no ``endpoint_url``."""
    client: Any = None
    """A client of boto3 for DynamoDB to use, instead of one that is made of these values."""
    table_prefix: str = ""
    """What the names of all tables begin with."""
    table_names: Mapping[str, str] = field(default_factory=dict)
    """The full names of tables that have another one, by the names that lists give them."""
    secret: str = ""
    """The secret that signs cursors. All processes of an application have the same one."""
    former_secrets: Sequence[str] = ()
    """Those that signed cursors before, which stay valid."""
    connect_timeout: float = 1.0
    read_timeout: float = 5.0
    connections: int = 32
    """The most connections of a process."""
    waiting_calls: int = 12
    """How many calls of a process may wait while the database answers nobody; further pages are refused."""
    protected: bool = False
    """Whether tables get deletion protection and point-in-time recovery."""


_read: list[Callable[[], Configuration]] = []


def configure(**values: Any) -> Configuration:
    """Configure the package with the fields of :class:`Configuration`, in place of what was configured before."""
    found = Configuration(**values)
    read_from(lambda: found)
    return found


def read_from(read: Callable[[], Configuration]) -> None:
    """Let a function say how the package is configured, each time that it is asked."""
    _read[:] = [read]
    secrets.cache_clear()


def configuration() -> Configuration:
    """How the package is configured. Raises :class:`~dynamodb_lists.connection.errors.NotConfigured`."""
    if not _read:
        raise NotConfigured("Call dynamodb_lists.configure(...) before the first list is declared.")
    return _read[0]()


@cache
def secrets() -> Sequence[str]:
    """The secret that signs cursors, and those that signed them before. They are read once.

    Raises :class:`~dynamodb_lists.connection.errors.NotConfigured` if there is none.
    """
    configured = configuration()
    if not configured.secret:
        raise NotConfigured("Cursors are signed: give dynamodb_lists.configure() a secret.")
    return configured.secret, *configured.former_secrets
