"""A walk through the portal, as a browser takes it: every link, and every form that needs no input, with its Referer.

Pages of one route are alike: one of them is opened, and one more for each other parameter. Alike forms of alike pages
are sent once.
"""

import functools
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urldefrag, urlencode, urljoin

from django.core.cache import cache
from django.db import transaction
from django.http import QueryDict
from django.test import Client
from django.urls import Resolver404, resolve

from dynamodb_lists.schema import tables
from dynamodb_lists.tests.helpers.soup import Tag
from portal.lists.views import ListPage
from tests.helpers import contents
from tests.helpers.contents import forget_counts
from tests.helpers.markup import ListMarkup

HOST = "http://testserver"
FAILED = 400
ADMIN = "/admin/"
LOG_OUT = f"{ADMIN}logout/"
LOOKS = {"days", "from", "page_size", "sort", "status", "to", "zone"}
"""Parameters of lists that no permission is about: who may open a list may choose them."""
PART = {"HX-Request": "true", "HX-Target": "part"}
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Step:
    """What a page offers: a link, a part that htmx loads, or a form with what a browser sends.

    ``framed`` is what stands around the page, and ``entered`` what a form asks for, which may be refused.
    """

    url: str
    page: str = ""
    data: Pairs | None = None
    part: bool = False
    framed: bool = False
    entered: bool = False

    def traits(self, *, by_origin: bool, by_look: bool) -> set[Any]:
        """Return what alike steps have in common."""
        path, _, query = self.url.partition("?")
        names = set() if path.startswith(ADMIN) else {name for name, _ in parse_qsl(query, keep_blank_values=True)}
        names -= set() if by_look else LOOKS
        sent = self.data and [*(name for name, _ in self.data), re.sub(r"\S*\d\S*", "", self.data[-1][1])]
        is_form = self.data is not None
        found = {(route(path), "sent", str(sent)), *((route(path), "?", name, is_form) for name in names)}
        from_list = by_origin and not is_form and not self.framed and not of_list(path)
        return found | {(route(path), of_list(self.page.partition("?")[0]))} if from_list else found

    def __str__(self) -> str:
        return f"{self.url} from {self.page}" + ("" if self.data is None else f" with {dict(self.data)}")


Chain = tuple[Step, ...]


@dataclass
class Walk:
    """What somebody reaches from the start page. Each form meets the tables as they were at the beginning.

    ``by_origin`` opens each page once for each list whose content leads to it, and ``by_look`` once for each of the
    ``LOOKS`` at it.
    """

    client: Client
    by_origin: bool = False
    by_look: bool = False
    seen: set[Any] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.client.raise_request_exception = False
        before = {table: contents.items_of(table) for table in tables.names()}
        chains = deque[Chain]((form,) for form in self.follow([Step("/")]) if self.is_new(form))
        while chains:
            contents.become(before)
            cache.clear()
            forget_counts()
            chains.extend(self.send(chains.popleft()))

    @property
    def routes(self) -> set[str]:
        """The routes of the pages that were reached."""
        return {route for route, *_ in self.seen}

    def is_new(self, step: Step) -> bool:
        """Return whether nothing alike was opened or sent before."""
        traits = step.traits(by_origin=self.by_origin, by_look=self.by_look)
        new = not traits <= self.seen
        self.seen |= traits
        return new

    def follow(self, begin: Iterable[Step]) -> list[Step]:
        """Open what these steps, and the pages that they lead to, link to; returns the forms that all of them offer."""
        steps, forms = deque(begin), []
        while steps:
            step = steps.popleft()
            if step.data is not None:
                forms.append(step)
            elif self.is_new(step):
                steps.extend(self.open(step))
        return forms

    def send(self, chain: Chain) -> list[Chain]:
        """Send a form, and what follows. Returns what may follow a form: what only the page after it has, as Undo."""
        with transaction.atomic():
            for form in chain:
                offers = self.open(form)
            after = [] if len(chain) > 1 else self.follow(offers)
            transaction.set_rollback(True)
        return [(*chain, other) for other in after if self.is_new(other)]

    def open(self, step: Step) -> list[Step]:
        """Return what the page offers that a step leads to."""
        headers = (PART if step.part else {}) | ({"Referer": f"{HOST}{step.page}"} if step.page else {})
        sent = {} if step.data is None else dict(QueryDict(urlencode([pair for pair in step.data if pair[0]])).lists())
        url, answer = (
            step.url,
            (self.client.get if step.data is None else self.client.post)(step.url, sent, headers=headers),
        )
        while "Location" in answer:
            url = urldefrag(urljoin(url, answer["Location"])).url
            self.is_new(Step(url, step.page))
            answer = self.client.get(url, headers=headers)
        if answer.status_code >= FAILED + step.entered:
            self.faults.append(f"{answer.status_code} {step}, at {url}")
        elif not answer.streaming and answer["Content-Type"].startswith("text/html"):
            return [*offered(ListMarkup(answer.content), url)]
        answer.close()
        return []


