"""Pages of reviews: form -> query or command -> template."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.admin.models import ADDITION, CHANGE, DELETION
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.http import urlencode
from django.utils.text import Truncator

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile, NotFound
from hotelapp.dynamodb.planning.selection import Selection
from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.schema import entities
from hotelapp.portal.forms.parameters import checked, rewrite
from hotelapp.portal.forms.views import FormPage
from hotelapp.portal.lists.filters import Filter, filter_of
from hotelapp.portal.lists.views import ListPage
from hotelapp.portal.views import StaffPage
from hotels import queries as hotels
from reviews import audit, commands, keys, queries
from reviews.entities import Review
from reviews.forms import DeleteReviewForm, EditReviewForm, NewReviewForm, ReviewIdForm, ReviewsForm, new_review_id, now
from reviews.languages import language_name
from rooms import queries as rooms

INDEX_ORDERS = dict.fromkeys([*(index.name for index in keys.INDEXES), keys.BY_ROOM], "time written")
SHOWN_LENGTH = 80  # the most characters of another editor's text in a message


class ReviewsPage(ListPage[ReviewsForm]):
    """A hotel's reviews by language and rating, or the reviews of a room."""

    form_class = ReviewsForm
    template_name = "reviews/reviews.html"
    list_template_name = "reviews/_reviews.html"
    entity = Review
    noun = "reviews"

    def load(self, form: ReviewsForm) -> dict[str, Any]:
        """One page of reviews, with the filters and the average of the selection."""
        hotel = hotels.hotel(self.kwargs["hotel_id"])
        context = {"hotel": hotel, "title": f"Reviews of {hotel.name}", "index_orders": INDEX_ORDERS}
        query = form.query()
        if query.room_number:
            exists = rooms.has_room(hotel.hotel_id, query.room_number)
            return {**context, **super().load(form), "room": query.room_number, "room_exists": exists}
        filtered = queries.reviews(hotel.hotel_id, query)
        return {
            **context,
            "page": filtered.page,
            "statistics": filtered.statistics,
            "ratings": _rating_filter(filtered.choices[keys.RATING], form.cleaned_data["rating"]),
            "languages": _language_filter(filtered.choices[keys.LANGUAGE], form.cleaned_data["language"]),
            "narrowed": query.selection != Selection(),
        }

    def listing(self, form: ReviewsForm) -> Listing[Review]:
        """The reviews that name a room."""
        hotel_id, room = self.kwargs["hotel_id"], form.cleaned_data["room"]
        return queries.room_reviews(hotel_id, room, descending=form.order.descending)

    def export(self, form: ReviewsForm) -> Iterable[Review]:
        """Every review of the selection."""
        hotel, query = hotels.hotel(self.kwargs["hotel_id"]), form.query()
        return self.listing(form).stream() if query.room_number else queries.all_reviews(hotel.hotel_id, query)

    def csv_name(self) -> str:
        """File name of the export."""
        return f"reviews-{self.kwargs['hotel_id']}"


class ReviewPage(StaffPage):
    """V4: one review."""

    template_name = "reviews/review.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The review, its hotel's name, and whether its room exists."""
        review = queries.review(self.kwargs["review_id"])
        hotel_name = hotels.hotel_name(review.hotel_id)
        return super().get_context_data(
            **kwargs,
            review=review,
            title=f"Review of {hotel_name}",
            hotel_name=hotel_name,
            room_exists=bool(review.room_number) and rooms.has_room(review.hotel_id, review.room_number),
            index_orders=INDEX_ORDERS,
        )


class AddReviewPage(FormPage[NewReviewForm]):
    """A form to add a review on behalf of a guest."""

    permission = "reviews.add_review"
    form_class = NewReviewForm
    template_name = "reviews/edit_review.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form, and the hotel."""
        hotel = hotels.hotel(self.kwargs["hotel_id"])
        back = reverse("reviews:reviews", args=[hotel.hotel_id])
        return super().get_context_data(**kwargs, title=f"Add a review of {hotel.name}", back=back)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A new form. The review's id is in the address, so that going back and sending it again adds no review."""
        hotels.hotel(self.kwargs["hotel_id"])
        given = checked(ReviewIdForm(request.GET))
        if not given["review_id"]:
            return redirect(f"{request.path}?{urlencode({'review_id': new_review_id()})}")
        return self.render_to_response(self.get_context_data(form=NewReviewForm(initial=given)))

    def save(self, form: NewReviewForm) -> str:
        """Add the review. If the form has already added another review, give the form a new id."""
        review = form.review(form.cleaned_data["review_id"], self.kwargs["hotel_id"], now())
        try:
            self._add(review)
        except commands.AlreadyWritten:
            rewrite(form, "review_id", new_review_id())
            raise
        messages.success(self.request, "The review was added.")
        return reverse("reviews:review", args=[review.review_id])

    def _add(self, review: Review) -> None:
        """Add the review and log it, only once if the form is sent again, unless the review was deleted meanwhile."""
        last = audit.last_entry(review.review_id)
        if last is None or last.action_flag == DELETION:
            with audit.logged(self.request.user, ADDITION, "Added on behalf of a guest.", review):
                commands.add_review(review)
        else:
            commands.add_review(review)
            audit.confirm(ADDITION, review.review_id)


