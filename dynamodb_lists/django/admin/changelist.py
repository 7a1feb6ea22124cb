"""The changelist of a list: Django's page, with rows, counts and neighbours from Queries on keys."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ORDER_VAR, PAGE_VAR, ChangeList
from django.core.exceptions import FieldDoesNotExist
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.utils.translation import gettext

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import BadCursor, NotFilledYet, UnknownField
from dynamodb_lists.declared.counts import CountedItems, Counts
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.told import Told
from dynamodb_lists.django.admin.filters import EntranceFilter
from dynamodb_lists.django.admin.queries import RowQuery
from dynamodb_lists.lists.queries import QueryPage
from dynamodb_lists.reading.fetching import in_parallel

WRONG = (NotFilledYet, UnknownField, ValueError)
"""What a query string raises that asks for something impossible."""


class AtLeast(int):
    """A lower bound of a number of rows that nothing counts."""

    def __str__(self) -> str:
        return f"{int(self)}+"


class Params(dict[str, Any]):
    """The last value of each parameter. ``items`` has all values, which Django's search form repeats."""

    def __init__(self, lists: Mapping[str, list[str]]) -> None:
        super().__init__({name: several[-1] for name, several in lists.items()})
        self._pairs = [(name, value) for name, several in lists.items() for value in several]

    def items(self) -> Any:
        return self._pairs


