"""The reviews app: guests' reviews of hotels, and the counts of languages and ratings."""

from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    """The reviews app."""

    name = "reviews"