class StoredReviewPage(FormPage[Any]):
    """A form about a review that exists."""

    @cached_property
    def review(self) -> Review:
        """The review as stored."""
        return queries.review(self.kwargs["review_id"], consistent=True)

    def get_initial(self) -> dict[str, Any]:
        """The stored values."""
        return entities.stored_values(self.review)


class EditReviewPage(StoredReviewPage):
    """A form to change a review."""

    permission = "reviews.change_review"
    form_class = EditReviewForm
    template_name = "reviews/edit_review.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form, and the address of Cancel."""
        back = reverse("reviews:review", args=[self.review.review_id])
        return super().get_context_data(**kwargs, title="Edit a review", back=back)

    def save(self, form: EditReviewForm) -> str:
        """Change the review, if the stored one is still what the editor saw."""
        stored = self.review
        edited = form.review(stored.review_id, stored.hotel_id, stored.created_at, form.cleaned_data["revision"])
        if entities.same(edited, stored):
            if stored.revision == edited.revision + 1:  # sent twice; otherwise nothing was changed in the form
                audit.confirm(CHANGE, stored.review_id)
        elif stored.revision == edited.revision:
            with audit.logged(self.request.user, CHANGE, "Changed.", stored):
                commands.edit_review(stored, edited)
            messages.success(self.request, "The review was changed.")
        else:
            rewrite(form, "revision", str(stored.revision))  # after reading the message, the user may save again
            raise ChangedMeanwhile(
                f"Somebody else changed this review. Where it differs from yours, it has "
                f"{_differences(stored, edited)}. Save again to replace these values with yours."
            )
        return reverse("reviews:review", args=[stored.review_id])


class DeleteReviewPage(StoredReviewPage):
    """V5: asks whether to delete a review, and deletes it."""

    permission = "reviews.delete_review"
    form_class = DeleteReviewForm
    template_name = "reviews/delete_review.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The review to delete."""
        return super().get_context_data(**kwargs, title="Delete a review", review=self.review)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Delete the review. If it is already deleted, redirect to its hotel's reviews."""
        sent = DeleteReviewForm(request.POST)
        try:
            return super().post(request, *args, **kwargs)
        except NotFound:
            if not (sent.is_valid() and sent.cleaned_data["hotel_id"]):
                raise
            return redirect(reverse("reviews:reviews", args=[sent.cleaned_data["hotel_id"]]))

    def save(self, form: DeleteReviewForm) -> str:
        """Delete the review, if the stored one is still what the user saw."""
        stored = self.review
        if stored.revision != form.cleaned_data["revision"]:
            rewrite(form, "revision", str(stored.revision))
            raise ChangedMeanwhile("Somebody else has changed this review. Do you still want to delete it?")
        with audit.logged(self.request.user, DELETION, f"Deleted: {stored.title}", stored):
            commands.delete_review(stored)
        messages.success(self.request, "The review was deleted.")
        return reverse("reviews:reviews", args=[stored.hotel_id])


def _differences(stored: Review, edited: Review) -> str:
    """The fields in which the reviews differ, with the stored values, in words."""
    return ", ".join(
        f"{field.label.lower()} “{Truncator(getattr(stored, field.name) or 'nothing').chars(SHOWN_LENGTH)}”"
        for field in entities.differences(stored, edited)
    )


def _rating_filter(counts: Mapping[str, int], ticked: tuple[int, ...]) -> Filter:
    """All five ratings, the best first."""
    return filter_of(keys.RATING, "Rating", counts, values=map(str, keys.RATINGS), selected=set(map(str, ticked)))


def _language_filter(counts: Mapping[str, int], ticked: tuple[str, ...]) -> Filter:
    """The languages of the hotel's reviews, the most frequent first, and those that were ticked."""
    ordered = sorted({*counts, *ticked}, key=lambda code: (-counts.get(code, 0), code))
    return filter_of(keys.LANGUAGE, "Language", counts, values=ordered, selected=ticked, words=language_name)
