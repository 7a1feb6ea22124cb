"""The AWS SDK in tests: it waits less, reads its descriptions once, and can be without credentials."""

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from botocore.loaders import JSONFileLoader
from botocore.retries.standard import ExponentialBackoff

from dynamodb_lists.connection import client as shared


@pytest.fixture(autouse=True, scope="session")
def short_waits() -> Iterator[None]:
    """Let the SDK retry as usual, but wait only a twentieth of the time, unless an answer asks it to wait."""
    usual = ExponentialBackoff._get_base_scale  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ExponentialBackoff, "_get_base_scale", lambda self, context: usual(self, context) / 20)
        yield


@pytest.fixture(autouse=True, scope="session")
def models_of_the_sdk() -> Iterator[None]:
    """Parse the SDK's description of DynamoDB once, and not for each of the many clients of the tests."""
    read = functools.cache(JSONFileLoader().load_file)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(JSONFileLoader, "load_file", lambda self, path: read(path))
        yield


@contextmanager
def without_credentials(file: Path) -> Iterator[None]:
    """A machine without AWS credentials, but those in the shared credentials ``file``, if somebody creates it."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
            patch.delenv(name, raising=False)
        for name in ("AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"):
            patch.setenv(name, str(file))
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        shared.forget()
        yield
        shared.forget()
