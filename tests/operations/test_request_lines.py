"""Each request is one line of the log, and has an id that is also in its response and on its error page."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.test import Client

from dynamodb_lists.tests.helpers.answers import answering, cancelled, refusal
from hotelapp.operations.request_lines import RequestLine
from overview.views.pages import GroupOverview
from tests.helpers.orders import make_order, store
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.operations.conftest import Lines

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ULID = re.compile(r"[0-9A-Z]{26}")
EMAIL = "alex@example.com"


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a page with a bug, whose error names a guest."""

    def get(self: GroupOverview, request: HttpRequest) -> Any:
        raise ValueError(f"no such guest: {EMAIL}")

    monkeypatch.setattr(GroupOverview, "get", get)
    return "/"


def test_a_page_is_one_line_with_its_cost_and_without_personal_data(staff: Client, lines: Lines) -> None:
    store([make_order()])
    lines()
    response = staff.get(f"/guests/alex/?note={EMAIL}")
    (line,) = lines()
    ledger = response.wsgi_request.ledger  # type: ignore[attr-defined]
    assert response["X-Request-ID"] == line["request_id"]
    assert ULID.fullmatch(line["request_id"])
    told = {name: line[name] for name in ("level", "user", "method", "path", "view", "status", "message")}
    assert told == {
        "level": "INFO",
        "user": "alice",
        "method": "GET",
        "path": "/guests/<username>/",
        "view": "orders:guest",
        "status": response.status_code,
        "message": f"GET /guests/<username>/ {response.status_code}",
    }
    assert (line["requests"], line["waves"]) == (ledger.requests, ledger.waves)
    assert (line["read_units"], line["write_units"]) == (ledger.read_units, ledger.write_units)
    assert line["milliseconds"] > 0
    assert line["sql_queries"] > 0
    assert not {"retries", "throttles", "conflicts", "cause", "error"} & line.keys()
    assert "alex" not in str(line)


def test_an_outage_is_one_short_line_with_its_cause(staff: Client, lines: Lines) -> None:
    lines()
    with answering(lambda **_: refusal("ProvisionedThroughputExceededException"), "GetItem"):
        response = staff.get("/guests/alex/")
    (line,) = lines()
    assert response.status_code == line["status"] == 503
    assert line["level"] == "ERROR"
    assert line["cause"] == "ProvisionedThroughputExceededException"
    assert (line["requests"], line["retries"], line["throttles"]) == (1, 2, 3)
    assert len(str(line)) < 3000
    assert "alex" not in str(line)
    assert line["request_id"].encode() in response.content


def test_a_bug_is_one_line_and_its_page_has_the_id(staff: Client, lines: Lines, failing: str) -> None:
    staff.raise_request_exception = False
    lines()
    response = staff.get(failing)
    (line,) = lines()
    assert (line["status"], line["cause"], line["error"]["type"]) == (500, "ValueError", "builtins.ValueError")
    assert line["error"]["at"][0].endswith(" get")
    assert EMAIL not in str(line)
    assert line["request_id"] in response.content.decode()


def test_the_page_of_a_bug_needs_nothing_that_may_have_failed(staff: Client, settings: Any) -> None:
    """The database is away, and the list of static files is missing, so that the page of an outage fails, too."""
    settings.STORAGES = {
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }
    staff.raise_request_exception = False
    with answering(lambda **_: refusal("InternalServerError"), "GetItem"):
        response = staff.get("/orders/unfinished/")
    assert response.status_code == 500
    assert response["X-Request-ID"].encode() in response.content
    assert b"/static/portal/portal.css" in response.content


@pytest.mark.parametrize(
    ("path", "headers", "status", "cause"),
    [
        ("/hotels/", {"host": "evil.example"}, 400, "DisallowedHost"),
        ("/orders/nobody@example.com/nothing", {}, 404, None),
        ("/history/staff/mary/", {}, 403, "PermissionDenied"),
    ],
)
def test_a_refused_request_is_one_line_with_its_cause(
    newcomer: Client, lines: Lines, path: str, headers: dict[str, str], status: int, cause: str | None
) -> None:
    lines()
    response = newcomer.get(path, headers=headers)
    (line,) = lines()
    assert (response.status_code, line["status"], line.get("cause")) == (status, status, cause)
    assert (line["level"], response["X-Request-ID"]) == ("INFO", line["request_id"])
    assert "nobody" not in str(line)
    assert "error" not in line


def test_a_form_without_its_token_and_a_conflict_have_a_cause(alice: User, lines: Lines) -> None:
    store([make_order()])
    strict, staff = Client(enforce_csrf_checks=True), Client()
    for client in (strict, staff):
        client.force_login(alice)
    lines()
    strict.post("/orders/o-1/", {"seen": "PLACED", "step": "PROCESSING"})
    (line,) = lines()
    assert (line["status"], line["cause"]) == (403, "csrf")
    with answering(lambda **_: cancelled("ConditionalCheckFailed")):
        staff.post("/orders/o-1/", {"seen": "PLACED", "step": "PROCESSING"})
    (line,) = lines()
    assert (line["status"], line["conflicts"]) == (409, 1)
    assert line["cause"] == "ConditionalCheckFailed"


def test_an_id_from_outside_must_be_short_and_plain(client: Client, lines: Lines) -> None:
    good, bad = ["a1b2c3d4-e5f6_7.8", "x" * 64], ["x" * 65, "short", "a b c d e f"]
    for sent in good + bad:
        response = client.get("/hotels/", headers={"X-Request-ID": sent})
        assert (response["X-Request-ID"] == sent) == (sent in good)
        assert lines()[0]["request_id"] == response["X-Request-ID"]


def test_a_download_is_logged_at_its_end_with_all_its_units(
    staff: Client, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dynamodb_lists.reading.merging.CHUNK", 10)
    monkeypatch.setattr("dynamodb_lists.lists.reading.LARGEST", 10)
    make_hotel([make_room(str(number)) for number in range(101, 240)])
    lines()
    response = staff.get(f"/hotels/{ABC}/rooms/?format=csv")
    begun = len(response.wsgi_request.ledger.calls)  # type: ignore[attr-defined]
    assert lines() == []
    assert response.getvalue().count(b"\n") == 140
    (line,) = lines()
    assert line["status"] == 200
    assert line["requests"] > begun
    assert line["request_id"] == response["X-Request-ID"]


def test_a_download_that_breaks_says_so(staff: Client, lines: Lines) -> None:
    """Chunks are read in the context of their request, and an error reaches both the server and the line."""
    response = staff.get("/hotels/?format=csv")
    response.getvalue()
    lines()
    request = response.wsgi_request

    def chunks() -> Any:
        yield b"a"
        raise ValueError(EMAIL)

    line = RequestLine(request)
    line.status = 200
    stream: Any = line.download(chunks())
    assert next(stream) == b"a"
    with pytest.raises(ValueError, match=EMAIL):
        next(stream)
    stream.close()
    stream.close()
    (logged,) = lines()
    assert (logged["level"], logged["broken"], logged["cause"]) == ("ERROR", True, "ValueError")
    assert EMAIL not in str(logged)
    other = RequestLine(request, status=200)
    left: Any = other.download(iter([b"a", b"b"]))
    next(left)
    left.close()
    (logged,) = lines()
    assert (logged["level"], logged["cause"], logged["request_id"]) == ("INFO", "ClientLeft", other.request_id)
