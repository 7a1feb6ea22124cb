"""The reviews app: guests' reviews of hotels, and the counts of languages and ratings."""

from django.apps import AppConfig

from hotelapp.history.subjects import Subject, register


class ReviewsConfig(AppConfig):
    """The reviews app."""

    name = "reviews"
    rules = ("reviews.invariants.RULES",)

    def ready(self) -> None:
        register(Subject("review", "Review {0}", "reviews:review", "reviews.view_review"))
