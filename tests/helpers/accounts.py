"""The form of an account below ``/admin/``, for tests."""

from typing import Any

from django.contrib.auth.models import User

from hotels.staff_hotels import scope_of


def form_of(user: User, *hotel_ids: str, **changes: Any) -> dict[str, Any]:
    """The form of an account as it is, with these hotels in place of its own if there are any, and these changes."""
    own = scope_of(user).hotel_ids if not user.is_superuser else None
    hotels = list(hotel_ids) or sorted(own or ())
    kept: dict[str, Any] = {
        "first_name": user.first_name,
        "last_name": user.last_name,
        "email": user.email,
        "username": user.username,
        "is_staff": "on",
        "is_active": "on",
        "groups": list(user.groups.values_list("pk", flat=True)),
        "user_permissions": list(user.user_permissions.values_list("pk", flat=True)),
        "reach": "some" if hotels else "every" if own is None else "none",
        "hotels": hotels,
    }
    return {**kept, **changes}
