"""The list of a hotel's reviews, and the list of reviews without a reply of several hotels."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from dynamodb_lists import Listing, Page, Query
from dynamodb_lists.schema import entities
from hotels import queries as hotels
from hotels.queries import MOST_COUNTED
from hotels.views import HotelMixin, OfHotelsPage
from portal.lists.forms import Filter, ListForm, filter_of
from portal.lists.views import Column, FormT, ListPage
from portal.people import HotelScope, author_name, names_of
from reviews import keys, queries
from reviews.apps import VIEW_REVIEWS
from reviews.entities import LEAST_LETTERS, MOST_WORDS, Review, TextQuery, language_name
from reviews.forms import FacetsForm, ReviewsForm, UnansweredForm
from rooms import queries as rooms


def language_filter(counts: Mapping[str, int], form: FacetsForm, *, counted: bool) -> Filter:
    chosen, whole = form.cleaned_data["language"], form.cleaned_data["choices"] == keys.LANGUAGE
    values = sorted({*counts, *chosen}, key=lambda code: (-counts.get(code, 0), code))  # the most frequent first
    drawn = dict[str, Any](words=language_name, whole=whole, counted=counted)
    return filter_of(keys.LANGUAGE, "Language", counts, values=values, selected=chosen, **drawn)


def rating_filter(counts: Mapping[int, int], form: FacetsForm, *, counted: bool) -> Filter:
    chosen, numbers = {*map(str, form.cleaned_data["rating"])}, {str(rating): n for rating, n in counts.items()}
    drawn = dict[str, Any](values=map(str, keys.RATINGS), words="{} ★".format, counted=counted)
    return filter_of(keys.RATING, "Rating", numbers, selected=chosen, **drawn)


class ReviewList(ListPage[FormT]):
    """The base of lists of reviews. Files name the member of staff who answered, as the pages do."""

    noun, permission, entity = "reviews", VIEW_REVIEWS, Review
    columns: ClassVar[Sequence[str | Column]] = (
        *("created_at", Column("rating", numeric=False), Column("title", "Review")),
        *("language", "author", "room_number"),
    )
    dated, days_of = "created_at", "Reviews written"
    unmatched = ("No review matches.", "Choose other days, ratings or languages")

    def exported(self, form: FormT, rows: Iterator[Review]) -> Iterator[Review]:
        return queries.with_long_texts(rows)

    def cells(self, entity: Review) -> Sequence[Any]:
        by = author_name(entity.replied_by) if entity.replied_by else ""
        return entities.cells(replace(entity, replied_by=by))


class ReviewsPage(HotelMixin, ReviewList[ReviewsForm]):
    title = "Reviews of {page.hotel.name}"
    form_class = ReviewsForm
    list_template_name = "reviews/_reviews.html"
    filters = ("days", "rating", "language")
    adds = ("Add a review", "reviews.add_review", "reviews:add_review")
    nothing = ("No reviews yet.", "Import reviews from a file, or add one for a guest.")
    found_by = (
        f"Reviews are found by the first {MOST_WORDS} words of title and text with {LEAST_LETTERS} letters or more."
    )

    @cached_property
    def counts(self) -> queries.Counts:
        return queries.review_counts(self.hotel.hotel_id)

    def query(self, form: ReviewsForm) -> Query[Review]:
        return queries.reviews(hotel_id=self.hotel.hotel_id, **form.wanted_in(self.zone))

    def waiting(self, form: ReviewsForm) -> int | None:
        """Return how many reviews without a reply the list has, as :meth:`UnansweredPage.waiting` does."""
        if form.days_set or keys.RATING in form.chosen:
            return None
        return queries.waiting([self.hotel.hotel_id], form.chosen.get(keys.LANGUAGE))

    def listing(self, form: ReviewsForm) -> Listing[Review]:
        counts: queries.Counts = {}
        if not form.cleaned_data["room"]:
            counts = self.counts
            queries.require_known(form.cleaned_data["language"], counts)
        if query := TextQuery.of(form.cleaned_data["q"]):
            return queries.reviews_found(self.hotel.hotel_id, query, self.query(form))
        return self.query(form).listing(*form.position, counts=counts, whole=form.exporting)

    def context(self, form: ReviewsForm, page: Page[Review]) -> dict[str, Any]:
        names_of({review.replied_by for review in page.rows if review.replied_by})
        context: dict[str, Any] = {"hotel_names": {}}
        if room := form.cleaned_data["room"]:
            exists = rooms.has_room(self.hotel.hotel_id, room)
            return {**context, "room": room, "room_exists": exists, "counted": False}
        # Counts know languages and ratings alone.
        counted = not (form.days_set or form.cleaned_data["unanswered"] or form.searched)
        choices = self.query(form).choices(self.counts)
        return {
            **context,
            "room": "",
            "statistics": queries.statistics(choices[keys.RATING], form.chosen.get(keys.RATING, keys.RATINGS)),
            "filters": {
                "rating": rating_filter(choices[keys.RATING], form, counted=counted),
                "language": language_filter(choices[keys.LANGUAGE], form, counted=counted),
            },
            "counted": counted,
        }


class UnansweredPage(ReviewList[UnansweredForm], OfHotelsPage[UnansweredForm]):
    title = "Reviews without a reply"
    form_class = UnansweredForm
    list_template_name = "reviews/_unanswered.html"
    columns = (*ReviewList.columns[:-1], "hotel_id", "room_number")
    filters = ("days", "hotel", "rating", "language")
    unmatched = ("", "")
    csv_name = "reviews-without-a-reply"

    def empty(self, form: UnansweredForm) -> tuple[str, str]:
        return "No review without a reply matches." if form.filters_set else "Every review has a reply.", ""

    def narrowed(self, form: ListForm) -> HotelScope:
        """Return the chosen hotels, or all that the user sees; few are named, so that they are merged."""
        found = super().narrowed(form)
        if not found.bound and len(seen := hotels.seen_hotels()) <= queries.MOST_MERGED:
            return HotelScope(frozenset(seen))
        return found

    def listing(self, form: UnansweredForm) -> Listing[Review]:
        zones = self.zones(form) if self.knows_all(form) else self.zone
        return queries.unanswered_of_hotels(
            self.narrowed(form), lambda query: form.asked(query, "created_at", "review_id", zones=zones), **form.wanted
        )

    def waiting(self, form: UnansweredForm) -> int | None:
        """Return how many reviews the list has, by statistics; ``None`` for many hotels, and for some ratings."""
        ids = self.narrowed(form).hotel_ids
        if ids is None or len(ids) > queries.MOST_MERGED or keys.RATING in form.chosen or form.days_set:
            return None
        return queries.waiting(ids, form.chosen.get(keys.LANGUAGE))

    def context(self, form: UnansweredForm, page: Page[Review]) -> dict[str, Any]:
        """Return the list and its filters. Statistics count hotels and languages of few hotels, but no ratings."""
        offered, chosen = self.offered(form), form.cleaned_data["hotel"]
        counted = len(offered) <= MOST_COUNTED and not (keys.RATING in form.chosen or form.days_set)
        among = {"hotel": chosen, keys.LANGUAGE: form.chosen.get(keys.LANGUAGE, ())}
        choices = queries.unanswered_choices([*offered][:MOST_COUNTED], among)
        return {
            **super().context(form, page),
            "each_hotel": self.knows_all(form),
            "filters": {
                "hotel": self.hotels_filter(form, choices["hotel"] if counted else None),
                "rating": rating_filter({}, form, counted=False),
                "language": language_filter(choices[keys.LANGUAGE], form, counted=counted),
            },
        }
