"""Bring the items of a table forward to the versions that their models declare, while the application runs.

Every write has the condition that the item is as it was read. If somebody changes an item meanwhile, the item is left
for the next run. So a run may be stopped and repeated at any time, and two runs may meet.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial, reduce
from operator import and_, invert
from typing import NamedTuple

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from dynamodb_lists.connection.errors import Conflict, DynamoDBError
from dynamodb_lists.maintenance.scans import ScannedPage, scan
from dynamodb_lists.schema.models import KIND, VERSION, ItemModel, RawItem, registered
from dynamodb_lists.writing.transactions import repeated


class StepFailed(DynamoDBError):
    """An upgrade step cannot be applied to an item, whose attributes are not what the step expects."""


class Upgraded(NamedTuple):
    """How many items of a page were upgraded, and how many were changed by somebody else; and why others could not."""

    items: int
    changed_meanwhile: int
    failed: list[str]


def upgrade(table: str) -> Iterator[ScannedPage[Upgraded]]:
    """Upgrade the items of a table; yields the pages, each with its results.

    It reads the whole table. Items of a newer version than this release writes are left as they are.
    Raises :class:`~dynamodb_lists.connection.errors.Unavailable`.
    """
    models = {model.kind: model for model in registered() if model.Meta.table_name == table}
    present = ((Path([KIND]) == model.kind) & (Path([VERSION]) >= model.version) for model in models.values())
    outdated: Condition = reduce(and_, map(invert, present))
    return scan(next(iter(models.values())), partial(_upgrade_page, models), keep=outdated)


def upgraded(model: type[ItemModel], item: RawItem) -> RawItem:
    """An item as the present version has it. Raises :class:`StepFailed`."""
    after = item
    try:
        for version in range(int(item[VERSION]["N"]), model.version):
            after = model.upgrades[version](after)
    except (LookupError, ValueError, TypeError) as error:
        raise StepFailed(f"a {model.kind} of version {item.get(VERSION, {}).get('N')}: {error!r}") from error
    return {**after, VERSION: {"N": str(model.version)}}


def _upgrade_page(models: Mapping[str, type[ItemModel]], items: Sequence[RawItem]) -> Upgraded:
    written = changed_meanwhile = 0
    failed: list[str] = []
    for item in items:
        kind = item.get(KIND, {}).get("S")
        model = models.get(kind or "")
        try:
            if model is None:
                raise StepFailed(f"this release has no model for the kind {kind!r}")
            _write(model, item, upgraded(model, item))
            written += 1
        except Conflict:  # or an answer was lost, and the write was sent again
            changed_meanwhile += 1
        except StepFailed as error:
            key = next(iter(models.values())).key_of(item)
            failed.append(f"{' '.join(filter(None, key))}: {error}")
    return Upgraded(written, changed_meanwhile, failed)


def _write(model: type[ItemModel], before: RawItem, after: RawItem) -> None:
    """Write what a step changed. A changed key is a delete and a put. Raises :class:`Conflict`."""
    connection = model.connection()
    old_key, new_key = model.key_of(before), model.key_of(after)
    as_read = _as_read(model, before, after)
    if old_key != new_key:
        free = Path([model.key_names()[0]]).does_not_exist()
        delete = connection.get_operation_kwargs(*old_key, condition=as_read)
        put = connection.get_operation_kwargs(*new_key, key="Item", condition=free) | {"Item": after}
        repeated(partial(connection.connection.transact_write_items, (), [delete], [put], ()))
        return
    actions = [Path([name]).set(value) for name, value in after.items() if before.get(name) != value]
    actions += [Path([name]).remove() for name in sorted(before.keys() - after.keys())]
    repeated(partial(connection.update_item, *old_key, actions=actions, condition=as_read))


def _as_read(model: type[ItemModel], before: RawItem, after: RawItem) -> Condition:
    """The condition that every attribute is as it was read, because a step may derive an attribute from any other.

    The key is among them, so that no deleted item comes back.
    """
    declared = {attribute.attr_name for attribute in model.get_attributes().values()}
    names = sorted(declared | before.keys() | after.keys())
    found: Condition = reduce(
        and_, (Path([name]) == before[name] if name in before else Path([name]).does_not_exist() for name in names)
    )
    return found
