"""``manage.py import_reviews FILE.csv``: reviews from a file."""

from hotelapp.dynamodb.schema import entities
from hotelapp.portal.imports.csv_rows import Csv
from hotels.imports import HotelRowsCommand
from reviews import commands
from reviews.entities import Review
from reviews.forms import ReviewRowForm


class Command(HotelRowsCommand[Review]):
    """Writes reviews with their counts, in transactions. Importing a file twice changes nothing."""

    help = (
        "Import reviews. Days without a time begin at midnight, UTC. Existing reviews are changed, but keep "
        "the hotel's reply. Missing hotels are created. Rows are written in transactions, which cost twice the write "
        "units on AWS."
    )
    format = Csv(entities.columns(Review, computed=False))
    form_class = ReviewRowForm
    noun = "review"
    id_field = "review_id"
    save_entities = staticmethod(commands.save_reviews)

    def entity_of(self, form: ReviewRowForm) -> Review:
        review: Review = form.new(**{name: form.cleaned_data[name] for name in ("review_id", "hotel_id", "created_at")})
        return review
