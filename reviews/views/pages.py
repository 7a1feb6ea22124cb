"""Pages of a review, of its reply, and of the standard replies of a hotel."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import cached_property

from dynamodb_lists import Listing, errors
from hotels import queries as hotels
from hotels.app_config import RoomPart
from hotels.views import HotelMixin
from orders import queries as orders
from portal.access import StaffPage
from portal.form_pages import AddPage, DeletePage, EditPage, FormPage, StoredPage
from portal.forms.fields import RevisionForm
from portal.forms.parameters import read
from portal.forms.pickers import Pick
from portal.history.entities import Actor
from portal.history.undoing import address_of
from portal.history.views import say_added
from portal.lists.forms import ListForm
from portal.lists.origins import Neighbours, Origin
from portal.lists.views import Column, ListPage
from portal.times import now
from reviews import commands, queries
from reviews.apps import KEEP_REPLIES, VIEW_REVIEWS
from reviews.entities import Review, StandardReply, language_name
from reviews.forms import (
    DeleteReviewForm,
    EditReviewForm,
    EditStandardReplyForm,
    NewReviewForm,
    ReplyForm,
    ReviewIdField,
    StandardReplyForm,
)
from reviews.lists import REVIEWS, STANDARD
from reviews.views.review_lists import UnansweredPage
from rooms import queries as rooms

OF_ROOM = RoomPart("reviews/_of_room.html", VIEW_REVIEWS, lambda *room: queries.room_reviews(*room).take(3))


class ReviewPage(StaffPage):
    lists_link_here = True
    permission = "reviews.view_review"
    template_name = "reviews/review.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        review = queries.review(self.kwargs["review_id"])
        self.require_hotel(review.hotel_id)
        hotel = hotels.named_hotel(review.hotel_id)
        return super().get_context_data(
            **kwargs,
            review=review,
            title=f"Review of {hotel.name}",
            hotel=hotel,
            room_exists=bool(review.room_number) and rooms.has_room(review.hotel_id, review.room_number),
            guest=orders.known_guest(review.username) if review.username else None,
            places=lambda: REVIEWS.model.item(review).places(),
        )


def reply_address(review: Review) -> str:
    return reverse("reviews:reply", args=[review.review_id])


class AddReviewPage(HotelMixin, AddPage[NewReviewForm]):
    title = "Add a review of {page.hotel.name}"
    permission = "reviews.add_review"
    form_class = NewReviewForm
    id_name, asks = "review_id", {"review_id": ReviewIdField}
    list_url = "reviews:reviews"

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "hotel_id": self.hotel.hotel_id}

    def save(self, form: NewReviewForm) -> str:
        review_id = form.cleaned_data["review_id"]
        review = form.new(review_id=review_id, hotel_id=self.hotel.hotel_id, created_at=now())
        review = commands.add_review(review, self.by)
        say_added(self, "The review", review)
        return address_of(review)

    def taken(self, form: NewReviewForm, error: errors.AlreadyExists) -> str:
        super().taken(form, error)
        return "This form has already added a review. To add this one, too, save again."


class StoredReviewPage(StoredPage[Any]):
    context_object_name = "review"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**{"hotel": hotels.named_hotel(self.stored.hotel_id), **kwargs})


class EditReviewPage(StoredReviewPage, EditPage[EditReviewForm]):
    title = "Edit a review"
    permission = "reviews.change_review"
    form_class = EditReviewForm

    def get_initial(self) -> dict[str, Any]:
        """Return the review. Its room and its guest stay chosen, even if they do not exist any more."""
        values = super().get_initial()
        return values | {name: Pick(values[name], values[name]) for name in ("room_number", "username") if values[name]}

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "hotel_id": self.stored.hotel_id}


class ReplyPage(StoredReviewPage, EditPage[ReplyForm]):
    """V8: a form to answer a review, or to change the answer. From a list without replies, it goes on to the next."""

    lists_link_here = True
    permission = "reviews.reply_review"
    form_class = ReplyForm
    template_name = "reviews/edit_reply.html"

    @staticmethod
    def command(before: Review, after: Review, by: str) -> Review:
        return commands.reply_to_review(before, after.reply, by)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        title = "Edit the reply" if self.stored.reply else "Reply to a review"
        beside = self.inbox.neighbours(self.stored, reply_address) if self.inbox else Neighbours()
        if self.inbox and beside.place and beside.of is None:
            beside = beside._replace(of=self.inbox.page.waiting(self.inbox.form))
        return super().get_context_data(**kwargs, title=title, goes_on=bool(self.inbox), beside=beside)

    @property
    def inbox(self) -> Origin | None:
        """The list of reviews without a reply from which the user came; ``None`` without one."""
        found = self.origin
        is_one = found and (isinstance(found.page, UnansweredPage) or found.form.cleaned_data.get("unanswered"))
        return found if is_one else None

    def following(self) -> str:
        """Return the address of the reply to the next review of the list; blank at its end, and without a list."""
        return self.inbox.following(self.stored, reply_address) if self.inbox else ""

    def at_end(self) -> str:
        """Return the address after the end of the list: its first page, with the reviews that were skipped."""
        if self.inbox is None:
            return self.carrying(self.address(self.stored))
        messages.info(self.request, "That was the last review of this list.")
        return self.inbox.lasting

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Save the reply, or add a standard reply to what was typed, and show the form again."""
        chosen = [each for each in self.standard if each.name == request.POST.get("standard")]
        if not chosen:
            return super().post(request, *args, **kwargs)
        text = "\n\n".join(filter(None, (request.POST.get("reply", "").strip(), chosen[0].to(self.stored))))
        form = ReplyForm(initial={"revision": request.POST.get("revision"), "reply": text})
        return self.render_to_response(self.get_context_data(form=form))

    @cached_property
    def standard(self) -> list[StandardReply]:
        """The standard replies in the language of the review."""
        return queries.standard_replies(self.stored)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if read(request.GET, skip=forms.BooleanField(required=False))["skip"]:
            return redirect(self.following() or self.at_end())
        return super().get(request, *args, **kwargs)

    def write(self, form: ReplyForm) -> str:
        """Save the reply. The next review is looked up before, because this one leaves the list."""
        then = form.cleaned_data["then"]
        following = self.following() if then else ""
        written = super().write(form)
        return following or self.at_end() if then else written


