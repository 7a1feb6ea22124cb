"""When the database is away or throttles: a 503 that says so, never a traceback; and all is well once it is back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client

from hotelapp.dynamodb import engine, tables
from hotelapp.dynamodb.client import forget
from hotelapp.dynamodb.engine import Engine
from tests.orders import make_order, store
from tests.support import ABC, answering, make_hotel, make_room, refusal

pytestmark = pytest.mark.django_db
PAGES = ["/hotels/", f"/hotels/{ABC}/rooms/", f"/hotels/{ABC}/rooms/?number=1", f"/hotels/{ABC}/rooms/101/"]
PAGES += ["/guests/", "/guests/alex/", "/guests/alex/orders/?status=PLACED", "/orders/open/", "/orders/o-1/"]
PAGES += [f"/hotels/{ABC}/orders/big/", "/orders/place/?order_id=o-2", "/guests/alex/edit/"]
EXPORTS = ["/hotels/", f"/hotels/{ABC}/rooms/", "/guests/", "/guests/alex/orders/", "/orders/open/"]


def connect(url: str | None) -> None:
    """Let this process talk to another endpoint."""
    settings.DYNAMODB_ENDPOINT_URL = url
    forget()


@pytest.fixture
def own_engine(tmp_path: Path) -> Iterator[Engine]:
    """An engine of the test's own, on a file, with a hotel in it."""
    before = settings.DYNAMODB_ENDPOINT_URL
    running = engine.start(engine.find_binary(settings.BASE_DIR), engine.free_port(), tmp_path / "engine.sqlite3")
    connect(running.url)
    list(tables.create_missing())
    make_hotel([make_room("101")])
    store([make_order()])
    yield running
    running.stop()
    connect(before)


def test_every_page_is_a_503_while_the_engine_is_down_and_works_when_it_is_back(
    staff: Client, own_engine: Engine, tmp_path: Path
) -> None:
    assert [staff.get(page).status_code for page in PAGES] == [200] * len(PAGES)
    own_engine.stop()
    for page in [*PAGES, *(f"{path}?format=csv" for path in EXPORTS), "/hotels/switcher/"]:
        response = staff.get(page)
        assert response.status_code == 503, page
        assert response["Retry-After"] == "5"
        assert b"does not answer" in response.content
        assert b"Traceback" not in response.content
    port = int(own_engine.url.rsplit(":", 1)[1])
    with engine.start(engine.find_binary(settings.BASE_DIR), port, tmp_path / "engine.sqlite3"):
        assert [staff.get(page).status_code for page in PAGES] == [200] * len(PAGES)


def test_commands_say_that_the_database_is_away(own_engine: Engine, tmp_path: Path) -> None:
    own_engine.stop()
    file = tmp_path / "rooms.csv"
    file.write_text(
        "hotel_id,hotel_name,city,number,view,size,type,rate,currency\nabc,ABC,Paris,1,Sea,20,Suite,10,EUR\n"
    )
    for command in (["create_tables"], ["seed_demo"], ["import_rooms", str(file)]):
        with pytest.raises(CommandError, match="did not answer"):
            call_command(*command)


@pytest.mark.usefixtures("empty_tables")
@pytest.mark.parametrize(
    "code", ["ProvisionedThroughputExceededException", "ThrottlingException", "InternalServerError"]
)
def test_a_page_that_is_throttled_is_a_503(staff: Client, code: str) -> None:
    make_hotel([make_room("101")])
    with answering(lambda **_: refusal(code), "Query"):
        response = staff.get(f"/hotels/{ABC}/rooms/")
    assert response.status_code == 503
    assert staff.get(f"/hotels/{ABC}/rooms/").status_code == 200


@pytest.mark.usefixtures("empty_tables")
def test_htmx_is_told_to_load_the_error_page(staff: Client) -> None:
    make_hotel([make_room("101")])
    url = f"/hotels/{ABC}/rooms/?size=1"
    response = staff.get(url, headers={"HX-Request": "true", "HX-Target": "list"})
    assert response.status_code == 400
    assert response["HX-Redirect"] == url
