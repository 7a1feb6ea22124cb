"""Forms of reviews: the query string of the list, pages and rows of files."""

from dataclasses import replace
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from dynamodb_lists.schema import entities
from hotels.forms import OfHotelsForm
from orders.forms import UsernameField
from portal.forms.entity_forms import EntityForm, RowForm
from portal.forms.fields import (
    HotelField,
    LineField,
    LinesField,
    MomentField,
    NumberField,
    RevisionField,
    RevisionForm,
    SearchField,
    not_reserved,
)
from portal.forms.numbers import WholeChoiceField
from portal.forms.parameters import ManyField, understood
from portal.forms.pickers import PickerField, PickerForm
from portal.lists.days import DaysForm
from portal.lists.forms import LinkedField, ListForm
from reviews import keys
from reviews.entities import Review, StandardReply

BODY_LENGTH, BODY_LINES = 20_000, 900
REPLY_LENGTH, REPLY_LINES = 5_000, 90
"""The most characters and lines of a text and of a reply. A record of a CSV file may have more lines than both."""


class LanguageField(forms.CharField):
    default_validators = [
        RegexValidator(keys.LANGUAGE_CODE, "Enter the language’s code, for example: en, de or zh-cn.")
    ]

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).lower()


class RatingField(WholeChoiceField):
    def __init__(self, **options: Any) -> None:
        super().__init__(keys.RATINGS, [("", "choose")], **options)


class ReviewIdField(forms.CharField):
    default_validators = [
        RegexValidator(keys.REVIEW_ID, "A review's id has up to 64 ASCII letters, digits, _ and -."),
        not_reserved("a review's id", "/reviews/"),
    ]


class FacetsForm(ListForm):
    """Reviews of some languages and ratings. All five ratings do not filter."""

    language = ManyField(LanguageField())
    rating = ManyField(RatingField())

    @property
    def chosen(self) -> dict[str, frozenset[Any]]:
        """The languages and the ratings that are chosen, if any are."""
        values = {name: frozenset(self.cleaned_data[name]) for name in (keys.LANGUAGE, keys.RATING)}
        return {name: some for name, some in values.items() if some and not some.issuperset(keys.RATINGS)}

    @property
    def wanted(self) -> dict[str, Any]:
        """What the form asks of a list of reviews."""
        return {**self.chosen, "descending": self.order.descending, "whole": self.exporting}


class ReviewsForm(FacetsForm, DaysForm):
    """The reviews of a hotel. What a search finds is filtered, but not sorted."""

    always_shown, filtered = ("q", "room"), ("q",)
    q = SearchField(label="Word in a review")
    choices = LinkedField({keys.LANGUAGE: keys.LANGUAGE})
    unanswered = forms.ChoiceField(choices=[("1", "Without a reply")], required=False)
    room = NumberField(required=False, widget=forms.HiddenInput)

    @property
    def sortable(self) -> bool:
        """Whether the reviews are sorted by date, as those of a room are, too."""
        return not self.cleaned_data.get("q")

    def clean(self) -> dict[str, Any]:
        """Refuse other filters for the reviews of a room, which are few."""
        data = super().clean()
        if data.get("room") and understood(self).keys() & self.filters:
            self.add_error("room", "Remove the room to set other filters.")
        return data

    def wanted_in(self, time_zone: str) -> dict[str, Any]:
        """Return what the form asks of a list of reviews, in days of a time zone."""
        data = self.cleaned_data
        room = {"room_number": data["room"]} if data["room"] else {}
        return {**self.wanted, **room, "days": self.span(time_zone), "unanswered": bool(data["unanswered"])}


class UnansweredForm(FacetsForm, DaysForm, OfHotelsForm):
    """Reviews without a reply, the newest first; of many hotels, hotel by hotel."""

    choices = LinkedField({"hotel": "hotel", keys.LANGUAGE: keys.LANGUAGE})


class ReviewForm(EntityForm):
    entity = Review
    language = LanguageField(max_length=16)
    rating = RatingField()
    room_number = NumberField(required=False)
    username = UsernameField(required=False)
    body = LinesField(required=False, max_length=BODY_LENGTH, max_lines=BODY_LINES)


class PickedReviewForm(PickerForm, ReviewForm):
    room_number = PickerField("room", label="Room", required=False)  # type: ignore[assignment]
    username = PickerField(  # type: ignore[assignment]
        "guest", label="Guest", required=False, help_text="The username of the guest in the portal, if known."
    )


class NewReviewForm(PickedReviewForm):
    """A review to add. The form has the review's id, so that sending it twice adds only one review."""

    review_id = ReviewIdField(widget=forms.HiddenInput)


class EditReviewForm(PickedReviewForm):
    revision = RevisionField()


class ReplyForm(RevisionForm):
    then = forms.ChoiceField(choices=[("next", "Save and next")], required=False, widget=forms.HiddenInput)
    reply = LinesField(label=entities.field(Review, "reply").label, max_length=REPLY_LENGTH, max_lines=REPLY_LINES)

    def changed(self, review: Review) -> Review:
        return replace(review, reply=self.cleaned_data["reply"])


class StandardReplyForm(EntityForm):
    entity = StandardReply
    language = LanguageField(max_length=16)
    name = LineField(
        validators=[RegexValidator(keys.REPLY_NAME, "A name has up to 40 letters, digits, blanks and (),.!'-.")]
    )
    text = LinesField(
        max_length=REPLY_LENGTH, max_lines=REPLY_LINES, help_text="{guest} becomes the name of who wrote the review."
    )


class EditStandardReplyForm(StandardReplyForm):
    language = name = None  # type: ignore[assignment]
    revision = RevisionField()


class DeleteReviewForm(RevisionForm):
    hotel_id = HotelField(required=False, widget=forms.HiddenInput)


class ReviewRowForm(RowForm, ReviewForm):
    """A line of a review file. Days without a time begin at midnight, UTC."""

    username = None  # type: ignore[assignment]
    review_id = ReviewIdField()
    hotel_id = HotelField()
    created_at = MomentField()
