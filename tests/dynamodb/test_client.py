"""The shared client: one for all threads, even if they start at the same time."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any, TypeVar

import pytest
from django.conf import settings
from django.test import RequestFactory

from dynamodb_lists.connection import client as shared
from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import Refused
from hotelapp.portal import error_pages
from hotels.models import HotelModel
from rooms import queries
from rooms.entities import RoomQuery
from rooms.models import RoomCountModel, RoomModel, RoomNumberModel
from tests.helpers.answers import answering
from tests.helpers.rooms import ABC, make_hotel, make_room, rooms_page

T = TypeVar("T")
THREADS = 16


def at_once(call: Callable[[], T]) -> list[T]:
    """The results of a call in many threads that start at the same time."""
    barrier = Barrier(THREADS)

    def run(_: int) -> T:
        barrier.wait()
        return call()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


@pytest.mark.usefixtures("empty_tables")
def test_the_first_requests_of_a_process_may_come_at_once() -> None:
    make_hotel([make_room("101")])
    for _ in range(4):
        shared.forget()
        for model in (HotelModel, RoomModel, RoomNumberModel, RoomCountModel):
            model._connection = None
        numbers = at_once(lambda: rooms_page(ABC, RoomQuery()).rows[0].number)
        assert numbers == ["101"] * THREADS


def test_all_threads_get_the_same_client(endpoint: str) -> None:
    shared.forget()
    assert len({id(client) for client in at_once(shared.client)}) == 1


@pytest.mark.usefixtures("empty_tables")
def test_each_request_has_a_ledger_of_its_own() -> None:
    make_hotel([make_room("101")])

    def calls() -> list[str]:
        with ledger.recording() as recorded:
            rooms_page(ABC, RoomQuery())
        return [call.purpose for call in recorded.calls]

    assert at_once(calls) == [["counts", "list"]] * THREADS


@pytest.fixture
def no_credentials(endpoint: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A machine without AWS credentials. The fixture's value is the path of a shared credentials file to create."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "credentials"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    shared.forget()
    yield tmp_path / "credentials"
    shared.forget()


def signed_by() -> str:
    """The access key with which requests are signed."""
    sent: list[Any] = []
    with answering(lambda request, **_: sent.append(request), "ListTables"):
        shared.client().list_tables()
    return str(sent[0].headers["Authorization"]).partition("Credential=")[2].partition("/")[0]


@pytest.mark.parametrize(("engine", "key"), [("aws", "AKIAFILE"), ("embedded", "local")])
def test_on_aws_an_endpoint_gets_the_credentials_of_the_machine(
    no_credentials: Path, monkeypatch: pytest.MonkeyPatch, engine: str, key: str
) -> None:
    no_credentials.write_text("[default]\naws_access_key_id = AKIAFILE\naws_secret_access_key = secret\n")
    monkeypatch.setattr(settings, "DYNAMODB_ENGINE", engine)
    assert signed_by() == key


@pytest.mark.usefixtures("no_credentials")
@pytest.mark.parametrize("engine", ["aws", "embedded"])
def test_an_endpoint_needs_no_credentials(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    monkeypatch.setattr(settings, "DYNAMODB_ENGINE", engine)
    assert signed_by() == "local"


@pytest.mark.usefixtures("no_credentials")
def test_credentials_of_the_environment_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAENV")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    assert signed_by() == "AKIAENV"


def test_missing_credentials_are_an_error_that_ends_when_they_can_be_had(
    no_credentials: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A role that answers late must not leave a client without credentials behind for ever."""
    monkeypatch.setattr(settings, "DYNAMODB_ENGINE", "aws")
    monkeypatch.setattr(settings, "DYNAMODB_ENDPOINT_URL", None)
    for _ in range(2):
        with pytest.raises(Refused, match="AWS credentials are missing"):
            RoomModel.connection()
    no_credentials.write_text("[default]\naws_access_key_id = AKIAFILE\naws_secret_access_key = secret\n")
    connection: Any = RoomModel.connection().connection
    client: Any = shared.client()
    assert connection.client is client
    assert client._request_signer._credentials.access_key == "AKIAFILE"


def test_a_page_without_credentials_says_whom_to_tell(
    no_credentials: Path, monkeypatch: pytest.MonkeyPatch, rf: RequestFactory
) -> None:
    monkeypatch.setattr(settings, "DYNAMODB_ENGINE", "aws")
    monkeypatch.setattr(settings, "DYNAMODB_ENDPOINT_URL", None)
    with pytest.raises(Refused) as refused:
        queries.room_counts(ABC)
    response = error_pages.unavailable(rf.get("/hotels/"), refused.value)
    assert response.status_code == 503
    assert b"AWS credentials are missing" in response.content.replace(b"&#x27;", b"'")
