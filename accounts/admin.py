"""Staff accounts and groups, in the portal's look.

Users change only accounts below their own, and give only rights that they have: ``authority`` decides. The
portal's history has every change.
"""

import re
from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import SEARCH_VAR
from django.contrib.auth.admin import GroupAdmin as BaseGroupAdmin
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.models import Group, Permission, User
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Field, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.encoding import force_bytes
from django.utils.html import format_html_join
from django.utils.http import urlsafe_base64_encode
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
from unfold.admin import ModelAdmin, checkbox
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from accounts import authority, recording
from accounts.account_forms import MOST_OFFERED, AccountForm, GroupForm, hotel_words
from accounts.logins.clients import record
from accounts.logins.passwords import LinkTokens
from accounts.second_factor import devices
from hotels.queries import hotel_names
from hotels.staff_hotels import scope_of, scope_with
from portal.access import scope_in
from portal.app_config import hotels_app
from portal.forms.fields import check_text
from portal.people import full_name
from portal.times import time_markup

LINKED = re.compile(r"[-.\d]{0,40}|True|False")
"""The values in links of lists: pages, orders, and what filters offer."""

UNUSED_APPS = ("admin", "auth", "axes", "contenttypes", "otp_static", "otp_totp")
"""Apps of other packages with permissions that no page asks for."""


class LimitedAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Pages that are read-only for objects that the user may not change. ``authority`` says why."""

    preserve_filters = False  # of the list: the address would be repeated beside an e-mail address (docs/portal.md)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Return whether links of the filters have this lookup. Others are a 400: ``id__range=1`` would be a 500."""
        return lookup.rpartition("__")[2] in {"exact", "isnull"} and super().lookup_allowed(lookup, value, request)

    def formfield_for_dbfield(self, db_field: "Field[Any, Any]", request: HttpRequest, **options: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **options)
        if isinstance(field, forms.CharField):
            field.validators.append(check_text)
        return field

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and not (obj and authority.refusal(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user may delete such objects, or this one. The action for many asks for each."""
        refused = obj and authority.refusal(request.user, obj, authority.CONTROL)
        return super().has_delete_permission(request, obj) and not refused

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The object. A POST locks its row until it is done, so that two at once are checked one after the other.

        SQLite has no such locks: there, the transaction of a POST has locked the whole file before.
        """
        thing = super().get_object(request, object_id, from_field or None)
        if thing is None or request.method != "POST" or not transaction.get_connection().in_atomic_block:
            return thing
        thing = self.model._default_manager.select_for_update(no_key=True).filter(pk=thing.pk).first()
        if thing is not None:
            thing.before = recording.state_of(thing)
        return thing

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Record an addition in the portal's history. Django's own log is deleted with its author's account."""
        recording.note(obj, recording.GONE, recording.state_of(obj), request.user.get_username())

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Record a change. A form that is sent a second time changes nothing, so Django has no message."""
        if message:
            recording.note(obj, obj.before, recording.state_of(obj), request.user.get_username())

    def log_deletions(self, request: HttpRequest, queryset: Iterable[Any]) -> Any:
        things = self.model._default_manager.filter(pk__in=[thing.pk for thing in queryset]).order_by("pk")
        for thing in things.select_for_update():  # what another request has deleted meanwhile is not there any more
            recording.note(thing, recording.state_of(thing), recording.GONE, request.user.get_username())

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Return the list. Its action deletes all selected objects or none. Raises: :class:`BadRequest` for a value
        that no link of the list has, because links repeat it.
        """
        if not all(LINKED.fullmatch(str(value)) for name, value in request.GET.items() if name != SEARCH_VAR):
            raise BadRequest("This link is broken. Open the list again.")
        with transaction.atomic() if request.method == "POST" else nullcontext():
            return super().changelist_view(request, extra_context)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Redirect to the portal's own history of a thing. Refuse users who may not see the object."""
        thing = self.get_object(request, unquote(object_id))
        if thing is None:
            raise Http404
        kind, name = (recording.GROUP, thing.pk) if self.model is Group else (recording.ACCOUNT, thing.username)
        return redirect("history:thing", kind, name)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.actor = request.user
        return form

    def formfield_for_manytomany(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        """Return the form field of groups or permissions. It offers only permissions that the user has."""
        kwargs["error_messages"] = {"invalid_choice": "You can only give permissions that you have yourself."}
        if db_field.remote_field.model is not Permission:
            kwargs["widget"] = UnfoldAdminCheckboxSelectMultipleWidget()
            return super().formfield_for_manytomany(db_field, request, **kwargs)
        asked = Q(content_type__app_label="auth", content_type__model__in=["user", "group"])
        unused = Q(content_type__app_label__in=UNUSED_APPS)
        own = authority.permissions_of(request.user)
        kwargs["queryset"] = own.filter(asked | ~unused).select_related("content_type")
        field: Any = super().formfield_for_manytomany(db_field, request, **kwargs)
        field.label_from_instance = lambda permission: permission.name  # without the names of Django's tables
        return field

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Show the page of a form. If the same form was sent twice at once, the second shows what is stored."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except IntegrityError:
            return super().changeform_view(request, *args, **kwargs)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        thing = self.get_object(request, unquote(object_id)) if request.method == "GET" else None
        if thing and (refusal := authority.refusal(request.user, thing)):
            messages.warning(request, refusal)
        return super().change_view(request, object_id, form_url, extra_context)


admin.site.unregister([User, Group])
admin.site.unregister([TOTPDevice, StaticDevice])  # their pages show the secrets of others

FIRST = ("first_name", "last_name", "email", "username", "groups", "reach", "hotels", "other_hotels", "is_active")
MORE = ("is_staff", "is_superuser", "user_permissions")
DATES = ("last_login", "date_joined")
LINK = '<a class="text-primary-600 dark:text-primary-500" href="{}">{}</a>'
checkbox.attrs["aria-label"] = "Select"  # in Unfold's lists, "Select record"


@admin.register(User)
class UserAdmin(LimitedAdmin, BaseUserAdmin, ModelAdmin):  # type: ignore[misc, type-arg]
    """Staff accounts, each on one page. An account needs "staff status" to use the portal."""

    form, add_form, add_form_template = AccountForm, AccountForm, None
    readonly_fields = (*DATES, "login", "access")
    filter_horizontal = ("user_permissions",)
    list_display = ("full_name", "email", "role", "seen_hotels", "seen_last", "is_active")
    list_filter = ("is_active", "groups", "is_staff", "is_superuser")
    ordering = ("username",)

    def get_queryset(self, request: HttpRequest) -> Any:
        seen = authority.accounts_seen(request.user, super().get_queryset(request))
        return seen.prefetch_related("groups", "staff_hotels")

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Return the list, with the hotels of each account that its reader sees."""
        shown = super().get_changelist_instance(request)
        shown.title, scope = "Staff", scope_in(request)
        names, zone = hotel_names(scope, MOST_OFFERED), hotels_app().zone_of("", scope)
        for account in shown.result_list:
            own = scope_with([each.hotel_id for each in account.staff_hotels.all()])
            account.hotel_words = hotel_words(scope, None if account.is_superuser else own.hotel_ids, names)
            account.last_words = time_markup(account.last_login, zone) if account.last_login else "-"
        return shown

    @admin.display(description="Last login", ordering="last_login")
    def seen_last(self, account: Any) -> str:
        return str(account.last_words)

    @admin.display(description="Name", ordering="first_name")
    def full_name(self, account: User) -> str:
        return full_name(account)

    @admin.display(description="Role")
    def role(self, account: User) -> str:
        return ", ".join(sorted(group.name for group in account.groups.all())) or "-"

    @admin.display(description="Hotels")
    def seen_hotels(self, account: Any) -> str:
        """Return the ids of the hotels, for the list, and for a page that is read-only."""
        return str(account.hotel_words)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Return the fields that the form shows, but does not accept. Only superusers make superusers."""
        status = ("is_active", "is_staff", "is_superuser") if obj and not self._controls(request, obj) else ()
        return {*self.readonly_fields, *status, *(() if request.user.is_superuser else ("is_superuser",))}

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Return the fields that everybody has, and those that rarely change."""
        if obj is None:
            return (None, {"fields": FIRST}), _more(MORE)
        if not self.has_change_permission(request, obj):
            obj.hotel_words = hotel_words(scope_in(request), scope_of(obj).hotel_ids)  # type: ignore[attr-defined]
            shown = ("full_name", "email", "username", "groups", "seen_hotels", "is_active", "login")
            return (None, {"fields": shown}), _more((*MORE, *DATES))
        access = ("access",) if self._controls(request, obj) else ()
        return (None, {"fields": (*FIRST, "login", *access, "revision")}), _more((*MORE, *DATES))

    @admin.display(description="Access")
    def access(self, account: User) -> str:
        """Return links to the pages that give access to an account."""
        pages = [("password_link", "Show a link to set a password")]
        if devices.device_of(account):
            pages.append(("second_factor", "Reset the second factor"))
        links = ((reverse(f"admin:auth_user_{name}", args=[account.pk]), words) for name, words in pages)
        return format_html_join(" · ", LINK, links)

    def _controls(self, request: HttpRequest, account: User) -> bool:
        return not authority.refusal(request.user, account, authority.CONTROL)

    @admin.display(description="Login")
    def login(self, account: User) -> str:
        """Return whether an account has a password, but nothing of its hash, and whether it has a second factor."""
        has_password = account.password and account.has_usable_password()
        password = "A password is set." if has_password else "No password is set."
        if not devices.device_of(account):
            return password
        return f"{password} The second factor is on, with {devices.backup_codes_left(account)} backup codes left."

    def get_urls(self) -> Any:
        pages = {
            "named/<username>/": ("named", self.named),
            "<id>/second-factor/": ("second_factor", self.reset_second_factor),
            "<id>/password-link/": ("password_link", self.password_link),
        }
        wrapped = self.admin_site.admin_view
        own = [path(route, wrapped(view), name=f"auth_user_{name}") for route, (name, view) in pages.items()]
        return [*own, *super(BaseUserAdmin, self).get_urls()]  # without its page that sets a password

    def named(self, request: HttpRequest, username: str) -> HttpResponse:
        """Lead to the page of the account with a username, from its history."""
        return redirect("admin:auth_user_change", get_object_or_404(User, username=username).pk)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save an account with its hotels. A link sets the password of a new one."""
        if not change:
            obj.set_unusable_password()
        super().save_model(request, obj, form, change)
        form.save_hotels(obj)

    def response_add(self, request: HttpRequest, obj: User, post_url_continue: str | None = None) -> HttpResponse:
        """Go on to the link that sets a password."""
        messages.success(request, f"The account “{obj}” was added.")
        return redirect("admin:auth_user_password_link", obj.pk)

    def password_link(self, request: HttpRequest, id: str) -> HttpResponse:
        """Show a link with which another person sets the password."""
        account = self._of_somebody_else(request, id)
        record("password link", request, request.user.get_username(), of=account.get_username())
        ids = ".".join(urlsafe_base64_encode(force_bytes(each.pk)) for each in (account, request.user))
        parts = [ids, LinkTokens(request.user).make_token(account)]
        link = request.build_absolute_uri(reverse("login:set_password", args=parts))
        days = settings.PASSWORD_RESET_TIMEOUT // 86_400
        context = {"title": "A link to set a password", "account": account, "link": link, "days": days}
        return TemplateResponse(request, "accounts/password_link.html", context)

    def reset_second_factor(self, request: HttpRequest, id: str) -> HttpResponse:
        """Ask whether to remove the second factor of another account, and remove it."""
        if request.method != "POST":
            context = {"title": "Reset the second factor", "account": self._of_somebody_else(request, id)}
            return TemplateResponse(request, "accounts/reset.html", context)
        with transaction.atomic():
            account = self._of_somebody_else(request, id)
            if devices.remove(account):
                self.log_change(request, account, "Second factor reset.")
                record("second factor disabled", request, request.user.get_username(), of=account.get_username())
        messages.success(request, f"{full_name(account)} has no second factor now.")
        return redirect("admin:auth_user_change", account.pk)

    def _of_somebody_else(self, request: HttpRequest, id: str) -> User:
        account: User | None = self.get_object(request, unquote(id))
        if account is None:
            raise Http404
        if not (self.has_change_permission(request, account) and self._controls(request, account)):
            raise PermissionDenied
        return account


def _more(fields: tuple[str, ...]) -> tuple[str, dict[str, Any]]:
    return "More", {"fields": fields, "classes": ["collapse"]}


@admin.register(Group)
class GroupAdmin(LimitedAdmin, BaseGroupAdmin, ModelAdmin):  # type: ignore[misc]
    form = GroupForm

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        shown = super().get_changelist_instance(request)
        shown.title = "Roles"
        return shown

    def get_fields(self, request: HttpRequest, obj: Group | None = None) -> Any:
        """Return the fields, and what the editor saw of them. A page that is read-only has no form."""
        editing = obj and self.has_change_permission(request, obj)
        return ["name", "permissions", *(["revision"] if editing else [])]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not scope_in(request).bound
