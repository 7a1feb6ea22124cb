"""Changes of items in tables of others: only attributes that change are set, and only if they are as they were seen.

An item is read consistently, and the keys of indexes that are made of a changed field are composed anew. Attributes
that no field names, counters, versions and times to live stay as they are. The key of an item never changes, and no
item is put over another one.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, TypeVar

from boto3.dynamodb.types import TypeSerializer

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.errors import ChangedMeanwhile, Conflict, UnknownField, WrongValue
from dynamodb_lists.declared.told import MILLISECONDS, Misfit
from dynamodb_lists.lists.told import ToldReader
from dynamodb_lists.planning.conditions import meets
from dynamodb_lists.schema.entities import fields
from dynamodb_lists.schema.models import RawItem
from dynamodb_lists.schema.spellings import EPOCH, iso
from dynamodb_lists.writing.transactions import repeated

T = TypeVar("T")
Typed = Mapping[str, Any]
_typed: Callable[[Any], Any] = TypeSerializer().serialize
_FRACTION = re.compile(r"\.(\d+)")


@dataclass
class _Expression:
    """An update: what it sets and removes, and what must be as it was read."""

    names: dict[str, str] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    sets: list[str] = field(default_factory=list)
    removes: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)

    def name(self, attribute: str) -> str:
        """What stands for an attribute."""
        return self.names.setdefault(attribute, f"#{len(self.names)}")

    def value(self, typed: Typed) -> str:
        """What stands for a value."""
        self.values[text := f":{len(self.values)}"] = typed
        return text

    def assign(self, attribute: str, typed: Typed | None) -> None:
        """Set an attribute, or remove it."""
        if typed is None:
            self.removes.append(self.name(attribute))
        else:
            self.sets.append(f"{self.name(attribute)} = {self.value(typed)}")

    def require(self, attribute: str, item: RawItem) -> None:
        """Let the update be refused if an attribute is not as it was read."""
        if attribute in item:
            self.conditions.append(f"{self.name(attribute)} = {self.value(item[attribute])}")
        else:
            self.conditions.append(f"attribute_not_exists({self.name(attribute)})")

    def request(self) -> dict[str, Any]:
        """The members of the call."""
        parts = [
            f"{verb} {', '.join(named)}" for verb, named in (("SET", self.sets), ("REMOVE", self.removes)) if named
        ]
        return {
            "UpdateExpression": " ".join(parts),
            "ConditionExpression": " AND ".join(self.conditions),
            "ExpressionAttributeNames": {short: name for name, short in self.names.items()},
            **({"ExpressionAttributeValues": self.values} if self.values else {}),
        }


class ToldWriter:
    """Changes items of a list whose keys are told."""

    def __init__(self, reader: ToldReader[Any]) -> None:
        self.reader, self.declaration = reader, reader.declaration

    def update(self, seen: Any, changes: Mapping[str, Any]) -> Any:
        """Change fields of an entity that was seen, and return it as it is stored then.

        To make the same change again has no effect. Raises
        :class:`~dynamodb_lists.connection.errors.ChangedMeanwhile` if one of these fields is not as seen any more, or
        the item is gone, and :class:`~dynamodb_lists.connection.errors.UnknownField` for a field of the key.
        """
        declared, wanted = self.declaration, self._checked(changes)
        place = declared.place(_values(seen))
        item = self.reader.table.item(place, consistent=True)
        if item is None or not declared.owns(item):
            raise ChangedMeanwhile
        stored = declared.built(item)
        if isinstance(stored, Misfit):
            raise WrongValue(f"The stored {declared.kind} fits no template: {stored.reason}.")
        left = {name: value for name, value in wanted.items() if getattr(stored, name) != value}
        if not left:
            return stored
        if any(getattr(stored, name) != getattr(seen, name) for name in left):
            raise ChangedMeanwhile
        after = replace(stored, **left)
        request = self._expression(item, stored, after, left).request()
        try:
            with ledger.purpose("list"):
                repeated(lambda: client().update_item(TableName=declared.of.name, Key=place, **request))
        except Conflict as error:
            raise ChangedMeanwhile from error
        return after

    def _checked(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        declared = self.declaration
        if not declared.writes:
            raise UnknownField(f"{declared.title} are only read: declare writes=True to change them.")
        keyed = {name for spelling in declared.templates for name in spelling.names}
        if unknown := sorted(changes.keys() - (declared.types.keys() - keyed)):
            raise UnknownField(f"{declared.title} have no field {unknown[0]!r} that can be changed.")
        return {name: declared.checked(name, value) for name, value in changes.items()}

    def _expression(self, item: RawItem, stored: Any, after: Any, left: Mapping[str, Any]) -> _Expression:
        """The update of an item: its changed fields, and the keys of indexes that are made of them."""
        declared, found = self.declaration, _Expression()
        used = set(left)
        for name, value in left.items():
            found.assign(name, typed(declared.field(name).type, value, item.get(name)))
        for attribute, composed, made_of in self._keys(after):
            if made_of & left.keys():
                used |= made_of
                if (composed is None) != (attribute not in item) or composed != item.get(attribute):
                    found.assign(attribute, composed)
        found.conditions.append(f"attribute_exists({found.name(declared.of.key[0])})")
        for name in sorted(used):
            found.require(name, item)
        if declared.revision:
            found.require(declared.revision, item)
            number = Decimal(item[declared.revision]["N"]) if declared.revision in item else Decimal(0)
            found.assign(declared.revision, {"N": str(number + 1)})
        return found

    def _keys(self, entity: Any) -> Iterator[tuple[str, Typed | None, set[str]]]:
        """Each attribute of a key that a template makes: its value, ``None`` for none, and the fields it is made of."""
        declared, values = self.declaration, _values(entity)
        for name, (spelling, whens) in declared.spelt.items():
            made_of = {*spelling.names, *(each for when in whens for each in when)}
            absent = any(values[each] is None for each in spelling.names)
            has = not absent and (not whens or any(meets(when, values) for when in whens))
            text = spelling.key(values) if has else None
            yield name, None if text is None else {"N" if name in declared.of.numbers else "S": text}, made_of


def typed(kind: Any, value: Any, like: Typed | None) -> Typed | None:
    """A value as DynamoDB takes it, spelt like the one that is stored; ``None`` for no value."""
    if value is None:
        return None
    was, text = next(iter(like.items())) if like else ("", "")
    if kind is datetime:
        return _typed_time(value, was, str(text))
    if kind is date:
        return {"S": value.isoformat() + str(text)[10:]} if was == "S" and len(str(text)) > 10 else {"S": str(value)}  # noqa: PLR2004
    if issubclass(kind, Enum):
        value = value.value
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return {"S" if was == "S" else "N": f"{value:f}" if isinstance(value, Decimal) else str(value)}
    found: Typed = _typed(value)
    return found


def _typed_time(value: datetime, was: str, text: str) -> Typed:
    if was == "N":
        milliseconds = abs(Decimal(text)) >= MILLISECONDS
        number = Decimal((value - EPOCH) // (EPOCH.resolution * (1000 if milliseconds else 1_000_000)))
        return {"N": str(number)}
    digits = len(found[1]) if (found := _FRACTION.search(text)) else 0
    spelt = iso(value, "microseconds" if digits > 3 else "milliseconds" if digits else "seconds")  # noqa: PLR2004
    return {"S": spelt if text.endswith("Z") or not text else f"{spelt.removesuffix('Z')}+00:00"}


def _values(entity: Any) -> dict[str, Any]:
    return {each.name: getattr(entity, each.name) for each in fields(entity.__class__)}
