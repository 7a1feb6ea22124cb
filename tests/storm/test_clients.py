"""The storm's clients: forms are filled in as a browser does, and sent until the portal says what became of them."""

from typing import Any

import pytest

from tests.storm.browser import Answer, Browser
from tests.storm.journal import Journal, Outcome
from tests.storm.judge.checks import errors
from tests.storm.judge.verdicts import Finding, Judgement, Verdict
from tests.storm.pages import Form, NoSuchForm, find_form, next_page
from tests.storm.report import Result, tables
from tests.storm.traffic import Traffic
from tests.storm.writers import base
from tests.storm.writers.base import Clock, GaveUp, Writer

PAGE = """
<form method="post" action="/logout/"><input type="hidden" name="csrfmiddlewaretoken" value="a"></form>
<form method="post">
<input name="number" value="1"><input type="checkbox" name="a" checked><input type="checkbox" name="b">
<select name="view"><option value="">-<option value="sea" selected>Sea</select><button name="go" value="1">Go</button>
<textarea name="body">
Fine &amp; warm</textarea></form><a class="x" rel="next" href="?page=2&amp;x=1">Next</a>
"""


class FakeBrowser(Browser):
    """A browser that gets these answers, one after the other."""

    def __init__(self, *statuses: int) -> None:
        super().__init__(0, Traffic(), "anna", "")
        self.answers = iter(statuses)

    def request(self, *_: Any, **__: Any) -> Answer:
        status = next(self.answers)
        return Answer(status, "", "/rooms/101/" if status == 302 else "")


class OneForm(Writer):
    """A writer for tests."""

    def step(self) -> None:
        """Nothing."""


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "WAIT_SECONDS", 0)


def sent(*statuses: int) -> tuple[Outcome, int, int]:
    """What became of a form to which the portal answered so, how often it was sent, and how often without an answer."""
    journal = Journal()
    writer = OneForm(FakeBrowser(*statuses), journal, Clock(), "1")
    write = writer.begin("room edit")
    return writer.send(write, Form("/rooms/101/edit/", ())), write.sent, write.unanswered


def test_a_form_has_what_a_browser_would_send() -> None:
    form = find_form(PAGE, "number", "/rooms/add/")
    assert form == Form("/rooms/add/", (("number", "1"), ("a", "on"), ("view", "sea"), ("body", "Fine & warm")))
    assert dict(form.filled({"number": "2"}).fields)["number"] == "2"
    assert next_page(PAGE) == "?page=2&x=1"
    with pytest.raises(NoSuchForm):
        find_form(PAGE, "go", "/rooms/add/")


@pytest.mark.parametrize(
    ("statuses", "outcome"),
    [
        ([302], Outcome.ACKNOWLEDGED),
        ([200], Outcome.REFUSED),
        ([409], Outcome.REFUSED),
        ([503, 0, 500, 429, 302], Outcome.ACKNOWLEDGED),
        ([0, 200], Outcome.REFUSED),
    ],
)
def test_a_form_is_sent_until_the_portal_says_what_became_of_it(statuses: list[int], outcome: Outcome) -> None:
    assert sent(*statuses) == (outcome, len(statuses), len(statuses) - 1)


def test_a_writer_gives_up_when_it_is_too_late_and_the_write_stays_unknown() -> None:
    journal, clock = Journal(), Clock()
    clock.late.set()
    writer = OneForm(FakeBrowser(503), journal, clock, "1")
    write = writer.begin("room edit")
    with pytest.raises(GaveUp):
        writer.send(write, Form("/rooms/101/edit/", ()))
    assert write.doubtful


def test_a_traceback_counts_once_however_many_causes_it_has() -> None:
    log = """Traceback (most recent call last):
  File "x.py", line 1, in f
KeyError: 'a'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "x.py", line 2, in f
ValueError: port 8765
Not Found: /rooms/
08:08:33 ERROR GET /rooms/ 500 request_id=1 milliseconds=261.0
{"level": "ERROR", "exception": "Traceback (most recent call last):\\n  File\\nOSError: full"}
""".splitlines()
    assert errors(log) == {"ValueError: port N": 1, "OSError: full": 1, "a request had the status 500": 1}


def test_the_report_names_what_is_broken() -> None:
    journal, traffic = Journal(), Traffic()
    write = journal.begin("room edit", "anna")
    journal.settle(write, Outcome.ACKNOWLEDGED)
    result = Result(journal, traffic, Judgement(), {"disk full": [1.5]})
    traffic.add("list", 503, 0.1, "GET /hotels/")
    assert not result.broken
    traffic.add("list", 500, 0.1, "GET /hotels/")
    assert result.broken
    result.judgement.findings.append(Finding(Verdict.LOST, write, "room abc 101: it is missing"))
    text = "\n".join(tables(result))
    assert "BROKEN: status 500, 1 times, first for GET /hotels/" in text
    assert "BROKEN: lost: room abc 101: it is missing" in text
    assert [line.split() for line in text.splitlines() if line.startswith("room edit")] == [
        ["room", "edit", "1", "1", "0", "0", "0", "1", "0"]
    ]
