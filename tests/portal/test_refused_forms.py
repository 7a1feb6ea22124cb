"""Forms that Django's check of their origin refuses: the page says why. And the page after the logout."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
LOGIN = "/admin/login/"


@pytest.mark.parametrize(
    ("cookie", "headers", "words"),
    [
        ("", {}, "Your browser sent no cookie with the form."),
        ("x" * 32, {}, "You have logged in since this page was loaded"),
        ("x" * 32, {"Origin": "https://elsewhere.example"}, "The form came from another site"),
    ],
)
def test_a_refused_form_says_why(cookie: str, headers: dict[str, str], words: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    if cookie:
        strict.cookies["csrftoken"] = cookie
    response = strict.post(LOGIN, {"username": "alice"}, headers=headers)
    assert response.status_code == 403
    assert words in response.content.decode()
    assert "Nothing was changed." in response.content.decode()


def test_the_page_after_the_logout_leads_to_the_login(staff: Client) -> None:
    page = staff.post("/admin/logout/").content.decode()
    assert "<h1>Logged out</h1>" in page
    assert f'href="{LOGIN}"' in page
