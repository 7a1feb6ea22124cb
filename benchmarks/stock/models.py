"""A room as a relational table, with an index on each filtered column, and its changelist in Django's admin."""

from typing import Any

from django.contrib.admin import ModelAdmin, register
from django.db import models


class Room(models.Model):
    """The columns that the portal's list shows."""

    hotel = models.CharField(max_length=64, db_index=True)
    view = models.CharField(max_length=64, db_index=True)
    size = models.PositiveIntegerField(db_index=True)
    type = models.CharField(max_length=64, db_index=True)
    number = models.CharField(max_length=16, db_index=True)
    rate = models.DecimalField(max_digits=18, decimal_places=2)
    currency = models.CharField(max_length=3)
    housekeeping = models.CharField(max_length=10, default="clean")

    class Meta:
        app_label = "stock"

    def __str__(self) -> str:
        return self.number


@register(Room)
class RoomAdmin(ModelAdmin):  # type: ignore[type-arg]
    """Django's admin of rooms, with the portal's columns, filters and page size."""

    list_display = ("number", "view", "size", "type", "rate", "currency", "housekeeping")
    list_filter = ("view", "size", "type")
    list_per_page = 25
    actions = ("tap",)

    def get_queryset(self, request: Any) -> Any:
        """Return the rooms of the hotel that the user sees."""
        found = super().get_queryset(request)
        return found if request.user.is_superuser else found.filter(hotel=request.user.get_username())

    def tap(self, request: Any, queryset: Any) -> None:
        """Make clean rooms dirty, and dirty ones clean, with an entry in the history of each."""
        for room in queryset:
            room.housekeeping = "clean" if room.housekeeping == "dirty" else "dirty"
            room.save()
            self.log_change(request, room, room.housekeeping)
