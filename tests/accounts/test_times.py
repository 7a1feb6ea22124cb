"""Times on the pages of Staff."""

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]


def test_staff_pages_write_times_as_others_do_with_their_zone(admin_client: Client) -> None:
    user = User.objects.create_user("lena", is_staff=True, last_login=datetime(2023, 1, 15, 19, 48, tzinfo=UTC))
    page = admin_client.get(f"/admin/auth/user/{user.pk}/change/").content.decode()
    assert "15 Jan 2023, 19:48 UTC" in page
    assert "p.m." not in page
