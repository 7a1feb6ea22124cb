"""The base of every list page, and the columns of its table."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, cached_property, partial
from http import HTTPStatus
from itertools import islice
from typing import Any, ClassVar, Generic, TypeVar
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, QueryDict
from django.utils.cache import patch_vary_headers
from django.utils.encoding import escape_uri_path
from django.utils.safestring import SafeString
from markupsafe import Markup, escape

from dynamodb_lists import Field, Listing, Page, read_page
from dynamodb_lists.reading import explaining
from dynamodb_lists.schema import entities
from portal.access import EXPORT_DATA, StaffPage
from portal.cost_panel import VIEW_COSTS
from portal.forms.parameters import BadParameters, Problem, checked
from portal.forms.values import plain_words
from portal.frame import address, frame_link
from portal.htmx import LIST_TARGET, shown_address
from portal.lists.exports import TooLong, csv_response, require_short, workbook_response
from portal.lists.forms import AS_JSON, ON_PAGE, PRINT, WORKBOOK, ListForm
from portal.times import now, time_markup

FormT = TypeVar("FormT", bound=ListForm)
MOST_PRINTED = 2000  # 50 pages of paper; an export has all rows
MAX_READS = 5  # each retry drops one unknown filter value; stop after five
UNSPECIFIED = "Unspecified"
Cell = Callable[[Any], str]
"""What a row has in a column: a text, or markup that is safe."""


@dataclass(frozen=True)
class Column:
    """A column, by the name of a field, which gives its label and alignment unless they are named."""

    name: str
    label: str = ""
    numeric: bool | None = None
    code: bool = False
    written: Cell | None = None
    """How a row is written in this column, if not as the type of the field says."""
    heard: bool = False
    """Whether only screen readers have the label, as of a column of buttons."""
    is_time: bool = False
    on_site: bool = False
    """Whether a time is on the clocks of the row's hotel, also in a list of several hotels."""
    unlike: str = ""
    """Another time of the row. If both are the same, this cell is blank."""
    after: Cell = lambda row: SafeString()
    """What stands after a time of the row, as HTML."""

    def text(self, row: Any, page: "ListPage[Any]") -> str:
        """Return the value of a row as a text. Amounts are in the row's ``currency``, times in the page's zone."""
        if self.written:
            return self.written(row)
        value = getattr(row, self.name)
        if self.is_time:
            same = not value or value == getattr(row, self.unlike, None)
            on_site = self.on_site and not page.zone
            page.shows_sites |= on_site
            zone = page.zone_of(row) if on_site else page.shown_zone
            return "" if same else time_markup(value, zone) + self.after(row)
        if value is None or value == "":
            return UNSPECIFIED
        if self.code:
            return Markup(f"<code>{escape(value)}</code>")
        if type(value) is str:
            return value
        return f"{value:,}" if type(value) is int else plain_words(value, getattr(row, "currency", ""))

    @cached_property
    def heading(self) -> str:
        return Markup(f'<span class="sr-only">{escape(self.label)}</span>') if self.heard else self.label

    @cached_property
    def attributes(self) -> str:
        """The attributes of a cell. A narrow screen shows the label beside each value: the first of "Type and view"."""
        label = "" if self.heard else f' data-label="{escape(self.label.partition(" and ")[0])}"'
        return label + (' class="numeric"' if self.numeric else "")


@cache
def columns_of(entity: type, *columns: str | Column) -> tuple[Column, ...]:
    """Return the columns of a list of entities, each with label and format of its field."""
    fields, found = entities.by_name(entity), []
    for each in columns:
        column = Column(each) if isinstance(each, str) else each
        field = fields.get(column.name, Field(column.label))
        numeric = field.numeric if column.numeric is None else column.numeric
        label, is_time = column.label or field.label, field.type is datetime
        found.append(replace(column, label=label, numeric=numeric, is_time=is_time))
    return tuple(found)


