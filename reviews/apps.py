"""The reviews app: guests' reviews of hotels, and the counts of languages and ratings."""

from django.apps import AppConfig

from hotelapp.history.subjects import Subject
from hotels.apps import HOTEL_BAR, ROOM_LINKS, HotelLink

VIEW_REVIEWS = "reviews.view_review"


class ReviewsConfig(AppConfig):
    """The reviews app."""

    name = "reviews"
    subjects = (Subject("review", "Review {0}", "reviews:review", VIEW_REVIEWS),)
    hotel_links = (
        HotelLink(HOTEL_BAR, "reviews/_hotel_link.html", VIEW_REVIEWS, {"reviewed": "reviews.queries.summary"}),
        HotelLink(ROOM_LINKS, "reviews/_room_link.html", VIEW_REVIEWS),
    )
    rules = ("reviews.invariants.RULES",)
    seeders = ("reviews.seeding.ReviewSeeder",)
