"""Bring the items of a table forward to the versions that their models declare, while the portal runs.

Every write has the condition that the item is as it was read. If somebody changes an item meanwhile, the item is left
for the next run. So a run may be stopped and repeated at any time, and two runs may meet. The items that a model puts
beside an item are written in the same transaction.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hotelapp.dynamodb.connection.client import client
from hotelapp.dynamodb.connection.errors import Conflict, DynamoDBError
from hotelapp.dynamodb.maintenance.scans import ScannedPage, patiently, scan
from hotelapp.dynamodb.schema.models import KIND, VERSION, PortalModel, RawItem, registered


class StepFailed(DynamoDBError):
    """An upgrade step cannot be applied to an item, whose attributes are not what the step expects."""


@dataclass
class Upgraded:
    """How many items were upgraded, and how many were changed by somebody else; and why others could not be."""

    items: int = 0
    changed_meanwhile: int = 0
    failed: list[str] = field(default_factory=list)

    @property
    def left(self) -> int:
        """How many items still have an older version."""
        return self.changed_meanwhile + len(self.failed)

    def add(self, page: "Upgraded") -> None:
        """Add the results of a page."""
        self.items += page.items
        self.changed_meanwhile += page.changed_meanwhile
        self.failed += page.failed


def upgrade(table: str, segments: int) -> Iterator[ScannedPage[Upgraded]]:
    """Upgrade the items of a table; yields the pages, each with its results.

    It reads the whole table. Items of a newer version than this release writes are left as they are.
    Raises :class:`~hotelapp.dynamodb.connection.errors.Unavailable`.
    """
    models = [model for model in registered() if model.Meta.table_name == table]
    return scan(table, lambda items: _upgrade_page(models, items), segments=segments, keep=_outdated(models))


def upgraded(model: type[PortalModel], item: RawItem) -> RawItem:
    """An item as the present version has it. Raises :class:`StepFailed`."""
    after = item
    for version in range(int(item.get(VERSION, {}).get("N", 0)), model.version):
        if step := model.upgrades.get(version):
            try:
                after = step(after)
            except (LookupError, ValueError, TypeError) as error:
                raise StepFailed(f"the step from version {version} of {model.kind}: {error!r}") from error
    return {**after, KIND: {"S": model.kind}, VERSION: {"N": str(model.version)}}


def _upgrade_page(models: Sequence[type[PortalModel]], items: Sequence[RawItem]) -> Upgraded:
    result = Upgraded()
    for item in items:
        try:
            model = _model_of(models, item)
            after = upgraded(model, item)
            if _written(model, item, after):
                result.items += 1
            else:
                result.changed_meanwhile += 1
        except StepFailed as error:
            key = " ".join(next(iter(item[name].values())) for name in models[0].key_names())
            result.failed.append(f"{key}: {error}")
    return result


def _written(model: type[PortalModel], before: RawItem, after: RawItem) -> bool:
    """Whether the item is upgraded now; ``False`` if somebody changed it meanwhile.

    A write whose first answer was lost, and which the SDK has sent again, finds what it has written itself.
    """
    try:
        _write(model, before, after)
    except Conflict:
        key: Any = {name: after[name] for name in model.key_names()}
        answer = patiently(lambda: client().get_item(TableName=model.Meta.table_name, Key=key, ConsistentRead=True))
        return answer.get("Item") == after
    return True


def _model_of(models: Sequence[type[PortalModel]], item: RawItem) -> type[PortalModel]:
    """The model of an item: by its kind, or by its key if it has none."""
    if kind := item.get(KIND, {}).get("S"):
        candidates = [model for model in models if model.kind == kind]
    else:
        candidates = [model for model in models if model.holds(item)]
    if len(candidates) != 1:
        raise StepFailed(f"this release has no model for the kind {kind!r}")
    return candidates[0]


# --- Requests -------------------------------------------------------------------------------------------


class _Expressions:
    """The placeholders of a request's expressions."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, Any] = {}

    def name(self, attribute: str) -> str:
        return self.names.setdefault(attribute, f"#{len(self.names)}")

    def value(self, value: Any) -> str:
        placeholder = f":{len(self.values)}"
        self.values[placeholder] = value
        return placeholder

    def as_read(self, item: RawItem, attribute: str) -> str:
        """The condition that an attribute still has the value that was read, or is still missing."""
        if attribute in item:
            return f"{self.name(attribute)} = {self.value(item[attribute])}"
        return f"attribute_not_exists({self.name(attribute)})"

    def request(self, **expressions: str) -> dict[str, Any]:
        """The expressions with the placeholders that they use."""
        names = {placeholder: attribute for attribute, placeholder in self.names.items()}
        values = {"ExpressionAttributeValues": self.values} if self.values else {}
        return {**expressions, "ExpressionAttributeNames": names, **values}


