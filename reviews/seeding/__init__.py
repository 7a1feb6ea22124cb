"""Demo reviews for ``manage.py seed_demo``."""

from reviews.seeding.reviews import LANGUAGES, ReviewSeeder, reviews

__all__ = ["LANGUAGES", "ReviewSeeder", "reviews"]
