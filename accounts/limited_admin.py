"""Pages below ``/admin/`` that check texts and filters, limit who may change an object, and record changes."""

import re
from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import SEARCH_VAR
from django.contrib.auth.models import Group, Permission
from django.core.exceptions import BadRequest
from django.db import IntegrityError, transaction
from django.db.models import Field, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from accounts import authority, recording
from portal.forms.characters import check_text

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
