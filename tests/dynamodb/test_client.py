"""A page of a process without AWS credentials."""

from pathlib import Path

import pytest
from django.conf import settings
from django.test import RequestFactory

from dynamodb_lists.connection.errors import Refused
from dynamodb_lists.tests.helpers.sdk import without_credentials
from portal import error_pages
from rooms import queries
from tests.helpers.rooms import ABC


@pytest.mark.usefixtures("endpoint")
def test_a_page_without_credentials_says_whom_to_tell(
    monkeypatch: pytest.MonkeyPatch, rf: RequestFactory, tmp_path: Path
) -> None:
    monkeypatch.setattr(settings, "DYNAMODB_ENGINE", "aws")
    monkeypatch.setattr(settings, "DYNAMODB_ENDPOINT_URL", None)
    with without_credentials(tmp_path / "credentials"), pytest.raises(Refused) as refused:
        queries.room_counts(ABC)
    response = error_pages.unavailable(rf.get("/hotels/"), refused.value)
    assert response.status_code == 503
    assert b"AWS credentials are missing" in response.content.replace(b"&#x27;", b"'")
