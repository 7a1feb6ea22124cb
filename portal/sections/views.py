"""Pages of a declared list: form -> query or command -> template. An app declares a :class:`Section`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, ClassVar

from django.urls import URLPattern, path, reverse

from dynamodb_lists.connection.errors import UnknownValue
from dynamodb_lists.declared.counts import Counts, facet_counts, spelt_labels
from dynamodb_lists.declared.parts import BLANK, plain_label
from dynamodb_lists.lists.reading import ListReader
from dynamodb_lists.planning.selection import FacetCounts, drill_down
from dynamodb_lists.reading.lists import Listing
from dynamodb_lists.reading.pages import Page
from dynamodb_lists.schema import entities
from portal.access import StaffMixin, StaffPage
from portal.form_pages import DeletePage, EditPage, FormPage, StoredPage
from portal.forms.fields import RevisionField
from portal.forms.values import in_words
from portal.history.entities import Actor, What
from portal.history.undo_views import say_done
from portal.lists.filters import Filter, filter_of
from portal.lists.views import ListPage
from portal.sections.commands import ItemWriter
from portal.sections.forms import FacetedForm, RecordForm, list_form

ITEM = "<str:item_id>/"


class Section(StaffMixin):
    """What the pages of a list have in common. An app names its writer and the form of an item.

    :meth:`urls` makes the pages. For items of the kind ``book`` in the list ``books``, their URLs are named ``books``,
    ``book``, ``add_book``, ``edit_book`` and ``delete_book``, and need ``view_book``, ``add_book``, ``change_book`` and
    ``delete_book``.
    """

    kwargs: dict[str, Any]
    writer: ClassVar[type[ItemWriter[Any]]]
    form: ClassVar[type[RecordForm]]
    list_template_name = "sections/_list.html"

    @classmethod
    def urls(cls) -> list[URLPattern]:
        """The addresses of the pages."""
        declared, (id_field,) = cls.writer.listed.declaration, cls.writer.ids
        kind, edited = declared.kind, {id_field: None, "revision": RevisionField()}
        edit_form = type(f"Edit{cls.form.__name__}", (cls.form,), edited)
        rows = {"form_class": list_form(cls.writer.listed), "entity": declared.entity, "noun": declared.name}
        return [
            cls._url("", declared.name, "view", ItemsPage, title=declared.title, **rows),
            cls._url("add/", f"add_{kind}", "add", AddItemPage, title=f"Add a {kind}", form_class=cls.form),
            cls._url(ITEM, kind, "view", ItemPage, title=f"{kind.capitalize()} {{page.item_id}}"),
            cls._url(f"{ITEM}edit/", f"edit_{kind}", "change", EditItemPage, form_class=edit_form),
            cls._url(f"{ITEM}delete/", f"delete_{kind}", "delete", DeleteItemPage),
        ]

    @classmethod
    def _url(cls, address: str, name: str, action: str, base: type["Section"], **attributes: Any) -> URLPattern:
        """A page of the section: a class with its name and its permission."""
        attributes = {"permission": cls.permission_to(action), **attributes}
        page: Any = type(f"{cls.__name__}{base.__name__}", (cls, base), attributes)
        pattern: URLPattern = path(f"{cls.writer.listed.declaration.name}/{address}", page.as_view(), name=name)
        return pattern

    @classmethod
    def permission_to(cls, action: str) -> str:
        """The permission to view, add, change or delete an item."""
        return f"{cls.writer.app}.{action}_{cls.kind()}"

    @classmethod
    def kind(cls) -> str:
        """The kind of the items."""
        return cls.writer.listed.declaration.kind

    @property
    def item_id(self) -> str:
        """The id in the address."""
        return str(self.kwargs["item_id"])

    @cached_property
    def reader(self) -> ListReader[Any]:
        """Reads the items."""
        return self.writer.listed.reader

    def writer_of(self, by: str) -> ItemWriter[Any]:
        """Writes on behalf of a user."""
        return self.writer(Actor(by))

    def address_of(self, action: str = "", *ids: str) -> str:
        """The address of a page of an item: its own, or the one to ``edit`` or ``delete`` it; or of ``add``."""
        return reverse(f"{self.writer.app}:{'_'.join(filter(None, (action, self.kind())))}", args=ids)

    def list_address(self) -> str:
        """The address of the list."""
        return reverse(f"{self.writer.app}:{self.reader.declaration.name}")


class ItemsPage(Section, ListPage[FacetedForm]):
    """The list: filtered, sorted and paged, or found by the beginning of a field."""

    @cached_property
    def counts(self) -> Counts:
        """The counts of the facets."""
        return self.reader.counts(())

    def listing(self, form: FacetedForm) -> Listing[Any]:
        counts: Counts = {} if form.searched else self.counts
        for place, facet in enumerate(self.reader.declaration.facets):
            known = {combination[place] for combination in counts}
            for value in sorted(form.query.wanted.selection.values.get(facet, frozenset()) - known):
                raise UnknownValue(facet, value)
        return self.reader.listing(form.query, counts, whole=form.exporting)

    def exported(self, rows: Iterator[Any]) -> Iterable[Any]:
        return self.reader.exported(rows)

    def context(self, form: FacetedForm, page: Page[Any]) -> dict[str, Any]:
        may_add = self.may(self.permission_to("add"))
        entity, (id_field,) = self.reader.declaration.entity, self.writer.ids
        listed = [entities.field(entity, name) for name in entities.listed(entity)]
        return {
            "filters": [] if form.searched else list(self._filters(form)),
            "narrowed": bool(form.searched or form.filters_set),
            "index_orders": index_orders(self.writer),
            "kind": self.kind(),
            "shown": sorted(listed, key=lambda field: field.name != id_field),
            "in_words": in_words,
            "item_address": self.address_of,
            "add_address": self.address_of("add") if may_add else "",
        }

    def _filters(self, form: FacetedForm) -> Iterator[Filter]:
        """The filters. The counts beside the values are those under the selection in the other facets."""
        numbers, spelt = facet_counts(self.reader.declaration.facets, self.counts), spelt_labels(self.counts)
        existing = FacetCounts(numbers.facets, {each: number for each, number in numbers.items() if number})
        for place, (facet, counted) in enumerate(drill_down(existing, form.query.wanted.selection).items()):
            selected, words = form.cleaned_data[facet], spelt.get(place, {})
            label = str(form.fields[facet].label)
            values = sorted({*counted, *selected})
            found = filter_of(facet, label, counted, values=values, selected=selected, words=partial(_label, words))
            yield replace(found, whole=facet == form.cleaned_data["choices"])


class ItemPage(Section, StaffPage):
    """An item, with its history and its keys."""

    lists_link_here = True
    template_name = "sections/item.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        item: Any = self.reader.item((), self.item_id)
        fields = [field for field in entities.fields(self.reader.declaration.entity) if field.column]
        actions = [("Edit", "edit", "change"), ("Delete", "delete", "delete")]
        open_to = [(words, name) for words, name, action in actions if self.may(self.permission_to(action))]
        return super().get_context_data(
            **kwargs,
            item=item,
            facts=[(field.label, in_words(field, getattr(item, field.name))) for field in fields],
            actions=[(words, self.address_of(name, self.item_id)) for words, name in open_to],
            back=self.list_address(),
            index_orders=index_orders(self.writer),
            places=lambda: self.writer.listed.models.item.item(item).places(),
        )


class AddItemPage(Section, FormPage[RecordForm]):
    """A form to add an item."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, back=self.list_address())

    def save(self, form: RecordForm) -> str:
        item = self.writer_of(self.by).create(form.new())
        item_id = self.reader.declaration.item_id(item)
        say_done(self, f"{self.kind().capitalize()} {item_id} was added.", item, What.CREATED)
        return self.address_of("", item_id)


