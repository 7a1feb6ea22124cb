from collections.abc import Mapping
from typing import Any

from dynamodb_lists import Change, Csv
from dynamodb_lists.schema import entities
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

    def needs(self, change: Change[Any]) -> Mapping[str, str]:
        return {"reviews.change_review": "change reviews"} if change.before else {}

    def entity_of(self, form: ReviewRowForm) -> Review:
        review: Review = form.new(**{name: form.cleaned_data[name] for name in ("review_id", "hotel_id", "created_at")})
        return review
