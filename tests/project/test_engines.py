"""``ENGINE`` names the engine of the tests. If they cannot run on it, they say so and do not run on another."""

import shutil
from pathlib import Path

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


def test_an_engine_without_java_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINE", "dynamodb-local")
    monkeypatch.setenv("PATH", "")
    needed = "ENGINE=dynamodb-local needs Java 17 or later, and there is no java on the PATH."
    assert dynamodb_local.problem() == needed


def test_an_engine_that_is_not_installed_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINE", "dynamodb-local")
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(dynamodb_local, "FOLDER", tmp_path / "missing")
    assert "Run: make test ENGINE=dynamodb-local" in dynamodb_local.problem()


def test_an_engine_that_does_not_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = tmp_path / "java"
    java.write_text("#!/bin/sh\necho This Java is too old. >&2\nexit 1\n")
    java.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(dynamodb_local, "FOLDER", tmp_path)
    with pytest.raises(RuntimeError, match="This Java is too old"), dynamodb_local.running():
        pass
