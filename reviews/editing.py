"""Pages that write reviews. Each needs its permission, and leaves an entry in the admin's log."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from django.contrib import messages
from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.contrib.auth.models import User
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from hotelapp.dynamodb.errors import Conflict, NotFound, Unavailable
from hotelapp.portal.forms import checked, rewrite
from hotelapp.portal.views import FormPage
from reviews import commands, queries
from reviews.forms import DeleteReviewForm, EditReviewForm, NewReviewForm, ReviewIdForm, new_review_id, now
from reviews.permissions import Review as LoggedReview
from reviews.values import Review
from rooms import queries as rooms

EntryT = TypeVar("EntryT", bound=Form)
FIELDS = ("author", "language", "rating", "room_number", "title", "body", "revision")


class ReviewFormPage(FormPage[EntryT]):
    """What the forms share: the log."""

    def logged(self, action: int, words: str, review: Review, write: Callable[[], object]) -> None:
        """Write, with an entry in the admin's log, which goes again if the write is refused.

        If nobody knows whether it was done, because the answer was lost, the entry stays and says so. A review that is
        sent twice was added once.
        """
        if action == ADDITION and LogEntry.objects.filter(object_id=review.review_id, action_flag=ADDITION).exists():
            write()
            return
        record = LoggedReview(review.review_id, f"{review.rating} of 5 stars for {review.hotel_id} by {review.author}")
        user = cast(User, self.request.user)
        entry = LogEntry.objects.log_actions(user.pk, [record], action, words, single_object=True)
        try:
            write()
        except (Conflict, NotFound):
            entry.delete()
            raise
        except Unavailable:
            entry.change_message += " The database did not answer, so this may not have been done."
            entry.save()
            raise


class AddReviewPage(ReviewFormPage[NewReviewForm]):
    """A form to add a review on behalf of a guest."""

    permission = "reviews.add_review"
    form_class = NewReviewForm
    template_name = "reviews/edit_review.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form, and the hotel."""
        hotel = rooms.hotel(self.kwargs["hotel_id"])
        back = reverse("reviews:reviews", args=[hotel.hotel_id])
        return super().get_context_data(**kwargs, title=f"Add a review of {hotel.name}", back=back)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A new form. Its id is in the address, so that going back to it and sending it again adds nothing new."""
        rooms.hotel(self.kwargs["hotel_id"])
        given = checked(ReviewIdForm(request.GET))
        if not given["review_id"]:
            return redirect(f"{request.path}?{urlencode({'review_id': new_review_id()})}")
        return self.show(NewReviewForm(initial=given))

    def save(self, form: NewReviewForm) -> str:
        """Add the review."""
        made = form.review(form.cleaned_data["review_id"], self.kwargs["hotel_id"], now())
        self.logged(ADDITION, "Added on behalf of a guest.", made, lambda: commands.add_review(made))
        messages.success(self.request, "The review was added.")
        return reverse("reviews:review", args=[made.review_id])


class EditReviewPage(ReviewFormPage[EditReviewForm]):
    """A form to change a review."""

    permission = "reviews.change_review"
    form_class = EditReviewForm
    template_name = "reviews/edit_review.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form, filled with what is stored."""
        review = queries.review(self.kwargs["review_id"])
        if not kwargs["form"].is_bound:
            kwargs["form"].initial = {name: getattr(review, name) for name in FIELDS}
        back = reverse("reviews:review", args=[review.review_id])
        return super().get_context_data(**kwargs, title="Edit a review", back=back)

    def save(self, form: EditReviewForm) -> str:
        """Change the review from what its editor saw."""
        stored = queries.review(self.kwargs["review_id"], consistent=True)
        seen = form.review(stored.review_id, stored.hotel_id, stored.created_at, form.cleaned_data["revision"])
        if seen.same_as(stored) and stored.revision == seen.revision + 1:
            return reverse("reviews:review", args=[stored.review_id])  # sent twice
        if stored.revision == seen.revision:
            self.logged(CHANGE, "Changed.", stored, lambda: commands.edit_review(stored, seen))
            messages.success(self.request, "The review was changed.")
            return reverse("reviews:review", args=[stored.review_id])
        rewrite(form, "revision", str(stored.revision))  # who has read what is there now may save again
        raise commands.ChangedMeanwhile(
            f"Somebody else changed this review: it has {stored.rating} of 5 stars now and is called “{stored.title}”. "
            "Save once more to write over that."
        )


class DeleteReviewPage(ReviewFormPage[DeleteReviewForm]):
    """V5: the question whether a review is to go, and its going."""

    permission = "reviews.delete_review"
    form_class = DeleteReviewForm
    template_name = "reviews/delete_review.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The review that would go."""
        review = queries.review(self.kwargs["review_id"])
        if not kwargs["form"].is_bound:
            kwargs["form"].initial = {"revision": review.revision, "hotel_id": review.hotel_id}
        return super().get_context_data(**kwargs, title="Delete a review", review=review)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Delete; sent again, on to the hotel whose review is gone."""
        sent = DeleteReviewForm(request.POST)
        try:
            return super().post(request, *args, **kwargs)
        except NotFound:
            if not (sent.is_valid() and sent.cleaned_data["hotel_id"]):
                raise
            return redirect(reverse("reviews:reviews", args=[sent.cleaned_data["hotel_id"]]))

    def save(self, form: DeleteReviewForm) -> str:
        """Delete the review as it was seen."""
        stored = queries.review(self.kwargs["review_id"], consistent=True)
        if stored.revision != form.cleaned_data["revision"]:
            rewrite(form, "revision", str(stored.revision))
            raise commands.ChangedMeanwhile("Somebody changed this review meanwhile. Delete it as it is now?")
        self.logged(DELETION, f"Deleted: {stored.title}", stored, lambda: commands.delete_review(stored))
        messages.success(self.request, "The review was deleted.")
        return reverse("reviews:reviews", args=[stored.hotel_id])
