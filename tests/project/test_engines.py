"""``ENGINE`` names the engine of the tests. If they cannot run on it, they say so and do not run on another."""

import pytest

from dynamodb_lists.connection.client import client
from dynamodb_lists.tests.helpers import dynamodb_local
from tests import conftest


@pytest.mark.usefixtures("endpoint")
def test_the_tests_run_on_the_engine_that_is_named() -> None:
    server = client().list_tables()["ResponseMetadata"]["HTTPHeaders"].get("server", "")
    assert not dynamodb_local.wanted() or server.startswith("Jetty")


def test_an_engine_that_cannot_be_used_ends_the_tests_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINE", "dynamo")
    with pytest.raises(pytest.UsageError) as ended:
        conftest.pytest_configure()
    assert str(ended.value) == "ENGINE must be embedded or dynamodb-local; it is 'dynamo'."
