"""The configuration of how tables are reached, and further connections beside the configured one.

A program calls :func:`configure`. A framework with settings of its own calls :func:`read_from` with a function that
reads them, so that settings may change while the program runs, as tests do.

A list keeps its connection, whatever is configured later, because the name of its table is bound to the connection.
Each request names its table, so the sender of a request need not know the connection.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Self
from uuid import uuid4

from dynamodb_lists.connection.errors import NotConfigured, WrongDeclaration


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """Where the tables are, and how long calls may take, in seconds."""

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
    """A way to reach tables: an account, a region or an engine. A list keeps its connection from its declaration on."""

    def __init__(self, name: str, /, **values: Any) -> None:
        """Declare a connection beside the configured one.

        ``values`` are fields of :class:`Configuration`. Fields that are not given are as configured, except ``client``.

        Raises: ``WrongDeclaration`` if there is a connection of this name.
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
    """Configure the package for lists declared from now on. ``values`` are fields of :class:`Configuration`."""
    found = Configuration(**values)
    _usual[:] = [Connection("")]
    return read_from(lambda: found)


def read_from(read: Callable[[], Configuration]) -> Connection:
    """Configure the package by a function, which is called whenever a value is needed. Lists that exist use it, too."""
    if not _usual:
        _usual.append(Connection(""))
    _usual[0].read = read
    secrets.cache_clear()
    return _usual[0]


def connection(name: str = "") -> Connection:
    """Return the connection with this name; without a name, the one that was configured last.

    Raises: ``NotConfigured`` if there is none.
    """
    if name in _named:
        return _named[name]
    if name:
        raise NotConfigured(f"There is no connection {name!r}.")
    if not _usual:
        raise NotConfigured("Call dynamodb_lists.configure(...) before the first list is declared.")
    return _usual[0]


class BoundName(str):
    """The name of a table or a list, with its connection. Names of two connections are never equal."""

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
    """Return ``name`` with a connection: ``to``, the connection that the name has already, or the one that was
    configured last.

    Raises: ``WrongDeclaration`` if the name has another connection than ``to``.
    """
    found = name if isinstance(name, BoundName) else BoundName(name, to or connection())
    if to is not None and to is not found.connection:
        raise WrongDeclaration(f"{name} has another connection already: that of its model, by table_name().")
    return found


def connection_of(name: str) -> Connection:
    """Return the connection of a table or of a list. A plain text is a name of the one that was configured last."""
    return name.connection if isinstance(name, BoundName) else connection()


def scoped(name: str, of: str = "") -> str:
    """Return ``name`` after the name of its connection, ``archive.books``, if the connection has a name. ``of`` is a
    name with the same connection.
    """
    like = of or name
    own = like.connection.name if isinstance(like, BoundName) else ""
    return f"{own}.{name}" if own else name


_of_tests: list[str] = []


def begin_tests() -> None:
    """Begin tests: names of tables get a prefix of this process, and requests about other tables are refused."""
    if not _of_tests:
        _of_tests.append(f"test-{uuid4().hex[:12]}-")


def prefix_of_tests() -> str:
    """Return the prefix of all table names in tests; a blank before tests have begun."""
    return "".join(_of_tests)


def full_name(name: str, at: Connection) -> BoundName:
    """Return the full name of a table; in tests with the name of its connection, because all may use one engine."""
    parts = [at.name] if at.name and _of_tests else []
    return BoundName(prefix_of_tests() + "-".join([*parts, name]), at)


@cache
def secrets(of: Connection) -> Sequence[str]:
    """Return the secret that signs cursors, then the former ones. They are read once.

    Raises: ``NotConfigured`` if there is no secret.
    """
    configured = of.read()
    if not configured.secret:
        raise NotConfigured("Cursors are signed: give dynamodb_lists.configure() a secret.")
    return configured.secret, *configured.former_secrets
