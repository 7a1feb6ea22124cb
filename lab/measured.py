"""What apps declare for the lab: a list that it reads in several ways.

Each app has it in a module ``lab``, and names it in its ``AppConfig``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from dynamodb_lists.django.declaring import declaring
from dynamodb_lists.reading.listing import Listing
from lab.unplanned import Unplanned
from portal.lists.forms import ListForm


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


class HasMeasured:
    """An ``AppConfig`` of an app with a list in the lab."""

    measured: MeasuredList


def measured_lists() -> dict[str, MeasuredList]:
    """The lists that apps declare, by name."""
    return {app.measured.name: app.measured for app in declaring(HasMeasured)}
