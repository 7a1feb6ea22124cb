"""What is known of a page before the list is planned: its cursor, and maybe its first request.

The request of a page without filters needs no counts to be planned, so it goes out beside theirs.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.declared.asked import ListQuery, Wanted
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.lists import Batch, Fetch
from dynamodb_lists.schema.keys import KeyRange

T = TypeVar("T")


def beginning(declaration: Declaration, wanted: Wanted) -> str | None:
    """The index of a list without filters: the smallest that begins with its sort; ``None`` if none does."""
    found = [
        name
        for name, order in declaration.whole_orders.items()
        if declaration.sorted_by(order)[: len(wanted.sort)] == wanted.sort
    ]
    return min(found, key=declaration.usual_bytes, default=None)


class Ahead(Generic[T]):
    """The ``cursor`` of a page, and its request, if that can be sent ahead; ``fetch`` gives what reads an index.

    Only the length of the last page depends on the counts. Raises
    :class:`~dynamodb_lists.connection.errors.BadCursor`.
    """

    def __init__(self, declaration: Declaration, query: ListQuery, fetch: Callable[[str], Fetch[T]]) -> None:
        self._fetch, self._answers = fetch, dict[tuple[Any, ...], Batch[T]]()
        self.declaration, self.query, self.cursor = declaration, query, query.opened(declaration.name)

    def send(self) -> None:
        """Send the request, if the list has no filter and an index that begins with its sort."""
        index = None if self.query.filtered else beginning(self.declaration, self.query.wanted)
        if index is None or (self.cursor and (self.cursor.position is None or self.cursor.index != index)):
            return
        position, backward = (self.cursor.position, self.cursor.backward) if self.cursor else (None, False)
        request = self.declaration.all_keys(index), position, self.query.descending == backward, self.query.wanted.rows
        with ledger.purpose("list"):
            self._answers[index, *request] = self._fetch(index)(*request)

    def anew(self) -> "Ahead[T]":
        """The same page, with nothing sent ahead."""
        return Ahead(self.declaration, self.query, self._fetch)

    def fetch(self, index: str) -> Fetch[T]:
        """Reads an index; what was sent ahead, once, is not sent again."""
        usual = self._fetch(index)

        def read(span: KeyRange, after: Position | None, ascending: bool, limit: int) -> Batch[T]:
            request = span, after, ascending, limit
            return self._answers.pop((index, *request), None) or usual(*request)

        return read
