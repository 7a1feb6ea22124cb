"""The admin of a list: Django's :class:`~django.contrib.admin.ModelAdmin` on rows of DynamoDB, and its permissions."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, ClassVar, TypeVar

from django.apps import apps as installed
from django.contrib import admin, messages
from django.contrib.admin.options import ShowFacets
from django.contrib.admin.utils import display_for_field, unquote
from django.contrib.admin.views.main import ERROR_FLAG
from django.contrib.auth import management
from django.core import checks
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.urls import resolve
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_lazy

from dynamodb_lists.connection.errors import KeyPartError, NoBoundedWay
from dynamodb_lists.declared.asked import Owner
from dynamodb_lists.declared.told import Misfit, vars_of
from dynamodb_lists.django.admin.actions import delete_selected, exported, on_entities
from dynamodb_lists.django.admin.changelist import RowChanges
from dynamodb_lists.django.admin.checks import list_checks
from dynamodb_lists.django.admin.filters import page_filters, ways_in
from dynamodb_lists.django.admin.forms import differences
from dynamodb_lists.django.admin.queries import RowQuery
from dynamodb_lists.django.admin.rows import RowModel, as_seen, model_of, parts_of
from dynamodb_lists.django.admin.stored_items import StoredItems
from dynamodb_lists.lists.edits import Edit
from dynamodb_lists.lists.list import List


class ListAdmin(StoredItems):
    """The pages of a list on Django's admin. Its names are those of ``ModelAdmin``, and mean the same.

    ``get_queryset`` returns a :class:`~dynamodb_lists.Query`, to which a subclass may add conditions. Where
    ``ModelAdmin`` has an object, a ``ListAdmin`` has a row, with the fields and methods of its ``entity``. Actions take
    entities.
    """

    actions: Any = ()
    app_label: ClassVar[str] = ""
    """The app of the permissions and addresses; by default the one that has the class."""
    owned: Sequence[List[Any]] = ()
    """Lists whose owner is a row of this one, such as the books of an author. Its page shows their first rows."""
    list_per_action = 100
    """The most rows that an action on all rows gets at once. It is called again for the next ones."""
    list_per_page = 25
    show_facets = ShowFacets.ALWAYS
    view_on_site = False
    change_list_template = "dynamodb_lists/change_list.html"

    def __init__(self, model: type[RowModel], admin_site: Any) -> None:
        self.listed = model.listed
        super().__init__(model, admin_site)

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        return list_checks(self, super().check(**kwargs))

    # --- Whose rows ---------------------------------------------------------------------------------------------

    def get_owner(self, request: HttpRequest) -> Owner | None:
        """Return the owner of the rows of a request, as parts of keys; ``None`` if the request names no owner."""
        declared, match = self.listed.declaration, request.resolver_match
        if not declared.owner:
            return ()
        if match and "object_id" in match.kwargs:
            return parts_of(unquote(match.kwargs["object_id"]))[:-1]
        kept = request.GET.get("_changelist_filters")
        named = request.GET if kept is None else QueryDict(kept)
        owner = tuple(named.get(name, "") for name in declared.owner)
        try:
            declared.partition(owner), declared.owner_values(owner)
        except ValueError:
            return None
        return owner

    def get_queryset(self, request: HttpRequest) -> Any:
        """Return the query of the rows that a user may see. A subclass may narrow it by ``where``."""
        owner = dict(zip(self.listed.declaration.owner, self.get_owner(request) or (), strict=True))
        return RowQuery.of(self.listed.query(**owner))

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> RowModel | None:
        """Return the row of a key as it is stored; ``None`` if there is none that the user may see."""
        item, admin, entity = self.stored(request, object_id) or (None, None, None)
        if admin is not self or isinstance(entity, Misfit):
            return None
        row: RowModel = self.model.of(entity, item)
        if getattr(request, "entered", None) and request.method == "GET":  # it could not be written
            edit = request.edit = self.edit(request, entity)  # type: ignore[attr-defined]
            for name, value in edit.changes.items():
                setattr(row, name, value)
        return row

    def owned_rows(self, request: HttpRequest, owner: Owner) -> Any:
        """Return the first page of an owner's rows, for the owner's page; ``None`` if the user may not see them."""
        if not self.has_view_or_change_permission(request):
            return None
        listed, address, declared = self.for_owner(request, owner), self.address("changelist"), self.listed.declaration
        listed.method, listed.resolver_match = "GET", resolve(address)
        found: Any = self.get_changelist_instance(listed)
        read, empty = {*declared.shown, *declared.owner, declared.id_field}, self.get_empty_value_display()
        names = [each for each in found.list_display if each in read] or [declared.id_field]
        found.columns = [*map(self.opts.get_field, names)]
        found.cells = []
        for row in found.result_list:
            values = [display_for_field(getattr(row, each.name), each, empty) for each in found.columns]
            found.cells.append((found.url_for_result(row), values))
        found.address = f"{address}?{listed.GET.urlencode()}"
        return found

    def render_change_form(self, request: Any, context: Any, *args: Any, **kwargs: Any) -> Any:
        """Show the form of a row, and below it the rows that it owns, or all attributes of its item."""
        if row := context["original"]:
            hidden = self.hidden(request, row)
            visible = {name: value for name, value in vars_of(row.entity).items() if name not in hidden}
            context["seen"] = request.POST.get("seen", "") if request.method == "POST" else Edit.shown(visible, as_seen)
            context["differences"] = request.edit and differences(row.entity, request.edit, hidden)
        if row and self.told:
            context |= self.as_stored(request, row.item)
        elif row:
            admins = self.admin_site._registry.items()
            owned: list[Any] = [each for model, each in admins if getattr(model, "listed", None) in self.owned]
            context["owned"] = [*filter(None, (each.owned_rows(request, parts_of(row.pk)) for each in owned))]
        return super().render_change_form(request, context, *args, **kwargs)

    # --- The list -----------------------------------------------------------------------------------------------

    def changelist_view(self, request: Any, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        if self.get_owner(request) is None:
            return self.entrances_view(request)
        if lacks := self.listed.reader.lacks:
            text = gettext("The table lacks %s. manage.py migrate_lists fills it.") % ", ".join(lacks)
            messages.warning(request, text, fail_silently=True)
        if self.list_editable and request.method == "POST" and "_save" in request.POST:
            self.save_rows(request)
        try:
            response = super().changelist_view(request, extra_context)
        except (NoBoundedWay, KeyPartError) as error:
            return self.entrances_view(request, error)
        if response.headers.get("Location") == f"{request.path}?{ERROR_FLAG}=1":
            owner = {name: request.GET[name] for name in self.listed.declaration.owner}
            response["Location"] = f"{request.path}?{urlencode({**owner, ERROR_FLAG: 1})}"
        context = getattr(response, "context_data", None) or {}
        if changes := context.get("cl"):
            misfits = changes.page.misfits[: self.list_per_page]
            context["misfits"] = self.as_lines(request, [each.item for each in misfits])
            if changes.formset and changes.formset.is_bound:
                for form in changes.formset.forms:
                    form.renew()
                changes.result_list = [form.instance for form in changes.formset.forms]
            if request.user.has_perm(f"{self.opts.app_label}.explain_{self.opts.model_name}"):
                context["costs"] = changes.calls
        return response

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[RowChanges]:
        return RowChanges

    def get_list_filter(self, request: HttpRequest) -> Any:
        return page_filters(self.listed.reader.now.declaration, request.GET, super().get_list_filter(request))

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        """Return the rows that a search finds: by words, or by the beginning of the one field in ``search_fields``.

        In a table that exists, a number, and a field that a key begins with, must be typed whole.
        """
        names = [str(name) for name in self.get_search_fields(request)]
        if not names:
            return queryset, False
        if {*names} <= {*self.listed.declaration.word_fields}:
            return queryset.search(search_term), False
        of_text = not self.told or issubclass(self.told.types.get(names[0], str), str)
        whole = not of_text or (self.told and any(names[0] in group for group in ways_in(self.told)))
        return RowQuery.of(queryset).filter(**{f"{names[0]}__{'exact' if whole else 'startswith'}": search_term}), False

    # --- Actions ------------------------------------------------------------------------------------------------

    def get_actions(self, request: HttpRequest, action_location: Any = None) -> Any:
        """Return the actions, which take entities. Django's deletion deletes the rows as the page showed them."""
        if action_location is not None and action_location.name != "CHANGE_LIST":
            return {}
        found: dict[str, Any] = {**super().get_actions(request)}
        for name, action in found.items():
            asks = name == "delete_selected"
            is_tuple = isinstance(action, tuple)  # until Django 6.0
            run = on_entities(delete_selected if asks else action[0] if is_tuple else action.func, name, asks=asks)
            found[name] = (run, *action[1:]) if is_tuple else replace(action, func=run)
        if found or self.actions is not None:
            found["export_csv"] = self.get_action("export_csv")
        return found

    @admin.action(description=gettext_lazy("Export selected %(verbose_name_plural)s as CSV"))
    def export_csv(self, request: HttpRequest, queryset: Any) -> HttpResponseBase:
        """Return a CSV file of the rows, in the order of the list, as ``manage.py import_csv`` reads it."""
        return exported(self, request, queryset)

    def action_checkbox(self, obj: Any) -> Any:
        """Return the box that selects a row. Its value is the key and the revision of what was shown."""
        ticked = self.model.of(obj.entity)
        ticked.pk = obj.shown
        return super().action_checkbox(ticked)

    # --- Forms --------------------------------------------------------------------------------------------------

    def get_changeform_initial_data(self, request: HttpRequest) -> Any:
        owner = dict(zip(self.listed.declaration.owner, self.get_owner(request) or (), strict=False))
        return {**owner, **super().get_changeform_initial_data(request)}


