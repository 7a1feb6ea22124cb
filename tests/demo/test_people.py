"""The demo's people: accounts with the rights of their work, and a login at one click that nobody else is offered."""

from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from hotelapp.demo import people
from hotels.staff_hotels import scope_of
from tests.conftest import logged_in
from tests.helpers.markup import ListMarkup, get
from tests.helpers.people import make_groups

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("empty_tables")]
LOGIN, PASSWORD = "/admin/login/", "only for the demo"
LOCAL = {"host": "localhost:8000"}


@pytest.fixture
def demo(settings: Any) -> Any:
    """The settings of a demo that ``make run`` has started."""
    settings.DEMO_USERNAME, settings.DEMO_PASSWORD = "demo", PASSWORD
    make_groups()  # tests with a live server empty the SQL tables
    User.objects.create_superuser("demo", password=PASSWORD)
    people.ensure(User.objects.get(username="demo").password)
    return settings


def buttons(query: str = "", host: str = "localhost:8000") -> list[dict[str, str]]:
    """Return what each button of the login page sends."""
    page = ListMarkup(Client().get(f"{LOGIN}{query}", headers={"host": host}).content)
    forms = page.soup.select(".people form")
    assert {str(form["action"]) for form in forms} <= {f"{LOGIN}{query}"}
    return [{str(field["name"]): str(field["value"]) for field in form.select("input")} for form in forms]


def test_each_person_logs_in_and_may_do_the_own_work(demo: Any) -> None:
    groups = {}
    for sent in buttons("?next=/guests/"):
        client = Client()
        assert client.post(f"{LOGIN}?next=/guests/", sent, headers=LOCAL)["Location"] == "/guests/"
        user = User.objects.get(pk=client.session["_auth_user_id"])
        groups[user.username] = [group.name for group in user.groups.all()]
        assert user.is_superuser == (user.username == "demo")
        assert user.has_perm("portal.view_costs") == user.is_superuser
        assert scope_of(user).bound == (user.username in {"housekeeper", "receptionist", "sam"})
    work = {"housekeeper": ["Housekeeping"], "receptionist": ["Front desk"], "sam": ["Supervisor"]}
    work |= {"manager": ["Manager"], "demo": []}
    assert groups == work


def test_the_demos_people_have_rooms_today(demo: Any) -> None:
    call_command("seed_demo", rooms=[20, 240], guests=3, orders=3, reviews=3, stdout=StringIO())
    shares = get(logged_in(User.objects.get(username="sam")), "/hotels/lakeview/plan/").soup.select(".shares li a")
    assert [share.text for share in shares] == ["Anna Keller", "Ben Okoro", "Hana Novak"]
    hana = logged_in(User.objects.get(username="housekeeper"))
    assert hana.get("/")["Location"] == "/hotels/lakeview/my-rooms/"


def test_a_button_leads_to_no_other_site_and_needs_a_token(demo: Any) -> None:
    query = "?next=https://elsewhere.example/"
    sent = buttons(query)[0]
    assert Client().post(f"{LOGIN}{query}", sent, headers=LOCAL)["Location"] == "/"
    assert Client(enforce_csrf_checks=True).post(LOGIN, sent, headers=LOCAL).status_code == 403


def test_a_button_obeys_the_limits_of_logins(demo: Any) -> None:
    (first, *_), client = buttons(), Client()
    statuses = [client.post(LOGIN, {**first, "password": "wrong"}, headers=LOCAL).status_code for _ in range(5)]
    assert statuses == [200] * 4 + [429]
    assert client.post(LOGIN, first, headers=LOCAL).status_code == 429


@pytest.mark.parametrize(("name", "value"), [("DEMO", False), ("DEMO_PASSWORD", ""), ("DYNAMODB_ENDPOINT_URL", None)])
def test_nobody_is_offered_a_login_elsewhere(demo: Any, name: str, value: Any) -> None:
    assert len(buttons()) == 5
    setattr(demo, name, value)
    assert buttons() == []
    assert PASSWORD not in Client().get(LOGIN, headers=LOCAL).content.decode()


def test_other_machines_are_offered_nothing(demo: Any) -> None:
    demo.ALLOWED_HOSTS = ["*"]
    for host in ("portal.example", "192.168.0.7:8000", "localhost.portal.example"):
        assert buttons(host=host) == [], host


def test_a_second_start_changes_nothing_but_the_password(demo: Any) -> None:
    housekeeper = User.objects.get(username="housekeeper")
    housekeeper.groups.clear()
    people.ensure(make_password("another one"))
    housekeeper.refresh_from_db()
    assert not housekeeper.groups.exists()
    assert housekeeper.check_password("another one")
