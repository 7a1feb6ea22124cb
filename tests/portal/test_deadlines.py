"""Pages under their limits: with an engine that is stopped or slow, they end in time, and do not delay other pages."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory

from accounts import sessions as store
from dynamodb_lists import Unavailable
from dynamodb_lists.connection import client as calls
from dynamodb_lists.connection import scope
from dynamodb_lists.connection.configuration import connection
from dynamodb_lists.connection.engine import Engine
from dynamodb_lists.lists.files import INCOMPLETE
from dynamodb_lists.tests.helpers.answers import answering
from dynamodb_lists.tests.helpers.stalls import stopped
from dynamodb_lists.tests.helpers.waiting import PATIENCE, eventually
from hotelapp.middleware import RequestMiddleware
from portal.lists.exports import csv_response
from reviews import queries
from tests.conftest import logged_in
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = pytest.mark.django_db
LOGIN = "/admin/login/"
PAGES = [
    "/hotels/",
    f"/hotels/{ABC}/rooms/?size=40",
    "/search/?q=alex",
]
ADD_REVIEW = f"/hotels/{ABC}/reviews/add/"
REVIEW = {"review_id": "r-9", "author": "Ann", "language": "en", "rating": "4", "revision": "1"}


def asked(client: Client, method: str, path: str, *args: Any, **kwargs: Any) -> Any:
    """Return the answer, which must not take long."""
    cache.clear()
    began = time.monotonic()
    response = getattr(client, method)(path, *args, **kwargs)
    assert time.monotonic() - began < PATIENCE, path
    return response


def test_pages_of_a_stopped_engine_end_at_the_deadline_and_work_when_it_is_back(
    own_engine: Engine, admin_user: User, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_hotel([make_room("101")])
    client = logged_in(admin_user)
    session = store.stored(client.cookies[settings.SESSION_COOKIE_NAME].value)
    monkeypatch.setattr(store, "stored", lambda _: session)  # so that views begin, and it is they that wait
    with stopped(own_engine), monkeypatch.context() as patch:
        patch.setattr(settings, "PAGE_DEADLINE_SECONDS", 0.2)
        answers = [asked(client, "get", page) for page in PAGES]
        answers += [asked(client, "post", ADD_REVIEW, REVIEW)]
        answers += [asked(Client(), "post", LOGIN, {"username": "alice", "password": "alice"})]
        assert [response.status_code for response in answers] == [503] * len(answers)
        assert {response["Retry-After"] for response in answers} == {"5"}
        partial = asked(client, "get", PAGES[1], headers={"HX-Request": "true", "HX-Target": "list"})
        assert (partial.status_code, partial["HX-Redirect"]) == (503, PAGES[1])
        assert asked(Client(), "get", LOGIN).status_code == 200
        with closing(asked(Client(), "get", "/static/portal/portal.css")) as static:
            assert static.status_code == 200
    assert {client.get(page).status_code for page in PAGES} == {200}
    assert client.post(ADD_REVIEW, REVIEW).status_code == 302, "sent again, it is saved once"
    assert queries.review("r-9").author == "Ann"


@pytest.mark.usefixtures("empty_tables")
def test_the_deadline_is_that_of_all_calls_together(staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    make_hotel([make_room("101")])
    monkeypatch.setattr(settings, "PAGE_DEADLINE_SECONDS", 0.15)  # one call, and the two that are sent together
    calls: list[int] = []

    def slowly(**_: Any) -> None:
        calls.append(1)
        time.sleep(0.1)

    with answering(slowly, "*"):
        assert asked(staff, "get", f"/hotels/{ABC}/rooms/?rate_min=1&sort=-rate").status_code == 503
    assert len(calls) <= 3


def test_a_page_is_refused_in_an_outage(own_engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "WAITING_CALLS", 1)
    monkeypatch.setattr(calls, "SILENT_SECONDS", 0.2)
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = "x" * 32
    with ThreadPoolExecutor(1) as pool:
        with stopped(own_engine):
            waiting = pool.submit(client.get, "/hotels/")
            assert eventually(lambda: calls.waiting(connection()).calls)
            time.sleep(0.3)
            refused = client.get("/hotels/")
            assert not waiting.done(), "the other page was not waited for"
            assert (refused.status_code, refused["Retry-After"]) == (503, "5")
            assert Client().get(LOGIN).status_code == 200
        assert waiting.result(PATIENCE).status_code == 302
    assert client.get("/hotels/").status_code == 302


def test_a_download_has_a_deadline_for_its_first_row_and_says_if_it_is_cut(rf: RequestFactory) -> None:
    seen: list[bool] = []

    def rows() -> Iterator[list[str]]:
        for number in range(3):
            seen.append(scope.timeout() is None)
            yield [str(number)]
        raise Unavailable("The database did not answer.")

    def view(_: HttpRequest) -> HttpResponseBase:
        return csv_response("anna", "rooms", ["number"], rows())

    pieces: list[bytes] = []
    response: Any = RequestMiddleware(view)(rf.get("/"))
    with pytest.raises(Unavailable):
        pieces.extend(response.streaming_content)
    assert b"".join(pieces).decode() == f"number\r\n0\r\n1\r\n2\r\n{INCOMPLETE}\r\n"
    assert seen == [False, True, True]
