"""Pages of rows, and lists with editable fields: conflicts with other editors, deletions, and Django's log."""

from copy import copy
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.contrib.admin.options import get_content_type_for_model
from django.contrib.admin.utils import flatten_fieldsets, model_ngettext, unquote
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.utils.http import urlencode
from django.utils.translation import gettext, ngettext

from dynamodb_lists.connection import errors
from dynamodb_lists.declared.asked import Owner
from dynamodb_lists.declared.told import vars_of
from dynamodb_lists.django.admin.actions import CHANGED, at_keys
from dynamodb_lists.django.admin.forms import OUT_OF_SIGHT, ListedForm, RowForm, RowFormSet
from dynamodb_lists.django.admin.rows import RowModel, as_seen, entity_value, has_form, key_of
from dynamodb_lists.lists.edits import Edit
from dynamodb_lists.lists.list import List
from dynamodb_lists.schema.entities import build, fields, text

LACKING = "A new %(kind)s cannot be saved, for this form does not have all that it needs: %(what)s."
SAVED = ("%(count)s %(name)s was changed successfully.", "%(count)s %(name)s were changed successfully.")
"""For one row, and for several, as Django says it."""
UNDELETED = "Somebody changed this after you saw it, so it was not deleted. Look at it again."


class RowEditing(admin.ModelAdmin):  # type: ignore[type-arg]
    """The pages to add, change and delete a row.

    A change is written if its editor saw the stored values. Otherwise the page shows both versions, field by field, and
    the form keeps the editor's changes. A deletion deletes only the revision that was shown.
    """

    listed: List[Any]
    form = RowForm
    change_form_template = "dynamodb_lists/change_form.html"

    def changeform_view(
        self, request: Any, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        request.entered = request.edit = request.refused = None
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except errors.ChangedMeanwhile:
            request.method = "GET"  # the form anew, in which get_object() merges what was entered
        except errors.Conflict as error:
            request.refused = error
        except (errors.Refused, errors.WrongValue) as error:
            if getattr(error, "hint", errors.NOT_ACCEPTED_HINT) != errors.NOT_ACCEPTED_HINT:
                raise
            request.refused = error
        return super().changeform_view(request, object_id, form_url, extra_context)

    def edit(self, request: Any, entity: Any, seen: str = "seen") -> Edit:
        """Return the entered values for an entity, with what the editor saw, which the parameter ``seen`` has."""
        return Edit(vars_of(entity), request.entered, Edit.read(request.POST.get(seen, "")), as_seen)

    def get_form(self, request: Any, obj: RowModel | None = None, change: bool = False, **kwargs: Any) -> Any:
        form: Any = super().get_form(request, obj, change, **kwargs)
        form.refused, form.visible = getattr(request, "refused", None), obj and self.get_queryset(request)
        long: Any = self.formfield_for_dbfield(models.TextField(), request=request)
        for name, field in form.base_fields.items():
            of_one_line = isinstance(field.widget, forms.TextInput) and name not in self.form.declared_fields
            if of_one_line and {"\n", "\r"} & {*str(getattr(obj, name, ""))}:  # browsers would take the line breaks out
                field.widget = long.widget
        return form

    def get_fields(self, request: HttpRequest, obj: RowModel | None = None) -> Any:
        """Return all fields, in the order of the entity."""
        order = {field.name: number for number, field in enumerate(self.opts.fields)}
        found: Any = super().get_fields(request, obj)
        return found if self.fields else sorted(found, key=lambda name: order.get(name, len(order)))

    def hidden(self, request: HttpRequest, row: RowModel | None) -> set[str]:
        """Return the fields that the form of a row leaves out, except the id, the owner and the revision.

        No page and no file shows them. A field that people do not enter is hidden if ``exclude`` names it.
        """
        declared, form = self.listed.declaration, self.form
        excluded: Any = self.get_exclude(request, row)
        excluded = form._meta.exclude if excluded is None else excluded  # type: ignore[misc]
        shown = {*flatten_fieldsets(self.get_fieldsets(request, row))}
        left = {field.name for field in self.opts.fields if field.editable and field.name not in shown}
        return {*(excluded or ()), *left} - {*declared.fixed, "revision"}

    def get_readonly_fields(self, request: HttpRequest, obj: RowModel | None = None) -> Any:
        """Return the fields that cannot change, because keys have them, or because no form can, such as a list."""
        declared, found = self.listed.declaration, super().get_readonly_fields(request, obj)
        kept = [each.name for each in fields(declared.entity) if each.name in declared.fixed or not has_form(each)]
        return [*dict.fromkeys([*found, *(kept if obj else ())])]

    def get_prepopulated_fields(self, request: HttpRequest, obj: RowModel | None = None) -> Any:
        """Return the prepopulated fields whose parts are all in the form. The id of a stored row never changes."""
        given, shown = super().get_prepopulated_fields(request, obj), {*self.get_readonly_fields(request, obj)}
        return {name: sources for name, sources in given.items() if shown.isdisjoint([name, *sources])}

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        """Write the values of the form, and values that a subclass has set on the row.

        If the form is sent twice, the values are stored already, and the second request writes nothing.
        """
        values = self.written(obj, form)
        if not change:
            try:
                entity = build(self.listed.declaration.entity, values)
            except errors.Unreadable as error:
                said = {"kind": self.opts.verbose_name, "what": error.__cause__}
                raise errors.WrongValue(gettext(LACKING) % said) from error
            self.require_visible(request, entity)
            obj.entity = self.listed.create(entity)
            obj.pk = key_of(self.listed.declaration, obj.entity)
            return
        request.entered = values
        edit = self.edit(request, obj.entity, form.add_prefix("seen"))
        form.changed_data, request.repeated = [*edit.changes], not edit.needed
        if edit.needed and not edit.up_to_date:
            raise errors.ChangedMeanwhile
        if edit.needed:
            self.require_visible(request, replace(obj.entity, **edit.needed))
            obj.entity = self.listed.update(obj.entity, edit.needed)

    def written(self, obj: Any, form: Any) -> dict[str, Any]:
        """Return the values of a form, and those that were set on its row."""
        entered, before = form.values(), obj.entity or obj.__class__()
        described = filter(has_form, fields(self.listed.declaration.entity))
        now = {each.name: entity_value(each, getattr(obj, each.name)) for each in described if each.name != "revision"}
        left = {*(form._meta.exclude or ()), *(field.name for field in self.opts.fields if not field.editable)}
        put = {name: value for name, value in entered.items() if name not in left}  # by the form, on its row
        other = {name: value for name, value in now.items() if value != put.get(name, getattr(before, name))}
        return {**entered, **other}

    def require_visible(self, request: HttpRequest, entity: Any) -> None:
        """Check that the user may see an entity: the query of its owner shows it. Raises: ``PermissionDenied``."""
        visible: Any = self.get_queryset(self.for_owner(request, self.listed.declaration.owner_of(entity)))
        if not visible.matches(entity):
            raise PermissionDenied(gettext(OUT_OF_SIGHT))

    def for_owner(self, request: HttpRequest, owner: Owner) -> HttpRequest:
        """Return a request of the same user about the rows of an owner."""
        found = copy(request)
        found.GET = QueryDict(urlencode([*zip(self.listed.declaration.owner, owner, strict=True)]))
        return found

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return None if self._logged(request, obj, ADDITION) else super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        repeated = getattr(request, "repeated", False)
        return None if repeated and self._logged(request, obj, CHANGE) else super().log_change(request, obj, message)

    def _logged(self, request: Any, row: RowModel, flag: int) -> bool:
        """Return whether the last log entry of a row is this action by the same user."""
        found = LogEntry.objects.filter(content_type=get_content_type_for_model(row), object_id=row.pk)
        last = found.first()
        return last is not None and (last.action_flag, last.user_id) == (flag, request.user.pk)

    # --- Fields that are edited in a list -----------------------------------------------------------------------

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        form: Any = super().get_changelist_form(request, **{"form": ListedForm, **kwargs})
        form.visible, form.not_saved = self.get_queryset(request), getattr(request, "not_saved", {})
        return form

    def get_changelist_formset(self, request: HttpRequest, **kwargs: Any) -> Any:
        return super().get_changelist_formset(request, **{"formset": RowFormSet, **kwargs})

    def _get_list_editable_queryset(self, request: HttpRequest, prefix: str) -> Any:
        keys: Any = self._get_edited_object_pks(request, prefix)
        query: Any = self.get_queryset(request)
        return [self.model.of(entity) for entity in at_keys(query, keys)]

    def save_rows(self, request: HttpRequest) -> None:
        """Write each valid row of a list. Django then shows the other rows, with their errors."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        not_saved = request.not_saved = {}  # type: ignore[attr-defined]
        formset, saved = self.get_changelist_formset(request), 0
        rows = self._get_list_editable_queryset(request, formset.get_default_prefix())
        for form in formset(request.POST, queryset=rows).forms:
            if form.is_valid() and form.has_changed():
                row = self.save_form(request, form, change=True)
                try:
                    self.save_model(request, row, form, change=True)
                except errors.ChangedMeanwhile:  # the form says so when it is checked again
                    continue
                except (errors.Conflict, errors.WrongValue) as error:
                    not_saved[row.pk] = str(error)
                    continue
                self.log_change(request, row, self.construct_change_message(request, form, None))  # type: ignore[arg-type]
                saved += 1
        if left := len({*self._get_edited_object_pks(request, formset.get_default_prefix())}) - len(rows):
            self.message_user(request, ngettext(*CHANGED, left) % {"count": left}, messages.WARNING)
        if saved:
            said = {"count": saved, "name": model_ngettext(self.opts, saved)}
            self.message_user(request, ngettext(*SAVED, saved) % said, messages.SUCCESS)

    # --- Deletions ----------------------------------------------------------------------------------------------

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Ask whether to delete a row, then delete it. The address has the revision that is shown."""
        row: Any = self.get_object(request, unquote(object_id))
        if not self.has_delete_permission(request, row):
            raise PermissionDenied
        if row and request.GET.get("revision") == str(row.entity.revision):
            request.revision = row.entity.revision  # type: ignore[attr-defined]
            try:
                return super().delete_view(request, object_id, extra_context)
            except errors.ChangedMeanwhile:
                row = self.get_object(request, unquote(object_id))
        if row is None:
            return super().delete_view(request, object_id, extra_context)
        if request.method == "POST":
            self.message_user(request, gettext(UNDELETED), messages.WARNING)
        query = request.GET.copy()
        query["revision"] = str(row.entity.revision)
        return HttpResponseRedirect(f"{request.path}?{query.urlencode()}")

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        if getattr(request, "revision", obj.entity.revision) != obj.entity.revision:
            raise errors.ChangedMeanwhile
        self.listed.delete(obj.entity)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        """Delete rows one by one. Rows that somebody has changed stay, and are counted."""
        for row in queryset:
            self.delete_model(request, row)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        lines: list[Any] = []
        for row in objs:
            lines += [str(row), self.in_words(request, row)]
        return lines, {self.opts.verbose_name_plural: len(objs)}, set(), []

    def in_words(self, request: HttpRequest, row: RowModel) -> list[str]:
        hidden = self.hidden(request, row)
        described = [each for each in fields(row.entity.__class__) if each.compared and each.name not in hidden]
        return [f"{each.label}: {text(getattr(row.entity, each.name))}" for each in described]
