"""Requests that no page sends: never a 500, and never a redirect to another host.

Each address gets a part of the requests, and each request goes to several addresses. ``make fuzz`` sends all to all.
"""

from itertools import product
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import Group, User
from django.test import Client

from dynamodb_lists.tests.helpers.examples import DEPTH
from tests.helpers.addresses import addresses, other_addresses
from tests.helpers.markup import ListMarkup, entry_of
from tests.project.test_access import fill as fill_examples

fill = fill_examples
pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
FORM = "application/x-www-form-urlencoded"
PART = b'--x\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: x; charset=idna\r\n\r\na\r\n--x--\r\n'
SHARE = 1 if DEPTH > 1 else 72
MANY = "&".join("a" * 1001)
BOOSTED = {"HX-Request": "true", "HX-Boosted": "true"}
"""The headers of a request whose error sends the browser to the address that it shows."""


class Attack(NamedTuple):
    """A request: what it has besides its address."""

    method: str = "GET"
    query: str = ""
    headers: dict[str, str] = {}
    content_type: str = FORM
    body: bytes = b"a=1"

    def send(self, client: Client, url: str) -> Any:
        """Return the answer."""
        address = f"{url}?{self.query}" if self.query else url
        return client.generic(self.method, address, self.body, self.content_type, headers=self.headers)


SHOWN = (
    *("//[", "http://[", "http://testserver//evil.example/", "http://testserver/\\evil.example", "x" * 9000),
    *(
        "http://testserver///evil.example",
        "https://evil.example/",
        "javascript:alert(1)",
        "http://testserver:99999999/",
    ),
    *("http://testserver@evil.example/", "http://testserver/\0", "//testserver/", "http://testserver"),
)
"""Values of ``HX-Current-URL``."""

QUERIES = (
    *("s=a&page=2", "s=a&page=x", "_to_field=", "_to_field=x", "_to_field=id", "_popup=1&_to_field=", "_popup=x"),
    *("o=x", "o=-1.2.3.99", f"o={'9' * 20}", "p=x", "p=-1", f"p={'9' * 20}", "e=1", "all=", "_facets=x", "__=1"),
    *("is_staff__exact=x", "is_active__exact=%00", "groups__id__exact=x", "groups__isnull=x", "x__y__z=1"),
    *("password__startswith=a", "username__regex=(", "date_joined__year=99999", f"pk__lt={'9' * 20}", "id__in=x"),
    *("next=foo", "next=a/b", "next=.", "next=:", "next=%3Ffoo", "next=admin:login"),
    *("next=//evil.example/", "next=javascript:x", "next=https://evil.example", "next=%5C%5Cevil.example", "next=/%00"),
    *("app_label=auth&model_name=user&field_name=groups&term=a", "app_label=x&model_name=y&field_name=z", "term=%00"),
    *("q=%00", "q=%ED%A0%80", f"q={'a' * 5000}", "%00=1", "cursor=%00", "a[]=1&a=%F0%9F", "_changelist_filters=%00"),
    *("format=csv", "format=%00", f"page_size={'9' * 20}", "view=%00", "from=0000-00-00", "language=%00", "x=" * 500),
)
HEADERS = (
    {"HX-Request": "true", "HX-Current-URL-URI-AutoEncoded": "true", "HX-Current-URL": "http://testserver/%0D%0Ax"},
    {"HX-Request": "true", "HX-Target": "\0'\"><"},
    {"HX-Request": "true", "HX-Target": "list", "HX-Current-URL": "//["},
    {"Accept-Language": "x" * 5000},
    {"X-Forwarded-Host": "evil.example"},
    {"Host": "evil.example"},
    {"Host": "testserver:x"},
    {"Referer": "//["},
    {"Origin": "//["},
    {"Range": "bytes=x"},
    {"Cookie": "sessionid=\0; messages=x; csrftoken=é"},
)
CONTENT_TYPES = (
    *(f"x; charset={name}" for name in ("idna", "x", "utf-7", "utf-16", "punycode", "base64", "undefined", "\xe9")),
    *("multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=x; charset=idna", ""),
    *("x; a*=nothing'b'c", "x; charset*=utf-7''a", "x; charset*1=a; charset*0=b", ";", "; charset=utf-7"),
    *("application/json", f"{FORM}; charset=rot13", f"{FORM}; charset={'x' * 5000}", f"{FORM}; x*=utf-8''%zz"),
)
BODIES = (b"a=1&b=%FF%00&csrfmiddlewaretoken=x", b"\xff\xfe\0", PART, b"{")
ATTACKS = [
    *(Attack(query=query) for query in QUERIES),
    *(Attack(method, headers=BOOSTED | {"HX-Current-URL": shown}) for method, shown in product(("GET", "POST"), SHOWN)),
    *(Attack(method, headers=headers) for method, headers in product(("GET", "POST"), HEADERS)),
    *(Attack("POST", content_type=kind, body=body) for kind, body in product(CONTENT_TYPES, BODIES[:3])),
    *(Attack("POST", content_type="multipart/form-data; boundary=x", body=body) for body in BODIES),
    *(Attack("GET", query, content_type=kind) for kind, query in product(CONTENT_TYPES, ("", MANY))),
    *(Attack(method) for method in ("PUT", "PATCH", "DELETE", "TRACE", "HEAD", "OPTIONS", "FOO")),
]


