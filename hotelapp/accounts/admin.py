"""Staff accounts and groups, in the portal's look. The hotels app adds the hotels that an account is bound to.

Who may change accounts and groups gives only what he has: ``authority`` says what is refused.
"""

from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import GroupAdmin as BaseGroupAdmin
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.models import Group, Permission, User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import UserCreationForm

from hotelapp.accounts import authority, recording
from hotelapp.accounts.account_forms import AccountForm, GroupForm, PasswordForm
from hotelapp.accounts.checked_admin import CheckedAdmin
from hotelapp.accounts.events import record
from hotelapp.accounts.second_factor import devices
from hotelapp.dynamodb.schema.keys import parse
from hotelapp.portal.access import hotel_scope
from hotelapp.portal.models import EveryHotel, StaffHotel

ResponseT = TypeVar("ResponseT")

admin.site.unregister([User, Group])
admin.site.unregister([TOTPDevice, StaticDevice])  # their pages show the secrets of others
UNUSED_APPS = ("admin", "auth", "axes", "contenttypes", "otp_static", "otp_totp")
"""Apps of other packages with permissions that no page asks for."""


class LimitedAdmin(CheckedAdmin):
    """Pages that only show what the user may not change. A subclass says why the user may not."""

    def refusal(self, actor: Any, thing: Any) -> str:
        """Why the actor may not change a thing; blank if he may."""
        raise NotImplementedError

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Whether the list of apps has accounts and groups. Only pages below ``/admin/`` show the list."""
        match = request.resolver_match
        return bool(match and match.app_name == "admin") and super().has_module_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and not (obj and self.refusal(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether the user may delete accounts, and this one. The action for many asks for each."""
        return super().has_delete_permission(request, obj) and not (obj and self.refusal(request.user, obj))

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The thing. A POST locks its row until it is done, so that two at once are checked one after the other.

        SQLite has no such locks: there, the transaction of a POST has locked the whole file before.
        """
        thing = super().get_object(request, object_id, from_field)
        if thing is None or request.method != "POST" or not transaction.get_connection().in_atomic_block:
            return thing
        thing = self.model._default_manager.select_for_update(no_key=True).filter(pk=thing.pk).first()
        if thing is not None:
            thing.before = recording.state_of(thing)
        return thing

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Record in the portal's history what was added. Django's own log would go with the account of its author."""
        self._note(request, obj, recording.GONE, recording.state_of(obj))

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Record what was changed. A form that is sent twice changes nothing the second time, and has no message."""
        if message:
            self._note(request, obj, obj.before, recording.state_of(obj))

    def log_deletions(self, request: HttpRequest, queryset: Iterable[Any]) -> Any:
        for thing in queryset:
            self._note(request, thing, recording.state_of(thing), recording.GONE)

    def _note(self, request: HttpRequest, thing: Any, before: recording.State, after: recording.State) -> None:
        recording.note(thing, before, after, request.user.get_username())

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        return _sent(request, super().add_view(request, form_url, extra_context))

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        return _sent(request, super().delete_view(request, object_id, extra_context))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """The list. Its action deletes all or none."""
        if request.method != "POST":
            return super().changelist_view(request, extra_context)
        with transaction.atomic():
            response = super().changelist_view(request, extra_context)
        return _sent(request, response)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Lead to the portal's own history of a thing. It refuses who may not see the thing."""
        thing = self.get_object(request, unquote(object_id))
        if thing is None:
            raise Http404
        kind, *ids = parse(recording.key_of(thing))
        return redirect("history:thing", kind, "/".join(ids))

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.actor = request.user
        return form

    def formfield_for_manytomany(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        """The field of groups or permissions. It offers only permissions that a page asks for."""
        if db_field.remote_field.model is Permission:
            asked = Q(content_type__app_label="auth", content_type__model__in=["user", "group"])
            unused = Q(content_type__app_label__in=UNUSED_APPS)
            kwargs["queryset"] = Permission.objects.filter(asked | ~unused).select_related("content_type")
        field: Any = super().formfield_for_manytomany(db_field, request, **kwargs)
        if db_field.remote_field.model is Permission:
            field.label_from_instance = lambda permission: permission.name  # without the names of Django's tables
        return field

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        thing = self.get_object(request, unquote(object_id)) if request.method == "GET" else None
        if thing and (refusal := self.refusal(request.user, thing)):
            messages.warning(request, refusal)
        return _sent(request, super().change_view(request, object_id, form_url, extra_context))


def _sent(request: HttpRequest, response: ResponseT) -> ResponseT:
    """The response, after the transaction of the request: what it has written down goes to the history."""
    if request.method == "POST":
        recording.send()
    return response


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

    def refusal(self, actor: Any, thing: Any) -> str:
        return authority.refusal(actor, thing)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether the user may delete accounts, and this one. Nobody deletes his own."""
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
        """Whether an account sees every hotel by its own choice, for those who may not change it."""
        return EveryHotel.objects.filter(user=account).exists()

    @admin.display(description="State")
    def second_factor(self, account: User) -> str:
        """Whether an account has a second factor."""
        state = devices.state_of(account)
        return f"on, with {state.backup_codes} backup codes left" if state else "off"

    @admin.display(description="Lost phone")
    def reset(self, account: User) -> str:
        """A link to reset the second factor of an account."""
        link = reverse("admin:auth_user_second_factor", args=[account.pk])
        return format_html('<a class="text-primary-600 dark:text-primary-500" href="{}">Reset it</a>', link)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save an account. A new one sees the hotels that the user who adds it is bound to, or none."""
        super().save_model(request, obj, form, change)
        if not change:
            hotel_ids = hotel_scope(request).hotel_ids or ()
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
        return _sent(request, response)

    def reset_second_factor(self, request: HttpRequest, id: str) -> HttpResponse:
        """Ask whether to remove the second factor of somebody else, and remove it."""
        if request.method == "POST":
            with transaction.atomic():
                response = self._reset(request, self._of_somebody_else(request, id))
            return _sent(request, response)
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

    def refusal(self, actor: Any, thing: Any) -> str:
        return authority.refusal_of_group_change(actor, thing)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not authority.refusal_of_group_change(request.user)
