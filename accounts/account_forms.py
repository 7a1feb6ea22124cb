"""Forms of accounts and groups below ``/admin/``. Users give only rights that they have themselves."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group, Permission
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.forms import ModelForm

from accounts import authority
from accounts.hotel_choice import EVERY, HotelChoice
from accounts.names import check_username
from dynamodb_lists.connection.errors import ChangedMeanwhile
from portal.forms.fields import RevisionField
from portal.forms.seen import Seen, seen_text
from portal.forms.values import plain_words

NOT_SEEN = {"revision", "other_hotels"}
"""Fields that show nothing that is stored."""

STATUS = {
    "is_active": "Without this, nobody can log in with the account, and its sessions end at once.",
    "is_staff": "Without this, the account cannot use the portal.",
}
"""What the boxes say about an account."""


class SeenForm(forms.Form):
    """A form of an account or a group with what its editor saw. What only others have changed since stays."""

    instance: Any
    revision = RevisionField(required=False)

    def seen(self, values: Mapping[str, Any]) -> dict[str, str]:
        """The fields in words, so that two versions of them can be compared."""
        return {name: _in_words(values.get(name)) for name in self.fields if name not in NOT_SEEN}

    def get_initial_for_field(self, field: forms.Field, field_name: str) -> Any:
        if field_name == "revision" and self.instance.pk:
            return seen_text(1, self.seen(self.initial))
        return super().get_initial_for_field(field, field_name)

    def clean(self) -> dict[str, Any]:
        """The data. If others have changed something else than this editor, show it, and ask to send it again."""
        data = super().clean() or self.cleaned_data
        seen, own, now = data.get("revision") or Seen(), self.seen(data), self.seen(self.initial)
        others = [name for name in now if seen.digests and now[name] != own[name] and not seen.kept(name, now[name])]
        if others and not self.errors:
            sent: Any = self.data.copy()  # type: ignore[attr-defined]
            for name in filter(lambda name: seen.kept(name, own[name]), others):
                stored = self.fields[name].prepare_value(self.initial.get(name))
                sent.setlist(name, stored if isinstance(stored, list) else [stored])
            sent["revision"] = seen_text(1, now)
            self.data = sent
            changed = "; ".join(f"{self[name].label}: {now[name] or 'none'}" for name in others)
            raise ValidationError(
                f"{ChangedMeanwhile()} Stored now: {changed}. What you did not change stays. Save again."
            )
        return data


class AccountForm(SeenForm, HotelChoice, UserChangeForm):  # type: ignore[type-arg]
    """An account: who it is, the role, the hotels, and what else Django has. ``actor`` is who sends the form."""

    field_order = ("first_name", "last_name", "email", "username", "groups", "reach", "hotels", "other_hotels")
    password = None  # type: ignore[assignment]

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
        self.offer_hotels()

    def clean(self) -> dict[str, Any]:
        """The data. The account stays below the actor."""
        data = super().clean() or self.cleaned_data
        if not self.errors and not self.actor.is_superuser and self.instance != self.actor:
            given = Permission.objects.filter(Q(group__in=data["groups"]) | Q(pk__in=data["user_permissions"]))
            hotel_ids = None if data["reach"] == EVERY else frozenset(data["hotels"])
            rights = authority.Rights(frozenset(given.values_list("pk", flat=True)), hotel_ids)
            if reason := authority.Rights.of(self.actor).why_not_above(rights):
                self.add_error("groups", f"{reason} Give it less of either.")
        return data

    def clean_username(self) -> str:
        """The username. A former one of somebody else is refused."""
        username: str = self.cleaned_data["username"]
        if username != self.instance.username:
            check_username(username, self.instance.pk)
        return username


class GroupForm(SeenForm, ModelForm):  # type: ignore[type-arg]
    """A group."""

    class Meta:
        model = Group
        fields = ("name", "permissions")


def _in_words(value: Any) -> str:
    if value is None or isinstance(value, bool | str):
        return "" if value is None else plain_words(value)
    return ", ".join(sorted(str(getattr(each, "name", each)) for each in value))
