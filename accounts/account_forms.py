"""Forms of accounts and groups below ``/admin/``. Users give only rights that they have themselves."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar, cast

from django import forms
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group, Permission, User
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.forms import ModelForm
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminTextInputWidget,
)

from accounts import authority
from accounts.models import check_username
from dynamodb_lists import errors
from hotels.queries import hotel_names
from hotels.staff_hotels import EVERY, MAX_HOTELS, StaffHotel, scope_of
from portal.forms.fields import RevisionField, Seen, as_seen, seen_text
from portal.forms.values import plain_words
from portal.people import HotelScope

STATUS = {
    "is_active": "Without this, nobody can log in with the account, and its sessions end at once.",
    "is_staff": "Without this, the account cannot use the portal.",
}
"""What the boxes say about an account."""

ALL, SOME, NONE = "every", "some", "none"
REACHES = {ALL: "Every hotel, also those added later", SOME: "Only these hotels", NONE: "No hotel yet"}
MOST_OFFERED = 100
"""The most hotels that the form offers by name of those that its sender sees. Those of the account are all there."""


def hotel_words(scope: HotelScope, own: Collection[str] | None, names: Mapping[str, str] = {}) -> str:  # noqa: B006
    """Return the names of an account's hotels, or their codes. Those that the reader does not see are only counted."""
    if own is None:
        return "Every hotel"
    seen = sorted(filter(scope.allows, own))
    others = len(own) - len(seen)
    unseen = f"{others} that you do not see" if others else ""
    return " and ".join(filter(None, [authority.named([names.get(each, each) for each in seen]), unseen])) or "None"


class SeenForm(forms.Form):
    """A form of an account or a group, with the values that its editor saw. Changes by other people stay."""

    instance: Any
    revision = RevisionField(required=False)

    def seen(self, values: Mapping[str, Any]) -> dict[str, str]:
        """Return the stored fields in words, to compare two versions of them."""
        return {name: _in_words(values.get(name)) for name in self.fields if name not in {"revision", "other_hotels"}}

    def get_initial_for_field(self, field: forms.Field, field_name: str) -> Any:
        if field_name == "revision" and self.instance.pk:
            return seen_text(1, self.seen(self.initial))
        return super().get_initial_for_field(field, field_name)

    def clean(self) -> dict[str, Any]:
        """Return the data. If somebody else has changed something, show the change, and ask to send the form again."""
        data = super().clean() or self.cleaned_data
        seen, own, now = (data.get("revision") or Seen()).parts, self.seen(data), self.seen(self.initial)
        others = [name for name in now if seen and now[name] != own[name] and as_seen(now[name]) != seen.get(name)]
        if others and not self.errors:
            sent: Any = self.data.copy()  # type: ignore[attr-defined]
            for name in filter(lambda name: seen.get(name) == as_seen(own[name]), others):
                stored = self.fields[name].prepare_value(self.initial.get(name))
                sent.setlist(name, stored if isinstance(stored, list) else [stored])
            sent["revision"] = seen_text(1, now)
            self.data = sent
            changed = "; ".join(f"{self[name].label}: {now[name] or 'none'}" for name in others)
            text = f"{errors.ChangedMeanwhile()} Stored now: {changed}. What you did not change stays. Save again."
            raise ValidationError(text)
        return data


class SeveralField(forms.MultipleChoiceField):
    """Some of many choices. It accepts unknown choices, too, so that the refusal can name them."""

    def valid_value(self, value: str) -> bool:
        return True


