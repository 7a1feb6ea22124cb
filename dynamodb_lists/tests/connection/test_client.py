"""The shared client: one for all threads, even if they start at the same time."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any, TypeVar

import pytest

from dynamodb_lists.connection import client as shared
from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import Refused
from dynamodb_lists.tests.helpers.answers import answering
from dynamodb_lists.tests.helpers.configured import configured
from dynamodb_lists.tests.helpers.sdk import without_credentials
from dynamodb_lists.tests.trials import a_trial, new_org, numbers, trials

T = TypeVar("T")
THREADS = 16


def at_once(call: Callable[[], T]) -> list[T]:
    """Return the results of a call in many threads that start at the same time."""
    barrier = Barrier(THREADS)

    def run(_: int) -> T:
        barrier.wait()
        return call()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


@pytest.mark.usefixtures("tables")
def test_the_first_requests_of_a_process_may_come_at_once() -> None:
    org, models = new_org(), trials.models
    trials.create(a_trial(org))
    for _ in range(4):
        shared.forget()
        for model in (models.item, models.count, models.head):
            model._connection = None
        assert at_once(lambda: numbers(trials.query(org=org).page().rows)) == [["T-1"]] * THREADS


def test_a_throttled_table_does_not_slow_down_others(endpoint: str) -> None:
    """The mode "adaptive" limits the whole client."""
    config: Any = shared.client().meta.config
    assert config.retries["mode"] == "standard"


@pytest.mark.usefixtures("tables")
def test_each_request_has_a_ledger_of_its_own() -> None:
    org = new_org()
    trials.create(a_trial(org))

    def calls() -> list[str]:
        with ledger.recording() as recorded:
            trials.query(org=org).page()
        return sorted(call.purpose for call in recorded.calls)

    assert at_once(calls) == [["counts", "list"]] * THREADS


@pytest.fixture
def no_credentials(endpoint: str, tmp_path: Path) -> Iterator[Path]:
    """A machine without AWS credentials. The fixture's value is the path of a shared credentials file to create."""
    with without_credentials(tmp_path / "credentials"):
        yield tmp_path / "credentials"


def signed_by() -> str:
    """Return the access key with which requests are signed."""
    sent: list[Any] = []
    with answering(lambda request, **_: sent.append(request), "ListTables"):
        shared.client().list_tables()
    return str(sent[0].headers["Authorization"]).partition("Credential=")[2].partition("/")[0]


@pytest.mark.parametrize(("on_aws", "key"), [(True, "AKIAFILE"), (False, "local"), (None, "local")])
def test_on_aws_an_endpoint_gets_the_credentials_of_the_machine(
    no_credentials: Path, monkeypatch: pytest.MonkeyPatch, on_aws: bool | None, key: str
) -> None:
    """Credentials of the environment come first, with any endpoint."""
    no_credentials.write_text("[default]\naws_access_key_id = AKIAFILE\naws_secret_access_key = secret\n")
    with configured(on_aws=on_aws):
        assert signed_by() == key
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAENV")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    with configured(on_aws=on_aws):
        assert signed_by() == "AKIAENV"


@pytest.mark.usefixtures("endpoint")
@pytest.mark.parametrize("call", [lambda: trials.query(org="x").page(), lambda: trials.create(a_trial("x"))])
def test_a_missing_table_is_an_error_that_says_how_it_is_created(
    monkeypatch: pytest.MonkeyPatch, call: Callable[[], object]
) -> None:
    """With Django and without."""
    for model in (trials.models.item, trials.models.count, trials.models.head, trials.models.word):
        monkeypatch.setattr(model.Meta, "table_name", "missing")
        monkeypatch.setattr(model, "_connection", None)
    created = r"is created by create_table\(\), in Django by manage.py create_tables\.$"
    with pytest.raises(Refused, match=f"refused a call about missing: .*{created}"):
        call()


def test_missing_credentials_are_an_error_that_ends_when_they_can_be_had(no_credentials: Path) -> None:
    """A role that answers late must not leave a client without credentials behind for ever."""
    with configured(endpoint_url=None):
        for _ in range(2):
            with pytest.raises(Refused, match="AWS credentials are missing"):
                trials.models.item.connection()
        no_credentials.write_text("[default]\naws_access_key_id = AKIAFILE\naws_secret_access_key = secret\n")
        connection: Any = trials.models.item.connection().connection
        client: Any = shared.client()
        assert connection.client is client
        assert client._request_signer._credentials.access_key == "AKIAFILE"
