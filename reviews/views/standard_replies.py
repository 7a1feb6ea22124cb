"""The standard replies of a hotel: the list, and the pages to add, change and delete one."""

from typing import Any

from django.urls import reverse

from dynamodb_lists import Listing
from hotels.views import HotelMixin
from portal.form_pages import DeletePage, EditPage, FormPage
from portal.history.entities import Actor, What
from portal.history.views import say_done
from portal.lists.forms import ListForm
from portal.lists.views import Column, ListPage
from reviews.apps import KEEP_REPLIES
from reviews.entities import StandardReply, language_name
from reviews.forms import EditStandardReplyForm, StandardReplyForm
from reviews.lists import STANDARD


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

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, back=replies_address(self.hotel.hotel_id))

    def save(self, form: StandardReplyForm) -> str:
        added = STANDARD.by(Actor(self.by)).create(form.new(hotel_id=self.hotel.hotel_id))
        say_done(self, f"The reply “{added.name}” was added.", added, What.CREATED)
        return replies_address(self.hotel.hotel_id)


class OfStandardReply(HotelMixin):
    permission, context_object_name = KEEP_REPLIES, "standard-reply"


class StandardReplyPage(OfStandardReply, EditPage[EditStandardReplyForm]):
    title, form_class = "Standard reply {page.stored.name}", EditStandardReplyForm
    template_name = "reviews/standard_reply.html"


class DeleteStandardReplyPage(OfStandardReply, DeletePage):
    title, thing = "Delete a standard reply", "The reply {page.kwargs[name]}"
    template_name = "reviews/delete_standard_reply.html"

    def list_address(self) -> str:
        return replies_address(self.kwargs["hotel_id"])


def replies_address(hotel_id: str) -> str:
    return reverse("reviews:standard_replies", args=[hotel_id])
