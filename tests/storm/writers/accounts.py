"""Writers of what is in SQL and in sessions: staff accounts, logins and logouts."""

import re
from dataclasses import replace

from tests.storm.browser import SESSION_COOKIE, Answer
from tests.storm.journal import Outcome, Thing, Write
from tests.storm.pages import CSRF_FIELD, find_form, problems
from tests.storm.writers.base import OK, Client, Writer

LOGOUT = "/admin/logout/"
ACCOUNTS = "/admin/auth/user/"
ALREADY_THERE = "already exists"
PASSWORD = "A storm of 9 waves"
MOST_ACCOUNTS = 10
PAUSE_SECONDS = 1.0
"""Between two writes. Passwords are expensive to hash, and should not keep all others waiting."""


class AccountWriter(Writer):
    """Adds, changes and deletes staff accounts in Django's admin, which keeps them in SQL."""

    def prepare(self) -> None:
        """Begin without accounts."""
        self.usernames: list[str] = []

    def step(self) -> None:
        """Add an account, or change or delete one of this writer's."""
        if not self.usernames or (len(self.usernames) < MOST_ACCOUNTS and self.random.random() < 1 / 3):
            self.add()
        else:
            self.random.choice([self.edit, self.edit, self.delete])()
        self.clock.over.wait(PAUSE_SECONDS)

    def add(self) -> None:
        """Add an account with a username of its own."""
        username = self.mark().replace(" ", ".")
        form = self.form(f"{ACCOUNTS}add/", "username")
        write = self.begin("account add", after={_account(username): {"username": username, "name": ""}})
        entered = {"username": username, "reach": "none", "password1": PASSWORD}
        if self.expect(write, self.send(write, form.filled(entered)), Outcome.ACKNOWLEDGED):
            self.usernames.append(username)

    def edit(self) -> None:
        """Give an account a name that no other edit has."""
        username = self.random.choice(self.usernames)
        name = f"{username} {self.mark()}"  # the list shows it, and is searched for the username
        after: dict[Thing, dict[str, str] | None] = {_account(username): {"username": username, "name": name}}
        form = self.form(self._address(username, "change"), "name")
        write = self.begin("account edit", after=after)
        self.expect(write, self.send(write, form.filled({"name": name})), Outcome.ACKNOWLEDGED)

    def delete(self) -> None:
        """Delete an account."""
        username = self.usernames.pop(self.random.randrange(len(self.usernames)))
        form = self.form(self._address(username, "delete"), "post")
        write = self.begin("account delete", after={_account(username): None})
        self.expect(write, self.send(write, form), Outcome.ACKNOWLEDGED)

    def judged(self, answer: Answer) -> Outcome:
        """What an answer says. An account that is there already was added by an earlier attempt: no other uses it."""
        if answer.status == OK and ALREADY_THERE in problems(answer.text):
            return Outcome.ACKNOWLEDGED
        return super().judged(answer)

    def _address(self, username: str, page: str) -> str:
        """The address of a page of an account. The list is searched for it, because its address may be unread."""
        link = re.compile(rf"{ACCOUNTS}(\d+)/change/[^>]*>\s*{re.escape(username)}(?:\s[^<]*)?<")
        found = link.search(self.page(f"{ACCOUNTS}?q={username}", "list").text)
        return f"{ACCOUNTS}{found[1] if found else 0}/{page}/"


class LoginWriter(Client):
    """Logs in and out. A session must live until its logout, and no longer."""

    def step(self) -> None:
        """Log out and in again."""
        self._record("login")
        page = self.page("/", "page")
        cookies = dict(self.browser.cookies)
        form = replace(find_form(page.text, CSRF_FIELD, LOGOUT), action=LOGOUT)
        write = self.journal.begin("logout", self.name)
        while (answer := self.browser.post(form, "logout")).status not in {OK, 302}:
            self.journal.attempt(write, str(answer.status), answered=False)
            self.wait()
        self.journal.attempt(write, str(answer.status), answered=True)
        self.journal.settle(write, Outcome.ACKNOWLEDGED)
        self._require_ended(cookies)
        self.browser.cookies.pop(SESSION_COOKIE, None)
        self.logged_in = False
        self.clock.over.wait(PAUSE_SECONDS)
        self.log_in()

    def _record(self, kind: str) -> None:
        write: Write = self.journal.begin(kind, self.name)
        self.journal.attempt(write, "", answered=True)
        self.journal.settle(write, Outcome.ACKNOWLEDGED)

    def _require_ended(self, cookies: dict[str, str]) -> None:
        """Report a session that still works after its logout was acknowledged."""
        self.browser.cookies = cookies
        while not (answer := self.browser.get("/", "page")).to_login:
            if answer.status == OK:
                self.journal.report("a session lived on after its logout")
                return
            self.wait()


def _account(username: str) -> Thing:
    return "account", username
