"""A thread for each user of a storm, who logs in, and uses the portal until the storm is over."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random
from threading import Event, Thread
from urllib.parse import urljoin, urlsplit

from tests.storm.browser import (
    CSRF_FIELD,
    FOUND,
    LOGIN,
    NO_ANSWER,
    OK,
    SESSION_COOKIE,
    Answer,
    Browser,
    Form,
    NoSuchForm,
    find_form,
)
from tests.storm.journal import Journal, Outcome, Write

NOT_FOUND, CONFLICT = 404, 409
REFUSALS = {OK, 400, NOT_FOUND, CONFLICT}
"""The statuses of an answer to a form that say that it was not saved: mostly the form again, with the reason."""

WAIT_SECONDS = 0.3
"""The longest wait between two attempts. People wait longer; a storm has less time."""

PAUSE_SECONDS = 0.05
"""The longest pause between two writes."""

LOGIN_PAUSE_SECONDS = 1.0
"""The pause where passwords are hashed, which is expensive and should not keep all others waiting."""

ANSWER_LENGTH = 200
LOGOUT = "/admin/logout/"


class GaveUp(Exception):
    """The time is over, and the portal still does not say what became of a write."""


class Clock:
    """When writers stop: after ``over``, no writer begins another write; after ``late``, none repeats one."""

    def __init__(self) -> None:
        self.over, self.late = Event(), Event()


class Client(Thread, ABC):
    """A thread that uses the portal as one user until the storm is over."""

    def __init__(self, browser: Browser, journal: Journal, clock: Clock, seed: str) -> None:
        super().__init__(name=browser.username, daemon=True)
        self.browser, self.journal, self.clock = browser, journal, clock
        self.random = Random(f"{seed}:{browser.username}")
        self.logged_in = False

    @abstractmethod
    def step(self) -> None:
        """Do one thing."""

    def run(self) -> None:
        """Log in, and do one thing after the other."""
        try:
            self.log_in()
            while not self.clock.over.wait(self.random.uniform(0, PAUSE_SECONDS)):
                try:
                    self.step()
                except NoSuchForm as error:
                    self.journal.report(f"another page was shown: {error}")
        except GaveUp:
            pass

    def log_in(self) -> None:
        """Log in, however often it takes."""
        if self.logged_in:
            self.journal.report("a session ended that nobody had ended")
        self.logged_in = False
        while SESSION_COOKIE not in self.browser.cookies or not self.logged_in:
            self.logged_in = self.browser.log_in().status == FOUND
            if not self.logged_in:
                self.wait()

    def wait(self) -> None:
        """Wait before the next attempt. Raises :class:`GaveUp` if it is too late for one."""
        if self.clock.late.wait(self.random.uniform(0, 1) * WAIT_SECONDS):
            raise GaveUp

    def page(self, path: str) -> Answer:
        """A page, asked for until the portal shows it, or says that there is none."""
        while True:
            answer = self.browser.get(path)
            if answer.to_login:
                self.log_in()
            elif answer.status in {OK, NOT_FOUND}:
                return answer
            else:
                self.wait()

    def form(self, path: str, field: str) -> Form:
        """The form with this field on a page. Raises :class:`NoSuchForm`."""
        return find_form(self.page(path), field)

    def send(
        self, write: Write, form: Form, *, added_before: str = "", then: Callable[[str], None] | None = None
    ) -> None:
        """Send a form until the portal says what became of it, and note that. Raises :class:`GaveUp`.

        ``added_before`` is what the form says if an earlier attempt has added what only this write adds. ``then`` does
        what must be done at the address to which the portal leads, before the write is done.
        """
        while True:
            answer = self.browser.post(form)
            outcome = judged(answer)
            if added_before and outcome is Outcome.REFUSED and added_before in answer.problems:
                outcome = Outcome.ACKNOWLEDGED
            self.journal.attempt(write, _words(answer), answered=outcome is not Outcome.UNKNOWN)
            if outcome is not Outcome.UNKNOWN:
                if then and outcome is Outcome.ACKNOWLEDGED:
                    then(answer.location)
                self.journal.settle(write, outcome)
                return
            if answer.to_login:
                self.log_in()
            else:
                self.wait()


def judged(answer: Answer) -> Outcome:
    """What an answer to a form says: a redirect, but not to the login, means that it was saved."""
    if answer.status == FOUND and urlsplit(answer.location).path != LOGIN:
        return Outcome.ACKNOWLEDGED
    return Outcome.REFUSED if answer.status in REFUSALS else Outcome.UNKNOWN


def _words(answer: Answer) -> str:
    """An answer in short, for the journal."""
    what = answer.text if answer.status == NO_ANSWER else answer.location or answer.problems
    return f"{answer.status} {what}"[:ANSWER_LENGTH]


class LoginClient(Client):
    """Logs out and in. A session must live until its logout, and no longer."""

    def step(self) -> None:
        """Log out and in again. The logout is the form of every page."""
        form = self.form("/", CSRF_FIELD)
        cookies, write = dict(self.browser.cookies), self.journal.begin("logout", self.name)
        while (answer := self.browser.post(Form(LOGOUT, form.fields))).status not in {OK, FOUND}:
            self.journal.attempt(write, str(answer.status), answered=False)
            self.wait()
        self.journal.attempt(write, str(answer.status), answered=True)
        self.journal.settle(write, Outcome.ACKNOWLEDGED)
        self._require_ended(cookies)
        self.browser.cookies.pop(SESSION_COOKIE, None)
        self.logged_in = False
        self.clock.over.wait(LOGIN_PAUSE_SECONDS)
        self.log_in()

    def _require_ended(self, cookies: dict[str, str]) -> None:
        """Report a session that still works after its logout was acknowledged."""
        self.browser.cookies = cookies
        while not (answer := self.browser.get("/")).to_login:
            if answer.status == OK:
                self.journal.report("a session lived on after its logout")
                return
            self.wait()


MOST_PAGES = 3
ADDRESSES = (
    "/",
    "/hotels/",
    "/hotels/lakeview/",
    "/hotels/lakeview/rooms/",
    "/hotels/lakeview/rooms/?view=sea-view&view=garden-view&sort=-size&then=type",
    "/hotels/lakeview/rooms/?sort=-rate&page_size=10",
    "/hotels/lakeview/rooms/?status=dirty&status=out-of-order",
    "/hotels/lakeview/rooms/?format=csv",
    "/hotels/lakeview/rooms/101/",
    "/hotels/seaside/rooms/?size_min=20&size_max=40&sort=type",
    "/hotels/seaside/rooms/?number=1",
    "/hotels/seaside/attention/",
    "/hotels/seaside/orders/?status=PLACED",
    "/hotels/seaside/orders/big/",
    "/hotels/seaside/reviews/",
    "/hotels/seaside/reviews/?language=en&rating=1&rating=5",
    "/hotels/seaside/reviews/?format=csv",
    "/guests/",
    "/guests/?q=a",
    "/guests/?format=csv",
    "/orders/unfinished/",
    "/orders/unfinished/?status=PROCESSING&sort=date",
    "/history/mine/",
    "/history/room/lakeview/101/",
    "/search/?q=storm",
    "/search/palette/?q=1",
    "/static/portal/portal.css",
    "/hotels/nowhere/rooms/",
    "/hotels/seaside/rooms/?sort=nothing",
    "/orders/nothing/",
)
"""Pages, lists, exports and wrong addresses. The demo data have what they name."""


class Reader(Client):
    """Opens one address after the other."""

    def step(self) -> None:
        """Open an address. A list is followed for some pages."""
        address = self.random.choice(ADDRESSES)
        for _ in range(MOST_PAGES):
            answer = self.browser.get(address)
            if answer.to_login:
                self.log_in()
            if answer.status == NO_ANSWER:
                self.wait()
            if answer.status != OK or not answer.next_page:
                return
            address = urljoin(address, answer.next_page)
