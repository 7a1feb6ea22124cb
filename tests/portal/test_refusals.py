"""Refusals: a hidden thing looks like an unknown one, a user without a right reads whom to ask, a form says why."""

import re
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from orders import commands as orders
from reviews import commands as reviews
from tests.conftest import logged_in
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_order
from tests.helpers.people import bind, join, permit
from tests.helpers.reviews import make_review
from tests.helpers.rooms import ABC
from tests.project.test_access import fill as fill_examples

fill = fill_examples
pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
LOGIN = "/admin/login/"
NOTHING = "This page does not exist, or your account may not see it. What it showed may have been deleted or renamed."
ASK_STAFF, ASK_SUPERUSER = (
    f"Your account is not allowed to do this. {who} can allow it."
    for who in ("An administrator of staff accounts", "A superuser")
)
THINGS = ("hotels/{0}/", "hotels/{0}/rooms/101/", "hotels/{0}/rooms/add/", "hotels/{0}/reviews/", "hotels/{0}/orders/")


def said(client: Client, address: str) -> tuple[int, str]:
    """Return the status and the text of an error page."""
    answer = client.get(address)
    return answer.status_code, ListMarkup(answer.content).text("#main-content p, main p")


def test_what_one_may_not_see_is_not_said_to_exist(manager: Client, mary: User) -> None:
    for address in ("/orders/nothing/", "/guests/nobody/", "/reviews/none/", "/no/such/page/"):
        assert said(manager, address) == (404, NOTHING), address
    bind(mary, "xyz")
    for page, hotel_id in product(THINGS, (ABC, "nowhere")):
        assert said(manager, f"/{page.format(hotel_id)}") == (404, NOTHING), (page, hotel_id)


@pytest.mark.parametrize(
    ("group", "changes_accounts", "text"),
    [
        ("", False, ASK_STAFF),
        ("Manager", True, ASK_SUPERUSER),
    ],
)
def test_who_lacks_a_permission_reads_whom_to_ask(dana: User, group: str, changes_accounts: bool, text: str) -> None:
    """Nobody gives himself a permission that he lacks, so who manages the staff asks a superuser."""
    if group:
        join(dana, group)
    if changes_accounts:
        dana.user_permissions.add(Permission.objects.get(codename="change_user"))
    assert said(logged_in(dana), "/lab/") == (403, text)


def test_a_superuser_is_not_sent_to_a_superuser() -> None:
    superuser = User.objects.create_superuser("root")
    address = f"/admin/auth/user/{superuser.pk}/delete/"
    assert said(logged_in(superuser), address) == (
        403,
        "Nobody can do this to their own account. Ask another superuser.",
    )


VIEW_AND_CHANGE = [
    ("order", ["orders.view_order", "orders.add_order", "orders.move_order", "orders.cancel_order"]),
    ("review", [f"reviews.{each}_review" for each in ("view", "add", "change", "delete", "reply")]),
]


def told_of(answer: Any, name: str) -> tuple[int, dict[str, str], set[str], str]:
    """Return all that an answer tells, without the name that was asked for, and what is drawn anew for each answer."""
    anew = re.compile(rf"{name}|[0-9A-Za-z]{{26,}}")  # ids of requests, tokens of forms
    headers = {
        key: anew.sub("", value) for key, value in answer.headers.items() if key not in {"X-Request-ID", "Expires"}
    }
    return answer.status_code, headers, {*answer.cookies}, anew.sub("", answer.content.decode())


@pytest.mark.parametrize(("kind", "permissions"), VIEW_AND_CHANGE)
def test_who_is_bound_learns_nothing_of_other_hotels_things(dana: User, kind: str, permissions: list[str]) -> None:
    """An import leaves no entry that names the hotel."""
    orders.save_orders([make_order("order-hidden", username="eve", hotel_id="xyz")])
    reviews.save_reviews([make_review("review-hidden", hotel_id="xyz")])
    permit(dana, *permissions)
    bind(dana, ABC)
    client = logged_in(dana)
    pages = [f"history/{kind}/{{}}/", f"history/newest/{kind}/{{}}/", f"{kind}s/{{}}/", f"{kind}s/{{}}/edit/"]
    posts = [f"history/undo/{kind}/{{}}/", pages[3], {"order": pages[2], "review": "reviews/{}/reply/"}[kind]]
    data = {"serial": "1", "guest": "eve", "seen": "PLACED", "step": "PROCESSING", "revision": "1", "reply": "x"}
    for method, page in [*(("get", page) for page in pages), *(("post", page) for page in posts)]:
        for headers in ({}, {"HX-Request": "true"}):
            hidden, unknown = (
                told_of(getattr(client, method)(f"/{page.format(name)}", data, headers=headers), name)
                for name in (f"{kind}-hidden", f"{kind}-nobody")
            )
            assert hidden == unknown, page
            assert hidden[0] == 404, page
    own = f"{kind}/{kind[0]}-1"
    assert client.get(f"/history/{own}/").status_code == 200


def test_a_refused_form_says_why() -> None:
    strict = Client(enforce_csrf_checks=True)
    for cookie, headers, words in (
        ("", {}, "Your browser does not keep cookies."),
        ("x" * 32, {}, "You logged in again after you opened this page"),
        ("x" * 32, {"Origin": "https://elsewhere.example"}, "This form did not come from the portal"),
    ):
        strict.cookies.load({"csrftoken": cookie} if cookie else {})
        response = strict.post(LOGIN, {"username": "alice"}, headers=headers)
        assert response.status_code == 403
        assert words in response.content.decode()
        assert "Nothing was changed." in response.content.decode()
