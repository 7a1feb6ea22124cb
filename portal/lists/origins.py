"""The list that a page was opened from: the way back to it, and the page's neighbours in it.

The page's own links and forms carry the list in the parameter ``list``. The links of the list itself do not, so that
their addresses are short: on the first page after a list, the browser's ``Referer`` says where the reader comes from.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import unquote, urlencode, urlsplit

from django import forms
from django.http import HttpRequest, QueryDict
from django.urls import Resolver404, resolve
from django.utils.encoding import escape_uri_path
from django.utils.http import url_has_allowed_host_and_scheme

from dynamodb_lists import Page, errors, read_page
from portal.forms.parameters import BadParameters, understood
from portal.lists.forms import ListForm

MAX_LENGTH = 2000


class OriginForm(forms.Form):
    list = forms.CharField(required=False, max_length=MAX_LENGTH)


class Neighbours(NamedTuple):
    """The addresses before and after a row of a list, blank without a row, and the number of rows of the list.

    ``place`` is the row's place in the list, ``of`` how many rows; ``None`` if unknown.
    """

    previous: str = ""
    next: str = ""
    total: int | None = None
    place: int | None = None
    of: int | None = None


@dataclass
class Origin:
    """A list that the user may open: its page, and the checked form of its query string."""

    page: Any
    form: ListForm
    path: str

    @cached_property
    def address(self) -> str:
        """The address of the list, in its canonical spelling."""
        return self._address(self.form.address)

    @property
    def lasting(self) -> str:
        """The address of the list without the cursor: it always leads to the first page."""
        return self._address(self.form.params.urlencode())

    @cached_property
    def carried(self) -> str:
        """The query string that carries the list to another page."""
        return f"?{urlencode({'list': self.address})}"

    @property
    def title(self) -> str:
        try:
            return str(self.page.title.format(page=self.page) or self.page.noun)
        except errors.NotFound:  # the list of a hotel that does not exist
            return str(self.page.noun)

    @property
    def chosen(self) -> str:
        """Return the filters that are set, in words for the end of a title; blank without filters.

        Choices have their names; a value that begins with a digit follows the name of its field.
        """
        words, shared = [], {*ListForm.base_fields, "sort", "then"}
        for name, texts in self.form.params.lists():
            for text in texts if name not in shared else ():
                named = dict(getattr(self.form.fields[name], "choices", ())).get(text, text.replace("-", " "))
                label = f"{self.form[name].label.lower()} {text}"
                words.append(label if named[:1].isdigit() else named.lower())
        return f" ({', '.join(words)})" if words else ""

    def neighbours(self, this: Any, address: Callable[[Any], str]) -> Neighbours:
        """Return the rows beside one, from the page of the list that the reader saw: it is read once more.

        Rows are the same if their pages have one address. At the page's edge, the neighbour is the list's own next
        page. A row that has left the page has none, and neither has what is no row of this list.
        """
        page = self._read() if isinstance(this, self.page.entity) else None
        if page is None:
            return Neighbours()
        rows = [address(row) for row in page.rows]
        if address(this) not in rows:
            return Neighbours(total=page.total)
        found = rows.index(address(this))
        links = [self._page(page.previous), *(f"{row}{self.carried}" for row in rows), self._page(page.next)]
        of = page.total if page.total is not None or page.previous or page.next else len(rows)
        place = None if page.rank is None else page.rank + found + 1
        return Neighbours(links[found], links[found + 2], page.total, place, of)

    def following(self, this: Any, address: Callable[[Any], str]) -> str:
        """Return the address of the row after ``this``, also on the next page; blank after the last row. If ``this`` is
        no row, return the address of the first row.
        """
        page = self._read()
        rows = [address(row) for row in page.rows] if page else []
        after = rows.index(address(this)) + 1 if address(this) in rows else 0
        if after < len(rows):
            return f"{rows[after]}{self.carried}"
        if page and page.next and (beyond := self._read(page.next)) and beyond.rows:
            return f"{address(beyond.rows[0])}?{urlencode({'list': self._page(page.next)})}"
        return ""

    def _read(self, beyond: str | None = None) -> Page[Any] | None:
        """Return the page of the list, or one ``beyond``, as it is now; ``None`` if it cannot be read any more."""
        size, cursor = self.form.position
        try:
            with self.form.refusing():
                return read_page(self.page.listing(self.form), size, beyond or cursor)
        except (BadParameters, errors.NotFound):
            return None

    def _page(self, cursor: str | None) -> str:
        params = self.form.params.copy()
        params["cursor"] = cursor or ""
        return self._address(params.urlencode()) if cursor else ""

    def _address(self, query: str) -> str:
        return f"{escape_uri_path(self.path)}?{query}".removesuffix("?")


def origin_of(request: HttpRequest, *, referring: bool = False) -> Origin | None:
    """Return the list in the parameter ``list`` or, if ``referring``, in the Referer; ``None`` without one."""
    form = OriginForm(request.GET)
    named = list_at(request, form.cleaned_data["list"]) if form.is_valid() else None
    referer = request.headers.get("Referer", "")
    if named or not referring or not url_has_allowed_host_and_scheme(referer, allowed_hosts={request.get_host()}):
        return named
    parts = urlsplit(referer)
    return None if parts.path == escape_uri_path(request.path) else list_at(request, f"{parts.path}?{parts.query}")


def list_page_at(path: str, request: HttpRequest) -> Any | None:
    """Return the page of the list at a path, set up for a request; ``None`` if no list has the path.

    A browser takes ``..`` for the folder above, and would open another page.
    """
    if not {".", ".."}.isdisjoint(path.split("/")):
        return None
    try:
        match = resolve(path)
    except Resolver404:
        return None
    view_class: Any = getattr(match.func, "view_class", None)
    if not getattr(view_class, "is_list", False):
        return None
    page = view_class()
    page.setup(request, *match.args, **match.kwargs)
    return page


def list_at(request: HttpRequest, address: str) -> Origin | None:
    """Return the list at an address of the portal; ``None`` if the address is no list, so no link leads elsewhere."""
    path, _, query = address.partition("?")
    path = unquote(path)
    page = list_page_at(path, request)
    if page is None:
        return None
    form = page.form(QueryDict(query))
    if not form.is_valid():
        form = page.form(understood(form))
    try:
        opens = form.is_valid() and page.may_open() and page.in_scope
    except errors.NotFound:  # the history of nothing
        return None
    return Origin(page, form, path) if opens else None
