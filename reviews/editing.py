"""Pages that write reviews. Each needs its permission, and leaves an entry in the admin's log."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from django.contrib import messages
from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import Truncator

from hotelapp.dynamodb.errors import Conflict, NotFound, Refused, Unavailable, UnknownValue
from hotelapp.portal.forms import checked, rewrite
from hotelapp.portal.views import FormPage
from reviews import commands, queries
from reviews.forms import DeleteReviewForm, EditReviewForm, NewReviewForm, ReviewIdForm, new_review_id, now
from reviews.permissions import Review as LoggedReview
from reviews.values import Review
from rooms import queries as rooms

EntryT = TypeVar("EntryT", bound=Form)
FIELDS = ("author", "language", "rating", "room_number", "title", "body")
SHOWN_LENGTH = 80  # of what somebody else wrote, in a message
UNKNOWN_OUTCOME = " The database did not answer, so this may not have been done."


class ReviewFormPage(FormPage[EntryT]):
    """What the forms share: the log."""

    def logged(self, action: int, words: str, review: Review, write: Callable[[], object]) -> None:
        """Write, with an entry in the admin's log, which goes again if the write is refused.

        If nobody knows whether it was done, because the answer was lost, the entry stays and says so, until it is sent
        again and found to be done.
        """
        record = LoggedReview(review.review_id, f"{review.rating} of 5 stars for {review.hotel_id} by {review.author}")
        user = cast(User, self.request.user)
        entry = LogEntry.objects.log_actions(user.pk, [record], action, words, single_object=True)
        try:
            write()
        except (Conflict, NotFound, UnknownValue, Refused):
            entry.delete()
            raise
        except Unavailable:
            entry.change_message += UNKNOWN_OUTCOME
            entry.save()
            raise

    def done(self, action: int, review_id: str) -> None:
        """Note in the log that what was sent again was done, if it is what was logged last."""
        entry = last_entry(review_id)
        if entry and entry.action_flag == action and entry.change_message.endswith(UNKNOWN_OUTCOME):
            entry.change_message = entry.change_message.removesuffix(UNKNOWN_OUTCOME)
            entry.save()


def last_entry(review_id: str) -> LogEntry | None:
    """What the log holds last of a review."""
    kind = ContentType.objects.get_for_model(LoggedReview)
    return LogEntry.objects.filter(content_type=kind, object_id=review_id).order_by("-pk").first()


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
        """Add the review; if the form was used for another one, go on under a new id."""
        made = form.review(form.cleaned_data["review_id"], self.kwargs["hotel_id"], now())
        try:
            self._add(made)
        except commands.AlreadyWritten:
            rewrite(form, "review_id", new_review_id())
            raise
        messages.success(self.request, "The review was added.")
        return reverse("reviews:review", args=[made.review_id])

    def _add(self, made: Review) -> None:
        """Add it with an entry in the log: one, however often the form is sent, unless the review was deleted since."""
        last = last_entry(made.review_id)
        if last is None or last.action_flag == DELETION:
            self.logged(ADDITION, "Added on behalf of a guest.", made, lambda: commands.add_review(made))
        else:
            commands.add_review(made)
            self.done(ADDITION, made.review_id)


class EditReviewPage(ReviewFormPage[EditReviewForm]):
    """A form to change a review."""

    permission = "reviews.change_review"
    form_class = EditReviewForm
    template_name = "reviews/edit_review.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form, filled with what is stored."""
        review = queries.review(self.kwargs["review_id"], consistent=True)
        if not kwargs["form"].is_bound:
            kwargs["form"].initial = {name: getattr(review, name) for name in (*FIELDS, "revision")}
        back = reverse("reviews:review", args=[review.review_id])
        return super().get_context_data(**kwargs, title="Edit a review", back=back)

    def save(self, form: EditReviewForm) -> str:
        """Change the review from what its editor saw."""
        stored = queries.review(self.kwargs["review_id"], consistent=True)
        seen = form.review(stored.review_id, stored.hotel_id, stored.created_at, form.cleaned_data["revision"])
        if seen.same_as(stored):
            if stored.revision == seen.revision + 1:  # sent twice; else there was nothing to change
                self.done(CHANGE, stored.review_id)
        elif stored.revision == seen.revision:
            self.logged(CHANGE, "Changed.", stored, lambda: commands.edit_review(stored, seen))
            messages.success(self.request, "The review was changed.")
        else:
            rewrite(form, "revision", str(stored.revision))  # who has read what is there now may save again
            raise commands.ChangedMeanwhile(
                f"Somebody else changed this review. Where it differs from yours, it has {_differences(form, stored)}. "
                "Save once more to write over that."
            )
        return reverse("reviews:review", args=[stored.review_id])


class DeleteReviewPage(ReviewFormPage[DeleteReviewForm]):
    """V5: the question whether a review is to go, and its going."""

    permission = "reviews.delete_review"
    form_class = DeleteReviewForm
    template_name = "reviews/delete_review.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The review that would go."""
        review = queries.review(self.kwargs["review_id"], consistent=True)
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


def _differences(form: EditReviewForm, stored: Review) -> str:
    """What a review has where a form says otherwise, in words."""
    other = [name for name in FIELDS if getattr(stored, name) != form.cleaned_data[name]]
    texts = {name: Truncator(getattr(stored, name) or "nothing").chars(SHOWN_LENGTH) for name in other}
    return ", ".join(f"{form[name].label.lower()} “{text}”" for name, text in texts.items())
