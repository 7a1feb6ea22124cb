"""The demo's people: an account for each kind of work. The login page offers to be one of them at one click."""

from dataclasses import dataclass

from django.contrib.auth.models import Group, User

from hotels.staff_hotels import EVERY, StaffHotel


@dataclass(frozen=True)
class Person:
    """An account of the demo: without ``hotels``, it sees every hotel; without a ``group``, it is the superuser."""

    username: str
    role: str
    words: str
    group: str = ""
    hotels: tuple[str, ...] = ()
    name: str = ""


CLEANED = ("altstadt", "lakeview", "seaside")
PEOPLE = (
    Person("housekeeper", "Housekeeper", "which rooms to clean next", "Housekeeping", ("lakeview",), "Hana Novak"),
    Person(
        "receptionist",
        "Receptionist",
        "guests, orders, rooms of one hotel",
        "Front desk",
        ("lakeview",),
        "Rosa Ferrari",
    ),
    Person("sam", "Supervisor", "who cleans which room today", "Supervisor", ("lakeview",), "Sam Rossi"),
    Person("manager", "Manager", "every hotel, reviews, exports", "Manager", name="Marc Dubois"),
)
OTHERS = (
    Person("anna", "", "", "Housekeeping", CLEANED, "Anna Keller"),
    Person("ben", "", "", "Housekeeping", CLEANED, "Ben Okoro"),
    Person("lena", "", "", "Front desk", ("lakeview",), "Lena Vogt"),
)
"""People who work in the demo's hotels, too, but whom the login page does not offer."""


def ensure(password: str) -> None:
    """Create the missing accounts, and give all accounts this password, which is hashed already."""
    for person in (*PEOPLE, *OTHERS):
        first_name, _, last_name = person.name.partition(" ")
        described = {"is_staff": True, "first_name": first_name, "last_name": last_name}
        user, is_new = User.objects.get_or_create(username=person.username, defaults=described)
        if is_new:
            user.groups.set(Group.objects.filter(name=person.group))
            StaffHotel.objects.bulk_create(StaffHotel(user=user, hotel_id=each) for each in person.hotels or [EVERY])
        User.objects.filter(pk=user.pk).exclude(password=password).update(password=password)
