"""The differences between a declared table and a described one. Pure functions; nothing here asks DynamoDB.

Both are *facts*: one flat dict, such as ``{"index by-shop": ("GSI", "shop_id", "placed"), "TTL": "expires_at"}``. A
described fact without a declared one is no difference, except for an index.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any

Facts = Mapping[str, Any]
ACTIVE, ON, OFF, WHOLE = "ACTIVE", "on", "off", "whole items"
PROTECTION, RECOVERY, TTL = "deletion protection", "point-in-time recovery", "TTL"
UNSUPPORTED = "not supported"
"""The value of a described setting that the endpoint does not have."""

NEW_TABLE = "This cannot be changed in place: fill a new table."
UPDATE = "Run manage.py create_tables."
AS_GSI = "It is made as a GSI, because a table that exists gets no LSI."
BY_KEY = "Lists read what it lacks by key, for half a unit a row."


class Remedy(Enum):
    """How a difference between a table and its declaration is removed."""

    UPDATE = auto()
    """``manage.py create_tables`` changes it in place."""
    MANUAL = auto()
    """An administrator must act. The difference's text says what to do."""
    SURPLUS = auto()
    """More than is declared. It does no harm and is never deleted by itself."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact of a table that differs from its declaration."""

    fact: str
    text: str
    remedy: Remedy


def facts(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a table, sorted by name, from a request of CreateTable or an answer of DescribeTable."""
    billing = table.get("BillingModeSummary", table).get("BillingMode", "PROVISIONED")
    busy = table.get("TableStatus") in {"CREATING", "UPDATING"}
    found: dict[str, Any] = {"keys": _keys(table), "billing mode": billing}
    found["status of the table"] = table["TableStatus"] if busy else ACTIVE
    for attribute in table["AttributeDefinitions"]:
        found[f"type of {attribute['AttributeName']}"] = attribute["AttributeType"]
    for kind, section in (("LSI", "LocalSecondaryIndexes"), ("GSI", "GlobalSecondaryIndexes")):
        for index in table.get(section, ()):
            name, projection = index["IndexName"], index["Projection"]
            whole = projection["ProjectionType"] == "ALL"
            backfilling = ", backfilling" if index.get("Backfilling") else ""
            found[f"index {name}"] = (kind, *_keys(index))
            found[f"projection of {name}"] = WHOLE if whole else frozenset(projection.get("NonKeyAttributes", ()))
            found[f"status of index {name}"] = index.get("IndexStatus", ACTIVE) + backfilling
    return found


def named(facts: Facts, kind: str) -> dict[str, Any]:
    """Return the facts of one kind, such as ``index`` or ``status of``, by the rest of their names."""
    return {fact.removeprefix(f"{kind} "): value for fact, value in facts.items() if fact.startswith(f"{kind} ")}


def differences(declared: Facts, described: Facts, of_lists: Collection[str] = ()) -> Iterator[Difference]:
    """Return all differences between the declared and the described facts of a table.

    The indexes ``of_lists`` may be LSIs or GSIs, and may lack fields, because lists read both in the same way.
    """
    for fact in dict.fromkeys([*declared, *described]):
        wanted, there = declared.get(fact), described.get(fact)
        if there in (wanted, UNSUPPORTED):
            continue
        kind, _, name = fact.rpartition(" ")
        if kind == "index":
            if not (name in of_lists and wanted and there and wanted[1:] == there[1:]):
                yield _of_index(fact, declared, described, as_gsi=name in of_lists)
        elif kind == "projection of" and name in of_lists and wanted and there:
            yield replace(_of_value(fact, wanted, there, BY_KEY), remedy=Remedy.SURPLUS)
        elif wanted is not None and there is not None:
            yield _of_value(fact, wanted, there)


def _of_index(fact: str, declared: Facts, described: Facts, *, as_gsi: bool) -> Difference:
    """Return the difference of an index. A missing GSI can be added if its attributes keep their types."""
    wanted, there = declared.get(fact), described.get(fact)
    if wanted is None:
        text = f"{fact} is not declared. It costs writes and storage; delete it when no release needs it."
        return Difference(fact, text, Remedy.SURPLUS)
    if there is not None:
        return Difference(fact, f"{fact} is {_words(there)} instead of {_words(wanted)}. {NEW_TABLE}", Remedy.MANUAL)
    types = {f"type of {key}" for key in wanted[1:]}
    if (as_gsi or wanted[0] == "GSI") and all(described.get(name, declared[name]) == declared[name] for name in types):
        text = f"{fact} is missing. {UPDATE}"
        return Difference(fact, text if wanted[0] == "GSI" else f"{text} {AS_GSI}", Remedy.UPDATE)
    return Difference(fact, f"{fact} ({_words(wanted)}) is missing. {NEW_TABLE}", Remedy.MANUAL)


def _of_value(fact: str, wanted: Any, there: Any, remedy: str = NEW_TABLE) -> Difference:
    """Return the difference if the table has another value of a fact."""
    text = f"{fact} is {_words(there)} instead of {_words(wanted)}."
    if fact.startswith("status of "):
        return Difference(fact, f"{text} Wait, or run manage.py create_tables.", Remedy.UPDATE)
    if fact == TTL and there != OFF:
        again = ", wait an hour, and run manage.py create_tables." if wanted != OFF else "."
        return Difference(fact, f"{text} Switch it off on AWS{again}", Remedy.MANUAL)
    if fact in {TTL, PROTECTION, RECOVERY}:
        return Difference(fact, f"{text} {UPDATE}", Remedy.UPDATE)
    if fact == "billing mode":
        return Difference(fact, text, Remedy.SURPLUS)
    if isinstance(wanted, frozenset) and isinstance(there, frozenset):
        changes = (("without", wanted - there), ("with", there - wanted))
        text = f"{fact} is {' and '.join(f'{word} {_words(sorted(names))}' for word, names in changes if names)}."
    return Difference(fact, f"{text} {remedy}", Remedy.MANUAL)


def _words(value: Any) -> str:
    if isinstance(value, frozenset):
        return f"{len(value)} attributes"
    if isinstance(value, tuple) and value[0] in {"LSI", "GSI"}:
        return f"{value[0]} on {', '.join(value[1:])}"
    return value if isinstance(value, str) else ", ".join(value)


def _keys(table: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the key attributes of a table or an index, the partition key first."""
    return tuple(part["AttributeName"] for part in sorted(table["KeySchema"], key=lambda part: part["KeyType"]))
