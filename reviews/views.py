"""Pages of reviews: form -> query or command -> template."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from ulid import ULID

from dynamodb_lists.connection.errors import NotFound
from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.reading.lists import Listing
from dynamodb_lists.reading.pages import Page
from dynamodb_lists.schema.keys import now
from hotels import queries as hotels
from hotels.apps import RoomPart
from hotels.queries.by_hotel import MOST_COUNTED
from hotels.views import ByHotelPage, HotelMixin
from orders import queries as orders
from portal.access import StaffPage
from portal.form_pages import DeletePage, EditPage, FormPage, StoredPage
from portal.forms.fields import RevisionForm
from portal.forms.parameters import checked, rewrite
from portal.forms.pickers import Pick
from portal.history.entities import What
from portal.history.undo_views import say_done
from portal.lists.filters import Filter, filter_of
from portal.lists.origins import Origin
from portal.lists.views import ListPage
from reviews import commands, keys, queries
from reviews.apps import VIEW_REVIEWS
from reviews.entities import Review, language_name
from reviews.forms import (
    DeleteReviewForm,
    EditReviewForm,
    FacetsForm,
    NewReviewForm,
    ReplyForm,
    ReviewIdForm,
    ReviewsForm,
    SkipForm,
    UnansweredForm,
    in_menu_order,
)
from rooms import queries as rooms

OF_ROOM = RoomPart("reviews/_of_room.html", VIEW_REVIEWS, queries.newest_room_reviews)
INDEX_ORDERS = dict.fromkeys([*(index.name for index in keys.INDEXES), keys.BY_ROOM, keys.UNANSWERED], "time written")


def language_filter(counts: Mapping[str, int], form: FacetsForm) -> Filter:
    languages = form.cleaned_data["language"]
    values = in_menu_order(counts, languages)
    found = filter_of(keys.LANGUAGE, "Language", counts, values=values, selected=languages, words=language_name)
    return replace(found, whole=form.cleaned_data["choices"] == keys.LANGUAGE)


def rating_filter(counts: Mapping[str, int], form: FacetsForm) -> Filter:
    selected = {*map(str, form.cleaned_data["rating"])}
    return filter_of(keys.RATING, "Rating", counts, values=map(str, keys.RATINGS), selected=selected)


class ReviewsPage(HotelMixin, ListPage[ReviewsForm]):
    permission = "reviews.view_review"
    title = "Reviews of {page.hotel.name}"
    form_class = ReviewsForm
    list_template_name = "reviews/_reviews.html"
    entity = Review
    noun = "reviews"
    csv_name = "reviews-{hotel_id}"

    @cached_property
    def counts(self) -> queries.Counts:
        return queries.review_counts(self.hotel.hotel_id)

    def listing(self, form: ReviewsForm) -> Listing[Review]:
        hotel_id, query = self.hotel.hotel_id, form.query(self.zone)
        if query.room_number:
            return queries.room_reviews(hotel_id, query.room_number, descending=query.descending)
        return queries.reviews(hotel_id, query, self.counts)

    def context(self, form: ReviewsForm, page: Page[Review]) -> dict[str, Any]:
        hotel, query = self.hotel, form.query()
        context = {"hotel": hotel, "hotel_names": {}, "index_orders": INDEX_ORDERS}
        if room := query.room_number:
            exists = rooms.has_room(hotel.hotel_id, room)
            return {**context, "room": room, "room_exists": exists, "counted": False}
        counted = not (form.days_set or query.unanswered)  # counts know languages and ratings alone
        choices = queries.choices(self.counts, query.selection)
        return {
            **context,
            "room": "",
            "statistics": queries.statistics(self.counts, query.selection),
            "ratings": replace(rating_filter(choices[keys.RATING], form), counted=counted),
            "languages": replace(language_filter(choices[keys.LANGUAGE], form), counted=counted),
            "counted": counted,
        }

    def count_of(self, form: ReviewsForm) -> int | None:
        """Languages and ratings alone are counted."""
        query = form.query()
        if form.days_set or query.unanswered or query.room_number or "counts" not in vars(self):
            return None
        return queries.statistics(self.counts, query.selection).total

    def every_row(self, form: ReviewsForm) -> Iterator[Review]:
        query = form.query(self.zone)
        if query.room_number:
            return queries.with_replies(self.listing(form).stream())
        return queries.exported_reviews(self.hotel.hotel_id, query, self.counts)


class UnansweredPage(ByHotelPage[UnansweredForm]):
    title = "Reviews without a reply"
    permission = VIEW_REVIEWS
    form_class = UnansweredForm
    list_template_name = "reviews/_unanswered.html"
    entity = Review
    noun = "reviews"
    csv_name = "reviews-without-a-reply"

    def hotel_ids(self, form: UnansweredForm) -> Collection[str] | None:
        """The chosen hotels, or all that the user sees; few are named, so that they are merged."""
        found = super().hotel_ids(form)
        if found is None and len(seen := hotels.seen_hotels()) <= queries.MOST_MERGED:
            return seen.keys()
        return found

    def listing(self, form: UnansweredForm) -> Listing[Review]:
        return queries.unanswered_of_hotels(self.hotel_ids(form), form.query)

    def context(self, form: UnansweredForm, page: Page[Review]) -> dict[str, Any]:
        """The list and its filters. Statistics count hotels and languages, but not ratings, and not of many hotels."""
        offered, chosen = self.offered(form), form.cleaned_data["hotel"]
        counted = len(offered) <= MOST_COUNTED and not form.selection.values.get(keys.RATING)
        among = {"hotel": frozenset(chosen), **form.selection.values}
        selection = Selection({facet: values for facet, values in among.items() if values and facet != keys.RATING})
        choices = queries.unanswered_choices([*offered][:MOST_COUNTED], selection)
        return {
            **super().context(form, page),
            "hotels": self.hotels_filter(form, choices["hotel"] if counted else None),
            "languages": replace(language_filter(choices[keys.LANGUAGE], form), counted=counted),
            "ratings": replace(rating_filter({}, form), counted=False),
            "index_orders": INDEX_ORDERS,
        }

    def exported(self, rows: Iterator[Review]) -> Iterator[Review]:
        return queries.with_replies(rows)


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
            index_orders=INDEX_ORDERS,
            places=lambda: commands.ReviewWriter.model.item(review).places(),
        )


def review_address(review: Review) -> str:
    return reverse("reviews:review", args=[review.review_id])


def reply_address(review: Review) -> str:
    return reverse("reviews:reply", args=[review.review_id])


class AddReviewPage(HotelMixin, FormPage[NewReviewForm]):
    title = "Add a review of {page.hotel.name}"
    permission = "reviews.add_review"
    form_class = NewReviewForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, back=reverse("reviews:reviews", args=[self.hotel.hotel_id]))

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A new form. The review's id is in the address, so that going back and sending it again adds no review."""
        self.initial = checked(ReviewIdForm(request.GET))
        if self.hotel and not self.initial["review_id"]:
            return redirect(f"{request.path}?{urlencode({'review_id': str(ULID())})}")
        return super().get(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "hotel_id": self.hotel.hotel_id}

    def save(self, form: NewReviewForm) -> str:
        """Add the review. If the form has already added another review, give the form a new id."""
        review_id = form.cleaned_data["review_id"]
        review = form.new(review_id=review_id, hotel_id=self.hotel.hotel_id, created_at=now())
        try:
            review = commands.add_review(review, self.by)
        except commands.AlreadyWritten:
            rewrite(form, "review_id", str(ULID()))
            raise
        say_done(self, "The review was added.", review, What.CREATED)
        return review_address(review)


