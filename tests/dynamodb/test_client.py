"""A page of a process without AWS credentials."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import RequestFactory

from dynamodb_lists.connection import client as shared
from dynamodb_lists.connection.errors import Refused
from hotelapp.portal import error_pages
from rooms import queries
from tests.helpers.rooms import ABC


@pytest.fixture
def _no_credentials(endpoint: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A machine without AWS credentials."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "credentials"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    shared.forget()
    yield
    shared.forget()


@pytest.mark.usefixtures("_no_credentials")
def test_a_page_without_credentials_says_whom_to_tell(monkeypatch: pytest.MonkeyPatch, rf: RequestFactory) -> None:
    monkeypatch.setattr(settings, "DYNAMODB_ENGINE", "aws")
    monkeypatch.setattr(settings, "DYNAMODB_ENDPOINT_URL", None)
    with pytest.raises(Refused) as refused:
        queries.room_counts(ABC)
    response = error_pages.unavailable(rf.get("/hotels/"), refused.value)
    assert response.status_code == 503
    assert b"AWS credentials are missing" in response.content.replace(b"&#x27;", b"'")
