"""``/healthz`` and ``/readyz`` answer a load balancer, tell nothing, and ask the databases seldom."""

import time
from threading import Event, Thread
from typing import Any

import pytest
from django.db import OperationalError
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from dynamodb_lists.connection.engine import Engine
from dynamodb_lists.tests.helpers.answers import answering, refusal
from dynamodb_lists.tests.helpers.stalls import stopped
from dynamodb_lists.tests.helpers.waiting import PATIENCE, eventually
from hotelapp.operations import health
from tests.helpers.contents import delete_all
from tests.operations.conftest import Lines

pytestmark = pytest.mark.django_db
SECURE = {"SECURE_SSL_REDIRECT": True, "ALLOWED_HOSTS": ["portal.example"]}


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has asked yet. The checks may take long, and their result is kept for no time."""
    monkeypatch.setattr(health, "KEPT_SECONDS", 0.0)
    monkeypatch.setattr(health, "LIMIT_SECONDS", PATIENCE)
    monkeypatch.setattr(health, "last", health.LastCheck())


def answer(client: Client, path: str, method: str = "get") -> tuple[int, bytes]:
    response = getattr(client, method)(path, REMOTE_ADDR="10.0.0.9", headers={"host": "10.0.0.1:8000"})
    assert not response.cookies
    assert "Location" not in response
    return response.status_code, response.content


@pytest.mark.usefixtures("empty_tables")
def test_both_answer_by_address_and_plain_http_and_tell_nothing(client: Client, settings: Any, lines: Lines) -> None:
    for name, value in SECURE.items():
        setattr(settings, name, value)
    for path in ("/healthz", "/readyz"):
        assert answer(client, path) == (200, b"ok")
        assert answer(client, path, "head") == (200, b"")
        assert answer(client, path, "post") == (405, b"")
    assert client.get("/readyz")["Cache-Control"] == "no-store"
    with answering(lambda **_: refusal("AccessDeniedException"), "BatchGetItem"):
        assert [answer(client, "/readyz") for _ in range(3)] == [(503, b"not ready")] * 3
    with answering(lambda **_: refusal("ThrottlingException"), "BatchGetItem"):
        assert answer(client, "/readyz") == (200, b"ok"), "a database that throttles answers"
    told = [line["message"] for line in lines()]
    assert told == [
        "Ready",
        "Not ready: dynamodb: AccessDeniedException",
        "Ready",
    ], "the log has the reason once, and no line for each request"


def test_a_stopped_database_is_not_ready_within_the_limit(
    client: Client, own_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answer(client, "/readyz")[0] == 200
    with stopped(own_engine):
        with monkeypatch.context() as patch:
            patch.setattr(health, "LIMIT_SECONDS", 0.3)
            assert answer(client, "/readyz")[0] == 503
        started = time.monotonic()
        with monkeypatch.context() as patch:
            patch.setattr(health, "KEPT_SECONDS", PATIENCE)
            assert [answer(client, "/readyz")[0] for _ in range(4)] == [503] * 4
        assert answer(client, "/healthz")[0] == 200
        assert time.monotonic() - started < PATIENCE, "only the first one waits"
    assert eventually(lambda: answer(client, "/readyz")[0] == 200)
    delete_all()
    assert answer(client, "/readyz")[0] == 503, "tables are missing"
    own_engine.stop()
    assert answer(client, "/readyz")[0] == 503


@pytest.mark.usefixtures("empty_tables")
def test_sql_that_is_away_or_lacks_a_migration_is_not_ready(
    client: Client, monkeypatch: pytest.MonkeyPatch, lines: Lines
) -> None:
    health._migrated.clear()
    with monkeypatch.context() as patch:
        patch.setattr(MigrationExecutor, "migration_plan", lambda *_: ["a migration"])
        assert answer(client, "/readyz")[0] == 503
    assert answer(client, "/readyz")[0] == 200

    def away(*_: object) -> Any:
        raise OperationalError("could not connect")

    with monkeypatch.context() as patch:
        patch.setattr("django.db.backends.base.base.BaseDatabaseWrapper.cursor", away)
        assert answer(client, "/readyz")[0] == 503
    told = [line["message"] for line in lines() if line["level"] == "WARNING"]
    assert told == [
        "Not ready: sql: migrations are missing: run manage.py migrate",
        "Not ready: sql: OperationalError: could not connect",
    ]


def test_databases_are_asked_once_at_a_time_and_the_answer_is_kept(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    begun, go_on = Event(), Event()

    def ask() -> str:
        asked.append(1)
        begun.set()
        go_on.wait(PATIENCE)
        return ""

    monkeypatch.setattr(health, "dynamodb_problem", ask)
    monkeypatch.setattr(health, "sql_problem", lambda: "")
    first = Thread(target=health.is_ready)
    first.start()
    assert begun.wait(PATIENCE)
    assert [answer(client, "/readyz")[0] for _ in range(5)] == [503] * 5, "nobody else waits for it"
    assert asked == [1], "nobody else asks"
    monkeypatch.setattr(health, "KEPT_SECONDS", PATIENCE)
    go_on.set()
    first.join()
    assert [answer(client, "/readyz")[0] for _ in range(20)] == [200] * 20
    assert asked == [1]


def test_a_check_with_a_bug_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [""]
    monkeypatch.setattr(health, "dynamodb_problem", answers.pop)
    assert health.is_ready()
    with pytest.raises(IndexError):
        health.is_ready()
    monkeypatch.setattr(health, "KEPT_SECONDS", PATIENCE)
    assert not health.is_ready()