# --- Lists on an admin site, and their permissions ------------------------------------------------------------

AdminT = TypeVar("AdminT", bound=type[ListAdmin])


def register(*lists: List[Any], site: admin.AdminSite | None = None) -> Callable[[AdminT], AdminT]:
    """Decorator: show these lists by a subclass of :class:`ListAdmin`, on the default admin site or on ``site``.
    Raises: ``ImproperlyConfigured`` for something that is no list.
    """

    def registered(admin_class: AdminT) -> AdminT:
        config = installed.get_containing_app_config(admin_class.__module__)
        for listed in lists:
            if not isinstance(listed, List):
                raise ImproperlyConfigured(f"register() takes lists, and {listed!r} is none: name a List of it.")
            if not admin_class.app_label and config is None:
                raise ImproperlyConfigured(
                    f"{admin_class.__name__} is in {admin_class.__module__}, and no installed app has this module: set "
                    'app_label = "..." to the app whose permissions it has.'
                )
            model = model_of(listed, admin_class.app_label or str(config and config.label))
            (site or admin.site).register(model, admin_class)
        return admin_class

    return registered


def create_permissions(app_config: Any, apps: Any = installed, **kwargs: Any) -> None:
    """Let Django create the permissions of an app's lists after a migration, as it does for models."""
    registered = (model for site in admin.sites.all_sites for model in site._registry if issubclass(model, RowModel))
    own = [model for model in dict.fromkeys(registered) if model._meta.app_label == app_config.label]
    of_lists = SimpleNamespace(label=app_config.label, models_module=app_config, get_models=lambda: own)
    registry: Any = SimpleNamespace(get_model=apps.get_model, get_app_config=lambda _: of_lists)
    management.create_permissions(of_lists, apps=registry, **kwargs)  # type: ignore[arg-type]
