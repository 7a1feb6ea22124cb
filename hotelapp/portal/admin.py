"""Staff accounts and groups, in the portal's look. The hotels app adds the hotels that an account is bound to."""

from typing import ClassVar

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as BaseGroupAdmin
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

admin.site.unregister([User, Group])


@admin.register(User)
class UserAdmin(BaseUserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]
    """Staff accounts. An account needs "staff status" to use the portal.

    Other apps may append to ``inlines``. An account is added without them, and gets them on its own page.
    """

    inlines: ClassVar[list[type[TabularInline]]] = []

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm

    def get_inlines(self, request: HttpRequest, obj: User | None) -> list[type[TabularInline]]:
        """The inlines of an account that exists."""
        return self.inlines if obj else []


@admin.register(Group)
class GroupAdmin(BaseGroupAdmin, ModelAdmin):  # type: ignore[misc]
    """Groups of staff that share permissions."""
