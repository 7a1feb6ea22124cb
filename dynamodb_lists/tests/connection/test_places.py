"""Places: a database that answers is never refused, and one that does not answer occupies no more than its places."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamodb_lists.connection import ledger, places
from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.errors import Busy, Overdue
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.connection.places import SILENCE, Places
from dynamodb_lists.tests.helpers import waiting
from dynamodb_lists.tests.helpers.configured import configured
from dynamodb_lists.tests.helpers.scopes import a_page, within

TICK = SILENCE / 4
pages = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 3)), min_size=1, max_size=60)
"""When pages come, and how long their calls take, in ticks. Every call is answered before the patience ends."""


@given(st.integers(1, 5), pages)
def test_pages_of_a_database_that_answers_all_get_a_place(count: int, pages: list[tuple[int, int]]) -> None:
    rule, answers, waiting, arrivals = Places(count), list[int](), list[int](), sorted(pages)
    for tick in range(10_000):
        now = 1000 + tick * TICK
        for _ in range(answers.count(tick)):
            rule.answered(now)
            rule.give_back()
        while arrivals and arrivals[0][0] == tick:
            waiting.append(arrivals.pop(0)[1])
        while waiting and rule.take(now):
            answers.append(tick + waiting.pop(0))
        assert not waiting or rule.patience(now) > 0
        assert sum(answer > tick for answer in answers) == count - rule.free <= count
        if not arrivals and not waiting:
            return
    raise AssertionError("some pages wait for ever")


@given(st.integers(1, 5), st.integers(0, 1000), st.integers(1, 1000))
def test_silence_lasts_until_somebody_is_answered_or_nobody_waits(count: int, began: int, silent: int) -> None:
    rule = Places(count)
    for _ in range(count):
        assert rule.take(began)
    now = began + silent * SILENCE
    assert not rule.take(now)
    assert rule.patience(now) <= 0
    rule.give_back()  # a time-out; another page takes the place
    assert rule.take(now)
    if count > 1:
        assert rule.patience(now) <= 0, "the other pages still wait in silence"
        rule.answered(now)
    assert rule.patience(now) == SILENCE


@pytest.fixture
def two_places() -> Iterator[Places]:
    places.of_process.cache_clear()
    with configured(waiting_pages=2):
        yield places.of_process()
    places.of_process.cache_clear()


def call(silence: Event, started: Event) -> None:
    """A page whose two calls are in flight until the event."""
    with a_page(), places.taken(), places.taken():
        started.set()
        silence.wait()


def test_full_places_refuse_only_after_silence_and_let_in_when_a_page_leaves(
    two_places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "SILENCE", 0.2)
    silences, events = [Event(), Event()], [Event(), Event()]
    with ThreadPoolExecutor(3) as pool, ExitStack() as stack:
        for silence in silences:
            stack.callback(silence.set)
        calls = [pool.submit(call, *pair) for pair in zip(silences, events, strict=True)]
        assert all(event.wait(waiting.PATIENCE) for event in events)
        with a_page(), pytest.raises(Busy, match="2 pages wait"):
            places.enter()
        with a_page(), within(0), pytest.raises(Overdue):
            places.enter()
        with places.taken():  # a command needs no place
            pass
        monkeypatch.setattr(places, "SILENCE", waiting.PATIENCE)
        entered = Event()
        calls.append(pool.submit(call, entered, entered))
        silences[0].set()
        assert entered.wait(waiting.PATIENCE), "the third page has the place of the first one"
        silences[1].set()
        assert [done.result(waiting.PATIENCE) for done in calls] == [None] * 3
    assert two_places.free == 2


def test_an_error_frees_the_place_and_is_no_answer(two_places: Places) -> None:
    assert two_places.take(0), "another page waits"
    for _ in range(5):
        with pytest.raises(ValueError, match="x"), a_page(), places.taken():
            raise ValueError("x")
    assert two_places.free == 1
    assert two_places.patience(0) == SILENCE


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("answers", [True, False])
def test_a_call_whose_observer_fails_frees_its_place(
    two_places: Places, monkeypatch: pytest.MonkeyPatch, answers: bool
) -> None:
    def fail(_: Call) -> None:
        raise ValueError("x")

    with configured(**{} if answers else {"endpoint_url": "http://127.0.0.1:1"}):
        monkeypatch.setattr(ledger, "observers", [fail])
        with pytest.raises(ValueError, match="x"), a_page():
            client().list_tables()
    assert two_places.free == 2
