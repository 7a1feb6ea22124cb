"""The plain values of saved views."""

from dataclasses import dataclass, field
from typing import Annotated

from dynamodb_lists.schema.entities import REVISION, Field

MOST_VIEWS = 50
"""The most views of one owner. All of them are one item, which every page may read."""

NAME_LENGTH = 64


@dataclass(frozen=True, slots=True)
class SavedView:
    """A list with its filters and sort under a name: the address of the list, without the host and the cursor.

    Views are equal if they have the same name and lead to the same address, whatever their ids.
    """

    view_id: str = field(default="", compare=False)
    name: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class SavedViews:
    """The views of an owner: a member of staff, or a hotel."""

    owner: Annotated[str, Field("Owner", stored=False)]
    views: Annotated[tuple[SavedView, ...], Field("Views")] = ()
    revision: Annotated[int, REVISION] = 0

    def view(self, view_id: str) -> SavedView | None:
        """The view with this id; ``None`` if there is none."""
        return next((view for view in self.views if view.view_id == view_id), None)