class StoredReviewPage(StoredPage[Any]):
    context_object_name = "review"
    address = staticmethod(review_address)

    def load(self) -> Review:
        review = queries.review(self.kwargs["review_id"], consistent=True)
        self.require_hotel(review.hotel_id)
        return review

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**{"hotel": hotels.named_hotel(self.stored.hotel_id), **kwargs})


class EditReviewPage(StoredReviewPage, EditPage[EditReviewForm]):
    title = "Edit a review"
    permission = "reviews.change_review"
    form_class = EditReviewForm
    command = staticmethod(commands.edit_review)

    def get_initial(self) -> dict[str, Any]:
        """The review. Its room and its guest stay chosen, even if they do not exist any more."""
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
        return super().get_context_data(**kwargs, title=title, goes_on=bool(self.inbox))

    @property
    def inbox(self) -> Origin | None:
        """The list of reviews without a reply that the user comes from, if it is one."""
        found = self.origin
        is_one = found and (isinstance(found.page, UnansweredPage) or found.form.cleaned_data.get("unanswered"))
        return found if is_one else None

    def following(self) -> str:
        """The address of the reply to the next review of the list; blank at its end, and without a list."""
        this = self.stored.review_id
        return self.inbox.following(lambda row: row.review_id == this, reply_address) if self.inbox else ""

    def at_end(self) -> str:
        """Where to go from the end of the list: to its first page, which has what was skipped."""
        if self.inbox is None:
            return self.carrying(self.address(self.stored))
        messages.info(self.request, "Nothing follows: that was the last review of this list.")
        return self.inbox.lasting

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if checked(SkipForm(request.GET))["skip"]:
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
            raise NotFound("The review has no reply.")
        return super().write(form)

    def list_address(self) -> str:
        return review_address(self.stored)

    def onward(self) -> str:
        return self.carrying(self.list_address())


class DeleteReviewPage(StoredReviewPage, DeletePage):
    """V5: asks whether to delete a review, and deletes it."""

    title = "Delete a review"
    thing = "The review"
    permission = "reviews.delete_review"
    form_class = DeleteReviewForm
    template_name = "reviews/delete_review.html"
    command = staticmethod(commands.delete_review)

    def list_address(self) -> str:
        """The reviews of the hotel that the form names, because the review may be gone. Raises :class:`NotFound`."""
        form = DeleteReviewForm(self.request.POST)
        hotel_id = form.is_valid() and form.cleaned_data["hotel_id"]
        return reverse("reviews:reviews", args=[hotel_id or self.stored.hotel_id])
