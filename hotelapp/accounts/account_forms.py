"""Forms of accounts and groups below ``/admin/``. Users give only rights that they have themselves."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib.auth.hashers import is_password_usable
from django.contrib.auth.models import Group, Permission
from django.core.exceptions import ValidationError
from django.forms import BooleanField, ModelForm
from unfold.forms import AdminPasswordChangeForm, UnfoldReadOnlyPasswordHashWidget, UserChangeForm
from unfold.widgets import UnfoldBooleanWidget

from hotelapp.accounts import authority
from hotelapp.portal.access import scope_of
from hotelapp.portal.models import EveryHotel


class PasswordStateWidget(UnfoldReadOnlyPasswordHashWidget):  # type: ignore[misc]
    """Show whether an account has a password, but nothing of its hash."""

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(name, value, attrs)
        state = "A password is set." if value and is_password_usable(value) else "No password is set."
        return {**context, "summary": [{"label": state}]}


class AccountForm(UserChangeForm):  # type: ignore[misc]
    """An account. ``actor`` is the user who sends the form."""

    actor: ClassVar[Any]
    sees_every_hotel = BooleanField(
        required=False,
        widget=UnfoldBooleanWidget,
        help_text="Also hotels that are added later. Without this, the account sees the hotels below alone.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "password" in self.fields:
            self.fields["password"].widget = PasswordStateWidget()
        if "sees_every_hotel" in self.fields:
            self.initial["sees_every_hotel"] = EveryHotel.objects.filter(user=self.instance.pk).exists()
            self.fields["sees_every_hotel"].widget.attrs["disabled"] = scope_of(self.actor).bound
        if not self.actor.is_superuser and "is_superuser" in self.fields:  # a read-only page has no fields
            self.fields["is_superuser"].widget.attrs["disabled"] = True
            _offer_own(self.actor, self.fields["user_permissions"])
            _offer(self.fields["groups"], lambda group: not authority.refusal_of_group(self.actor, group))

    def clean_is_active(self) -> bool:
        """Refuse that users deactivate their own account."""
        return self._kept("is_active", "You cannot deactivate your own account. Ask somebody else to do it.")

    def clean_is_staff(self) -> bool:
        """Refuse that users remove their own staff status: they would be locked out at once."""
        return self._kept("is_staff", "You cannot take away your own staff status. Ask somebody else to do it.")

    def _kept(self, name: str, refusal: str) -> bool:
        wanted: bool = self.cleaned_data[name]
        if self.instance.pk == self.actor.pk and not wanted:
            raise ValidationError(refusal)
        return wanted

    def clean_is_superuser(self) -> bool:
        """Refuse that anybody but a superuser makes a superuser."""
        wanted: bool = self.cleaned_data["is_superuser"]
        if wanted and not self.actor.is_superuser:
            raise ValidationError("Only a superuser may make somebody a superuser.")
        return wanted

    def clean_sees_every_hotel(self) -> bool:
        """Refuse every hotel from a user who sees only some. The forms of the account's hotels read the choice."""
        wanted: bool = self.cleaned_data["sees_every_hotel"]
        if wanted and scope_of(self.actor).bound:
            raise ValidationError("You see only some hotels, so you cannot give every hotel.")
        self.instance.wants_every_hotel = wanted
        return wanted

    def clean_groups(self) -> Any:
        """The groups. A new one must have no permission that the actor lacks."""
        groups = self.cleaned_data["groups"]
        before = set(self.instance.groups.values_list("pk", flat=True))
        refusals = [authority.refusal_of_group(self.actor, group) for group in groups if group.pk not in before]
        if any(refusals):
            raise ValidationError([refusal for refusal in refusals if refusal])
        return groups

    def clean_user_permissions(self) -> Any:
        """The permissions. The actor must have each new one."""
        return _given(self.actor, self.cleaned_data["user_permissions"], self.instance.user_permissions.all())


class PasswordForm(AdminPasswordChangeForm):  # type: ignore[misc]
    """The new password of an account. To set the present password again is no change."""

    is_known = False

    def clean(self) -> dict[str, Any]:
        """The data. Compare the password now, because its hash is replaced when it is saved."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        self.is_known = bool(data.get("password1")) and self.user.check_password(data["password1"])
        return data

    @property
    def changed_data(self) -> list[str]:
        return [] if self.is_known else super().changed_data


class GroupForm(ModelForm):  # type: ignore[type-arg]
    """A group. ``actor`` is the user who sends the form."""

    actor: ClassVar[Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "permissions" in self.fields:
            _offer_own(self.actor, self.fields["permissions"])

    class Meta:
        model = Group
        fields = ("name", "permissions")

    def clean_permissions(self) -> Any:
        """The permissions. The actor must have each new one."""
        before = self.instance.permissions.all() if self.instance.pk else Permission.objects.none()
        return _given(self.actor, self.cleaned_data["permissions"], before)


def _offer_own(actor: Any, field: Any) -> None:
    own = set(authority.permissions_of(actor).values_list("pk", flat=True))
    _offer(field, lambda permission: permission.pk in own)


def _offer(field: Any, allowed: Callable[[Any], bool]) -> None:
    """Offer only choices that the actor may give. The field still accepts others, so that the refusal can name them."""
    field.widget.choices = [(thing.pk, field.label_from_instance(thing)) for thing in field.queryset if allowed(thing)]


def _given(actor: Any, permissions: Any, before: Any) -> Any:
    kept = set(before.values_list("pk", flat=True))
    new = [permission for permission in permissions if permission.pk not in kept]
    if missing := authority.lacking(actor, new):
        raise ValidationError(f"You cannot give what you lack: {authority.named(missing)}.")
    return permissions
