"""Staff accounts and groups, in the portal's look. The hotels app adds the hotels that an account is bound to."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import GroupAdmin as BaseGroupAdmin
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import Field, Model
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from hotelapp.portal.forms.characters import check_text

admin.site.unregister([User, Group])


LOOKUPS = {"exact", "isnull"}
"""The lookups in the links of the filters. Others have no link, and some have values that no database takes."""


class CheckedAdmin(ModelAdmin):  # type: ignore[misc]
    """Pages of a model that check what Django takes as it comes: lookups and fields in addresses, and texts."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Whether an address may filter the list so. Otherwise it is a 400."""
        return lookup.rpartition("__")[2] in LOOKUPS and super().lookup_allowed(lookup, value, request)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Model | None:
        """The object, by its key also if the address names a blank field."""
        found: Model | None = super().get_object(request, object_id, from_field or None)
        return found

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> LogEntry | None:
        """Log a change. A form that is sent twice changes nothing the second time, and is not logged then."""
        return super().log_change(request, obj, message) if message else None

    def formfield_for_dbfield(self, db_field: "Field[Any, Any]", request: HttpRequest, **options: Any) -> Any:
        """The field of a form, which refuses characters that no text may have."""
        field = super().formfield_for_dbfield(db_field, request, **options)
        if isinstance(field, forms.CharField):
            field.validators.append(check_text)
        return field


class PasswordForm(AdminPasswordChangeForm):  # type: ignore[misc]
    """The new password of an account. The password that it has is no change."""

    is_known = False

    def clean(self) -> dict[str, Any]:
        """The data. Whether the password is new can only be said before it is saved."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        self.is_known = bool(data.get("password1")) and self.user.check_password(data["password1"])
        return data

    @property
    def changed_data(self) -> list[str]:
        """The names of changed fields, for the log."""
        return [] if self.is_known else super().changed_data


@admin.register(User)
class UserAdmin(CheckedAdmin, BaseUserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]
    """Staff accounts. An account needs "staff status" to use the portal.

    Other apps may append to ``inlines``. An account is added without them, and gets them on its own page.
    """

    inlines: ClassVar[list[type[TabularInline]]] = []

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = PasswordForm

    def get_inlines(self, request: HttpRequest, obj: User | None) -> list[type[TabularInline]]:
        """The inlines of an account that exists."""
        return self.inlines if obj else []


@admin.register(Group)
class GroupAdmin(CheckedAdmin, BaseGroupAdmin, ModelAdmin):  # type: ignore[misc]
    """Groups of staff that share permissions."""
