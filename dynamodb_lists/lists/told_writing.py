"""Changes of items in tables that exist. Only changed attributes are set, and only if they, or the fields that the
caller names, are as they were read.

An item is read consistently, and index keys that are made of a changed field are composed anew. Other attributes, such
as counters and times to live, stay; the attribute that counts changes is raised. The key of an item never changes.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import partial
from typing import Any, TypeVar

from boto3.dynamodb.types import TypeSerializer
from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Update

from dynamodb_lists.connection import errors, ledger
from dynamodb_lists.connection.client import client
from dynamodb_lists.declared.told import MILLISECONDS, Told, alternatives, vars_of
from dynamodb_lists.lists.told import ToldReader
from dynamodb_lists.schema.conditions import meets
from dynamodb_lists.schema.entities import Field
from dynamodb_lists.schema.entities import text as as_text
from dynamodb_lists.schema.keys import time_part
from dynamodb_lists.schema.models import RawItem
from dynamodb_lists.schema.templates import coded
from dynamodb_lists.schema.values import MOST_SHOWN, refused
from dynamodb_lists.writing.changes import ALL, Seen, values_seen
from dynamodb_lists.writing.transactions import check_size, repeated

T = TypeVar("T")
Values = Mapping[str, Any]
Typed = Mapping[str, Any]
_typed: Callable[[Any], Any] = TypeSerializer().serialize
MOST_LOOKS = 3
"""The most reads of an item before an update gives up, because others change the fields of its keys."""
_FRACTION = re.compile(r"\.(\d+)")


def update(reader: ToldReader[Any], seen: Any, changes: Values, on: Seen, done: Callable[[Any], bool] | None) -> Any:
    """Change fields of an entity that was seen, and return it as it is stored then.

    To make the same change again has no effect. By default, these fields must be as seen, and the item's revision
    if the table counts them; ``on`` and ``done`` are as for :meth:`List.update <dynamodb_lists.List.update>`.
    Raises :class:`~dynamodb_lists.connection.errors.ChangedMeanwhile` if it is not as seen any more, or is gone.
    """
    declared, wanted, stored = reader.declaration, _checked(reader.declaration, changes), None
    place = declared.place(vars_of(seen))
    for _ in range(MOST_LOOKS):
        try:
            item, stored = reader.stored(place)
        except errors.NotFound as error:
            raise errors.ChangedMeanwhile from error
        left = {name: value for name, value in wanted.items() if getattr(stored, name) != value}
        if not left or (done and stored != seen and done(stored)):
            return stored
        asked = values_seen(seen, [*left] if on is ALL else on)
        counted = values_seen(seen, ["revision"] if on is ALL and declared.revision else ())
        if any(getattr(stored, name) != value for name, value in {**asked, **counted}.items()):
            break
        request = _request(declared, item, stored, left, [*asked])
        call = partial(client(declared.of.name).update_item, TableName=declared.of.name, Key=place, **request)
        with ledger.purpose("list"), suppress(errors.Conflict):  # by others, or by this one, whose answer was lost
            return declared.built(repeated(call)["Attributes"])
    raise errors.ChangedMeanwhile(stored=stored)


def _checked(declared: Told, changes: Values) -> dict[str, Any]:
    if not declared.writes:
        raise errors.WrongDeclaration(f"{declared.title} are only read: declare writes=True to change them.")
    if lost := sorted(name for name, value in changes.items() if value is None and name in declared.needed):
        raise refused(declared.field(lost[0]), None)
    return {name: declared.checked(name, value) for name, value in changes.items()}


def _request(declared: Told, item: RawItem, stored: Any, left: Values, asked: Sequence[str]) -> dict[str, Any]:
    """Return the update of an item: its changed fields, and the keys of indexes that are made of them.

    The update has a condition: ``asked``, and all fields in the keys, are as they were read. If the item lacks a key
    although its fields have values, another program leaves the key out by a rule of its own; then the update leaves it
    out, too.
    """
    used, after = {*asked}, replace(stored, **left)
    new = {name: typed(declared.field(name), value, item.get(name)) for name, value in left.items()}
    for name, key in declared.keys.items():
        made_of = {*declared.spelt[name].template.names, *(each for when in key.when for each in when)}
        if made_of & left.keys():
            used |= made_of
            try:
                composed = _composed(declared, name, after)
            except errors.KeyPartError as error:
                raise error.of(min(made_of & left.keys())) from error
            if composed != item.get(name) and (name in item or _composed(declared, name, stored) is None):
                new[name] = composed
    check_size({name: next(iter(value.values())) for name, value in {**item, **new}.items() if value})
    if declared.revision:
        used.add(declared.revision)
        new[declared.revision] = {"N": str(after.revision + 1)}
    actions = [Path([name]).remove() if value is None else Path([name]).set(value) for name, value in new.items()]
    condition = Path([declared.of.key[0]]).exists()
    for name in sorted(used):
        condition &= Path([name]) == item[name] if name in item else Path([name]).does_not_exist()
    names, values = dict[str, str](), dict[str, Any]()
    request = {
        "UpdateExpression": Update(*actions).serialize(names, values),
        "ConditionExpression": condition.serialize(names, values),
        "ExpressionAttributeNames": {short: name for name, short in names.items()},
        "ReturnValues": "ALL_NEW",
    }
    return request | ({"ExpressionAttributeValues": values} if values else {})


def _composed(declared: Told, name: str, entity: Any) -> Typed | None:
    """Return an attribute of a key that a template composes; ``None`` if the item is not in the index."""
    key, when, values = declared.spelt[name], declared.keys[name].when, vars_of(entity)
    has = None not in map(values.get, key.template.names) and meets(alternatives(when), values)
    return key.wire(key.template.key(values.__getitem__)) if has else None


def typed(field: Field, value: Any, like: Typed | None) -> Typed | None:
    """Return a value as DynamoDB takes it, in the format of the stored value ``like``; ``None`` for no value."""
    if value is None:
        return None
    was, text = next(iter(like.items())) if like and like.keys() & {"S", "N"} else ("", "")
    if field.type is datetime:
        return _typed_time(value, was, str(text))
    if field.type is date:
        return {"S": value.isoformat() + str(text)[10:]} if was == "S" and len(str(text)) > 10 else {"S": str(value)}  # noqa: PLR2004
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, float):
        value = Decimal(repr(value))
    if not isinstance(value, bool) and (isinstance(value, int | Decimal) or (isinstance(value, str) and was == "N")):
        return {"S" if was == "S" else "N": as_text(value)}
    try:
        found: Typed = _typed(value)
    except (TypeError, ArithmeticError) as error:
        said = f"{field.name}: DynamoDB cannot hold {value!r:.{MOST_SHOWN}}: {error}"
        raise errors.WrongValue(said, field.name) from error
    return found


def _typed_time(value: datetime, was: str, text: str) -> Typed:
    if was == "N":
        return {"N": coded(datetime, "epoch-ms" if abs(Decimal(text)) >= MILLISECONDS else "epoch", True).write(value)}
    digits = len(found[1]) if (found := _FRACTION.search(text)) else 0
    spelt = time_part(value, "microseconds" if digits > 3 else "milliseconds" if digits else "seconds")  # noqa: PLR2004
    return {"S": spelt if text.endswith("Z") or not text else f"{spelt.removesuffix('Z')}+00:00"}
