"""What the admins share: Django's settings, and what a browser asks of the pages of a list of rooms.

It runs in the environment of each admin, so it needs no more than Django. Pages are asked with Django's test client.
"""

import json
import logging
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from html import unescape
from html.parser import HTMLParser
from http import HTTPStatus
from typing import Any, Protocol

import django
from django.conf import settings
from django.core.management import CommandError
from django.test import Client
from django.urls import path

from compared.questions import PAGE_SIZE, VIEWS, Room

URL = "/admin/compared/room/"
SQLITE = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}
APPS = ["admin", "auth", "contenttypes", "sessions", "messages", "staticfiles"]
MIDDLEWARE = ["sessions.middleware.Session", "auth.middleware.Authentication", "messages.middleware.Message"]
PROCESSORS = ["template.context_processors.request", "contrib.auth.context_processors.auth"]
PROCESSORS += ["contrib.messages.context_processors.messages"]
TEMPLATES = {
    "BACKEND": "django.template.backends.django.DjangoTemplates",
    "APP_DIRS": True,
    "OPTIONS": {"context_processors": [f"django.{name}" for name in PROCESSORS]},
}
START, CREATE = "start with the documented settings", "create the table by its command"
LINK = re.compile(r'href="(\?[^"]*\bp=[^"]*)"')
"""The addresses of other pages of a list."""

urlpatterns: list[Any] = []
"""The addresses of the admin site."""


class Admin(Protocol):
    """A stock admin site with the list of rooms."""

    delete_action: str
    """The action that deletes the rooms that are ticked."""

    def fill(self, rooms: list[Room]) -> None:
        """Create the table and store the rooms."""

    def stored(self) -> dict[str, str]:
        """The view of each room that is stored, by its number."""

    def delete(self, number: str) -> None:
        """Delete a room in code, as the documentation says."""