def _outdated(models: Sequence[type[PortalModel]]) -> Mapping[str, Any]:
    """The FilterExpression of items that are not of the present version of a kind."""
    parts = _Expressions()
    kind, version = parts.name(KIND), parts.name(VERSION)
    outdated = [
        f"NOT ({kind} = {parts.value({'S': model.kind})} AND {version} >= {parts.value({'N': str(model.version)})})"
        for model in models
    ]
    return parts.request(FilterExpression=" AND ".join(outdated))


def _write(model: type[PortalModel], before: RawItem, after: RawItem) -> None:
    """Write what a step changed. A changed key is a delete and a put. Raises :class:`Conflict`."""
    table, key_names = model.Meta.table_name, model.key_names()
    parts = _Expressions()
    condition = " AND ".join(parts.as_read(before, name) for name in _compared(model, before, after))
    items = (item.to_dynamodb_dict() for item in model.beside(before, after))
    beside: list[Any] = [{"Put": {"TableName": table, "Item": item}} for item in items]
    if any(before[name] != after[name] for name in key_names):
        _transact([*_move(model, before, after, parts.request(ConditionExpression=condition)), *beside])
        return
    assigned = _assignments(parts, before, after)
    request = parts.request(UpdateExpression=assigned, ConditionExpression=condition)
    update: Any = {"TableName": table, "Key": {name: before[name] for name in key_names}, **request}
    if beside:
        _transact([{"Update": update}, *beside])
    else:
        patiently(lambda: client().update_item(**update))


def _compared(model: type[PortalModel], before: RawItem, after: RawItem) -> list[str]:
    """The attributes that must be as they were read. The key is among them, so that no deleted item comes back.

    A step may derive an attribute from any other, so none of them may have changed. If only kind and version are new,
    nothing is derived.
    """
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    if changed <= {KIND, VERSION}:
        return [*model.key_names(), KIND, VERSION]
    declared = {attribute.attr_name for attribute in model.get_attributes().values()}
    return sorted(declared | before.keys() | after.keys() | {KIND, VERSION})


def _assignments(parts: _Expressions, before: RawItem, after: RawItem) -> str:
    """The UpdateExpression that makes the one item the other."""
    new = {name: value for name, value in after.items() if before.get(name) != value}
    assigned = ", ".join(f"{parts.name(name)} = {parts.value(value)}" for name, value in new.items())
    removed = ", ".join(parts.name(name) for name in sorted(before.keys() - after.keys()))
    return f"SET {assigned} REMOVE {removed}" if removed else f"SET {assigned}"


def _move(
    model: type[PortalModel], before: RawItem, after: RawItem, condition: Mapping[str, Any]
) -> list[Mapping[str, Any]]:
    """The writes that delete an item and put it under its new key, which must be free."""
    table, names = model.Meta.table_name, model.key_names()
    delete = {"TableName": table, "Key": {name: before[name] for name in names}, **condition}
    free = {"ConditionExpression": "attribute_not_exists(#0)", "ExpressionAttributeNames": {"#0": names[0]}}
    return [{"Delete": delete}, {"Put": {"TableName": table, "Item": after, **free}}]


def _transact(writes: Any) -> None:
    patiently(lambda: client().transact_write_items(TransactItems=writes))
