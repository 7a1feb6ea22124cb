"""DynamoDB Local, the vendor's own engine: start it in memory, wait until it answers, stop it.

``make test ENGINE=dynamodb-local`` installs it and names it in the environment. Tests of the embedded engine itself,
and tests that stop an engine or read its file, use the embedded engine with either setting.
"""

import os
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dynamodb_lists.connection import engine
from dynamodb_lists.tests.helpers.waiting import PATIENCE, eventually

NAME = "dynamodb-local"
ROOT = Path(__file__).parents[3]
FOLDER = ROOT / ".dynamodb-local" / "package" / "emulator"


def wanted() -> bool:
    """Return whether the environment asks for this engine."""
    return os.environ.get("ENGINE") == NAME


def problem() -> str:
    """Return why the tests cannot run on the engine that ``ENGINE`` names, in one line; blank if they can."""
    if (name := os.environ.get("ENGINE", "")) not in {"", "embedded", NAME}:
        return f"ENGINE must be embedded or {NAME}; it is {name!r}."
    return missing() if wanted() else ""


def missing() -> str:
    """Return what this engine lacks here, in one line; blank if it can be started."""
    if not shutil.which("java"):
        return f"ENGINE={NAME} needs Java 17 or later, and there is no java on the PATH."
    if not FOLDER.exists():
        return f"DynamoDB Local is not installed ({FOLDER} is missing). Run: make test ENGINE={NAME}"
    return ""


@contextmanager
def running() -> Iterator[str]:
    """The endpoint of a new engine in memory. Raises :class:`RuntimeError`, with its output, if it does not start."""
    port = engine.free_port()
    url = f"http://127.0.0.1:{port}"
    options = ["-inMemory", "-sharedDb", "-disableTelemetry", "-port", str(port)]
    command = ["java", "-Djava.library.path=DynamoDBLocal_lib", "-jar", "DynamoDBLocal.jar", *options]
    with (
        tempfile.TemporaryFile() as output,
        subprocess.Popen(command, cwd=FOLDER, stdout=output, stderr=output) as process,
    ):
        try:
            if not _answers(process, url):
                raise RuntimeError(f"DynamoDB Local did not start. {os.pread(output.fileno(), 2000, 0).decode()}")
            yield url
        finally:
            process.kill()  # it keeps nothing, so there is nothing to finish


def _answers(process: subprocess.Popen[bytes], url: str) -> bool:
    """Wait until the engine answers. False if it ends before that, or takes too long."""
    return eventually(lambda: process.poll() is not None or _answers_now(url)) and process.poll() is None


def _answers_now(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=PATIENCE).close()
    except urllib.error.HTTPError as refused:  # it wants a signed request: it answers
        refused.close()
        return True
    except OSError:
        return False
    return True
