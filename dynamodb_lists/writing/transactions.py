"""Transactions: all their writes are made, or none. They are repeated while other transactions hold their items."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, reduce
from operator import and_
from typing import Any, TypeVar
from uuid import uuid4

from pynamodb.constants import NUMBER
from pynamodb.exceptions import CancellationReason
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action, AddAction
from pynamodb.transactions import TransactWrite

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.client import translated
from dynamodb_lists.connection.configuration import connection_of
from dynamodb_lists.connection.errors import Conflict, Unavailable, WrongDeclaration, WrongValue
from dynamodb_lists.connection.ledger import THROTTLES
from dynamodb_lists.connection.scope import MOST_ATTEMPTS, wait
from dynamodb_lists.schema.models import ItemModel

T = TypeVar("T")

MAX_WRITES = 100
"""The most writes that DynamoDB takes in one transaction."""

MAX_BYTES = 3_500_000
"""The most bytes of attribute values in one transaction. DynamoDB accepts 4 MB, including keys and names."""

MOST_ITEM_BYTES = 400 * 1024
"""The most bytes of an item."""

_PASSING = {"TransactionConflict", *THROTTLES}
_REFUSED = {"ConditionalCheckFailed", "IdempotentParameterMismatch"}
_OF_THE_WHOLE = {
    "TransactionInProgressException": "TransactionConflict",
    "IdempotentParameterMismatchException": "IdempotentParameterMismatch",
}
"""Errors of a whole transaction, and the cancellation reason that each stands for."""


@dataclass(frozen=True)
class Write(ABC):
    """A write of one item, on a condition, in a transaction or alone."""

    item: ItemModel
    condition: Condition | None = None

    @cached_property
    def key(self) -> tuple[str, ...]:
        """The item's table and key. A transaction may write an item only once."""
        return self.item.Meta.table_name, *self.item._get_keys().values()  # type: ignore[no-untyped-call]

    @property
    def size(self) -> int:
        """The approximate size of the item's values, in bytes."""
        return sum(len(str(value).encode()) for value in self.item.attribute_values.values())

    @property
    def returned(self) -> str | None:
        """What a refusal returns: the stored item, so that nobody needs to read it."""
        return "ALL_OLD" if self.condition is not None else None

    @abstractmethod
    def stage(self, transaction: TransactWrite) -> None:
        """Add the write to ``transaction``."""

    def send(self) -> None:
        """Write this item alone, in one request, which costs half as much as in a transaction.

        DynamoDB refuses the request while a transaction holds the item. Then it is repeated, as by :func:`commit`.

        Raises: the errors of :func:`commit`.
        """
        repeated(self.sent, lambda error: reasons(error) & {"ConditionalCheckFailed", "TransactionConflict"})

    @abstractmethod
    def sent(self) -> object:
        """Send the request of :meth:`send`, once."""


@dataclass(frozen=True)
class Put(Write):
    """Write an item. It replaces the item with the same key, if there is one."""

    def stage(self, transaction: TransactWrite) -> None:
        transaction.save(self.item, self.condition, self.returned)

    def sent(self) -> object:
        return self.item.save(self.condition)


@dataclass(frozen=True)
class Delete(Write):
    """Delete the item with the key of ``item``."""

    def stage(self, transaction: TransactWrite) -> None:
        arguments = self.item.get_delete_kwargs_from_instance(self.condition, self.returned)
        transaction._delete_items.append(arguments)  # its method does not take what a refusal returns

    def sent(self) -> object:
        return self.item.delete(self.condition)


@dataclass(frozen=True)
class Update(Write):
    """Change attributes of the item with the key of ``item``. Without a condition, a missing item is created."""

    actions: Sequence[Action] = ()

    def stage(self, transaction: TransactWrite) -> None:
        transaction.update(self.item, self._with_kind, self.condition, self.returned)

    def sent(self) -> object:
        return self.item.update(self._with_kind, self.condition)

    @property
    def _with_kind(self) -> list[Action]:
        """Return the actions, and an action that sets the item's kind in case the update creates the item.

        A Put has the kind already: it is the default of the model's attribute.
        """
        kind = type(self.item).item_kind
        return [*self.actions, kind.set(kind | self.item.kind)]


def assigned(item: ItemModel, names: Iterable[str]) -> list[Action]:
    """Return the actions that set these attributes as in ``item``. Attributes that ``item`` lacks are removed."""
    actions = list[Action]()
    for name in names:
        attribute, value = item.attribute(name), getattr(item, name)
        written = None if value is None else attribute.serialize(value)
        actions.append(attribute.remove() if written is None else attribute.set({attribute.attr_type: written}))
    return actions


