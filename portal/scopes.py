"""Which hotels a user sees: where each query begins whose rows belong to hotels."""

from dataclasses import dataclass
from typing import TypeVar

from dynamodb_lists import Query

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class HotelScope:
    """The hotels that a user sees and finds. ``hotel_ids`` is ``None`` for every hotel of the group, and may be empty.

    Lists that span hotels are narrowed by :meth:`of`. Everything that belongs to one hotel is checked by
    :meth:`allows`.
    """

    hotel_ids: frozenset[str] | None = None

    def of(self, query: Query[T]) -> Query[T]:
        """What the user sees of a query whose items have a ``hotel_id``, as Django's ``get_queryset`` says it."""
        return query if self.hotel_ids is None else query.where(hotel_id=self.hotel_ids)

    def __str__(self) -> str:
        """The hotels, as a part of what a cursor is bound to."""
        return repr(self.hotel_ids and sorted(self.hotel_ids))

    def allows(self, hotel_id: str) -> bool:
        """Whether the user may see what belongs to a hotel."""
        return self.hotel_ids is None or hotel_id in self.hotel_ids

    @property
    def bound(self) -> bool:
        """Whether the user is bound to some hotels, or sees none."""
        return self.hotel_ids is not None

    def first(self, most: int, shown: int) -> str:
        """What a page says that shows at most so many hotels, if the user sees more, or may see more; else blank."""
        if shown < most or len(self.hotel_ids or ()) == most:
            return ""
        return f"The first {most}" + (f" of your {len(self.hotel_ids):,} hotels" if self.hotel_ids else " hotels")

    @property
    def empty(self) -> bool:
        """Whether the user sees no hotel."""
        return self.hotel_ids == frozenset()


EVERY_HOTEL = HotelScope()
