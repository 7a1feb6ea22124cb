"""Pages of tables that exist: the choice of a key, and items as they are stored."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import wraps
from typing import Any

from boto3.dynamodb.types import TypeDeserializer
from django.contrib.admin.templatetags.admin_urls import admin_urlname
from django.contrib.admin.utils import quote, unquote
from django.contrib.admin.views.main import ERROR_FLAG, ORDER_VAR, PAGE_VAR
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_lazy

from dynamodb_lists.connection.errors import BadCursor, DynamoDBError, KeyPartError, NotFound, Unavailable
from dynamodb_lists.declared.declaration import key_text
from dynamodb_lists.declared.told import Misfit, Told
from dynamodb_lists.django.admin.editing import RowEditing
from dynamodb_lists.django.admin.filters import ways_in
from dynamodb_lists.django.admin.rows import address_of, place_at
from dynamodb_lists.reading.pages import read_page
from dynamodb_lists.schema.entities import as_json, fields
from dynamodb_lists.schema.models import RawItem

PAGE_SIZE = 25
"""The items of a partition that a page shows."""
_python: Callable[[Any], Any] = TypeDeserializer().deserialize

ENDS = {"": "", "isnull": "", "gte": gettext_lazy("from"), "lte": gettext_lazy("to")}


class StoredItems(RowEditing):
    """The pages that lead to rows, and, for tables that exist, the pages of stored items, some of which are no rows."""

    def owners(self, request: HttpRequest) -> Iterable[Any] | None:
        """Return the owners to choose from, each a value or a tuple of values; ``None`` to let people type it."""
        return None

    @property
    def told(self) -> Any:
        """The declaration of a list in a table that exists; ``None`` for other lists."""
        declared = self.listed.declaration
        return declared if isinstance(declared, Told) else None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.told is None and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return (self.told is None or self.told.writes) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.told is None and super().has_delete_permission(request, obj)

    def get_urls(self) -> list[Any]:
        """Return the pages of the list. If the database does not answer, a page says so, with the status 503."""
        view, name = self.admin_site.admin_view(self.partition_view), f"{self.opts.label_lower}.partition"
        own = [path("<path:object_id>/partition/", view, name=name.replace(".", "_"))] if self.told else []
        found = [*own, *super().get_urls()]
        for pattern in found:
            pattern.callback = self._answering(pattern.callback)
        return found

    def _answering(self, view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                return view(request, *args, **kwargs)
            except Unavailable as error:
                response = self._page(request, gettext("Try again"), "unavailable", 503, error=error)
                response["Retry-After"] = "5"
                return response

        return answered

    def address(self, view: Any, *place: dict[str, Any]) -> str:
        """Return the address of a view of an item with a key, or of the list."""
        args = [quote(address_of(self.listed.declaration, each)) for each in place]
        return reverse(admin_urlname(self.opts, view), args=args, current_app=self.admin_site.name)

    # --- What a user may see ------------------------------------------------------------------------------------

    def seen(self, request: HttpRequest, item: RawItem) -> tuple[Any, Any] | None:
        """Return the admin that shows an item, and its entity or why it is no row; ``None`` if the user may not see it.

        A user who may see a list sees its items. An item of no list on this site is for users who may see all rows of
        this list.
        """
        lists = self.told.of.lists if self.told else [self.listed.declaration]
        owner: Any = next((each for each in lists if each.owns(item)), None)
        ours: list[Any] = [each for each in (self, *self.admin_site._registry.values()) if hasattr(each, "listed")]
        admin = next((each for each in ours if each.listed.declaration is owner), None)
        reason = gettext("no page shows %s") % owner.title if owner else gettext("its key fits no template")
        met = dict[str, Misfit]()
        entity: Any = admin.listed.reader.entity_of(item, met) if admin else None
        admin, is_row = admin or self, entity is not None
        query: Any = admin.get_queryset(request)
        may_see = query.matches(entity) if is_row else not query.asked.filtered
        entity = entity if is_row else next(iter(met.values()), Misfit(item, reason))
        return (admin, entity) if may_see and (is_row and admin is self or admin.has_view_permission(request)) else None

    def stored(self, request: HttpRequest, object_id: str) -> tuple[RawItem, Any, Any] | None:
        """Return the stored item with a key, its admin and its entity; ``None`` if the user may see none."""
        reader: Any = self.listed.reader
        with suppress(NotFound, KeyPartError):
            item = reader.raw(place_at(self.listed.declaration, object_id))
            found = self.seen(request, item)
            return found and (item, *found)
        return None

    def as_lines(self, request: HttpRequest, items: Iterable[RawItem]) -> list[tuple[str, str, str]]:
        """Return for each item that a user may see its address, its key, and its kind or why it is no row."""
        found = ((self.listed.reader.table.key_of(item), *seen) for item in items if (seen := self.seen(request, item)))
        kinds = ((key, admin, getattr(entity, "reason", str(admin.opts.verbose_name))) for key, admin, entity in found)
        return [(admin.address("change", key), key_in_words(key), kind) for key, admin, kind in kinds]

    def as_stored(self, request: HttpRequest, item: RawItem) -> dict[str, Any]:
        """Return the address of an item's partition, if that has more items, and the attributes that are not hidden:
        name, type, value, and meaning.
        """
        declared, hidden = self.listed.declaration, self.hidden(request, None)
        of_indexes = [(key, source.name) for source in declared.sources[1:] for key in source.keys]
        hidden |= {key.name for key, _ in of_indexes if hidden & {*key.template.names}}
        own = [key.name for key in declared.own_keys]
        labels = {key.name: gettext("Key of %s") % name for key, name in of_indexes}
        labels |= {each.name: each.label for each in fields(declared.entity)}
        labels |= dict.fromkeys(own, gettext("Key"))
        names = sorted(item.keys() - hidden, key=lambda name: (name not in own, name))
        said = [(name, *item[name], text_of(item[name]), labels.get(name, gettext("not declared"))) for name in names]
        place = self.listed.reader.table.key_of(item)
        has_others = self.told and len(place) > 1
        return {"attributes": said, "partition": self.address("partition", place) if has_others else ""}

    # --- Pages --------------------------------------------------------------------------------------------------

    def _get_obj_does_not_exist_redirect(self, request: Any, opts: Any, object_id: str) -> HttpResponse:
        """Django's message that a row was deleted. Who has sent a form gets a page with what was entered, to copy.

        But an item that is no row is shown as it is stored, and one of another list on its own page.
        """
        if not request.POST and (found := self.stored(request, unquote(object_id))):
            item, admin, entity = found
            place = self.listed.reader.table.key_of(item)
            if admin != self:
                return HttpResponseRedirect(admin.address("change", place))
            return self._page(request, key_in_words(place), reason=entity.reason, **self.as_stored(request, item))
        response: HttpResponse = super()._get_obj_does_not_exist_redirect(request, opts, object_id)  # type: ignore[misc]
        entered = []
        for field in opts.fields:
            sent = [request.POST.get(name, "") for name in (field.name, f"{field.name}_0", f"{field.name}_1")]
            entered += [(field.verbose_name, " ".join(filter(None, sent)))] if any(sent) else []
        if entered:
            return self._page(request, gettext("Deleted meanwhile"), "deleted", 404, entered=entered)
        return response

    def partition_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show all items in the partition of an item, of all kinds."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        reader: Any = self.listed.reader
        try:
            place = place_at(self.told, unquote(object_id))
            page = read_page(reader.beside(place), PAGE_SIZE, request.GET.get(PAGE_VAR, ""))
        except (NotFound, KeyPartError, BadCursor) as error:
            raise Http404 from error
        rows = self.as_lines(request, page.rows)
        links = ((page.previous, gettext("Previous")), (page.next, gettext("Next")))
        pages = [(f"?{PAGE_VAR}={cursor}", title) for cursor, title in links if cursor]
        title = key_text(place[self.told.of.key[0]])
        return self._page(request, title, items=rows, left_out=len(page.rows) - len(rows), pages=pages)

    def entrances_view(self, request: HttpRequest, error: DynamoDBError | None = None) -> HttpResponse:
        """Ask for the fields that a read of rows needs: the owner or, in a table that exists, the beginnings of keys.

        Other filters are kept. The status is 400 if no key answers the question. If a key answers all but the sort, a
        link leads to the rows without the sort.
        """
        asked = {name: values for name, values in request.GET.lists() if name not in {ERROR_FLAG, PAGE_VAR}}
        groups, owners, choices, forms = ways_in(self.listed.declaration), self.owners(request), [], []
        for owner in owners or ():
            values = [*map(str, owner if isinstance(owner, tuple) else (owner,))]
            choices.append((urlencode([*zip(groups[0], values, strict=True)]), " · ".join(values)))
        for group in groups if owners is None else ():
            kept = [(name, value) for name, values in asked.items() if name not in group for value in values]
            inputs = [(name, *self._input(name, known), request.GET.get(name, "")) for name, known in group.items()]
            forms.append((inputs, kept))
        labels = [self._input(name, ())[0] for name in groups[0]] if len(groups) == 1 else []
        unsorted = getattr(error, "unsorted", False) and urlencode({**asked, ORDER_VAR: "0"}, doseq=True)
        return self._page(
            request,
            gettext("Select %s") % " · ".join(labels or [str(self.opts.verbose_name)]),
            "owners",
            400 if error and asked else 200,
            lead="" if labels else gettext("Rows are found by one of these."),
            error=error if asked or unsorted else "",
            unsorted=f"?{unsorted}" if unsorted else "",
            choices=choices,
            forms=forms,
        )

    def _input(self, name: str, choices: tuple[Any, ...]) -> tuple[str, list[tuple[str, str]]]:
        """Return the label of a field, and its choices: values and their labels."""
        name, _, end = name.partition("__")
        field: Any = self.opts.get_field(name)
        labels = {str(value): str(label) for value, label in field.flatchoices}
        labels |= {"False": gettext("given")} if end == "isnull" else {}
        texts = [str(getattr(value, "value", value)) for value in choices]
        return f"{field.verbose_name} {ENDS[end]}".strip(), [(text, labels.get(text, text)) for text in texts]

    def _page(
        self, request: HttpRequest, title: str, template: str = "stored", status: int = 200, **context: Any
    ) -> HttpResponse:
        own = {"title": title, "opts": self.opts, "list_address": self.address("changelist")}
        shared = self.admin_site.each_context(request)
        return TemplateResponse(request, f"dynamodb_lists/{template}.html", {**shared, **own, **context}, status=status)


def key_in_words(place: dict[str, Any]) -> str:
    return " · ".join(map(key_text, place.values()))


def text_of(typed: Mapping[str, Any]) -> str:
    """Return a value of DynamoDB as a text: texts and numbers unchanged, bytes as base64, all else as JSON."""
    ((kind, value),) = typed.items()
    if kind in {"S", "N"}:
        return str(value)
    return as_json(_python(typed), indent=2 if kind in {"M", "L"} else None)
