"""Parts that a process keeps: a page with them is the page drawn anew, whoever reads it and whatever has changed."""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest
from django.contrib.auth.models import User
from django.template import engines
from django.test import Client
from django.utils.safestring import SafeString

from hotels.commands import save_hotels
from hotels.queries import hotel
from portal import jinja
from portal.lists.views import ListPage
from portal.templatetags import kept_parts
from portal.templatetags.kept_parts import DrawnTexts, KeptPart, Live
from rooms import commands, queries
from rooms.entities import Plan
from rooms.statuses import Housekeeping, Priority, Service
from tests.conftest import logged_in
from tests.helpers.addresses import addresses
from tests.helpers.contents import Fill
from tests.helpers.markup import ListMarkup
from tests.helpers.people import permit
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.portal.test_framing import HOSTILE, OF_A_VISIT
from tests.project.test_access import fill

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
Parameters = Sequence[tuple[str, str]]
ROOMS: Parameters = [
    *[
        ("view", "sea-view"),
        ("view", "moon"),
        ("type", "suite"),
        ("size", "40"),
        ("size_min", "30"),
        ("size_max", "50"),
    ],
    *[("rate_min", "90"), ("rate_max", "50"), ("status", "dirty"), ("number", "1"), ("then", "type"), ("cursor", "x")],
    *[("sort", "-size"), ("sort", "rate"), ("sort", "number"), ("sort", "colour"), ("choices", "view")],
    *[("page_size", "10"), ("page_size", "7"), ("explain", "1")],
]
LISTS: Mapping[str, Parameters] = {
    f"/hotels/{ABC}/rooms/": ROOMS,
    f"/hotels/{ABC}/attention/": [("status", "dirty"), ("number", "1"), ("sort", "-date"), ("days", "today")],
    f"/hotels/{ABC}/plan/": [("status", "unassigned"), ("status", "assigned"), ("person", "alice")],
    "/attention/": [("hotel", ABC), ("hotel", "xyz"), ("status", "out-of-order")],
    f"/hotels/{ABC}/orders/": [("status", "PLACED"), ("from", "2023-01-01"), ("to", "2022-01-01"), ("room", "101")],
    "/orders/unfinished/": [("status", "PLACED"), ("hotel", ABC)],
    "/guests/": [("q", "a"), ("page_size", "10")],
    f"/hotels/{ABC}/reviews/": [("language", "en"), ("rating", "5"), ("rating", "9"), ("unanswered", "1")],
    "/reviews/unanswered/": [("rating", "5"), ("sort", "date")],
    "/": [],
}
RIGHTS = (
    "hotels.view_hotel",
    "rooms.change_room_status",
    "rooms.plan_room",
    "rooms.add_room",
    "reviews.reply_review",
    "portal.export_data",
)
COST = re.compile(r"(?s)<section [^>]*data-cost.*?</section>")
READS = "rooms.view_room", "orders.view_order", "orders.view_guest", "reviews.view_review"


@pytest.fixture
def filling() -> Fill:
    return fill


class Anew(DrawnTexts):
    """Keeps nothing."""

    def get(self, key: Hashable, draw: Callable[[], str]) -> str:
        hash(key)
        return draw()


def change(random: Random) -> None:
    """Change something that lists show."""
    room = queries.room(ABC, random.choice(["101", "102"]))
    today = queries.room(ABC, "101").plan
    changed: dict[str, Any] = random.choice(
        [
            {"rate": Decimal(random.choice(["99.50", "99.5", "100"]))},
            {"note": random.choice(["", HOSTILE, "<live token>"])},
            {"housekeeping": random.choice([*Housekeeping])},
            {"service": Service.OUT_OF_ORDER, "reason": HOSTILE},
            {"view": random.choice(["Sea view", HOSTILE[:20], "Moon"])},
            {"plan": replace(today or Plan(), assignee="alice", priority=random.choice([*Priority]))},
        ]
    )
    commands.change_room(replace(room, **changed), room, "alice")
    if random.random() < 0.2:
        save_hotels([replace(hotel(ABC), name=random.choice([HOSTILE, "Hotel ABC"]))])


def page(client: Client, address: str, headers: dict[str, str]) -> str:
    response = client.get(address, headers=headers)
    text = COST.sub("", response.content.decode())
    return f"{response.status_code} {OF_A_VISIT.sub('', text)}"


def some(random: Random, parameters: Parameters) -> str:
    return urlencode(random.sample(parameters, min(random.randrange(4), len(parameters))))