class StoredItemPage(Section, StoredPage[Any]):
    """A form about an item that exists."""

    context_object_name = "item"

    def load(self) -> Any:
        return self.reader.item((), self.item_id, consistent=True)

    def address(self, entity: Any) -> str:
        """The address of the item's page."""
        return self.address_of("", self.item_id)


class EditItemPage(StoredItemPage, EditPage[Any]):
    """A form to change an item. If somebody else was quicker, it shows both versions."""

    title = "Edit {page.writer.listed.declaration.kind} {page.item_id}"

    def command(self, before: Any, after: Any, by: str) -> Any:
        """Write the change."""
        return self.writer_of(by).update(before, after)


class DeleteItemPage(StoredItemPage, DeletePage):
    """Asks whether to delete an item, and deletes it."""

    title = "Delete {page.writer.listed.declaration.kind} {page.item_id}"
    thing = "The {page.writer.listed.declaration.kind} {page.item_id}"
    template_name = "portal/delete.html"

    def command(self, item: Any, by: str) -> None:
        """Delete it."""
        self.writer_of(by).delete(item)


def index_orders(writer: type[ItemWriter[Any]]) -> dict[str, str]:
    """How each index is sorted, in words for the engineers' panel."""
    return {index: ", ".join(names) for index, names in writer.listed.declaration.index_orders.items()}


def _label(spelt: Mapping[str, str], slug: str) -> str:
    """A value of a facet as people wrote it."""
    return "(blank)" if slug == BLANK else spelt.get(slug, plain_label(slug))