@functools.cache
def route(path: str) -> str:
    """Return the pattern of a path; the path itself if it has none."""
    try:
        return "/" + re.sub(r"<\w+:", "<", resolve(path).route)
    except Resolver404:
        return path


@functools.cache
def of_list(path: str) -> str:
    """Return the route of a path if that is of a list; blank otherwise."""
    try:
        page = getattr(resolve(path).func, "view_class", object)
    except Resolver404:
        return ""
    return route(path) if issubclass(page, ListPage) else ""


def offered(page: ListMarkup, url: str) -> Iterator[Step]:
    """Yield the links of a page, the parts that it loads, and its forms that need no input, once for each button."""
    inside = {*page.soup.select("main a[href]"), *page.soup.select("main form")}
    for link in page.soup.select("a[href]"):
        yield from _link(url, link["href"], framed=link not in inside)
    for part in page.soup.select("[hx-get]:not(form)"):
        yield from _link(url, part["hx-get"], part=True)
    for form in page.soup.select("form"):
        for action, data in sent_by(page, form, url):
            if form.get("method", "get") == "get":
                asked = f"{action.partition('?')[0]}?{urlencode([pair for pair in data if pair[0]])}"
                yield from _link(url, asked, framed=form not in inside, entered=True)
            elif not action.startswith(LOG_OUT):
                yield Step(action, url, data, entered=True)


def _link(page: str, href: str, **how: Any) -> Iterator[Step]:
    url = urldefrag(urljoin(f"{HOST}{page}", href)).url.removeprefix(HOST)
    if url.startswith("/") and not url.startswith("/static/"):
        yield Step(url, page, **how)


def sent_by(page: ListMarkup, form: Tag, url: str) -> Iterator[tuple[str, Pairs]]:
    """Yield the data and the address that a browser sends from a form without input; nothing if the form needs
    input.
    """
    own = page.soup.select(f"[form='{form['id']}']") if form.has_attr("id") else []
    fields = [*form.select("input, select, textarea, button"), *own]
    pairs = [pair for each in fields if each.has_attr("name") for pair in values_of(each)]
    filled = {name for name, value in pairs if value}
    if all(each["name"] in filled for each in fields if each.has_attr("required")):
        data = tuple(pair for pair in pairs if pair[0] != "csrfmiddlewaretoken")
        buttons = {
            (each.get("formaction") or form.get("action") or url, each.get("name") or "", each.get("value") or "")
            for each in fields
            if each.name == "button"
        }
        typed = any(each.name != "button" and each.get("type") != "hidden" for each in fields)
        for action, *button in sorted(buttons) or [(form.get("action") or url, "", "")] * typed:
            yield urljoin(url, action), (*data, (button[0], button[1]))


def values_of(each: Tag) -> Iterator[tuple[str, str]]:
    """Yield what a browser sends of a field as it is shown, without the button that sends it."""
    name, kind = each["name"], each.get("type")
    if each.name == "select":
        chosen = each.select("option[selected]") or ([] if each.has_attr("multiple") else each.select("option")[:1])
        for option in chosen:
            yield name, option.get("value") or ""
    elif each.name == "textarea":
        yield name, each.get_text().removeprefix("\n")
    elif each.name == "input" and (each.has_attr("checked") or kind not in {"checkbox", "radio"}):
        yield name, each.get("value") or ("on" if each.has_attr("checked") else "")