@pytest.fixture
def object_id() -> str:
    """The id of both an account and a group."""
    erin = User.objects.create_user("erin")
    Group.objects.update_or_create(pk=erin.pk, defaults={"name": "Night"})
    return str(erin.pk)


@pytest.fixture
def attacker(admin_client: Client) -> Client:
    """A superuser's browser."""
    admin_client.raise_request_exception = False
    return admin_client


def assert_harmless(response: Any, request: object) -> None:
    """The answer is no 500, and leads to no other host."""
    assert response.status_code < 500, request
    for name in ("Location", "HX-Redirect", "HX-Location", "HX-Push-Url", "HX-Replace-Url"):
        address = response.headers.get(name, "/")
        assert address.startswith("/"), request
        assert not address.startswith(("//", "/\\")), request
        assert address.isprintable(), request
    response.close()


def test_no_request_is_a_500_or_leads_elsewhere(attacker: Client, admin_user: User, object_id: str) -> None:
    portal = [address.url for address in addresses()]
    others = other_addresses(object_id)
    outside = ["/nothing/", "//evil.example", "/%ED%A0%80/", "/admin/auth/user/%00/change/"]
    session = dict(attacker.cookies)
    for number, url in enumerate([*portal, *others, *outside]):
        for attack in ATTACKS[number % SHARE :: SHARE]:
            assert_harmless(attack.send(attacker, url), (url, attack))
            attacker.cookies.update(session)
        if SESSION_KEY not in attacker.session:  # an attack was the log-out
            attacker.force_login(admin_user)
            session = dict(attacker.cookies)


@pytest.mark.parametrize(
    ("url", "attack", "status"),
    [
        ("/nothing/", Attack(headers=BOOSTED | {"HX-Current-URL": "//["}), 404),
        ("/nothing/", Attack(headers=BOOSTED | {"HX-Current-URL": "http://testserver//evil.example"}), 404),
        ("/admin/auth/group/{id}/change/", Attack(query="_to_field="), 200),
        ("/admin/auth/user/", Attack(query="username__regex=("), 400),
        ("/guests/add/", Attack("POST", content_type=f"{FORM}; charset=idna"), 400),
        ("/admin/login/", Attack("POST", content_type="multipart/form-data; boundary=x; charset=idna", body=PART), 400),
    ],
)
def test_what_was_a_500_or_led_elsewhere(
    attacker: Client, object_id: str, url: str, attack: Attack, status: int
) -> None:
    response = attack.send(attacker, url.format(id=object_id))
    assert response.status_code == status
    assert_harmless(response, attack)


HALF_WAY = ("/admin/login/code/", "/admin/login/set-up/", "/admin/login/leave/", "/admin/login/")


def test_a_login_leads_to_addresses_of_the_portal_alone(attacker: Client) -> None:
    for url, next_page in product(
        HALF_WAY, ("foo", "a/b", ".", ":", "?foo", "admin:login", "http:foo", "a:b", "x" * 5000)
    ):
        for method in ("GET", "POST"):
            attack = Attack(method, query=urlencode({"next": next_page}))
            assert_harmless(attack.send(attacker, url), (url, attack))


def test_a_form_without_its_hidden_fields_is_no_500_when_nothing_is_left_to_do(attacker: Client) -> None:
    for url in ("/reviews/r-1/reply/delete/", "/reviews/r-1/delete/", "/orders/o-1/", "/guests/alex/erase/"):
        page = ListMarkup(attacker.get(url, follow=True).content)
        step = {"seen": "PLACED", "step": "CANCELLED", "guest": "alex"} if "orders" in url else {}
        assert attacker.post(url, {**entry_of(page), **step}).status_code == 302, url
        for address in addresses():
            if url.startswith("/guests/") or address.url.startswith(url[:10]):  # at the end, all
                assert attacker.post(address.url).status_code < 500, (url, address.name)
