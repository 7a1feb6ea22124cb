"""Releases of a program that declare the same list in other ways, in one process."""

from collections.abc import Sequence
from typing import Any

from dynamodb_lists import List
from dynamodb_lists.schema import models, tables


def release(entity: type[Any], name: str, kind: str, **options: Any) -> List[Any]:
    """A list that another release declares otherwise, in the same table."""
    for known in [each for each in models.kinds() if each == kind or each.startswith(f"{kind}-")]:
        del models._models[known]
    tables._created.pop(tables.table_name(name), None)
    return List(entity, name=name, kind=kind, **options)


def of_another_process(listed: List[Any]) -> List[Any]:
    """The list as a process sees it that starts now."""
    listed.reader.shape = None
    return listed


def ids(rows: Sequence[Any]) -> list[str]:
    return [row.number for row in rows]