class Page(HTMLParser):
    """What an address answers: the status, the cells, and the values of the fields of its forms."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.status, self.text = answer.status_code, answer.content.decode()
        self.address = f"{answer.request['PATH_INFO']}?{answer.request['QUERY_STRING']}"
        self.fields = dict[str, str]()
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "input" and given.get("name") and given.get("type") not in {"submit", "checkbox"}:
            self.fields[str(given["name"])] = given.get("value") or ""

    def column(self, name: str) -> list[str]:
        """The texts of a column."""
        return re.findall(rf'class="field-{name}[^>]*>(?:<a[^>]*>)?([^<]*)<', self.text)

    @property
    def total(self) -> str:
        """The number of rooms, as the page says it."""
        return next(iter(re.findall(r"(\d+) rooms?\b", self.text)), "none")


def start(**own: Any) -> None:
    """Configure Django for an admin with these settings of its own."""
    own["INSTALLED_APPS"] = [*own["INSTALLED_APPS"], *(f"django.contrib.{app}" for app in APPS), "compared"]
    settings.configure(
        ALLOWED_HOSTS=["*"],
        MIDDLEWARE=[f"django.contrib.{name}Middleware" for name in MIDDLEWARE],
        TEMPLATES=[TEMPLATES],
        ROOT_URLCONF="compared.admins",
        SECRET_KEY="only-for-the-comparison-" * 3,
        STATIC_URL="static/",
        USE_TZ=True,
        **own,
    )
    logging.disable()
    django.setup()


def outcome(action: Callable[[], object]) -> str:
    """``done``, or the name of the error that an action ends with."""
    try:
        action()
    except (AttributeError, CommandError) as error:
        return type(error).__name__
    return "done"


class Questions:
    """Asks an admin, and says what happens: ``right``, or what else."""

    def __init__(self, admin: Admin, rooms: list[Room], used: Counter[str]) -> None:
        from django.contrib.auth.models import User  # noqa: PLC0415

        self.admin, self.used = admin, used
        self.rooms = sorted(rooms, key=lambda room: room["size"])
        self.client = Client(raise_request_exception=False)
        self.client.force_login(User.objects.create_superuser("ada"))

    def all(self) -> Iterator[tuple[str, str]]:
        """What each question is, and what happens. The last one may leave no room."""
        first = self.get("")
        yield "first page, by size", self.judged(first, self.rooms[:PAGE_SIZE])
        last = next(reversed(LINK.findall(first.text)), "")
        yield "last page", self.judged(self.get(last) if last else first, self.rooms[-PAGE_SIZE:])
        seen = [room for room in self.rooms if room["view"] == VIEWS[-1]]
        yield "filter by a view", self.judged(self.get(f"?view={VIEWS[-1]}"), seen[:PAGE_SIZE])
        begun = [room for room in self.rooms if room["number"].startswith("100")]
        yield "search by the beginning of a number", self.judged(self.get("?q=100"), begun)
        yield "total", self.totalled(first)
        yield "edit while another edits", self.edited("1001")
        yield "delete one, on its page", self.deleted("1002", self.on_its_page)
        yield "delete one, ticked", self.deleted("1003", self.ticked)
        yield "delete one, in code", self.deleted("1004", self.admin.delete)

    def get(self, address: str) -> Page:
        """A page of the admin, by its address below that of the list."""
        self.used.clear()
        return Page(self.client.get(URL + unescape(address), follow=True))

    def post(self, address: str, **values: str) -> Page:
        return Page(self.client.post(address, values, follow=True))

    def judged(self, page: Page, rooms: list[Room]) -> str:
        """Whether a page has the sizes of these rooms in this order, and what it cost."""
        sizes = [int(text) for text in page.column("size")]
        if page.status != HTTPStatus.OK:
            return f"{page.status}"
        found = "not sorted" if sizes != sorted(sizes) else "other rooms" if sizes else "0 rooms"
        if sizes == [room["size"] for room in rooms]:
            found = "right"
        spent = "/".join(f"{self.used[name]:,g}" for name in ("requests", "items", "read_units"))
        return f"{found}, {spent}"

    def totalled(self, page: Page) -> str:
        """Whether a page says how many rooms there are."""
        if page.status != HTTPStatus.OK:
            return f"{page.status}"
        return "right" if page.total == f"{len(self.rooms)}" else f"{page.total} rooms"

    def edited(self, number: str) -> str:
        """Two people open a form, and save another view each. What the second is told, and what is stored."""
        address, (first, second) = f"{number}/change/", VIEWS[:2]
        forms = [self.get(address), self.get(address)]
        if not all("view" in form.fields for form in forms):
            return "no form"
        answers = [
            self.post(form.address, **{**form.fields, "view": view})
            for form, view in zip(forms, (f"{first}-1", f"{second}-2"), strict=True)
        ]
        stored = self.admin.stored()[number]
        if stored == f"{first}-1" and all(view in answers[1].text for view in (f"{first}-1", f"{second}-2")):
            return "both versions shown"
        told = "“changed successfully”" if "changed successfully" in answers[1].text else "an error"
        return f"{told}, {'the second stored' if stored == f'{second}-2' else 'nothing stored'}"

    def deleted(self, number: str, delete: Callable[[str], object]) -> str:
        """How many rooms are gone after one was to be deleted."""
        before = self.admin.stored()
        delete(number)
        gone = before.keys() - self.admin.stored().keys()
        return "right" if gone == {number} else f"{len(gone):,} of {len(before):,} deleted"

    def on_its_page(self, number: str) -> None:
        self.confirm(self.get(f"{number}/delete/"))

    def ticked(self, number: str) -> None:
        """Tick a room in the list, choose the action, and confirm it if the page asks."""
        page = self.get(f"?q={number}")
        boxes = re.findall(r'name="_selected_action" value="([^"]*)"', page.text) or [number]
        self.confirm(self.post(URL, action=self.admin.delete_action, _selected_action=boxes[0]))

    def confirm(self, page: Page) -> None:
        """Send the form of a page that asks whether to delete."""
        if "post" in page.fields:
            self.post(page.address, **page.fields)


def run(admin: Admin, used: Counter[str], start_up: dict[str, str]) -> None:
    """Read rooms from standard input, and write what happens. ``used`` is the counter of what the calls cost."""
    from django.contrib.admin import site  # noqa: PLC0415

    urlpatterns.append(path("admin/", site.urls))
    rooms = json.load(sys.stdin)
    admin.fill(rooms)
    json.dump({**start_up, **dict(Questions(admin, rooms, used).all())}, sys.stdout)
