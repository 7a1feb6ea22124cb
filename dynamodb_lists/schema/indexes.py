"""Indexes of a table, declared in one line each. An index projects what its lists show, or whole items.

``words`` say what an index is for, in documents.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from pynamodb.attributes import UnicodeAttribute
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex, IncludeProjection, LocalSecondaryIndex

from dynamodb_lists.schema.attributes import DecimalAttribute


def _index(
    base: type[Any],
    name: str,
    partition: str,
    sort: str,
    *,
    projected: Sequence[str] | None = None,
    numeric: bool = False,
    words: str = "",
) -> Any:
    """An index on these attributes; ``numeric`` if the sort key is a number. It projects whole items by default."""
    projection = AllProjection() if projected is None else IncludeProjection(list(projected))
    attributes = {
        "Meta": type("Meta", (), {"index_name": name, "projection": projection}),
        "partition_key": UnicodeAttribute(hash_key=True, attr_name=partition),
        "sort_key": (DecimalAttribute if numeric else UnicodeAttribute)(range_key=True, attr_name=sort),
        "words": words,
    }
    return type(f"Index {name}", (base,), attributes)()


local_index = partial(_index, LocalSecondaryIndex)
"""An LSI."""

global_index = partial(_index, GlobalSecondaryIndex)
"""A GSI. Items without its keys are not in it."""
