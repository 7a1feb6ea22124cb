"""What a page says that is not for its reader: the same for what is hidden and what is unknown, and whom to ask."""

from itertools import product

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from tests.conftest import logged_in
from tests.helpers.contents import Fill
from tests.helpers.markup import ListMarkup
from tests.helpers.people import bind, join
from tests.helpers.rooms import ABC
from tests.project.test_access import fill

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
NOTHING = "There is nothing here that your account may see. It may have been deleted or renamed."
ASK_STAFF, ASK_SUPERUSER = (
    f"Your account has no permission for this. {who} can give it to you."
    for who in ("Whoever manages the staff", "A superuser")
)
THINGS = ("hotels/{0}/", "hotels/{0}/rooms/101/", "hotels/{0}/rooms/add/", "hotels/{0}/reviews/", "hotels/{0}/orders/")


@pytest.fixture
def filling() -> Fill:
    return fill


def said(client: Client, address: str) -> tuple[int, str]:
    """The status and the text of an error page."""
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
        ("Manager", False, ASK_STAFF),
        ("", True, ASK_SUPERUSER),
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
        "Nobody may do this here. To your own account, another superuser may.",
    )
