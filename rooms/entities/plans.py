"""The plan of a room for a day."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated

from dynamodb_lists.declared.parts import LAST
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.entities import Field
from portal.people import name_of
from portal.times import day
from rooms.statuses import Priority, status_words


@dataclass(frozen=True, slots=True)
class Plan:
    """Who cleans a room on one ``day`` of its hotel, and how urgent it is. On the next day it is no longer valid.

    ``assignee`` is the ``person_id`` of an account, blank if nobody has the room. Whether that person still cleans in
    the hotel is for its reader to look up: ``queries.cleaners``.
    """

    day: Annotated[date, Field("Day")] = date.min
    assignee: Annotated[str, Field("Who has it")] = ""
    priority: Annotated[Priority, Field("Priority")] = Priority.NORMAL

    @property
    def is_set(self) -> bool:
        """Whether somebody has the room, or it is more or less urgent than others."""
        return bool(self.assignee) or self.priority != Priority.NORMAL

    @property
    def urgency(self) -> int:
        """The place of its priority, from 0 for the most urgent."""
        return [*Priority].index(self.priority)

    @property
    def key_part(self) -> str:
        """How the keys of lists by plans begin: by day and person, the most urgent first; last, nobody's."""
        return keys.compose(str(self.day), self.assignee or LAST, str(self.urgency))

    @property
    def words(self) -> str:
        """The plan in words: "Anna Keller, rush, 27 Nov 2026"."""
        urgent = status_words(self.priority).lower() if self.priority != Priority.NORMAL else ""
        return ", ".join(filter(None, (self.assignee and name_of(self.assignee), urgent, day(self.day))))
