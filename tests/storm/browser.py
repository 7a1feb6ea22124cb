"""A user's browser: requests over HTTP with cookies, the forms in pages, and the login."""

import http.client
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit
from urllib.request import HTTPCookieProcessor, HTTPErrorProcessor, Request, build_opener

from lxml import html

from tests.storm.journal import Journal

TIMEOUT = 30.0
"""Seconds that a browser waits for the next part of an answer."""

LOGIN = "/admin/login/"
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

    address: str
    status: int
    text: str
    location: str = ""

    @property
    def to_login(self) -> bool:
        """Whether the portal asks for a login."""
        return self.status == FOUND and urlsplit(self.location).path == LOGIN

    def __str__(self) -> str:
        """The answer in short. A form that is shown again says why."""
        errors = html.fromstring(self.text).find_class("errorlist") if "errorlist" in self.text else []
        why = " ".join(each.text_content() for each in errors) if self.status else self.text
        return f"{self.status} {self.location} {' '.join(why.split())}"


@dataclass(frozen=True, slots=True)
class Form:
    """A form with the values that it would be sent with. Its buttons are left out."""

    action: str
    fields: Mapping[str, str]

    def filled(self, values: Mapping[str, str]) -> "Form":
        """Return the form with these values instead, or besides."""
        return replace(self, fields={**self.fields, **values})


def find_form(page: Answer, name: str) -> Form:
    """Return the form for POST on a page that has a field called ``name``. Raises :class:`NoSuchForm`."""
    for form in html.fromstring(page.text or "<p>").forms:
        for blank in form.xpath(".//input[not(@value) and not(@type='checkbox') and not(@type='radio')]"):
            blank.set("value", "")
        # A browser sends no line break after the tag of a text area, which Django writes there.
        fields = {field: value.removeprefix("\n") for field, value in form.form_values()}
        if form.method == "POST" and name in fields:
            return Form(form.action or page.address, fields)
    raise NoSuchForm(f"no form with {name} on {page.address}")


class _AsItIs(HTTPErrorProcessor):
    """Takes redirects and errors for answers."""

    def http_response(self, request: Request, response: Any) -> Any:
        return response


class Browser:
    """A browser of one user. Each request has a connection of its own, as behind a proxy."""

    def __init__(self, url: str, journal: Journal, username: str, password: str) -> None:
        self.url, self.journal, self.username, self.password = url, journal, username, password
        self.cookies = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self.cookies), _AsItIs)

    def get(self, path: str, timeout: float = TIMEOUT) -> Answer:
        """Return the page at an address. Redirects are followed, but not to the login."""
        answer = self._answer(path, None, timeout)
        while answer.status == FOUND and not answer.to_login:
            answer = self._answer(urljoin(answer.address, answer.location), None, timeout)
        return answer

    def post(self, form: Form) -> Answer:
        """Return the answer to a form."""
        return self._answer(form.action, urlencode(form.fields).encode(), TIMEOUT)

    def log_in(self) -> bool:
        """Try to log in; whether it worked."""
        page = self.get(LOGIN)
        if page.status != OK:
            return False
        form = find_form(page, "username").filled({"username": self.username, "password": self.password})
        answer = self.post(form)
        return answer.status == FOUND and not answer.to_login

    def _answer(self, path: str, data: bytes | None, timeout: float) -> Answer:
        try:
            with self._opener.open(Request(urljoin(self.url, path), data), timeout=timeout) as response:
                text = response.read().decode(errors="replace")
                answer = Answer(path, response.status, text, response.headers.get("Location", ""))
        except (OSError, http.client.HTTPException) as error:
            answer = Answer(path, NO_ANSWER, f"{type(error).__name__} {error}")
        self.journal.statuses.append(answer.status)
        if answer.status not in {*ALLOWED, NO_ANSWER}:
            self.journal.report(f"status {answer.status} for {path}")
        return answer
