"""``manage.py import_reviews FILE.csv``: reviews from a file."""

from collections.abc import Hashable, Sequence
from typing import Any

from hotelapp.portal.csv_rows import Csv
from hotelapp.portal.importing import ImportCommand, Saved
from reviews import commands
from reviews.forms import ReviewRowForm
from rooms import commands as rooms
from rooms.values import Hotel


class Command(ImportCommand):
    """Every review with its counts, in transactions; the same file twice leaves the same data."""

    help = (
        "Import reviews. Days without a time begin at midnight, UTC. Reviews that exist are changed. Hotels that are "
        "not there yet are made. Rows are written in transactions, which cost twice the write units on AWS."
    )
    format = Csv(
        ("review_id", "hotel_id", "room_number", "language", "rating", "created_at", "author", "title", "body")
    )
    form_class = ReviewRowForm
    noun = "review"

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._hotels: set[str] = set()

    def identity(self, form: ReviewRowForm) -> Hashable:
        """A review's id is unique."""
        return str(form.cleaned_data["review_id"])

    def save(self, batch: Sequence[ReviewRowForm]) -> Saved:
        """Write the reviews, then make the hotels that they are of, where these are missing."""
        reviews = [form.stored() for form in batch]
        written, refused = commands.save_reviews(reviews)
        for hotel_id in {review.hotel_id for review in reviews if review.review_id not in refused} - self._hotels:
            rooms.add_missing_hotel(Hotel(hotel_id, hotel_id))
            self._hotels.add(hotel_id)
        places = {review.review_id: place for place, review in enumerate(reviews)}
        return Saved(written, {places[review_id]: reason for review_id, reason in refused.items()})
