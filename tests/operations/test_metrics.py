"""Metrics are off by default, are for whoever has the token, and add up what all processes of a server have counted."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.http import HttpResponse
from django.test import Client, RequestFactory

from dynamodb_lists import Refused, ledger
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.tests.helpers.answers import answering, cancelled, refusal
from hotelapp.middleware import RequestMiddleware
from hotelapp.operations.metrics import FILE_BYTES, FOLDER_VARIABLE, Metrics, connect
from hotelapp.operations.request_lines import finished
from rooms import commands
from rooms.lists import ROOMS
from tests.helpers.rooms import ABC, make_hotel, make_room

ROOT = Path(settings.BASE_DIR)
TROUBLES = ("throttles", "conflicts", "retries", "failures")
TOKEN = "a token of the tests"
SERVER = """
import os, signal, django
django.setup()
from dynamodb_lists.connection.ledger import Call
from hotelapp.operations import metrics
page = metrics.MetricsPage()
if worker := os.fork():
    os.waitpid(worker, 0)
    print(metrics.Metrics(page.folder).exposition().decode())
    print([file.stat().st_size for file in page.folder.iterdir()])
    if not os.fork():
        raise SystemExit(1)
    os.wait()
    print(page.folder, page.folder.is_dir())
else:
    metrics.Metrics(page.folder).count_call(Call("Query", {"TableName": "killed"}, attempts=4))
    os.kill(os.getpid(), signal.SIGKILL)