def check_size(values: Mapping[str, Any]) -> None:
    """Check the size of an item. Raises: :class:`WrongValue`, which names the longest text, beyond 400 KB."""
    sizes = {name: len(value.encode()) for name, value in values.items() if isinstance(value, str)}
    if (size := sum(sizes.values())) > MOST_ITEM_BYTES:
        name = max(sizes, key=sizes.__getitem__)
        raise WrongValue(f"{name} must be shorter: an item has at most 400 KB, and this one {size // 1024:,} KB.", name)


def added_up(writes: Iterable[Write]) -> list[Write]:
    """Return the writes with one update for each item, because a transaction may write an item only once.

    Numbers are added up, all conditions must hold, and the later of two values of an attribute is set.
    """
    found: dict[object, Write] = {}
    for number, write in enumerate(writes):
        other = found.get(write.key)
        if isinstance(write, Update) and isinstance(other, Update):
            conditions = [each.condition for each in (other, write) if each.condition is not None]
            actions = _added([*other.actions, *write.actions])
            found[write.key] = Update(write.item, reduce(and_, conditions) if conditions else None, actions)
        else:
            found[write.key if other is None else number] = write  # DynamoDB refuses another pair
    return [*found.values()]


def _added(actions: Iterable[Action]) -> list[Action]:
    found: dict[tuple[bool, str], Action] = {}
    for action in actions:
        path: Any = action.values[0]
        key = isinstance(action, AddAction), str(path)
        if key[0] and key in found:
            numbers: list[Any] = [each.values[1] for each in (found[key], action)]
            found[key] = path.add({NUMBER: str(sum(Decimal(number.value[NUMBER]) for number in numbers))})
        else:
            found[key] = action
    return [*found.values()]


def commit(writes: Sequence[Write]) -> None:
    """Run one transaction; none without writes. Updates of one item are :func:`added_up`.

    All attempts have one idempotency token, with which DynamoDB runs a transaction only once within ten minutes. So if
    an answer is lost, the next attempt does not write twice.

    Raises: ``Conflict`` if a condition does not hold, ``Unavailable`` after eight attempts, ``WrongDeclaration`` if the
    tables have several connections.
    Costs: two write units for each KB of an item, and the entries of its indexes.
    """
    targets = {connection_of(write.item.Meta.table_name) for write in writes}
    if len(targets) > 1:
        found = " and ".join(sorted(repr(each.name) for each in targets))
        raise WrongDeclaration(f"A transaction is of one connection, but these writes are of {found}.")
    if not writes:
        return
    connection = type(writes[0].item).connection().connection
    staged, token = added_up(writes), str(uuid4())

    def attempt() -> None:
        with TransactWrite(connection=connection, client_request_token=token) as transaction:
            for write in staged:
                write.stage(transaction)

    repeated(attempt)


def reasons(error: Unavailable) -> set[str]:
    """Return why DynamoDB refused a call: the reasons of a cancelled transaction, or the code of another error."""
    found = {reason.code for reason in _cancelled(error)}
    return found or {_OF_THE_WHOLE.get(error.code, error.code.removesuffix("Exception"))}


def _cancelled(error: Unavailable) -> list[CancellationReason]:
    """Return the reasons of a cancelled transaction, each with its item if there is one."""
    return [reason for reason in getattr(error.__cause__, "cancellation_reasons", ()) if reason is not None]


def repeated(attempt: Callable[[], T], codes_of: Callable[[Unavailable], set[str]] = reasons) -> T:
    """Return the result of ``attempt``, which is repeated up to eight times while other writers hold an item or
    DynamoDB throttles.

    ``codes_of`` returns the reasons of an error.

    Raises: the errors of :func:`commit`.
    """
    with ledger.recording() as calls:
        for number in range(MOST_ATTEMPTS):
            try:
                with translated():
                    return attempt()
            except Unavailable as error:
                codes = codes_of(error)
                may_pass = codes & _PASSING and codes <= _PASSING | _REFUSED  # a busy item may refuse the write, too
                if not may_pass or number == MOST_ATTEMPTS - 1:
                    if codes & _REFUSED:
                        refusals = [reason.raw_item for reason in _cancelled(error) if reason.code in _REFUSED]
                        items = [item for item in refusals if item]
                        missing = len(items) < len(refusals)
                        raise Conflict("The item is not as it was seen.", items, missing=missing) from error
                    error.maybe_written = calls.maybe_written  # by an earlier attempt, too
                    raise
            wait(number)
    raise AssertionError("unreachable: the last attempt returns or raises")
