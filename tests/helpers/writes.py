"""What pages write by the verbs of a list, as functions of who does it."""

from hotels.entities import Hotel
from hotels.lists import HOTELS
from orders.entities import Guest
from orders.lists import GUESTS
from portal.history.entities import Actor


def create_guest(guest: Guest, by: str) -> Guest:
    return GUESTS.by(Actor(by)).create(guest)


def edit_hotel(before: Hotel, after: Hotel, by: str) -> Hotel:
    return HOTELS.by(Actor(by)).update(before, after)