class DeleteReplyPage(StoredReviewPage, DeletePage):
    """Asks whether to delete the hotel's reply to a review, and deletes it. Without a reply, it leads to the review."""

    title = "Delete the reply"
    thing = "The reply"
    permission = "reviews.reply_review"
    template_name = "reviews/delete_reply.html"
    command = staticmethod(commands.delete_reply)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return super().get(request, *args, **kwargs) if self.stored.reply else redirect(self.list_address())

    def form_invalid(self, form: RevisionForm) -> HttpResponse:
        return super().form_invalid(form) if self.stored.reply else redirect(self.list_address())

    def write(self, form: RevisionForm) -> str:
        if not self.stored.reply:
            raise errors.NotFound("The review has no reply.")
        return super().write(form)

    def list_address(self) -> str:
        return address_of(self.stored)

    def onward(self) -> str:
        return self.carrying(self.list_address())


class DeleteReviewPage(StoredReviewPage, DeletePage):
    """V5: asks whether to delete a review, and deletes it."""

    title = "Delete a review"
    thing = "The review"
    permission = "reviews.delete_review"
    form_class = DeleteReviewForm
    template_name = "reviews/delete_review.html"

    def list_address(self) -> str:
        """Return the reviews of the hotel in the form, as the review may be deleted. Raises: :class:`NotFound`."""
        form = DeleteReviewForm(self.request.POST)
        hotel_id = form.is_valid() and form.cleaned_data["hotel_id"]
        return reverse("reviews:reviews", args=[hotel_id or self.stored.hotel_id])


class StandardRepliesPage(HotelMixin, ListPage[ListForm]):
    title, noun, permission = "Standard replies of {page.hotel.name}", "replies", KEEP_REPLIES
    form_class, entity, key = ListForm, StandardReply, "name"
    columns = ("name", Column("language", written=lambda reply: language_name(reply.language)), "text")
    row_head, row_page = "name", ("reviews:standard_reply", "hotel_id", "language", "name")
    adds = ("Add a reply", KEEP_REPLIES, "reviews:add_standard_reply")
    nothing = ("No standard replies yet.", "Whoever replies to a review in its language can insert one.")

    def listing(self, form: ListForm) -> Listing[StandardReply]:
        return STANDARD.query(hotel_id=self.hotel.hotel_id).order_by("language", "name").listing()

    def row_name(self, row: StandardReply) -> str:
        return f"{row.language}-{row.name}"


class AddStandardReplyPage(HotelMixin, FormPage[StandardReplyForm]):
    title, permission, form_class = "Add a standard reply", KEEP_REPLIES, StandardReplyForm
    list_url = "reviews:standard_replies"

    def save(self, form: StandardReplyForm) -> str:
        added = STANDARD.by(Actor(self.by)).create(form.new(hotel_id=self.hotel.hotel_id))
        say_added(self, f"The reply “{added.name}”", added)
        return self.list_address()


class StandardReplyPage(HotelMixin, EditPage[EditStandardReplyForm]):
    permission, context_object_name = KEEP_REPLIES, "standard-reply"
    title, form_class = "Standard reply {page.stored.name}", EditStandardReplyForm
    template_name = "reviews/standard_reply.html"


class DeleteStandardReplyPage(HotelMixin, DeletePage):
    permission, context_object_name = KEEP_REPLIES, "standard-reply"
    title, thing = "Delete a standard reply", "The reply {page.kwargs[name]}"
    template_name = "reviews/delete_standard_reply.html"
    list_url = "reviews:standard_replies"
