"""If the database is unavailable or throttles, a 503 page says so. Afterwards, everything works again."""

from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from dynamodb_lists.connection import engine
from dynamodb_lists.connection.engine import Engine
from dynamodb_lists.tests.helpers.answers import answering, refusal
from tests.conftest import logged_in
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_order, store
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = pytest.mark.django_db
PAGES = ["/hotels/", f"/hotels/{ABC}/rooms/?number=1", f"/hotels/{ABC}/rooms/101/", "/guests/", "/orders/o-1/"]
PAGES += ["/orders/unfinished/", "/search/choices/?kind=guest&q=a", f"/hotels/{ABC}/reviews/?rating=5&rating=1"]
PAGES += ["/history/newest/order/o-1/", "/history/staff/alice/", "/attention/", "/guests/alex/edit/"]
EXPORTS = [f"/hotels/{ABC}/rooms/", "/orders/unfinished/", "/attention/"]
"""Some of each kind. ``tests/project/test_answers.py`` asks all pages."""


@pytest.fixture
def filled_engine(own_engine: Engine) -> Engine:
    """The test's own engine, with a hotel and an order."""
    make_hotel([make_room("101")])
    store([make_order()])
    store_reviews([make_review(room_number="101")])
    return own_engine


def test_every_page_is_a_503_while_the_engine_is_down_and_works_when_it_is_back(
    filled_engine: Engine, admin_user: User, tmp_path: Path
) -> None:
    staff = logged_in(admin_user)
    assert [staff.get(page).status_code for page in PAGES] == [200] * len(PAGES)
    filled_engine.stop()
    for page in [*PAGES, *(f"{path}?format=csv" for path in EXPORTS), "/hotels/switcher/"]:
        response = staff.get(page)
        assert response.status_code == 503, page
        assert response["Retry-After"] == "5"
        assert b"cannot reach its data" in response.content
        assert b"Traceback" not in response.content
    port = int(filled_engine.url.rsplit(":", 1)[1])
    with engine.start(engine.find_binary(settings.BASE_DIR), port, tmp_path / "engine.sqlite3"):
        assert [staff.get(page).status_code for page in PAGES] == [200] * len(PAGES)


@pytest.mark.usefixtures("empty_tables")
def test_a_page_that_is_throttled_is_a_503(staff: Client) -> None:
    make_hotel([make_room("101")])
    for code in ("ProvisionedThroughputExceededException", "ThrottlingException", "InternalServerError"):
        with answering(lambda code=code, **_: refusal(code), "Query"):
            assert staff.get(f"/hotels/{ABC}/rooms/").status_code == 503
    assert staff.get(f"/hotels/{ABC}/rooms/").status_code == 200


HINTS = {
    "AccessDeniedException": "credentials",
    "UnrecognizedClientException": "credentials",
    "ValidationException": "does not accept",
    "ResourceNotFoundException": "manage.py create_tables",
}


def test_a_refusal_that_does_not_pass_says_whom_to_tell_instead_of_trying_again(staff: Client) -> None:
    for code, hint in HINTS.items():
        with answering(lambda code=code, **_: refusal(code), "Query"):
            response = staff.get("/hotels/")
        assert (response.status_code, "Retry-After" in response) == (503, False)
        said = ListMarkup(response.content).text(".notice")
        assert "Tell an administrator" in said
        assert hint in said
        assert "again" not in said