"""
"""A server: one of its processes is killed, another one does not start, and it ends."""


@pytest.fixture(scope="session")
def metrics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Metrics]:
    """The metrics of this process. prometheus-client keeps its first folder, so there is one for all tests."""
    metrics = Metrics(tmp_path_factory.mktemp("metrics"))
    from prometheus_client.values import close_all_multiprocess_files  # noqa: PLC0415 (the folder must be known)

    yield metrics
    close_all_multiprocess_files()  # type: ignore[no-untyped-call]
    os.environ.pop(FOLDER_VARIABLE)


@pytest.fixture
def counting(metrics: Metrics) -> Iterator[Metrics]:
    """Metrics that are connected for one test."""
    connect(metrics)
    yield metrics
    finished.disconnect(metrics.count_page)
    user_logged_in.disconnect(metrics.count_login)
    user_login_failed.disconnect(metrics.count_login)
    ledger.observers.remove(metrics.count_call)


def sample(metrics: Metrics, name: str, **labels: str) -> float:
    """Return the value of a metric, added up over all processes and over the labels that are not named."""
    pattern = re.compile(rf"hotel_portal_{name}\{{(.*)\}} (\S+)")
    found = (pattern.fullmatch(line) for line in metrics.exposition().decode().splitlines())
    wanted = {f'{label}="{value}"' for label, value in labels.items()}
    return sum(float(match[2]) for match in found if match and wanted <= set(match[1].split(",")))


@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables")
def test_pages_calls_and_logins_are_counted(counting: Metrics, staff: Client, client: Client) -> None:
    make_hotel([make_room("101")])
    staff.get(f"/hotels/{ABC}/rooms/")
    staff.get(f"/hotels/{ABC}/rooms/")
    staff.get("/nobody@example.com/")
    client.generic("X-EVIL", "/hotels/")
    client.post("/admin/login/", {"username": "alice", "password": "wrong"})
    client.post("/admin/login/", {"username": "alice", "password": "alice"})
    assert sample(counting, "requests_total", view="rooms:rooms", method="GET", status="2xx") == 2
    assert sample(counting, "request_seconds_count", view="rooms:rooms") == 2
    assert sample(counting, "requests_total", view="none", status="4xx") == 1
    assert sample(counting, "requests_total", view="hotels:hotels", method="OTHER") == 1
    assert sample(counting, "logins_total", result="failure") == 1
    assert sample(counting, "logins_total", result="success") == 1
    queries = sample(counting, "dynamodb_call_seconds_count", operation="Query")
    assert queries > 0
    assert sample(counting, "dynamodb_read_units_total", operation="Query") > 0
    assert sample(counting, "dynamodb_write_units_total", operation="TransactWriteItems") > 0
    text = counting.exposition().decode()
    assert not [word for word in ("alice", "example.com", "X-EVIL", "/hotels/") if word in text]


@pytest.mark.usefixtures("empty_tables")
def test_troubles_are_counted_by_table_and_operation(counting: Metrics) -> None:
    make_hotel()
    labels = {"table": ROOMS.model.Meta.table_name, "operation": "TransactWriteItems"}
    before = {name: sample(counting, f"dynamodb_{name}_total", **labels) for name in TROUBLES}
    answers = iter([refusal("ThrottlingException"), cancelled("TransactionConflict")])
    with answering(lambda **_: next(answers, None)):
        commands.create_room(make_room("101"), "alice")
    with answering(lambda **_: refusal("AccessDeniedException")), pytest.raises(Refused):
        commands.create_room(make_room("102"), "alice")
    counted = {name: sample(counting, f"dynamodb_{name}_total", **labels) - before[name] for name in TROUBLES}
    assert counted == {"throttles": 1, "conflicts": 1, "retries": 1, "failures": 1}


def test_a_killed_process_stays_in_the_sums_and_an_ended_server_leaves_nothing() -> None:
    told = subprocess.run(
        [sys.executable, "-c", SERVER], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    assert 'retries_total{operation="Query",table="killed"} 3.0' in told
    *_, sizes, last = told.splitlines()
    assert {*json.loads(sizes)} == {FILE_BYTES}
    folder, _, was_there = last.rpartition(" ")
    assert was_there == "True", "a process that did not start leaves it"
    assert not Path(folder).exists()


def test_the_page_is_for_whoever_has_the_token(settings: Any, tmp_path: Path, metrics: Metrics) -> None:
    assert settings.METRICS_TOKEN == ""
    off: Any = RequestMiddleware(lambda _: HttpResponse("the portal"))
    assert (off.metrics, off(RequestFactory().get("/metrics")).content) == (None, b"the portal")
    settings.METRICS_TOKEN = TOKEN
    page: Any = RequestMiddleware(lambda _: HttpResponse("the portal", status=404))
    page.metrics._metrics = metrics
    metrics.count_call(Call("Query", {"TableName": "t"}))
    factory = RequestFactory()
    for sent in ("", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer "):
        assert page(factory.get("/metrics", headers={"authorization": sent})).content == b"the portal"
    with_token = {"authorization": f"Bearer {TOKEN}", "host": "10.0.0.1"}
    assert page(factory.get("/hotels/", headers=with_token)).content == b"the portal"
    answer = page(factory.get("/metrics", headers=with_token))
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    assert b"# TYPE hotel_portal_dynamodb_call_seconds histogram" in answer.content


def test_pages_go_on_if_the_disk_is_full(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.METRICS_TOKEN, settings.VAR_DIR = TOKEN, tmp_path

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    page: Any = RequestMiddleware(lambda _: HttpResponse("the portal"))
    assert page(RequestFactory().get("/hotels/")).content == b"the portal"
    headers = {"authorization": f"Bearer {TOKEN}"}
    assert page(RequestFactory().get("/metrics", headers=headers)).status_code == 503


def test_the_documents_name_each_metric_with_its_labels(metrics: Metrics) -> None:
    rows = re.findall(r"^\| (`hotel_portal_[^|]+) \| ([^|]*) \|", (ROOT / "docs/operate.md").read_text(), re.M)
    documented = [(name, labels) for names, labels in rows for name in re.findall(r"\w+", names)]
    declared = []
    for metric in metrics.registry._collector_to_names:
        name = metric._name + ("_total" if metric._type == "counter" else "")  # type: ignore[attr-defined]
        declared.append((name, ", ".join(f"`{label}`" for label in metric._labelnames)))  # type: ignore[attr-defined]
    assert documented == declared
