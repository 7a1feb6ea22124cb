"""Pages of reviews to read: form -> query -> template. Those that write are in editing.py."""

from collections.abc import Iterable, Sequence
from typing import Any

from hotelapp.dynamodb.facets import Selection
from hotelapp.dynamodb.keys import time_part
from hotelapp.dynamodb.reading import Listing
from hotelapp.portal.views import ListPage, StaffPage
from reviews import filters, keys, queries
from reviews.forms import ReviewsForm
from reviews.values import Review
from rooms import queries as rooms

INDEX_ORDERS = dict.fromkeys([*(index.name for index in keys.INDEXES), keys.BY_ROOM], "time written")


class ReviewsPage(ListPage[ReviewsForm]):
    """A hotel's reviews by language and rating, or those of a room."""

    form_class = ReviewsForm
    template_name = "reviews/reviews.html"
    list_template_name = "reviews/_reviews.html"
    csv_columns = (
        "review_id",
        "hotel_id",
        "room_number",
        "language",
        "rating",
        "created_at",
        "author",
        "title",
        "body",
    )

    def load(self, form: ReviewsForm) -> dict[str, Any]:
        """One page of reviews, with the filters and the average of what is selected."""
        hotel = rooms.hotel(self.kwargs["hotel_id"])
        context = {"hotel": hotel, "title": f"Reviews of {hotel.name}", "index_orders": INDEX_ORDERS}
        query = form.query()
        if query.room_number:
            exists = rooms.has_room(hotel.hotel_id, query.room_number)
            return {**context, **super().load(form), "room": query.room_number, "room_exists": exists}
        read = queries.reviews(hotel.hotel_id, query)
        return {
            **context,
            "page": read.page,
            "statistics": read.statistics,
            "ratings": filters.ratings(read.choices[keys.RATING], form.cleaned_data["rating"]),
            "languages": filters.languages(read.choices[keys.LANGUAGE], form.cleaned_data["language"]),
            "narrowed": query.selection != Selection(),
        }

    def listing(self, form: ReviewsForm) -> Listing[Review]:
        """The reviews that name a room."""
        return queries.room_reviews(self.kwargs["hotel_id"], form.cleaned_data["room"], descending=form.descending)

    def export(self, form: ReviewsForm) -> Iterable[Sequence[Any]]:
        """Every review of the selection, in the columns that an import takes."""
        hotel = rooms.hotel(self.kwargs["hotel_id"])
        query = form.query()
        found = self.listing(form).stream() if query.room_number else queries.all_reviews(hotel.hotel_id, query)
        return map(self.cells, found)

    def cells(self, row: Review) -> Sequence[Any]:
        """A line of the export."""
        what = (row.review_id, row.hotel_id, row.room_number, row.language, row.rating)
        return *what, time_part(row.created_at), row.author, row.title, row.body

    def csv_name(self) -> str:
        """File name of the export."""
        return f"reviews-{self.kwargs['hotel_id']}"


class ReviewPage(StaffPage):
    """V4: one review."""

    template_name = "reviews/review.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The review, and what its reader may do with it."""
        review = queries.review(self.kwargs["review_id"])
        hotel_name = rooms.hotel_name(review.hotel_id)
        return super().get_context_data(
            **kwargs,
            review=review,
            title=f"Review of {hotel_name}",
            hotel_name=hotel_name,
            room_exists=bool(review.room_number) and rooms.has_room(review.hotel_id, review.room_number),
            index_orders=INDEX_ORDERS,
            ledger=self.request.ledger,  # type: ignore[attr-defined]
        )
