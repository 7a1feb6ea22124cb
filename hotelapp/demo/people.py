"""The demo's people: an account for each kind of work. The login page offers to be one of them at one click."""

from dataclasses import dataclass

from django.contrib.auth.models import Group, User

from portal.models import EveryHotel, StaffHotel


@dataclass(frozen=True)
class Person:
    """An account of the demo. Without a ``hotel_id`` it sees every hotel; without a ``group``, it is the superuser."""

    username: str
    role: str
    words: str
    group: str = ""
    hotel_id: str = ""


PEOPLE = (
    Person("housekeeper", "Housekeeper", "which rooms to clean next", "Housekeeping", "lakeview"),
    Person("receptionist", "Receptionist", "guests, orders, rooms of one hotel", "Front desk", "lakeview"),
    Person("manager", "Manager", "every hotel, reviews, exports", "Manager"),
)


def ensure(password: str) -> None:
    """Create the accounts that are missing, and give all of them this password, which is hashed already."""
    for person in PEOPLE:
        user, is_new = User.objects.get_or_create(username=person.username, defaults={"is_staff": True})
        if is_new:
            user.groups.set(Group.objects.filter(name=person.group))
            if person.hotel_id:
                StaffHotel.objects.create(user=user, hotel_id=person.hotel_id)
            else:
                EveryHotel.objects.create(user=user)
        User.objects.filter(pk=user.pk).exclude(password=password).update(password=password)
