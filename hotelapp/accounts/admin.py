"""Staff accounts and groups, in the portal's look. The hotels app adds the hotels that an account is bound to.

Who may change accounts and groups gives only what he has: ``authority`` says what is refused.
"""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import GroupAdmin as BaseGroupAdmin
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import UserCreationForm

from hotelapp.accounts import authority
from hotelapp.accounts.account_forms import AccountForm, GroupForm, PasswordForm
from hotelapp.accounts.events import record
from hotelapp.accounts.limited_admin import LimitedAdmin
from hotelapp.accounts.second_factor import devices
from hotelapp.portal.access import scope_of
from hotelapp.portal.models import EveryHotel, StaffHotel

admin.site.unregister([User, Group])
admin.site.unregister([TOTPDevice, StaticDevice])  # their pages show the secrets of others


@admin.register(User)
class UserAdmin(LimitedAdmin, BaseUserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]
    """Staff accounts. An account needs "staff status" to use the portal.

    Other apps may append to ``inlines``. An account is added without them, and gets them on its own page.
    """

    inlines: ClassVar[list[type[TabularInline]]] = []

    form = AccountForm
    add_form = UserCreationForm
    change_password_form = PasswordForm
    readonly_fields = ("second_factor", "reset")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether the user may delete accounts, or this one. Nobody may delete his own."""
        return super().has_delete_permission(request, obj) and obj != request.user

    def get_inlines(self, request: HttpRequest, obj: User | None) -> list[type[TabularInline]]:
        return self.inlines if obj else []

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None:
            return fieldsets
        hotels = ("Hotels", {"fields": ("sees_every_hotel",)})
        may_reset = obj != request.user and self.has_change_permission(request, obj) and devices.device_of(obj)
        second_factor = ("Second factor", {"fields": ("second_factor", "reset")[: 2 if may_reset else 1]})
        return (*fieldsets, second_factor, hotels)

    def get_urls(self) -> Any:
        view = self.admin_site.admin_view(self.reset_second_factor)
        named = self.admin_site.admin_view(self.named)
        own = [path("<id>/second-factor/", view, name="auth_user_second_factor")]
        return [path("named/<username>/", named, name="auth_user_named"), *own, *super().get_urls()]

    def named(self, request: HttpRequest, username: str) -> HttpResponse:
        """Lead to the page of the account with a username, from its history."""
        return redirect("admin:auth_user_change", get_object_or_404(User, username=username).pk)

    @admin.display(description="Sees every hotel", boolean=True)
    def sees_every_hotel(self, account: User) -> bool:
        """Whether the account has the choice "sees every hotel", for a page that is read-only."""
        return EveryHotel.objects.filter(user=account).exists()

    @admin.display(description="State")
    def second_factor(self, account: User) -> str:
        """Whether an account has a second factor."""
        return (
            f"on, with {devices.backup_codes_left(account)} backup codes left" if devices.device_of(account) else "off"
        )

    @admin.display(description="Lost phone")
    def reset(self, account: User) -> str:
        """A link to reset the second factor of an account."""
        link = reverse("admin:auth_user_second_factor", args=[account.pk])
        return format_html('<a class="text-primary-600 dark:text-primary-500" href="{}">Reset it</a>', link)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save an account. A new one sees the hotels that the user who adds it is bound to, or none."""
        super().save_model(request, obj, form, change)
        if not change:
            hotel_ids = scope_of(request.user).hotel_ids or ()
            StaffHotel.objects.bulk_create(StaffHotel(user=obj, hotel_id=hotel_id) for hotel_id in sorted(hotel_ids))
        elif form.cleaned_data["sees_every_hotel"]:
            EveryHotel.objects.get_or_create(user=obj)
        else:
            EveryHotel.objects.filter(user=obj).delete()

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """The page that sets the password of somebody else's account. A change is logged.

        One's own is changed on a page that asks for the old one, so that an unattended session cannot do it.
        """
        account = self.get_object(request, unquote(id))
        if account == request.user:
            return redirect("own_password")
        with transaction.atomic():
            response = super().user_change_password(request, id, form_url)
        if account and request.method == "POST" and User.objects.get(pk=account.pk).password != account.password:
            record("password change", request, request.user.get_username(), of=account.get_username())
        return response

    def reset_second_factor(self, request: HttpRequest, id: str) -> HttpResponse:
        """Ask whether to remove the second factor of somebody else, and remove it."""
        if request.method == "POST":
            with transaction.atomic():
                return self._reset(request, self._of_somebody_else(request, id))
        context = {"title": "Reset the second factor", "account": self._of_somebody_else(request, id)}
        return TemplateResponse(request, "accounts/reset.html", {**context, **self.admin_site.each_context(request)})

    def _of_somebody_else(self, request: HttpRequest, id: str) -> User:
        account: User | None = self.get_object(request, unquote(id))
        if account is None:
            raise Http404
        if account == request.user or not self.has_change_permission(request, account):
            raise PermissionDenied
        return account

    def _reset(self, request: HttpRequest, account: User) -> HttpResponse:
        if devices.remove(account):
            self.log_change(request, account, "Second factor reset.")
            record("second factor disabled", request, request.user.get_username(), of=account.get_username())
        messages.success(request, f"{account.get_username()} has no second factor now.")
        return redirect("admin:auth_user_change", account.pk)


@admin.register(Group)
class GroupAdmin(LimitedAdmin, BaseGroupAdmin, ModelAdmin):  # type: ignore[misc]
    """Groups of staff that share permissions."""

    form = GroupForm

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not authority.refusal_of_group_change(request.user)
