"""A thread for each user of a storm, who logs in, and uses the portal until the storm is over."""

from abc import ABC, abstractmethod
from random import Random
from threading import Event, Thread

from tests.storm.browser import FOUND, NO_ANSWER, OK, Answer, Browser, Form, NoSuchForm, find_form
from tests.storm.journal import Journal, Outcome, Write

NOT_FOUND = 404
REFUSALS = {OK, 400, NOT_FOUND, 409}
"""The statuses of an answer to a form that say that it was not saved: mostly the form again, with the reason."""

WAIT_SECONDS = 0.3
"""The longest wait between two attempts. People wait longer; a storm has less time."""

PAUSE_SECONDS = 0.05
"""The longest pause between two writes."""

LOGIN_PAUSE_SECONDS = 1.0
"""The pause before a login, which hashes a password. That is expensive, and should not keep all others waiting."""

LOGOUT, CSRF_FIELD = "/admin/logout/", "csrfmiddlewaretoken"


class GaveUp(Exception):
    """Raised when the time is over and the portal still does not say whether a write was made."""


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
        """Do one thing after the other."""
        try:
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
        while not self.browser.log_in():
            self.wait()
        self.logged_in = True

    def wait(self) -> None:
        """Wait before the next attempt. Raises :class:`GaveUp` if it is too late for one."""
        if self.clock.late.wait(self.random.uniform(0, 1) * WAIT_SECONDS):
            raise GaveUp

    def page(self, path: str) -> Answer:
        """Return a page, asked for until the portal shows it, or says that there is none."""
        while (answer := self.browser.get(path)).status not in {OK, NOT_FOUND}:
            self.log_in() if answer.to_login else self.wait()
        return answer

    def form(self, path: str, field: str) -> Form:
        """Return the form with this field on a page. Raises :class:`NoSuchForm`."""
        return find_form(self.page(path), field)

    def send(self, write: Write, form: Form) -> tuple[Outcome, str]:
        """Send a form until the portal says what became of it; where it leads then. Raises :class:`GaveUp`."""
        while True:
            answer = self.browser.post(form)
            write.answers.append(str(answer))
            if answer.status in REFUSALS:
                return Outcome.REFUSED, ""
            if answer.to_login:
                self.log_in()
            elif answer.status == FOUND:
                return Outcome.ACKNOWLEDGED, answer.location
            else:
                self.wait()

    def settle(self, write: Write, outcome: Outcome) -> None:
        """Note what became of a write. Only one of a thing that others change, too, may be refused."""
        write.outcome = outcome
        if outcome is Outcome.REFUSED and not write.shared:
            self.journal.report(f"a {write.kind} was refused")


class LoginClient(Client):
    """Logs out and in. A session must live until its logout, and no longer."""

    def step(self) -> None:
        """Log out and in again. The logout is the form of every page."""
        form, session = self.form("/", CSRF_FIELD), [*self.browser.cookies]
        while self.browser.post(Form(LOGOUT, form.fields)).status not in {OK, FOUND}:
            self.wait()
        for cookie in session:
            self.browser.cookies.set_cookie(cookie)
        while not (answer := self.browser.get("/")).to_login:
            if answer.status == OK:
                self.journal.report("a session lived on after its logout")
                break
            self.wait()
        self.logged_in = False
        self.clock.over.wait(LOGIN_PAUSE_SECONDS)
        self.log_in()


ADDRESSES = (
    "/",
    "/hotels/lakeview/rooms/?view=sea-view&view=garden-view&sort=-size&then=type",
    "/hotels/lakeview/rooms/?status=dirty&status=out-of-order",
    "/hotels/lakeview/rooms/?format=csv",
    "/hotels/seaside/reviews/?language=en&rating=1&rating=5",
    "/orders/unfinished/?status=PROCESSING&sort=date",
    "/search/?q=storm",
    "/hotels/nowhere/rooms/",
    "/hotels/seaside/rooms/?sort=nothing",
)
"""Pages, lists, exports and wrong addresses. The demo data have what they name."""


class Reader(Client):
    """Opens one address after the other."""

    def step(self) -> None:
        """Open an address, and log in if the portal asks for it."""
        answer = self.browser.get(self.random.choice(ADDRESSES))
        if answer.to_login:
            self.log_in()
        if answer.status == NO_ANSWER:
            self.wait()
