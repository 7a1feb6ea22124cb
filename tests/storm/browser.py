"""A user's browser: requests over HTTP with cookies, the forms in pages, and the login."""

import http.client
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http.cookies import SimpleCookie
from random import Random
from threading import Lock
from urllib.parse import urlencode, urljoin, urlsplit

from lxml import html

TIMEOUT = 30.0
"""Seconds that a browser waits for the next part of an answer."""

LOGIN = "/admin/login/"
CSRF_FIELD = "csrfmiddlewaretoken"
CSRF_COOKIE, SESSION_COOKIE = "csrftoken", "sessionid"
MAX_REDIRECTS = 5
OK, FOUND = 200, 302
ALLOWED = frozenset({OK, FOUND, 400, 404, 409, 429, 503})
"""The statuses that a storm may bring about. Any other one is a fault of the portal."""

NO_ANSWER = 0
"""Stands for the status of a request that got no answer, or only a part of one."""


class NoSuchForm(LookupError):
    """The page has no form with the field. It is not the page that it should be."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the portal. Without one, ``status`` is :data:`NO_ANSWER`, and ``text`` says why."""

    status: int
    text: str
    location: str = ""

    @property
    def to_login(self) -> bool:
        """Whether the portal asks for a login."""
        return self.status == FOUND and urlsplit(self.location).path == LOGIN

    @property
    def next_page(self) -> str:
        """The query of the link to a list's next page; blank without one."""
        link = re.search(r'<a\b[^>]*rel="next"[^>]*>', self.text)
        return link[0].partition('href="')[2].partition('"')[0].replace("&amp;", "&") if link else ""

    @property
    def problems(self) -> str:
        """What a form says is wrong with it."""
        errors = html.fromstring(self.text).find_class("errorlist") if "errorlist" in self.text else []
        return " ".join(" ".join(each.text_content() for each in errors).split())


@dataclass(frozen=True, slots=True)
class Form:
    """A form with the values that it would be sent with. Its buttons are left out."""

    action: str
    fields: tuple[tuple[str, str], ...]

    def filled(self, values: Mapping[str, str]) -> "Form":
        """The form with these values instead, or besides."""
        kept = [(name, value) for name, value in self.fields if name not in values]
        return replace(self, fields=(*kept, *values.items()))


def find_form(page: Answer, name: str) -> Form:
    """The form for POST on a page that has a field called ``name``. Raises :class:`NoSuchForm`."""
    for form in html.fromstring(page.text or "<p>").forms:
        for blank in form.xpath(".//input[not(@value) and not(@type='checkbox') and not(@type='radio')]"):
            blank.set("value", "")
        # A browser sends no line break after the tag of a text area, which Django writes there.
        fields = tuple((field, value.removeprefix("\n")) for field, value in form.form_values())
        if form.method == "POST" and name in dict(fields):
            return Form(form.action or page.location, fields)
    raise NoSuchForm(f"no form with {name} on {page.location}")


class Traffic:
    """How often each status was seen. All browsers share it.

    ``lost_share`` is the share of forms whose answers get lost on the way: the browser hangs up without reading it.
    """

    lost_share = 0.0

    def __init__(self) -> None:
        self.statuses, self.faults = Counter[int](), Counter[str]()
        self._lock = Lock()

    def add(self, status: int, method: str, path: str) -> None:
        """Note an answer, and its request if the status is a fault."""
        with self._lock:
            self.statuses[status] += 1
            if status not in {*ALLOWED, NO_ANSWER}:
                self.faults[f"status {status} for {method} {path}"] += 1


class Browser:
    """A browser of one user. Each request has a connection of its own, as behind a proxy."""

    def __init__(self, port: int, traffic: Traffic, username: str, password: str) -> None:
        self.port, self.traffic, self.username, self.password = port, traffic, username, password
        self.cookies: dict[str, str] = {}
        self.random = Random(username)

    def get(self, path: str) -> Answer:
        """The page at an address. Redirects are followed, but not to the login."""
        answer = self.request("GET", path)
        for _ in range(MAX_REDIRECTS):
            if answer.status != FOUND or answer.to_login:
                break
            path = urljoin(path, answer.location)
            answer = self.request("GET", path)
        return replace(answer, location=answer.location or path)

    def post(self, form: Form) -> Answer:
        """The answer to a form. It has the token that the browser's cookie has now."""
        if CSRF_COOKIE in self.cookies:
            form = form.filled({CSRF_FIELD: self.cookies[CSRF_COOKIE]})
        return self.request("POST", form.action, urlencode(form.fields))

    def log_in(self) -> Answer:
        """The answer to the login, a redirect if it worked."""
        page = self.get(LOGIN)
        if "<form" not in page.text:
            return page
        return self.post(find_form(page, "username").filled({"username": self.username, "password": self.password}))

    def request(self, method: str, path: str, body: str = "", timeout: float = TIMEOUT) -> Answer:
        """One answer, which is also noted in the traffic."""
        try:
            answer = self._exchange(method, path, body, timeout)
        except (OSError, http.client.HTTPException) as error:
            answer = Answer(NO_ANSWER, f"{type(error).__name__} {error}")
        self.traffic.add(answer.status, method, path)
        return answer

    def _exchange(self, method: str, path: str, body: str, timeout: float) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Cookie": cookies, "Connection": "close"}
        if method == "POST":
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, body or None, headers)
            if method == "POST" and self.random.random() < self.traffic.lost_share:
                raise ConnectionAbortedError("the answer got lost")
            response = connection.getresponse()
            text = response.read().decode(errors="replace")
        finally:
            connection.close()
        for line in response.headers.get_all("Set-Cookie", []):
            self._keep(line)
        return Answer(response.status, text, response.headers.get("Location", ""))

    def _keep(self, line: str) -> None:
        for name, morsel in SimpleCookie(line).items():
            if morsel["max-age"] == "0" or not morsel.value:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = morsel.value
