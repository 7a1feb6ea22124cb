"""The hotels of an account in its form: every hotel, some by name, or none. Which hotels there are says their app."""

from collections.abc import Collection, Iterator
from typing import Any, ClassVar, cast

from django import forms
from django.contrib.auth.models import User
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminTextInputWidget,
)

from accounts.authority import named
from hotels.queries import hotel_names
from hotels.staff_hotels import MAX_HOTELS, EveryHotel, StaffHotel, scope_of
from portal.access import HotelScope

EVERY, SOME, NONE = "every", "some", "none"
REACHES = {EVERY: "Every hotel, also those added later", SOME: "Only these hotels", NONE: "No hotel yet"}


MOST_OFFERED = 100
"""The most hotels that the form offers by name of those that its sender sees. Those of the account are all there."""


def hotel_words(scope: HotelScope, own: Collection[str] | None) -> str:
    """The ids of the hotels of an account. Those that the reader does not see are only counted."""
    if own is None:
        return "Every hotel"
    seen = sorted(filter(scope.allows, own))
    others = len(own) - len(seen)
    return " and ".join(filter(None, [named(seen), f"{others} that you do not see" if others else ""])) or "None"


class SeveralField(forms.MultipleChoiceField):
    """Some of many choices. It takes others, too, so that a refusal can name them."""

    def valid_value(self, value: str) -> bool:
        return True


class HotelChoice(forms.Form):
    """The fields for the hotels of an account. ``actor`` is who sends the form, and gives only what he sees."""

    actor: ClassVar[Any]
    instance: User

    reach = forms.ChoiceField(
        label="Hotels",
        choices=[*REACHES.items()],
        widget=UnfoldAdminRadioSelectWidget(),
        error_messages={
            "required": f"Choose “{REACHES[SOME]}” for those that are ticked, or another answer.",
            "invalid_choice": "Give at least one of your hotels, and no others.",
        },
    )
    hotels = SeveralField(label="These hotels", required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget())
    other_hotels = forms.CharField(
        label="Other hotels",
        required=False,
        max_length=5000,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Their ids, as in their addresses, with commas. The list above has the first hotels only.",
    )

    def offer_hotels(self) -> None:
        """Offer the hotels that the actor sees, and those that the account has, as it has them."""
        scope, has = scope_of(self.actor), self._has()
        own, offered = has.hotel_ids or frozenset(), hotel_names(scope.hotel_ids, MOST_OFFERED)
        gone = {hotel_id: f"{hotel_id} (does not exist)" for hotel_id in own}
        names = gone | hotel_names(own, len(own)) | offered
        reach, hotels = cast(forms.ChoiceField, self.fields["reach"]), cast(SeveralField, self.fields["hotels"])
        listed = sorted(names.items(), key=lambda each: each[1].casefold())
        hotels.choices = listed
        if scope.bound:  # nobody gives more than the own hotels, or takes away the last one
            given = (SOME,) if own or not self.instance.pk else (SOME, NONE)
            reach.choices = [(each, REACHES[each]) for each in given]
        if len(offered) < MOST_OFFERED:
            self.fields["other_hotels"].widget = forms.HiddenInput()
        if self.instance.pk:
            self.initial.update(reach=SOME if own else NONE if has.bound else EVERY, hotels=sorted(own))
        elif scope.bound:
            self.initial.update(reach=SOME, hotels=sorted(scope.hotel_ids or ())[:MOST_OFFERED])

    def clean(self) -> dict[str, Any]:
        """The data. Refuse hotels that do not exist or that the actor does not see, and no choice for one."""
        data = super().clean() or self.cleaned_data
        reach, others = data.get("reach"), data.get("other_hotels", "").replace(",", " ").split()
        data["hotels"] = sorted({*data.get("hotels", ()), *others}) if reach == SOME else []
        for refusal in self._refused_hotels(data["hotels"]) if reach == SOME else ():
            self.add_error("hotels", refusal)
        return data

    def _refused_hotels(self, hotel_ids: Collection[str]) -> Iterator[str]:
        if not hotel_ids:
            yield f"Select a hotel, or choose “{REACHES[EVERY]}” or “{REACHES[NONE]}”."
        if len(hotel_ids) > max(MAX_HOTELS, len(self._has().hotel_ids or ())):
            yield f"An account can have at most {MAX_HOTELS} hotels, or every hotel."
            return
        scope, existing = scope_of(self.actor), hotel_names(hotel_ids, len(hotel_ids))
        for hotel_id in hotel_ids:
            if not scope.allows(hotel_id):
                yield f"You do not see the hotel “{hotel_id}”, so you cannot give it."
            elif hotel_id not in existing:
                yield f"There is no hotel “{hotel_id}”."

    def save_hotels(self, account: User) -> None:
        """Store the choice, after the account."""
        wanted = set(self.cleaned_data["hotels"])
        if self.cleaned_data["reach"] == EVERY:
            EveryHotel.objects.get_or_create(user=account)
        else:
            EveryHotel.objects.filter(user=account).delete()
        StaffHotel.objects.filter(user=account).exclude(hotel_id__in=wanted).delete()
        kept = set(StaffHotel.objects.filter(user=account).values_list("hotel_id", flat=True))
        StaffHotel.objects.bulk_create(StaffHotel(user=account, hotel_id=each) for each in sorted(wanted - kept))

    def _has(self) -> HotelScope:
        """The hotels that the account has now; a new one has none."""
        return scope_of(self.instance) if self.instance.pk else HotelScope(frozenset())
