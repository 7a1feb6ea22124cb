"""How tables are reached: the connection that is configured before the first list is declared, and further ones.

A program calls :func:`configure`. A framework that has settings of its own calls :func:`read_from` instead, with a
function that reads them, so that they may change while it runs, as tests do.

Lists that exist stay where they are, whatever is configured later: the names of their tables are bound to a connection.
Each request names its table, so whoever sends it need not know the connection, and nobody can forget it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Self
from uuid import uuid4

from dynamodb_lists.connection.errors import NotConfigured, WrongDeclaration


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


class Connection:
    """How tables are reached: an account, a region or an engine. A list has one, from its declaration on."""

    def __init__(self, name: str, /, **values: Any) -> None:
        """Another connection than the one that is configured.

        ``values`` are fields of :class:`Configuration`; others, but for the ``client``, are as they are configured.
        Raises :class:`~dynamodb_lists.connection.errors.WrongDeclaration` if there is one of this name.
        """
        if name in _named:
            raise WrongDeclaration(f"There is already a connection {name!r}.")
        changes, usual = {"client": None, **values}, [*_usual]
        replace(Configuration(), **changes)  # a field that there is not is an error now
        self.name = name
        self.read: Callable[[], Configuration] = lambda: replace(
            usual[0].read() if usual else Configuration(), **changes
        )
        """Says how it is configured, each time that it is asked."""
        if name:
            _named[name] = self

    def __reduce__(self) -> Any:
        return connection, (self.name,)


_named: dict[str, Connection] = {}
_usual: list[Connection] = []
"""The one that was configured last."""


def configure(**values: Any) -> Connection:
    """Configure the package with the fields of :class:`Configuration`, for lists that are declared from now on."""
    found = Configuration(**values)
    _usual[:] = [Connection("")]
    return read_from(lambda: found)


def read_from(read: Callable[[], Configuration]) -> Connection:
    """Let a function say how the package is configured, each time that it is asked. It moves lists that exist."""
    if not _usual:
        _usual.append(Connection(""))
    _usual[0].read = read
    secrets.cache_clear()
    return _usual[0]


def connection(name: str = "") -> Connection:
    """The connection that was configured last, or the one with a name.

    Raises :class:`~dynamodb_lists.connection.errors.NotConfigured`.
    """
    if name in _named:
        return _named[name]
    if name:
        raise NotConfigured(f"There is no connection {name!r}.")
    if not _usual:
        raise NotConfigured("Call dynamodb_lists.configure(...) before the first list is declared.")
    return _usual[0]


class BoundName(str):
    """The name of a table or of a list, and its connection. Those of two connections are never equal."""

    connection: Connection

    def __new__(cls, name: str, connection: Connection) -> Self:
        self = super().__new__(cls, name)
        self.connection = connection
        return self

    def __getnewargs__(self) -> Any:
        return str(self), self.connection

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other) and getattr(other, "connection", self.connection) is self.connection

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


def bound(name: str, to: Connection | None = None) -> BoundName:
    """A name with its connection: by default the one that was configured last, if it has none yet.

    Raises :class:`~dynamodb_lists.connection.errors.WrongDeclaration` if it has another one.
    """
    found = name if isinstance(name, BoundName) else BoundName(name, to or connection())
    if to is not None and to is not found.connection:
        raise WrongDeclaration(f"{name} has another connection already: that of its model, by table_name().")
    return found


def connection_of(name: str) -> Connection:
    """The connection of a table or of a list. A plain text is a name of the one that was configured last."""
    return name.connection if isinstance(name, BoundName) else connection()


def scoped(name: str, of: str = "") -> str:
    """A name with that of its connection before it, if this has one. It is bound to it, or the other name ``of`` is."""
    like = of or name
    own = like.connection.name if isinstance(like, BoundName) else ""
    return f"{own}.{name}" if own else name


_of_tests: list[str] = []


def begin_tests() -> None:
    """Let the names of tables that are declared from now on have a prefix of this process, and refuse other tables."""
    if not _of_tests:
        _of_tests.append(f"test-{uuid4().hex[:12]}-")


def prefix_of_tests() -> str:
    """What the names of all tables begin with once tests have begun; blank before."""
    return "".join(_of_tests)


def full_name(name: str, at: Connection) -> BoundName:
    """The name of a table; in tests, after that of its connection, because all may lead to one engine then."""
    parts = [at.name] if at.name and _of_tests else []
    return BoundName(prefix_of_tests() + "-".join([*parts, name]), at)


@cache
def secrets(of: Connection) -> Sequence[str]:
    """The secret that signs cursors, and those that signed them before. They are read once.

    Raises :class:`~dynamodb_lists.connection.errors.NotConfigured` if there is none.
    """
    configured = of.read()
    if not configured.secret:
        raise NotConfigured("Cursors are signed: give dynamodb_lists.configure() a secret.")
    return configured.secret, *configured.former_secrets
