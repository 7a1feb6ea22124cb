"""Bring the items of a table forward to the versions that their models declare, while the application runs.

Every write has the condition that the item is as it was read. If somebody changes an item meanwhile, the item is left
for the next run. So a run may be stopped and repeated at any time, and two runs may meet. The items that a model puts
beside an item are written in the same transaction.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial, reduce
from operator import and_, invert
from typing import NamedTuple

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from dynamodb_lists.connection.errors import Conflict, DynamoDBError
from dynamodb_lists.maintenance.scans import ScannedPage, scan
from dynamodb_lists.reading.items import get_one, key_of
from dynamodb_lists.schema.models import KIND, VERSION, ItemModel, RawItem, registered
from dynamodb_lists.writing.transactions import repeated


class StepFailed(DynamoDBError):
    """An upgrade step cannot be applied to an item, whose attributes are not what the step expects."""


class Upgraded(NamedTuple):
    """How many items of a page were upgraded, and how many were changed by somebody else; and why others could not."""

    items: int
    changed_meanwhile: int
    failed: list[str]


def upgrade(table: str, segments: int) -> Iterator[ScannedPage[Upgraded]]:
    """Upgrade the items of a table; yields the pages, each with its results.

    It reads the whole table. Items of a newer version than this release writes are left as they are.
    Raises :class:`~dynamodb_lists.connection.errors.Unavailable`.
    """
    models = [model for model in registered() if model.Meta.table_name == table]
    return scan(models[0], partial(_upgrade_page, models), segments=segments, keep=_outdated(models))


def upgraded(model: type[ItemModel], item: RawItem) -> RawItem:
    """An item as the present version has it. Raises :class:`StepFailed`."""
    after = item
    try:
        for version in range(int(item[VERSION]["N"]), model.version):
            after = model.upgrades[version](after)
    except (LookupError, ValueError, TypeError) as error:
        raise StepFailed(f"a {model.kind} of version {item.get(VERSION, {}).get('N')}: {error!r}") from error
    return {**after, VERSION: {"N": str(model.version)}}


def _upgrade_page(models: Sequence[type[ItemModel]], items: Sequence[RawItem]) -> Upgraded:
    written: list[bool] = []
    failed: list[str] = []
    for item in items:
        try:
            model = _model_of(models, item)
            written.append(_written(model, item, upgraded(model, item)))
        except StepFailed as error:
            failed.append(f"{' '.join(filter(None, models[0].key_of(item)))}: {error}")
    return Upgraded(written.count(True), written.count(False), failed)


def _written(model: type[ItemModel], before: RawItem, after: RawItem) -> bool:
    """Whether the item is upgraded now; ``False`` if somebody changed it meanwhile, and left it at its version.

    A write whose first answer was lost, and which the SDK has sent again, finds what it has written itself. An item
    beside another one was perhaps upgraded with that.
    """
    try:
        _write(model, before, after)
    except Conflict:
        key = key_of(model, *model.key_of(after))
        stored = repeated(lambda: get_one(model, key, consistent=True))
        same_key = model.key_of(before) == model.key_of(after)
        return stored == after or (stored is not None and same_key and stored.get(VERSION) == after[VERSION])
    return True


def _model_of(models: Sequence[type[ItemModel]], item: RawItem) -> type[ItemModel]:
    kind = item.get(KIND, {}).get("S")
    for model in models:
        if model.kind == kind:
            return model
    raise StepFailed(f"this release has no model for the kind {kind!r}")


# --- Requests -------------------------------------------------------------------------------------------


def _outdated(models: Iterable[type[ItemModel]]) -> Condition:
    """The FilterExpression of items that are not of the present version of a kind."""
    present = ((Path([KIND]) == model.kind) & (Path([VERSION]) >= model.version) for model in models)
    outdated: Condition = reduce(and_, map(invert, present))
    return outdated


def _write(model: type[ItemModel], before: RawItem, after: RawItem) -> None:
    """Write what a step changed. A changed key is a delete and a put. Raises :class:`Conflict`."""
    connection = model.connection()
    old_key, new_key = model.key_of(before), model.key_of(after)
    as_read = reduce(and_, (_as_read(before, name) for name in _compared(model, before, after)))
    puts = [item.get_save_kwargs_from_instance() for item in model.beside(before, after)]
    deletes = [item.get_delete_kwargs_from_instance() for item in model.surplus(before, after)]
    transact = partial(connection.connection.transact_write_items, ())
    if old_key != new_key:
        free = Path([model.key_names()[0]]).does_not_exist()
        delete = connection.get_operation_kwargs(*old_key, condition=as_read)
        put = connection.get_operation_kwargs(*new_key, key="Item", condition=free) | {"Item": after}
        repeated(partial(transact, [delete, *deletes], [put, *puts], ()))
        return
    actions = [Path([name]).set(value) for name, value in after.items() if before.get(name) != value]
    actions += [Path([name]).remove() for name in sorted(before.keys() - after.keys())]
    if puts or deletes:
        update = connection.get_operation_kwargs(*old_key, actions=actions, condition=as_read)
        repeated(partial(transact, deletes, puts, [update]))
    else:
        repeated(partial(connection.update_item, *old_key, actions=actions, condition=as_read))


def _as_read(item: RawItem, name: str) -> Condition:
    attribute = Path([name])
    return attribute == item[name] if name in item else attribute.does_not_exist()


def _compared(model: type[ItemModel], before: RawItem, after: RawItem) -> list[str]:
    """The attributes that must be as they were read. The key is among them, so that no deleted item comes back.

    A step may derive an attribute from any other, so none of them may have changed. If only the version is new,
    nothing is derived.
    """
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    if changed <= {VERSION}:
        return [*model.key_names(), VERSION]
    declared = {attribute.attr_name for attribute in model.get_attributes().values()}
    return sorted(declared | before.keys() | after.keys())
