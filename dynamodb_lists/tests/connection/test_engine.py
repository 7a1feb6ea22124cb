"""The embedded engine: it is found, started, separated from other engines, and stopped. Errors say what to do."""

import socket
from pathlib import Path

import boto3
import pytest

from dynamodb_lists.connection import engine
from dynamodb_lists.connection.engine import EngineError
from dynamodb_lists.tests.helpers.dynamodb_local import ROOT


@pytest.fixture
def binary() -> Path:
    """The engine's binary."""
    return engine.find_binary(ROOT)


def tables_at(url: str) -> list[str]:
    client = boto3.client(
        "dynamodb", endpoint_url=url, region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x"
    )
    return client.list_tables()["TableNames"]


def create_table(url: str) -> None:
    client = boto3.client(
        "dynamodb", endpoint_url=url, region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x"
    )
    client.create_table(
        TableName="kept",
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
    )


def test_a_file_keeps_the_data_over_a_restart(binary: Path, tmp_path: Path) -> None:
    file = tmp_path / "var" / "engine.sqlite3"
    with engine.start(binary, engine.free_port(), file) as running:
        create_table(running.url)
    assert running.process.poll() is not None
    with engine.start(binary, engine.free_port(), file) as running:
        assert tables_at(running.url) == ["kept"]


def test_two_engines_cannot_share_a_file(binary: Path, tmp_path: Path) -> None:
    file = tmp_path / "engine.sqlite3"
    with engine.start(binary, engine.free_port(), file) as running:
        with pytest.raises(EngineError, match=f"kill {running.process.pid}"):
            engine.start(binary, engine.free_port(), file)
        assert tables_at(running.url) == []
    engine.start(binary, engine.free_port(), file).stop()


def test_a_taken_port_is_an_error_that_says_so(binary: Path, tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(EngineError, match="already in use"):
            engine.start(binary, port, log=tmp_path / "engine.log")
        assert engine.free_port(port) != port
    assert engine.free_port(port) == port


@pytest.mark.parametrize("logs", [True, False])
def test_somebody_elses_engine_at_the_port_is_not_taken_for_ones_own(binary: Path, tmp_path: Path, logs: bool) -> None:
    log = tmp_path / "engine.log" if logs else None
    with engine.start(binary, engine.free_port(), log=log) as theirs:
        create_table(theirs.url)
        port = int(theirs.url.rsplit(":", 1)[1])
        for _ in range(5):
            with pytest.raises(EngineError, match="already in use"):
                engine.start(binary, port, log=log)
        assert tables_at(theirs.url) == ["kept"]


def test_a_damaged_file_is_an_error_with_what_the_engine_says(binary: Path, tmp_path: Path) -> None:
    (tmp_path / "engine.sqlite3").write_bytes(b"damaged" * 1000)
    with pytest.raises(EngineError, match=r"not a valid SQLite database.* Its log is .*engine\.log\."):
        engine.start(binary, engine.free_port(), tmp_path / "engine.sqlite3", tmp_path / "engine.log")


@pytest.mark.parametrize("content", ["", "#!/bin/sh\nexit 3\n"])
def test_a_binary_that_does_not_run_is_an_error(tmp_path: Path, content: str) -> None:
    broken = tmp_path / "dynoxide"
    broken.write_text(content)
    broken.chmod(0o755)
    with pytest.raises(EngineError, match="not start"):
        engine.start(broken, engine.free_port())


def test_an_engine_that_is_not_installed_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EngineError, match="npm install"):
        engine.find_binary(tmp_path)
