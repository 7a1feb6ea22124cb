"""The orders of a list that indexes keep, and the names of these indexes and of their keys."""

from collections.abc import Callable, Collection
from typing import Any


class KeptOrder:
    """An index of a list, sorted by ``fields`` and then by the id.

    ``when`` makes the index sparse: it holds only the items that meet it. ``on_gsi`` puts it on a GSI; by default the
    first five orders of a list are LSIs. ``index`` is the name of the index, by default ``by-genre-due``, and
    ``attribute`` the name of its sort key, by default ``genre_due_key``. ``words`` say what the index is for.
    ``shows`` are further fields that the index has, beside those that lists show.
    """

    def __init__(
        self,
        *fields: str,
        when: Callable[[Any], bool] | None = None,
        on_gsi: bool | None = None,
        index: str = "",
        attribute: str = "",
        words: str = "",
        shows: Collection[str] = (),
    ) -> None:
        self.fields, self.when, self.on_gsi = fields, when, on_gsi
        self.index, self.attribute, self.words, self.shows = index, attribute, words, tuple(shows)


BY_ID = KeptOrder()
"""The order of a table that has the ids alone."""