class ListPage(StaffPage, Generic[FormT]):
    """A list: query string -> form -> a full page, only its list (for htmx), or all rows as a file.

    A subclass names ``form_class``, ``noun``, the ``entity`` of the rows and its fields that are the ``columns`` of the
    table. It implements :meth:`listing`. What is more than text is in its ``list_template_name``: a template that
    extends the default one, and sets ``cells``, the macros of columns by name. It may set ``template_name`` (of a page
    with more than the list), extend :meth:`context` and :meth:`exported`, and name the ``file_columns`` of the export
    and its file: ``csv_name``, followed by the parts of the address.
    """

    is_list = True
    form_class: type[FormT]
    template_name = "portal/list_page.html"
    list_template_name = "portal/_list.html"
    entity: ClassVar[type]
    noun: ClassVar[str]
    columns: ClassVar[Sequence[str | Column]] = ()
    filters: ClassVar[Sequence[str]] = ()
    """The filters that the list draws: fields of the form."""
    tabs: ClassVar[Mapping[str, str]] = {}
    """The values of the parameter ``status`` that have a tab, and the words of each."""
    key: ClassVar[str] = ""
    """The field whose value names a row, also in its id."""
    row_head: ClassVar[str] = ""
    """The column that is read first in a row. Without a macro of its own, it leads to the row's page."""
    row_page: ClassVar[tuple[str, ...]] = ()
    """The page of a row: the name of its URL, and the fields of the row that this takes."""
    noted: ClassVar[bool] = False
    """Whether it marks the row's note."""
    dated: ClassVar[str] = ""
    """The column that the sort by date sorts."""
    days_of: ClassVar[str] = "Days"
    """What is on the days that the filter chooses."""
    adds: ClassVar[tuple[str, str, str]] = ("", "", "")
    """The page that adds a row: the words of the link, the permission, and the name of the URL.

    The URL takes what the address of the list names.
    """
    ticks: ClassVar[tuple[str, ...]] = ("",)
    """The parameter that boxes of rows send, if there are some, and the permissions to select rows."""
    nothing: ClassVar[tuple[str, str]] = ("", "")
    """What the list says before it has any row, which may name values as the title does, and when it will have some."""
    unmatched: ClassVar[tuple[str, str]] = ("", "")
    """What the list says if its filters leave no row, and what to do."""
    found_by: ClassVar[str] = ""
    """By what the search finds rows, for whom it found none."""
    file_columns: ClassVar[Sequence[str]] = ()
    csv_name: ClassVar[str] = ""
    prints_freely: ClassVar[bool] = False
    """Whether all rows are printed without the permission to export them, as is the round of who cleans."""

    def listing(self, form: FormT) -> Listing[Any]:
        """Return the list that the query string asks for. An export (``form.exporting``) will read all of it."""
        raise NotImplementedError

    def context(self, form: FormT, page: Page[Any]) -> dict[str, Any]:
        """Return the context of the templates, besides the page of rows."""
        return {}

    def form(self, data: QueryDict) -> FormT:
        """Return the form of a query string, with the fields that this page has."""
        return self.form_class(data)

    @property
    def shown(self) -> Sequence[Column]:
        """The columns of the table. A subclass may leave some out."""
        return columns_of(self.entity, *self.columns)

    def row_writer(self, cells: Mapping[str, Cell], note_mark: Cell) -> Cell:
        """Return a function that writes the cells of a row. A loop in a template takes twice as long.

        ``cells`` has the macros of columns that are more than text, and ``note_mark`` draws the mark of a note.
        """
        columns, (url_name, *names) = [], self.row_page or ("",)
        for column in self.shown:
            tag = 'th scope="row"' if column.name == self.row_head else "td"
            columns.append((f"<{tag}{column.attributes}>", column, cells.get(column.name), f"</{tag[:2]}>"))

        def write(row: Any) -> Markup:
            html = []
            for opened, column, drawn, closed in columns:
                words: str = escape(drawn(row) if drawn else column.text(row, self))
                if column.name == self.row_head and not drawn:
                    # A link to the row's page, if it has one, and if the list shows notes, the mark of the row's note.
                    if url_name:
                        there = escape(address(url_name, *map(partial(getattr, row), names)))
                        words = f'<a href="{there}" hx-boost="false" dir="auto">{words}</a>'
                    words += f" {note_mark(row.note)}" if self.noted and row.note else ""
                html += [opened, words, closed]
            return Markup("".join(html))

        return write

    def row_name(self, row: Any) -> str:
        """Return the id of a row's element, after ``row-``."""
        return str(getattr(row, self.key))

    def tick(self, row: Any) -> str:
        """Return the value that the box of a row sends."""
        return self.row_name(row)

    def tab_address(self, form: FormT, tab: str) -> str:
        return form.link(status=tab)

    @property
    def add_address(self) -> str:
        """The address of the page that adds a row; blank if there is none that the user may open."""
        _, permission, url_name = self.adds
        return address(url_name, *self.kwargs.values()) if url_name and self.may(permission) else ""

    def empty(self, form: FormT) -> tuple[str, str]:
        """Return the texts of a list without rows: that it has none, and why."""
        if form.searched:
            typed = form.cleaned_data[form.searched]
            return f"No {self.noun.removesuffix('s')} was found for “{typed}”.", self.found_by
        said, why = self.nothing
        return said.format(page=self), why

    def exported(self, form: FormT, rows: Iterator[Any]) -> Iterable[Any]:
        """Return the rows of the export that a checked form asks for. Rows of the list are read as they are taken."""
        return rows

    def cells(self, entity: Any) -> Sequence[Any]:
        """Return the columns of a row of the export."""
        return entities.cells(entity)

    def zone_of(self, row: Any) -> str:
        """Return the zone of the times of a row: that of its hotel or of the page; blank for UTC."""
        return str(getattr(row, "time_zone", "") or self.zone)

    def file_name(self) -> str:
        """File name of the export, without its suffix."""
        return "-".join([self.csv_name or self.noun, *self.kwargs.values()]).replace("/", "-")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        """Return the page, the list or the export that the query string asks for.

        Bad parameters give status 400 and the list without them, with the problems beside the fields. Raises
        :class:`~portal.forms.parameters.BadParameters` for an export, and after ``MAX_READS`` more reads; and
        ``PermissionDenied`` for an export without the permission.
        """
        data, problems, refused = request.GET, list[Problem](), None
        for _ in range(1 + MAX_READS):
            form = self.form(data)
            try:
                with form.refusing():
                    checked(form)
                    if (other := self._other(form)) is not None:
                        return other
                    listing = self.listing(form)
                    if not form.printing:
                        page = read_page(listing, *form.position)
                    else:  # all rows on one page, however many read units they take
                        rows = tuple(islice(listing.stream(), MOST_PRINTED + 1))
                        if len(rows) > MOST_PRINTED:
                            too_many = f"Only {MOST_PRINTED:,} rows can be printed. Set a filter first."
                            raise form.refuse("format", too_many, PRINT)
                        page = Page(rows, len(rows), 0, None, None, None)
                    context = self._context(form, listing, page)
            except BadParameters as error:
                if form.cleaned_data.get("format") or form.cleaned_data.get("explain", ON_PAGE) not in {"", ON_PAGE}:
                    raise
                problems, refused, data = [*problems, *error.problems], error, QueryDict(error.remaining)
                continue
            if refused is None:
                return self._respond(context, f"{escape_uri_path(request.path)}?{form.address}".removesuffix("?"))
            # The list without the bad parameters, which the page shows as they were typed.
            form.show(request.GET, problems)
            context.update(problems=problems, links=refused.ways_out(request.path))
            return self._respond(context, request.get_full_path(), status=400)
        raise BadParameters(problems, data)

    def _other(self, form: FormT) -> HttpResponseBase | None:
        """Return the export or the explanation that the query string asks for instead of a page; or ``None``."""
        if form.exporting and not (form.printing and self.prints_freely):
            self.require(EXPORT_DATA)
        if not form.exporting or form.printing:
            if form.cleaned_data["explain"] in {"", ON_PAGE}:
                return None
            self.require(VIEW_COSTS)
            explanation, address = self.explanation(form), f"{self.request.path}?{form.address}".removesuffix("?")
            if form.cleaned_data["explain"] == AS_JSON:
                return JsonResponse(explanation.data(address))
            return HttpResponse(explanation.text(address), content_type="text/plain; charset=utf-8")
        columns = self.file_columns or entities.columns(self.entity)
        if form.cleaned_data["format"] != WORKBOOK:
            return csv_response(self.by, self.file_name(), columns, map(self.cells, self._exported(form)))
        labels = {field.column: field.label for field in entities.fields(self.entity)}
        headings = [labels.get(column) or column.replace("_", " ").capitalize() for column in columns]
        zoned = ((self.cells(row), self.zone_of(row)) for row in self._exported(form))
        try:
            return workbook_response(self.by, self.file_name(), headings, zoned)
        except TooLong as error:
            raise form.refuse("format", str(error), WORKBOOK) from error

    def explanation(self, form: FormT, most_units: float = explaining.MOST_UNITS) -> explaining.Explanation:
        """Return every way to read the page that a checked form asks for, run while ``most_units`` last."""
        with form.refusing():
            return explaining.explain(self.listing(form), *form.position, most_units)

    def _exported(self, form: FormT) -> Iterator[Any]:
        """Yield the rows of the export. Nothing is read before the first row, so a refused export reads nothing.

        Raises: :class:`~portal.lists.exports.TooLong`, before a row is read, if counts say that the list is too long
        for a workbook.
        """
        listing = self.listing(form)
        if form.cleaned_data["format"] == WORKBOOK:
            require_short(listing.total or 0)
        yield from self.exported(form, listing.stream())

    def _context(self, form: FormT, listing: Listing[Any], page: Page[Any]) -> dict[str, Any]:
        if getattr(form, "days_set", None) and (zone := form.cleaned_data["zone"] or self.zone):
            self.shows_times, self.zone = True, zone
        ticks, *needed = self.ticks
        ticks = ticks if all(map(self.may, needed)) and not form.printing else ""
        usual = {"title": self.title.format(page=self), "page": page, "narrowed": bool(form.filters_set)}
        usual |= {"filters": {}, "days_of": self.days_of, "each_hotel": False, "groups": [("", page.rows)]}
        usual |= {"counts": None, "others": {}, "dated": self.dated, "ticks": ticks}
        always = {"form": form, "params": form.params, "fields": entities.by_name(self.entity), "noun": self.noun}
        always |= {"printed": now() if form.printing else None, "index": listing.index, "problems": (), "links": ()}
        always["explanation"] = partial(explaining.explain, listing, *form.position)
        here = f"{self.request.path}?{form.params.urlencode()}"
        always["save_view_link"] = f"{frame_link('save_view')}?list={quote(here, '')}"
        return {**usual, **self.context(form, page), **always}

    def _respond(self, context: Mapping[str, Any], address: str, status: int = 200) -> HttpResponse:
        htmx, context = getattr(self.request, "htmx", None), self.get_context_data(**context)
        response: HttpResponse
        if htmx and htmx.target == LIST_TARGET and not htmx.history_restore_request:
            response = self.response_class(self.request, self.list_template_name, context, status=status)
            same = status == HTTPStatus.OK and shown_address(self.request) == address  # as after a tap in a row
            response["HX-Replace-Url" if same else "HX-Push-Url"] = address
        else:
            response = self.render_to_response(context, status=status)
        patch_vary_headers(response, ["HX-Request", "HX-Target", "HX-History-Restore-Request"])
        return response
