"""Lists over tables that exist already: by what they are entered, and their items as they are stored."""

import json
from base64 import b64encode
from collections.abc import Callable
from decimal import Decimal
from functools import wraps
from typing import Any, NamedTuple

from django.contrib.admin.utils import quote, unquote
from django.contrib.admin.views.main import ERROR_FLAG, ORDER_VAR, PAGE_VAR
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.http import urlencode
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy

from dynamodb_lists.connection.errors import BadCursor, KeyPartError, NoBoundedWay, NotFound, Unavailable
from dynamodb_lists.declared.told import Misfit, Told
from dynamodb_lists.django.admin.editing import RowEditing
from dynamodb_lists.django.admin.filters import ways_in
from dynamodb_lists.django.admin.rows import address_of, place_at
from dynamodb_lists.reading.pages import read_page
from dynamodb_lists.schema.entities import fields
from dynamodb_lists.schema.models import RawItem

PAGE_SIZE = 25
"""The items of a partition that a page shows, and the most misfits that are named above a list."""

ENDS = {"": "", "gte": gettext_lazy("from"), "lte": gettext_lazy("to")}


def answering(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator: if the database does not answer, the page says so, with the status 503."""

    @wraps(view)
    def answered(self: Any, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(self, request, *args, **kwargs)
        except Unavailable as error:
            context = {**self.admin_site.each_context(request), "title": gettext("Try again"), "error": error}
            response = TemplateResponse(request, "dynamodb_lists/unavailable.html", context, status=503)
            response["Retry-After"] = "5"
            return response

    return answered


class Seen(NamedTuple):
    """An item that a user may see: the admin of its list, and its entity, or why it is none.

    ``own``: that admin shows the entity as a row.
    """

    item: RawItem
    admin: Any
    entity: Any
    own: bool


class StoredItems(RowEditing):
    """The pages of lists over tables that exist already. Such a list is only read."""

    @property
    def told(self) -> Any:
        """The declaration of a list whose keys are told; ``None`` of a list that spells its own."""
        declared = self.listed.declaration
        return declared if isinstance(declared, Told) else None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.told is None and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.told is None and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.told is None and super().has_delete_permission(request, obj)

    def get_urls(self) -> list[Any]:
        views: Any = {"stored": self.stored_view, "partition": self.partition_view} if self.told else {}
        own = [
            path(f"<path:object_id>/{name}/", self.admin_site.admin_view(view), name=self._name(name))
            for name, view in views.items()
        ]
        return [*own, *super().get_urls()]

    def _name(self, view: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{view}"

    def address(self, view: str, *place: dict[str, Any]) -> str:
        """The address of a view of an item with a key, or of the list."""
        args = [quote(address_of(each)) for each in place]
        return reverse(f"admin:{self._name(view)}", args=args, current_app=self.admin_site.name)

    # --- What a user may see ------------------------------------------------------------------------------------

    def seen(self, request: HttpRequest, item: RawItem) -> Seen | None:
        """An item of the table; ``None`` if it is not for the user.

        Who may see a list sees the items that it owns. What is in no list on this site is for those who may see all
        rows of this one.
        """
        owner = next((each for each in self.told.of.lists if each.owns(item)), None)
        ours: list[Any] = [self, *self.admin_site._registry.values()]
        admin = next((each for each in ours if owner and getattr(each, "told", None) is owner), None)
        entity = owner.built(item) if owner else Misfit(item, gettext("its key fits no template"))
        own, admin = admin is not None and not isinstance(entity, Misfit), admin or self
        query: Any = admin.get_queryset(request)
        may_see = query.matches(entity) if own else not query.asked.filtered
        return Seen(item, admin, entity, own) if may_see and admin.has_view_permission(request) else None

    def found(self, request: HttpRequest, object_id: str) -> Seen | None:
        """The item with a key as it is stored now; ``None`` if there is none that the user may see."""
        reader: Any = self.listed.reader
        try:
            return self.seen(request, reader.raw(place_at(self.told, object_id)))
        except (NotFound, KeyPartError):
            return None

    def misfits(self, request: HttpRequest, found: tuple[Misfit, ...]) -> list[tuple[str, str, str]]:
        """The items that a page met and that are no rows: the address of each, its key, and the reason."""
        shown = [each for each in found if self.seen(request, each.item)][:PAGE_SIZE]
        places = [(self.told.place_of(each.item), each.reason) for each in shown]
        return [(self.address("stored", place), in_words(place), reason) for place, reason in places]

    def _get_obj_does_not_exist_redirect(self, request: Any, opts: Any, object_id: str) -> HttpResponse:
        """As ever; but an item that is no row is shown as it is stored."""
        if self.told and (found := self.found(request, unquote(object_id))):
            return HttpResponseRedirect(self.address("stored", self.told.place_of(found.item)))
        return super()._get_obj_does_not_exist_redirect(request, opts, object_id)

    def render_change_form(self, request: Any, context: Any, *args: Any, **kwargs: Any) -> Any:
        if self.told and context["original"]:
            place = place_at(self.told, context["original"].pk)
            context["links"] = self._links(place, "stored", "partition")
        return super().render_change_form(request, context, *args, **kwargs)

    def _links(self, place: dict[str, Any], *views: str) -> list[tuple[str, str]]:
        """The addresses of views of an item, and their titles."""
        titles = {"stored": gettext("As stored"), "partition": gettext("All items of its partition")}
        titles |= {"change": gettext("Row of the list")}
        return [(self.address(view, place), titles[view]) for view in views if view != "partition" or len(place) > 1]

    # --- Pages --------------------------------------------------------------------------------------------------

    @answering
    def stored_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """An item with all its attributes."""
        self._refuse_strangers(request)
        found = self.found(request, unquote(object_id))
        if found is None:
            raise Http404
        place, hidden = self.told.place_of(found.item), found.admin.hidden(request, None)
        labels = {each.name: each.label for each in fields(found.entity.__class__)} if found.own else {}
        for name, index in self.told.of.indexes.items():
            labels = {**dict.fromkeys((index.partition, index.sort), gettext("Key of %s") % name), **labels}
        labels |= dict.fromkeys(self.told.of.key, gettext("Key"))
        rows = [
            (name, kind, text_of(kind, value), labels.get(name, gettext("not declared")))
            for name, typed in sorted(found.item.items(), key=lambda pair: (pair[0] not in place, pair[0]))
            for kind, value in typed.items()
            if name not in hidden
        ]
        reason = found.entity.reason if isinstance(found.entity, Misfit) else ""
        links = [*(found.admin._links(place, "change") if found.own else []), *self._links(place, "partition")]
        return self._page(request, in_words(place), attributes=rows, reason=reason, links=links)

    @answering
    def partition_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """All items in the partition of an item, of all kinds."""
        self._refuse_strangers(request)
        reader: Any = self.listed.reader
        try:
            place = place_at(self.told, unquote(object_id))
            listing = reader.beside(place)
            try:
                page = read_page(listing, PAGE_SIZE, request.GET.get(PAGE_VAR, ""))
            except BadCursor:
                page = read_page(listing, PAGE_SIZE)
        except (NotFound, KeyPartError) as error:
            raise Http404 from error
        seen = [found for item in page.rows if (found := self.seen(request, item))]
        items = [(self.told.place_of(each.item), each) for each in seen]
        rows = [(self.address("stored", its), in_words(its), *_kind(each, its)) for its, each in items]
        pages = [
            (f"?{PAGE_VAR}={cursor}", title)
            for cursor, title in ((page.previous, gettext("Previous")), (page.next, gettext("Next")))
            if cursor
        ]
        title = next(iter(place[self.told.of.key[0]].values()))
        return self._page(request, title, items=rows, left_out=len(page.rows) - len(rows), pages=pages)

    def entrances_view(self, request: HttpRequest, error: NoBoundedWay) -> HttpResponse:
        """The fields of which a group must be given, before rows can be read; the other filters are kept.

        The status is 400 if something was asked that no key answers. If only the sort is not answered, a link leads to
        the rows without it.
        """
        asked = {name: values for name, values in request.GET.lists() if name not in {ERROR_FLAG, PAGE_VAR}}
        unsorted = urlencode({**asked, ORDER_VAR: "0"}, doseq=True)
        forms = []
        for group in ways_in(self.told):
            kept = [(name, value) for name, values in asked.items() if name not in group for value in values]
            inputs = [(name, *self._input(name, choices), request.GET.get(name, "")) for name, choices in group.items()]
            forms.append((inputs, kept))
        return self._page(
            request,
            capfirst(str(self.opts.verbose_name_plural)),
            "owners",
            400 if asked else 200,
            lead=gettext("Rows are found by one of these."),
            error=error if asked or error.unsorted else "",
            unsorted=f"?{unsorted}" if error.unsorted else "",
            forms=forms,
        )

    def _input(self, name: str, choices: tuple[Any, ...]) -> tuple[str, list[tuple[str, str]]]:
        """The label of a field, and its choices: values and their labels."""
        name, _, end = name.partition("__")
        field: Any = self.opts.get_field(name)
        labels = {str(value): str(label) for value, label in field.flatchoices}
        labels |= {"True": gettext("Yes"), "False": gettext("No")}
        texts = [str(getattr(value, "value", value)) for value in choices]
        return f"{field.verbose_name} {ENDS[end]}".strip(), [(text, labels.get(text, text)) for text in texts]

    def _refuse_strangers(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied

    def _page(
        self, request: HttpRequest, title: str, template: str = "stored", status: int = 200, **context: Any
    ) -> HttpResponse:
        own = {"title": title, "opts": self.opts, "list_address": self.address("changelist")}
        shared = self.admin_site.each_context(request)
        return TemplateResponse(request, f"dynamodb_lists/{template}.html", {**shared, **own, **context}, status=status)


def _kind(seen: Seen, place: dict[str, Any]) -> tuple[str, str, str]:
    """The list of an item, the address of its row, and why it is no row; blank where there is none."""
    reason = seen.entity.reason if isinstance(seen.entity, Misfit) else ""
    owner = next((each for each in seen.admin.told.of.lists if each.owns(seen.item)), None)
    return owner.title if owner else "", seen.admin.address("change", place) if seen.own else "", reason


def in_words(place: dict[str, Any]) -> str:
    """A key for people."""
    return " · ".join(str(next(iter(typed.values()))) for typed in place.values())


def text_of(kind: str, value: Any) -> str:
    """A value of a DynamoDB type as text: texts and numbers as they are, all else as JSON, and bytes as base64."""
    if kind in {"S", "N"}:
        return str(value)
    return json.dumps(_plain(kind, value), ensure_ascii=False, indent=2 if kind in {"M", "L"} else None)


def _plain(kind: str, value: Any) -> Any:
    """A value as JSON has it."""
    if kind == "M":
        return {name: _plain(*pair) for name, typed in value.items() for pair in typed.items()}
    if kind == "L":
        return [_plain(*pair) for typed in value for pair in typed.items()]
    if kind in {"SS", "NS", "BS"}:
        return [_plain(kind[0], each) for each in value]
    if kind == "N":
        return _number(Decimal(value))
    if kind == "B":
        return b64encode(value).decode()
    return None if kind == "NULL" else value


def _number(number: Decimal) -> Any:
    """A number as JSON has it; a text, if a float would round it."""
    if number == number.to_integral_value():
        return int(number)
    return float(number) if Decimal(repr(float(number))) == number else str(number)