class Neighbours:
    """The pages that a page links to, as a paginator for Django's templates: by number or by name."""

    ELLIPSIS = Paginator.ELLIPSIS

    def __init__(self, page: QueryPage[Any], size: int) -> None:
        rank, total = page.rank, page.total
        self.per_page, self.count = size, total
        self.number: Any = gettext("This page") if rank is None else -(-rank // size) + 1
        before, after = dict[Any, str | None](), dict[Any, str | None]()
        if page.previous:
            before = {1: None, self._beside(-1, gettext("Previous")): page.previous}
        if page.next:
            after[self._beside(1, gettext("Next"))] = page.next
        self.num_pages: Any = gettext("Last")
        if rank is not None and total is not None:
            self.num_pages = max(-(-total // size), int(self.number) + len(after))
        if page.last:
            after.setdefault(self.num_pages, page.last)  # the rank may be outdated, so rows may be between both
        self.cursors = before | after
        self._shown = [*before, self.number, *after]

    def _beside(self, step: int, name: str) -> Any:
        return max(self.number + step, 1) if isinstance(self.number, int) else name

    def get_elided_page_range(self, number: Any) -> Iterator[Any]:
        """Return the first page, the pages beside this one, and the last page, with an ellipsis for the others."""
        for place, name in enumerate(self._shown):
            if place and not (isinstance(name, int) and name - 1 == self._shown[place - 1]):
                yield self.ELLIPSIS
            yield name


class RowChanges(ChangeList):
    """A page of a list: its rows, filters, sort and neighbours."""

    model: Any
    queryset: Any
    root_queryset: Any

    def __init__(self, request: HttpRequest, model: Any, *args: Any) -> None:
        self.declaration: Declaration = model.listed.reader.now.declaration
        self.facets: Mapping[str, Mapping[Any, int | None]] = {}
        self.sorted = ""
        super().__init__(request, model, *args)
        self.params = Params(self.filter_params)
        self.counted = self.add_facets
        self.add_facets = self.add_facets and self.is_facets_optional  # stock filters would count by SQL
        own, sortable = self.declaration.sorts, self.sortable_by or ()
        self.sortable_by = [column for column in sortable if self.sort_of(column).removeprefix("-") in own]

    # --- The query ----------------------------------------------------------------------------------------------

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> Any:
        """Return the query of the page. Raises: ``IncorrectLookupParameters``: Django's view then goes to the list."""
        try:
            return self._query(request)
        except (*WRONG, FieldDoesNotExist) as error:
            messages.warning(request, str(error), fail_silently=True)
            raise IncorrectLookupParameters(error) from error

    def _query(self, request: HttpRequest) -> RowQuery:
        specs = self.get_filters(request)
        self.filter_specs, self.has_filters, left, *_ = specs
        query: Any = RowQuery.of(self.root_queryset)
        for spec in self.filter_specs:
            narrowed: Any = spec.queryset(request, query)
            query = RowQuery.of(narrowed or query)
        for name, value in left.items():
            query = query.filter(**{name: value[-1] if isinstance(value, list) else value})
        if self.query.strip():
            query, _ = self.model_admin.get_search_results(request, query, self.query)
        entered = [spec for spec in self.filter_specs if isinstance(spec, EntranceFilter)]
        self.has_active_filters = any(spec.used_parameters for spec in self.filter_specs if spec not in entered)
        kept = {spec.field_path: self.filter_params.get(spec.field_path) for spec in entered}
        self.clear_all_filters_qs = self.get_query_string(kept, [*self.get_filters_params()])
        # A search and a sparse list have orders of their own.
        found = RowQuery.of(query)
        asked = next(iter(self.get_ordering(request, found)), "")
        if found.asked.only:
            self.sorted = self.declaration.sparse[found.asked.only].fields[0]
            asked = asked if asked.removeprefix("-") == self.sorted else ""
        if asked and not found.asked.typed:
            self.sorted, found = asked, found.order_by(asked)
        found.reader.filled(found.asked)
        return found

    def get_ordering(self, request: HttpRequest, queryset: Any) -> Any:
        """Return the sort in the query string, or that of the class, with ``-`` for descending."""
        if self.params.get(ORDER_VAR) == "0" and isinstance(self.declaration, Told):
            return []  # the sort of the class takes too much, or no key has it
        for column in self.params.get(ORDER_VAR, "").split("."):
            _, sign, number = column.rpartition("-")
            if number.isascii() and number.isdigit() and int(number) < len(self.list_display):
                name = self.sort_of(self.list_display[int(number)])
                if name.removeprefix("-") in self.declaration.sorts:
                    return ["-" * (name.startswith("-") != (sign == "-")) + name.removeprefix("-")]
        own = [named(self.declaration, str(each)) for each in self.model_admin.get_ordering(request)][:1]
        sorts = self.declaration.sorts
        return [each for each in own if isinstance(self.declaration, Told) or each.removeprefix("-") in sorts]

    def sort_of(self, column: Any) -> str:
        return str(self.get_ordering_field(column) or "")

    def get_ordering_field_columns(self) -> Any:
        for number, column in enumerate(self.list_display):
            name = self.sort_of(column)
            if name and name.removeprefix("-") == self.sorted.removeprefix("-"):
                descending = self.sorted.startswith("-") != name.startswith("-")
                return {number: "desc" if descending else "asc"}
        return {}

    def get_filters_params(self, params: Any = None) -> dict[str, Any]:
        """Return the parameters that filters read: all except the owner."""
        found = super().get_filters_params(params)
        return {name: values for name, values in found.items() if name not in self.declaration.owner}

    # --- The page -----------------------------------------------------------------------------------------------

    def get_results(self, request: HttpRequest) -> None:
        with ledger.recording() as self.calls:
            page = self._read(request, self.list_max_show_all, "") if self.show_all else None
            if page is None or page.next:
                self.show_all, cursor = False, request.GET.get(PAGE_VAR, "")
                page = self._read(request, self.list_per_page, cursor)
        self.items_read = sum(call.items_read for call in self.calls.calls)
        self.page, self.paginator = page, Neighbours(page, self.list_per_page)
        self.page_num, self.multi_page = self.paginator.number, bool(self.paginator.cursors)
        self.result_list = [self.model.of(entity) for entity in page.rows]
        known = (page.rank or 0) + len(page.rows)
        if page.total is not None:
            self.result_count = page.total
        elif page.next is None and page.rank is not None:
            self.result_count = known
        else:
            self.result_count = AtLeast(known + (page.next is not None and not page.stopped))
        self.full_result_count, self.show_full_result_count = self.result_count, False
        if page.counts and self._counted and not self.declaration.owner:  # the stock link to all rows has no owner
            self.full_result_count = sum(count.number for count in self._allowed(page.counts).values())
            self.show_full_result_count = self.model_admin.show_full_result_count
        self.show_admin_actions = bool(page.rows)
        self.can_show_all = page.total is not None and page.total <= self.list_max_show_all

    def _allowed(self, counts: Counts) -> Counts:
        """Return the counts of the values that ``get_queryset`` allows. Counts know no other conditions."""
        numbers = CountedItems(counts, {}).numbers(self.declaration.facets)
        return {each: counts[each] for each in numbers.allowed(self.root_queryset.asked.conditions)}

    @property
    def _counted(self) -> bool:
        """Whether counts tell how many rows ``get_queryset`` allows."""
        return bool(self.root_queryset.asked.counted(self.declaration.facets))

    def _read(self, request: HttpRequest, size: int, cursor: str) -> QueryPage[Any]:
        """Read a page and, in the same wave, the days of a hierarchy, and values of facets where no counts are read."""
        query, days = self.queryset, self.date_hierarchy
        uncounted = self.has_filters and bool(query.asked.only or query.asked.typed)
        reads: list[Any] = [partial(query.page, size, cursor)]
        reads += [partial(query.reader.now.counts, query.asked.owner)] if uncounted else []
        if days and f"{days}__year" not in self.params:
            reads += [partial(query.end, f"{sign}{days}") for sign in ("", "-")]
        try:
            page, *others = in_parallel(reads)
        except BadCursor:
            text = gettext("This address is out of date. This is the first page.")
            messages.warning(request, text, fail_silently=True)
            return self._read(request, size, "")
        chosen = self.root_queryset if uncounted else page.query
        self.facets = chosen.choices(self._allowed(others[0] if uncounted else page.counts))
        if uncounted or not self._counted:
            self.facets = {name: dict.fromkeys(found) for name, found in self.facets.items()}
        if len(others) > 1:
            self.queryset = query.between(days, *others[-2:])
        return page  # type: ignore[no-any-return]

    # --- Addresses ----------------------------------------------------------------------------------------------

    def get_query_string(self, new_params: Any = None, remove: Any = None) -> str:
        """Return the query string with other values. The number of a page becomes its cursor."""
        new = dict(new_params or {})
        if PAGE_VAR in new:
            new[PAGE_VAR] = self.paginator.cursors.get(new[PAGE_VAR])
        return super().get_query_string(new, remove)


def named(declaration: Declaration, sort: str) -> str:
    """Return a sort of a class, in which ``pk`` stands for the id."""
    sign = "-" if sort.startswith("-") else ""
    name = sort.removeprefix("-")
    return sign + (declaration.id_field if name == "pk" else name)
