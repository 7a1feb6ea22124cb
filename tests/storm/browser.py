"""A user's browser: requests over HTTP with cookies, and the login."""

import http.client
from dataclasses import dataclass, replace
from http.cookies import SimpleCookie
from random import Random
from urllib.parse import urlencode, urljoin, urlsplit

from tests.storm.pages import CSRF_FIELD, Form, find_form
from tests.storm.traffic import NO_ANSWER, Traffic

TIMEOUT = 30.0
"""Seconds that a browser waits for the next part of an answer."""

LOGIN = "/admin/login/"
CSRF_COOKIE, SESSION_COOKIE = "csrftoken", "sessionid"
MAX_REDIRECTS = 5
FOUND = 302


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the portal. Without one, ``status`` is :data:`~tests.storm.traffic.NO_ANSWER`, and ``text`` why."""

    status: int
    text: str
    location: str = ""

    @property
    def to_login(self) -> bool:
        """Whether the portal asks for a login."""
        return self.status == FOUND and urlsplit(self.location).path == LOGIN


class Browser:
    """A browser of one user. Each request has a connection of its own, as behind a proxy."""

    def __init__(self, port: int, traffic: Traffic, username: str, password: str) -> None:
        self.port, self.traffic, self.username, self.password = port, traffic, username, password
        self.cookies: dict[str, str] = {}
        self.random = Random(username)

    def get(self, path: str, kind: str) -> Answer:
        """The page at an address. Redirects are followed, but not to the login."""
        answer = self.request("GET", path, kind)
        for _ in range(MAX_REDIRECTS):
            if answer.status != FOUND or answer.to_login:
                break
            path = urljoin(path, answer.location)
            answer = self.request("GET", path, kind)
        return replace(answer, location=answer.location or path)

    def post(self, form: Form, kind: str) -> Answer:
        """The answer to a form. It has the token that the browser's cookie has now."""
        if CSRF_COOKIE in self.cookies:
            form = form.filled({CSRF_FIELD: self.cookies[CSRF_COOKIE]})
        return self.request("POST", form.action, kind, urlencode(form.fields))

    def log_in(self) -> Answer:
        """The answer to the login, a redirect if it worked."""
        page = self.request("GET", LOGIN, "login form")
        if page.status == NO_ANSWER or "<form" not in page.text:
            return page
        form = find_form(page.text, "username", LOGIN)
        return self.post(form.filled({"username": self.username, "password": self.password}), "login")

    def request(self, method: str, path: str, kind: str, body: str = "", timeout: float = TIMEOUT) -> Answer:
        """One answer, which is also noted in the traffic."""
        try:
            answer = self._exchange(method, path, body, timeout)
        except (OSError, http.client.HTTPException) as error:
            answer = Answer(NO_ANSWER, f"{type(error).__name__} {error}")
        self.traffic.add(kind, answer.status, f"{method} {path}")
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
