"""The admin of django-dynamodb-backend 1.0.0, repaired where a project can: its changelist, and how a room is found."""

from typing import Any

from compared.with_backend import Room, RoomAdmin, measure

# isort: split
from django_dynamodb_backend.admin import DynamoDBChangeList, DynamoDBPaginator  # it needs configured settings


class Pages(DynamoDBPaginator):  # type: ignore[misc]
    """The number of rooms is the one that DescribeTable says."""

    @property
    def count(self) -> int:
        return int(self.object_list.count())


class Changes(DynamoDBChangeList):  # type: ignore[misc]
    """Sets what Django's templates ask for."""

    def get_results(self, request: Any) -> None:
        super().get_results(request)
        self.paginator = Pages(self.queryset, self.list_per_page)
        self.page_num = int(request.GET.get("p", 1))
        self.multi_page, self.can_show_all, self.show_full_result_count = True, False, True


class RepairedAdmin(RoomAdmin):
    """Pages by offset, and an object by a GetItem of its key."""

    def get_changelist(self, request: Any, **kwargs: Any) -> type[Changes]:
        return Changes

    def get_object(self, request: Any, object_id: str, from_field: str | None = None) -> Any:
        return Room.objects.all()._convert_pynamodb_to_django(Room._get_pynamodb_model().get(object_id))


# --- Measuring -------------------------------------------------------------------------------------------

if __name__ == "__main__":
    measure(RepairedAdmin)
