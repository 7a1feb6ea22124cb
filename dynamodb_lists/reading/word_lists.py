"""Search results: entities found by the beginnings of words, read from word items and sorted by the word that matched.

One typed word is a range of one partition. Two typed words are a range of pairs. The range covers the longer word only
in part, so a filter compares the rest of it, and any third word. Word items repeat what the list shows, so nothing else
is read. See :mod:`~dynamodb_lists.schema.words`.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import and_
from typing import Any, TypeVar

from pynamodb.expressions.condition import Condition

from dynamodb_lists.planning.request_cost import items_paid
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.fetching import Ranges, fetcher
from dynamodb_lists.reading.listing import Batch, Fetch, Grounds, Row
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.schema.models import KIND, Values, WordModel, words_in
from dynamodb_lists.schema.words import WordQuery, joined, text_of

T = TypeVar("T")
Refine = Callable[[Sequence[T]], Sequence[T | None]]

ENTRY_BYTES = 250
"""About how many bytes a word item has: 16 of them fit into the minimum charge of a request."""

FILTERED = 100
"""The least number of items that a request reads if a filter drops some: 25 KB, three read units."""


def found_by_words(
    model: type[Any],
    query: WordQuery,
    build: Callable[[Values], T],
    *,
    name: str,
    refine: Refine[T] | None = None,
    partition: str = "",
) -> Ranges[T]:
    """The entities that match a query, sorted by the word that matched.

    ``build`` gives the value of a word item. ``refine`` may replace the values of a request
    by others, and leave some out. ``partition`` is that of the word items, if the model does not tell.
    """
    read = fetcher(
        model,
        partition or model.partition_of(initials=query.initials),
        lambda values: build(values) if query.term(words_in(values)) == text_of(values["sk"]) else None,
        attributes=_shown(model),
        keep=_filter(model, query),
    )
    return Ranges(
        name=name,
        selected=repr(query.typed),
        ranges=[query.span],
        fetch=_once(read, refine, items_paid(ENTRY_BYTES) if len(query.typed) == 1 else FILTERED),
        grounds=Grounds(why="Each word of a name is an item, so the beginning of a word is a range of one partition."),
    )


def _shown(model: type[WordModel]) -> list[str]:
    """The attributes of a word item, without its partition and kind."""
    names = [attribute.attr_name for attribute in model.get_attributes().values()]
    return [name for name in names if name not in {model.key_names()[0], KIND}]


def _filter(model: type[WordModel], query: WordQuery) -> Condition | None:
    """The filter for several typed words; ``None`` for one, which the range finds exactly."""
    conditions = [model.words.contains(joined([beginning])) for beginning in query.typed]
    return reduce(and_, conditions) if len(conditions) > 1 else None


def _once(read: Fetch[T | None], refine: Refine[T] | None, least: int) -> Fetch[T]:
    """The values that match, each at one of its terms: a name may have several words with the same beginning.

    A request asks for the ``least`` number of items.
    """

    def fetch(span: KeyRange, after: Position | None, ascending: bool, limit: int) -> Batch[T]:
        batch = read(span, after, ascending, max(limit, least))
        rows = [Row(row.position, row.value) for row in batch.rows if row.value is not None]
        if refine and rows:
            refined = zip(rows, refine([row.value for row in rows]), strict=True)
            rows = [Row(row.position, value) for row, value in refined if value is not None]
        return Batch(rows, batch.stopped, batch.read)

    return fetch
