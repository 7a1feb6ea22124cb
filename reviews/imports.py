"""The import of reviews."""

from hotelapp.dynamodb.schema import entities
from hotelapp.portal.imports.csv_rows import Csv
from hotels.imports import HotelRowsImport
from reviews import commands
from reviews.entities import Review
from reviews.forms import ReviewRowForm


class ReviewImport(HotelRowsImport[Review]):
    """Writes reviews with their counts, in transactions. Importing a file twice changes nothing."""

    format = Csv(entities.columns(Review, computed=False))
    form_class = ReviewRowForm
    noun = "review"
    id_fields = ("review_id",)
    save_entities = staticmethod(commands.save_reviews)
    plan_entities = staticmethod(commands.planned_reviews)
    permission = "reviews.add_review"
    to_change = ("reviews.change_review",)
    list_name = "reviews:reviews"

    def entity_of(self, form: ReviewRowForm) -> Review:
        review: Review = form.new(**{name: form.cleaned_data[name] for name in ("review_id", "hotel_id", "created_at")})
        return review