@pytest.mark.parametrize("seed", range(2))
def test_a_page_with_kept_parts_is_the_page_drawn_anew(
    seed: int, alice: User, mary: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, anew, keeps = Random(seed), Anew(), DrawnTexts()
    make_hotel([make_room("101"), make_room("102", note=HOSTILE)])
    people = [logged_in(alice), logged_in(mary)]
    for _ in range(25):
        if random.random() < 0.6:
            change(random)
        permit(alice, *READS, *random.sample(RIGHTS, random.randrange(len(RIGHTS))))
        path = random.choice([*LISTS, f"/hotels/{ABC}/rooms/"])
        address, client = f"{path}?{some(random, LISTS[path])}", random.choice(people)
        headers = random.choice([{}, {"HX-Request": "true", "HX-Target": "list"}])
        drawn = []
        for parts in (keeps, anew, keeps):
            monkeypatch.setattr(kept_parts, "_kept", parts)
            drawn.append(page(client, address, headers))
        assert drawn[0] == drawn[1] == drawn[2], address


def test_a_second_reader_has_the_parts_that_are_drawn(admin_user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_parts, "_kept", DrawnTexts())
    drawn: list[str] = []
    part = jinja.part

    def draw(name: str, context: Any) -> SafeString:
        drawn.append(name)
        return part(name, context)

    monkeypatch.setattr(jinja, "part", draw)
    first, second = logged_in(admin_user), logged_in(admin_user)  # each with a token of its own
    for address in LISTS:
        assert first.get(address).status_code == 200
    kept = {name for name in drawn if re.search("row|filters|columns|days|sort|more|search_form|upright", name)}
    assert len(kept) > 10
    drawn.clear()
    for address in LISTS:
        second.get(address)
    assert not kept.intersection(drawn)


def test_no_parameter_that_nobody_knows_and_no_error_is_kept(admin_user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    keeps, client = DrawnTexts(), logged_in(admin_user)
    monkeypatch.setattr(kept_parts, "_kept", keeps)
    for page in addresses():
        if hasattr(page.view, "view_class") and issubclass(page.page, ListPage):
            for query in ("", "page_size=10", "page_size=7"):
                client.get(f"{page.url}?{query}")
            kept = {*keeps._texts}
            for query in ("x=1", "x=2&page_size=10", "page_size=11", "page_size=x&sort=y", "cursor=x&x=3"):
                client.get(f"{page.url}?{query}")
            assert kept == {*keeps._texts}, page.url


def test_what_is_live_in_a_row_leads_to_the_list_as_it_is_now(manager: Client) -> None:
    make_hotel([make_room("901", housekeeping=Housekeeping.DIRTY)])
    for query in ("sort=date&page_size=10&status=dirty", "page_size=25&status=attention"):
        row = ListMarkup(manager.get(f"/hotels/{ABC}/attention/?{query}").content).element("[data-row]")
        link = parse_qs(urlsplit(str(row.select("a[href*=list]")[0]["href"])).query)["list"][0]
        sent = str(row.select("[name=list]")[0]["value"])
        assert link.partition("?")[0] == f"/hotels/{ABC}/attention/"
        assert {*parse_qsl(link.partition("?")[2])} == {*parse_qsl(sent.partition("?")[2])}
        assert {*parse_qsl(sent.partition("?")[2])} <= {*parse_qsl(query)}
        assert "status" in sent or "dirty" in query


def kept_part(name: str, **values: Any) -> str:
    return KeptPart(name, **values).__html__()


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The parts that were drawn, in a process that has none. The template of a part writes its values."""
    drawn: list[str] = []
    monkeypatch.setattr(kept_parts, "_kept", DrawnTexts())
    source = "{{ value }}|{{ token }}"

    def draw(_: str, context: dict[str, Any]) -> str:
        drawn.append(engines["jinja2"].env.from_string(source).render(context))  # type: ignore[attr-defined]
        return drawn[-1]

    monkeypatch.setattr(jinja, "part", draw)
    return drawn


def test_live_texts_are_filled_in_and_escaped_and_no_value_can_stand_for_one(parts: list[str]) -> None:
    for token in ("one", HOSTILE):
        text = kept_part("x", value="<live token>", token=Live(token))
        assert text == f"&lt;live token&gt;|{Live(token)}"
        assert "<script>" not in text
    assert len(parts) == 1
    assert KeptPart("x", token=Live("<"))(value=1) == "1|&lt;"
    assert kept_part("x", value="a", token="") == "a|"
    assert kept_part("x", value="", token="a") == "|a"


def test_the_template_and_fields_that_equality_leaves_out_are_a_part_of_the_key(parts: list[str]) -> None:
    room = make_room("101")
    for by in ("anna", "ben"):
        for name in ("x", "y", "x"):
            kept_part(name, value=replace(room, added_by=by), token="")
    assert room == replace(room, added_by="ben")
    assert len(parts) == 4


def test_what_cannot_be_a_key_is_an_error(parts: list[str]) -> None:
    with pytest.raises(TypeError):
        kept_part("x", value=[1], token="")


def test_the_oldest_parts_go(parts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_parts, "MOST_KEPT", 40)
    for value in ("a", "b", "c"):
        kept_part("x", value=value * 15, token="")
    kept_part("x", value="c" * 15, token="")
    assert len(parts) == 3
    kept_part("x", value="a" * 15, token="")
    assert len(parts) == 4
    kept_part("x", value="d" * 100, token="")
    kept_part("x", value="d" * 100, token="")
    assert len(parts) == 5, "one that is too large alone is kept until the next one"


def test_templates_that_are_edited_are_drawn_anew(parts: list[str], settings: Any) -> None:
    settings.DEBUG = True
    for _ in range(2):
        kept_part("x", value="a", token="")
    assert len(parts) == 2