class AccountForm(SeenForm, UserChangeForm):  # type: ignore[type-arg]
    """A form of an account: person, role, hotels, and Django's other fields. ``actor`` is the user who sends it."""

    actor: ClassVar[Any]
    field_order = ("first_name", "last_name", "email", "username", "groups", "reach", "hotels", "other_hotels")
    password = None  # type: ignore[assignment]
    reach = forms.ChoiceField(
        label="Hotels",
        choices=[*REACHES.items()],
        widget=UnfoldAdminRadioSelectWidget(),
        error_messages={
            "required": f"Choose “{REACHES[SOME]}” and select the hotels below, or choose another answer.",
            "invalid_choice": "Choose one or more of your own hotels.",
        },
    )
    hotels = SeveralField(label="These hotels", required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget())
    other_hotels = forms.CharField(
        label="Other hotels",
        required=False,
        max_length=5000,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Hotel codes, for example: seaside, lakeview. The list above has only the first hotels.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "username" not in self.fields:  # a read-only page has no fields of the model
            return
        self.initial.setdefault("is_staff", True)  # of a new account
        roles: Any = self.fields["groups"]
        roles.label, roles.help_text = "Role", ""
        roles.widget = roles.widget.widget  # without the admin's menu beside it, which adds and changes roles
        roles.queryset = authority.roles_for(self.actor)
        for status in STATUS.keys() & self.fields.keys():
            self.fields[status].help_text = STATUS[status]
        # Offer the hotels that the actor sees, and the hotels that the account has already.
        scope, has = scope_of(self.actor), self._has()
        own, offered = has.hotel_ids or frozenset(), hotel_names(scope, MOST_OFFERED)
        gone = {hotel_id: f"{hotel_id} (does not exist)" for hotel_id in own}
        names = gone | hotel_names(HotelScope(own), len(own)) | offered
        reach, hotels = cast(forms.ChoiceField, self.fields["reach"]), cast(SeveralField, self.fields["hotels"])
        listed = sorted(names.items(), key=lambda each: each[1].casefold())
        hotels.choices = listed
        if scope.bound:  # nobody gives more than the own hotels, or takes away the last one
            given = (SOME,) if own or not self.instance.pk else (SOME, NONE)
            reach.choices = [(each, REACHES[each]) for each in given]
        if len(offered) < MOST_OFFERED:
            self.fields["other_hotels"].widget = forms.HiddenInput()
        if self.instance.pk:
            self.initial.update(reach=SOME if own else NONE if has.bound else ALL, hotels=sorted(own))
        elif scope.bound:
            self.initial.update(reach=SOME, hotels=sorted(scope.hotel_ids or ())[:MOST_OFFERED])

    def clean(self) -> dict[str, Any]:
        """Return the data. Refuse an account that would not be below the actor."""
        data = super().clean() or self.cleaned_data
        if not self.errors and not self.actor.is_superuser and self.instance != self.actor:
            given = Permission.objects.filter(Q(group__in=data["groups"]) | Q(pk__in=data["user_permissions"]))
            hotel_ids = None if data["reach"] == ALL else frozenset(data["hotels"])
            rights = authority.Rights(frozenset(given.values_list("pk", flat=True)), hotel_ids)
            if reason := authority.Rights.of(self.actor).why_not_above(rights):
                self.add_error("groups", f"{reason} Choose another role, or fewer hotels.")
        return data

    def clean_username(self) -> str:
        """Return the username. Refuse the former username of another account."""
        username: str = self.cleaned_data["username"]
        if username != self.instance.username:
            check_username(username, self.instance.pk)
        return username

    def clean_other_hotels(self) -> str:
        """Return the typed hotel ids. Refuse unknown hotels, and those that the actor does not see."""
        data, typed = self.cleaned_data, str(self.cleaned_data["other_hotels"])
        chosen = data.get("reach") == SOME
        data["hotels"] = sorted({*data.get("hotels", ()), *typed.replace(",", " ").split()}) if chosen else []
        for refusal in self._refused_hotels(data["hotels"]) if chosen else ():
            self.add_error("hotels", refusal)
        return typed

    def _refused_hotels(self, hotel_ids: Collection[str]) -> Iterator[str]:
        if not hotel_ids:
            yield f"Select a hotel, or choose “{REACHES[ALL]}” or “{REACHES[NONE]}”."
        if len(hotel_ids) > max(MAX_HOTELS, len(self._has().hotel_ids or ())):
            yield f"An account can have at most {MAX_HOTELS} hotels, or every hotel."
            return
        scope, existing = scope_of(self.actor), hotel_names(HotelScope(frozenset(hotel_ids)), len(hotel_ids))
        for hotel_id in hotel_ids:
            if not scope.allows(hotel_id):
                yield f"You do not see the hotel “{hotel_id}”, so you cannot assign it to others."
            elif hotel_id not in existing:
                yield f"There is no hotel “{hotel_id}”."

    def save_hotels(self, account: User) -> None:
        """Store the choice, after the account."""
        wanted = {EVERY} if self.cleaned_data["reach"] == ALL else {*self.cleaned_data["hotels"]}
        StaffHotel.objects.filter(user=account).exclude(hotel_id__in=wanted).delete()
        rows = [StaffHotel(user=account, hotel_id=each) for each in sorted(wanted)]
        StaffHotel.objects.bulk_create(rows, ignore_conflicts=True)  # those that the account has stay

    def _has(self) -> HotelScope:
        """Return the hotels that the account has now; a new account has none."""
        return scope_of(self.instance) if self.instance.pk else HotelScope(frozenset())


class GroupForm(SeenForm, ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Group
        fields = ("name", "permissions")


def _in_words(value: Any) -> str:
    if value is None or isinstance(value, bool | str):
        return "" if value is None else plain_words(value)
    return ", ".join(sorted(str(getattr(each, "name", each)) for each in value))
