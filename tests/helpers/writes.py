"""What pages write by the verbs of a list, as functions of who does it."""

from dataclasses import replace
from typing import Any

from hotels.entities import Hotel
from hotels.lists import HOTELS
from orders.entities import Guest
from orders.lists import GUESTS
from portal.history.entities import Actor
from reviews.entities import REPLY, Review
from reviews.lists import REVIEWS
from rooms.entities import Room
from rooms.lists import ROOMS


def create_guest(guest: Guest, by: str) -> Guest:
    return GUESTS.by(Actor(by)).create(guest)


def edit_hotel(before: Hotel, after: Hotel, by: str) -> Hotel:
    return HOTELS.by(Actor(by)).update(before, after)


def edit_review(before: Review, after: Review, by: str) -> Review:
    """Change a review as the form does, which leaves the reply as it is."""
    kept: dict[str, Any] = {name: getattr(before, name) for name in ("review_id", "hotel_id", *REPLY)}
    return REVIEWS.by(Actor(by)).update(before, replace(after, **kept))


def delete_review(review: Review, by: str) -> None:
    REVIEWS.by(Actor(by)).delete(review)


def edit_room(before: Room, after: Room, by: str) -> Room:
    return ROOMS.by(Actor(by)).update(before, after)


def delete_room(room: Room, by: str) -> None:
    ROOMS.by(Actor(by)).delete(room)
