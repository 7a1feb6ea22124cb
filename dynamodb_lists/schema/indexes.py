"""Indexes of a table, declared in one line each. An index projects what its lists show, or whole items.

``words`` say what an index is for, in documents.
"""

from collections.abc import Sequence
from typing import Any

from pynamodb.attributes import UnicodeAttribute
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex, IncludeProjection, LocalSecondaryIndex

from dynamodb_lists.schema.attributes import DecimalAttribute


def local_index(
    name: str, partition: str, sort: str, *, projected: Sequence[str] | None = None, words: str = ""
) -> Any:
    """An LSI on these attributes. Without ``projected`` attributes it projects whole items."""
    sort_key = UnicodeAttribute(range_key=True, attr_name=sort)
    return _index(LocalSecondaryIndex, name, partition, sort_key, projected, words)


def global_index(
    name: str,
    partition: str,
    sort: str,
    *,
    projected: Sequence[str] | None = None,
    numeric: bool = False,
    words: str = "",
) -> Any:
    """A GSI on these attributes; ``numeric`` if the sort key is a number. Items without the keys are not in it."""
    sort_key = (DecimalAttribute if numeric else UnicodeAttribute)(range_key=True, attr_name=sort)
    return _index(GlobalSecondaryIndex, name, partition, sort_key, projected, words)


def _index(
    base: type[Any], name: str, partition: str, sort_key: Any, projected: Sequence[str] | None, words: str
) -> Any:
    projection = AllProjection() if projected is None else IncludeProjection(list(projected))
    attributes = {
        "Meta": type("Meta", (), {"index_name": name, "projection": projection}),
        "partition_key": UnicodeAttribute(hash_key=True, attr_name=partition),
        "sort_key": sort_key,
        "words": words,
    }
    return type(f"Index {name}", (base,), attributes)()
