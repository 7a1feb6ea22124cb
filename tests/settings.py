"""Settings of the tests: those of the demo. From the environment, only the endpoint and TEST_DATABASE_URL are used."""

import os
import sqlite3
import tempfile
import uuid
from contextlib import suppress

os.environ["VAR_DIR"] = f"{tempfile.gettempdir()}/portal-tests-{os.getuid()}"  # tests/conftest.py has others
os.environ["ENV_FILE"] = ""
os.environ["DEMO"] = "1"
os.environ["SECRET_KEY"] = "only-for-tests-" * 4
os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL", "sqlite://:memory:")
# Each process has its own prefix, so that test runs can share an endpoint, and never touch tables in use.
# The README's picture is taken without a prefix, on the engine in memory.
picture = "SCREENSHOT" in os.environ and not os.environ.get("DYNAMODB_ENDPOINT_URL")
os.environ["DYNAMODB_TABLE_PREFIX"] = "" if picture else f"test-{uuid.uuid4().hex[:8]}-"

from hotelapp.settings import *  # noqa: E402, F403

EXPORT_PLACES = 1000  # some tests leave exports unread; the garbage collector closes them at some time
# No test depends on how fast the machine is. Those of deadlines and places set their own.
PAGE_DEADLINE_SECONDS = DYNAMODB_READ_TIMEOUT = DYNAMODB_CONNECT_TIMEOUT = 3600
WAITING_CALLS = 1000
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOGGING_CONFIG = None
WHITENOISE_AUTOREFRESH = True  # do not look through all static files again for each test client


class ClosingConnection(sqlite3.Connection):
    """A connection that is closed when its thread is gone. Django leaves that to whoever starts the thread."""

    def __del__(self) -> None:
        with suppress(sqlite3.ProgrammingError):  # it was never opened
            self.close()


if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    DATABASES["default"]["OPTIONS"]["factory"] = ClosingConnection  # noqa: F405
