"""A test that never ends, of everything that tests start. ``tests/project/test_interrupted_runs.py`` interrupts it."""

import os
import time
from pathlib import Path

import pytest

from dynamodb_lists.connection.engine import Engine
from dynamodb_lists.tests.helpers.stalls import stopped
from tests.helpers.serving import serving


def test_for_ever(own_engine: Engine, request: pytest.FixtureRequest) -> None:
    if "BROWSER" in os.environ:
        request.getfixturevalue("browser")
    with serving(), stopped(own_engine):
        file = Path(os.environ["STARTED"])
        file.with_suffix(".new").write_text(str(os.getpid()))
        file.with_suffix(".new").rename(file)
        time.sleep(36_000)
