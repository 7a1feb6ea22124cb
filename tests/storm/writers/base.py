"""The base of every writer: it fills in forms, and sends each one until the portal says what became of it."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random
from threading import Event, Thread
from urllib.parse import urlsplit

from tests.storm.browser import FOUND, LOGIN, SESSION_COOKIE, Answer, Browser
from tests.storm.journal import Journal, Outcome, Write
from tests.storm.pages import Form, NoSuchForm, find_form, problems
from tests.storm.traffic import NO_ANSWER

OK, NOT_FOUND, CONFLICT = 200, 404, 409
REFUSALS = {OK, 400, NOT_FOUND, CONFLICT}
"""The statuses of an answer to a form that say that it was not saved: mostly the form again, with the reason."""

WAIT_SECONDS = 0.3
"""The longest wait between two attempts. People wait longer; a storm has less time."""

PAUSE_SECONDS = 0.05
"""The longest pause between two writes."""

ANSWER_LENGTH = 200


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

    def prepare(self) -> None:
        """Do what must be done once, before the first step."""

    def run(self) -> None:
        """Log in, and do one thing after the other."""
        try:
            self.log_in()
            self.prepare()
            while not self.clock.over.wait(self.random.uniform(0, PAUSE_SECONDS)):
                self._take_step()
        except GaveUp:
            pass

    def _take_step(self) -> None:
        try:
            self.step()
        except NoSuchForm as error:
            self.journal.report(f"another page was shown: {error}")

    def log_in(self) -> None:
        """Log in, however often it takes."""
        if self.logged_in:
            self.journal.report("a session ended that nobody had ended")
        self.logged_in = False
        while SESSION_COOKIE not in self.browser.cookies or not self.logged_in:
            answer = self.browser.log_in()
            self.logged_in = answer.status == FOUND
            if not self.logged_in:
                self.wait()

    def wait(self) -> None:
        """Wait before the next attempt. Raises :class:`GaveUp` if it is too late for one."""
        if self.clock.late.wait(self.random.uniform(0, 1) * WAIT_SECONDS):
            raise GaveUp

    def page(self, path: str, kind: str = "form") -> Answer:
        """A page, asked for until the portal shows it, or says that there is none."""
        while True:
            answer = self.browser.get(path, kind)
            if answer.to_login:
                self.log_in()
            elif answer.status in {OK, NOT_FOUND}:
                return answer
            else:
                self.wait()

    def form(self, path: str, name: str) -> Form:
        """The form with a field called ``name`` on a page. Raises :class:`NoSuchForm`."""
        answer = self.page(path)
        return find_form(answer.text, name, answer.location)


class Writer(Client):
    """A client that writes."""

    written = 0

    def mark(self) -> str:
        """A text that no other write of the storm has."""
        self.written += 1
        return f"{self.name} {self.written}"

    def begin(self, kind: str, *args: object, **options: object) -> Write:
        """A new write of this writer; see :meth:`~tests.storm.journal.Journal.begin`."""
        return self.journal.begin(kind, self.name, *args, **options)  # type: ignore[arg-type]

    def send(self, write: Write, form: Form) -> Outcome:
        """Send a form until the portal says what became of it. Raises :class:`GaveUp`."""
        return self.settle(write, lambda: self.browser.post(form, write.kind))

    def settle(self, write: Write, attempt: Callable[[], Answer]) -> Outcome:
        """Repeat an attempt until the portal says what became of the write. Raises :class:`GaveUp`."""
        outcome = self.judged(self.answered(write, attempt))
        self.journal.settle(write, outcome)
        return outcome

    def answered(self, write: Write, attempt: Callable[[], Answer]) -> Answer:
        """The first answer that says what became of the write. Raises :class:`GaveUp`."""
        while True:
            answer = attempt()
            known = self.judged(answer) is not Outcome.UNKNOWN
            self.journal.attempt(write, self.words(answer), answered=known)
            if known:
                return answer
            if answer.to_login:
                self.log_in()
            self.wait()

    def judged(self, answer: Answer) -> Outcome:
        """What an answer says of the write. A form that a login has made invalid was not read."""
        if answer.status == FOUND and urlsplit(answer.location).path != LOGIN:
            return Outcome.ACKNOWLEDGED
        return Outcome.REFUSED if answer.status in REFUSALS else Outcome.UNKNOWN

    @staticmethod
    def words(answer: Answer) -> str:
        """An answer in short, for the journal."""
        what = answer.text if answer.status == NO_ANSWER else answer.location or problems(answer.text)
        return f"{answer.status} {what}"[:ANSWER_LENGTH]

    def expect(self, write: Write, outcome: Outcome, wanted: Outcome) -> bool:
        """Whether the outcome is the wanted one; note it if the portal said something else."""
        if outcome is not wanted:
            self.journal.report(f"a {write.kind} was {outcome}, not {wanted}")
        return outcome is wanted
