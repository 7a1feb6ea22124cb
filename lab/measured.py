"""What apps declare for the lab: lists that it reads in several ways, and uses of a filter that are right.

Each app has its part in a module ``lab``, and names it in its ``AppConfig``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from dynamodb_lists.django.declaring import declaring
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import read_page
from lab.unplanned import Found, Unplanned
from portal.lists.forms import ListForm
from portal.lists.page_sizes import DEFAULT_PAGE_SIZE


class MeasuredList(NamedTuple):
    """A list of a hotel, for users with ``permission``.

    The lab draws the fields ``drawn`` of the list's ``form``, and does not compare its filters ``refused``. ``query``
    takes the checked form and the hotel's id. ``planned`` and ``unplanned`` take this id and the query: the list as the
    portal reads it, and without the planner. ``example`` is a query string worth a run,
    and ``example_words`` says what it asks for.
    """

    name: str
    permission: str
    form: type[ListForm]
    drawn: Sequence[str]
    refused: Sequence[str]
    query: Callable[[Any, str], Any]
    planned: Callable[[str, Any], Listing[Any]]
    unplanned: Callable[[str, Any], Unplanned[Any]]
    example: Mapping[str, str]
    example_words: str


class Read(NamedTuple):
    """A read to measure, with its name and what it does."""

    name: str
    words: str
    send: Callable[[], Found[Any]]


class GoodFilter(NamedTuple):
    """A use of a filter that is right. ``reads`` takes the id of a hotel.

    Users with ``permission`` see it; if it is blank, all who may open the lab.
    """

    title: str
    words: str
    caption: str
    reads: Callable[[str], Iterable[Read]]
    permission: str = ""


@dataclass(frozen=True)
class Measured:
    """An app's part of the lab."""

    lists: Sequence[MeasuredList] = ()
    good_filters: Sequence[GoodFilter] = ()


class HasMeasured:
    """An ``AppConfig`` of an app with a part in the lab."""

    @property
    def measured(self) -> Measured:
        raise NotImplementedError


def measured_parts() -> list[Measured]:
    """The parts of all apps."""
    return [app.measured for app in declaring(HasMeasured)]


def first_page(listing: Listing[Any]) -> Found[Any]:
    """The first page of a list, as the portal reads it."""
    return read_page(listing, DEFAULT_PAGE_SIZE).rows, False
