"""Who may see what: the permission that a page declares, and the hotels to which a member of staff is bound."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.http import HttpRequest

ANY_STAFF = "any-staff"
"""The ``permission`` of a page that every member of staff may open."""

EXPORT_DATA = "portal.export_data"
"""The permission to download lists."""


@dataclass(frozen=True, slots=True)
class HotelScope:
    """The hotels that a user sees and finds. ``hotel_ids`` is ``None`` for every hotel of the group, and may be empty.

    Queries of lists that span hotels take ``hotel_ids``. Everything that belongs to one hotel is checked by
    :meth:`allows`.
    """

    hotel_ids: frozenset[str] | None = None

    def allows(self, hotel_id: str) -> bool:
        """Whether the user may see what belongs to a hotel."""
        return self.hotel_ids is None or hotel_id in self.hotel_ids

    @property
    def bound(self) -> bool:
        """Whether the user is bound to some hotels, or sees none."""
        return self.hotel_ids is not None

    @property
    def empty(self) -> bool:
        """Whether the user sees no hotel."""
        return self.hotel_ids == frozenset()


def hotel_scope(request: HttpRequest) -> HotelScope:
    """The hotels that the user of a request sees. They are read from SQL at most once for each request."""
    scope: HotelScope | None = getattr(request, "_hotel_scope", None)
    if scope is None:
        scope = scope_of(request.user)
        request._hotel_scope = scope  # type: ignore[attr-defined]
    return scope


def scope_of(user: Any) -> HotelScope:
    """The hotels that an account sees, in one SQL query. Superusers see every hotel."""
    if user.is_superuser:
        return HotelScope()
    rows = get_user_model().objects.filter(pk=user.pk).values_list("every_hotel", "staff_hotels__hotel_id")
    if any(every for every, _ in rows):
        return HotelScope()
    return HotelScope(frozenset(filter(None, (hotel_id for _, hotel_id in rows))))
