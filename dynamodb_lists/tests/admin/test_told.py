"""The admin of tables that exist already: rows, items as they are stored, two editors, and items that fit nothing."""

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.admin.utils import quote
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.django.admin.rows import address_of
from dynamodb_lists.tests.admin.conftest import client_of
from dynamodb_lists.tests.admin.library import told
from dynamodb_lists.tests.admin.library.admin import OrderAdmin
from dynamodb_lists.tests.admin.library.told import BLOBS, DEVICES, NOTES, ORDERS, SHOP, WORDS, State, order, put, raw
from dynamodb_lists.tests.admin.pages import Shown, log
from dynamodb_lists.tests.admin.test_registration import checked
from dynamodb_lists.tests.helpers.examples import examples

pytestmark = pytest.mark.usefixtures("shop")
ORDERS_URL, CUSTOMERS_URL, DEVICES_URL, BLOBS_URL, NOTES_URL, WORDS_URL = (
    f"/admin/library/{name}/" for name in ("order", "customer", "device", "blob", "note", "word")
)


@pytest.fixture(scope="module")
def shop(migrated: None) -> None:
    told.create_all()
    told.fill()


@pytest.fixture
def one() -> dict[str, Any]:
    """The key of an order that a test changes."""
    item = order(7, "eve")
    put(SHOP, **item)
    return {name: item[name] for name in ("PK", "SK")}


def url(place: dict[str, Any], view: str = "change", base: str = ORDERS_URL) -> str:
    return f"{base}{quote(address_of(ORDERS.declaration, place))}/{view}/"


def stored(page: Shown) -> dict[str, tuple[str, str]]:
    """Return the attributes on a page: what is said of each, and its value."""
    names = [name.get_text() for name in page.soup.select("#stored dt strong")]
    said = [said.get_text() for said in page.soup.select("#stored dt span")]
    values = [value.get_text().removeprefix("\n") for value in page.soup.select("#stored dd pre")]
    return dict(zip(names, zip(said, values, strict=True), strict=True))


def items(page: Shown) -> dict[str, Any]:
    """Return the items of a partition: the link of each, by its key and kind."""
    return {each.get_text(): page.at(each.select_one("a")) for each in page.soup.select("#stored li")}


def link(page: Shown, text: str) -> str:
    """Return the address of a link with a text."""
    return next(page.at(each) for each in page.soup.select("a") if each.get_text() == text)


# --- Entrances and lists ------------------------------------------------------------------------------------------


def test_entrances_come_first_and_keep_what_is_filtered(ada: Client) -> None:
    page = Shown(ada, f"{NOTES_URL}?e=1")
    assert [each["name"] for each in page.soup.select("#content form input[name]")] == ["owner"]
    assert not page.soup.select(".errornote")
    answer = ada.get(f"{NOTES_URL}?text=a&count=1")
    page = Shown(ada, NOTES_URL, _as_ok(answer, 400))
    assert "No key of told-notes answers this. Told notes are read by owner." in page.text
    kept = [(each["name"], each["value"]) for each in page.soup.select("#content form input[name]")]
    assert kept == [("text", "a"), ("count", "1"), ("owner", "")]
    put(NOTES, owner={"S": "o"}, id={"S": "n"}, text={"S": "a"}, count={"N": "1"})
    page = Shown(ada, f"{NOTES_URL}?text=a&count=1&owner=o")
    assert page.column("id") == ["n"]
    assert page.choices("owner")["All"] == NOTES_URL
    assert page.chosen == ["o"]


def _as_ok(answer: Any, status: int) -> Any:
    assert answer.status_code == status
    answer.status_code = 200
    return answer


def test_a_list_that_is_read_at_once_has_its_entrances_as_filters(ada: Client) -> None:
    page = Shown(ada, ORDERS_URL)
    titles = [each["data-filter-title"] for each in page.soup.select("[data-filter-title]")]
    assert titles == ["state", "placed", "total", "express", "username"]
    assert [*page.choices("state")] == ["All", "Done", "Placed", "Sent"]
    assert page.total == "26+"
    page = page.go(page.choices("state")["Sent"]).go(f"{page.address}?state=SENT&username=bob")
    assert {*page.column("state")} == {"Sent"}
    assert page.chosen == ["bob", "Sent", "Any date", "All"]


QUESTIONS: list[tuple[str, Callable[[told.Order], bool], Callable[[told.Order], Any]]] = [
    ("username=ann", lambda _: True, lambda each: each.order_id),
    ("username=ann&o=-5", lambda _: True, lambda each: (-each.total, each.order_id)),
    ("username=ann&state=SENT&o=4", lambda each: each.state is State.SENT, lambda each: each.placed),
    ("username=ann&state=SENT&state=DONE", lambda each: each.state is not State.PLACED, lambda each: each.order_id),
    ("username=ann&total__gte=10&total__lte=30", lambda each: 10 <= each.total <= 30, lambda each: each.order_id),
    ("username=ann&placed__gte=2024-03-20&o=4", lambda each: each.placed.day >= 20, lambda each: each.placed),
    ("username=ann&express=True", lambda each: each.express, lambda each: each.order_id),
    ("username=ann&q=O-03", lambda each: each.order_id.startswith("O-03"), lambda each: each.order_id),
]


@pytest.mark.parametrize(("query", "meets", "rank"), QUESTIONS)
def test_rows_are_those_of_plain_python(
    ada: Client,
    monkeypatch: pytest.MonkeyPatch,
    query: str,
    meets: Callable[[told.Order], bool],
    rank: Callable[[told.Order], Any],
) -> None:
    monkeypatch.setattr(OrderAdmin, "list_per_page", 7)
    right = sorted((each for each in ORDERS.query(username="ann") if meets(each)), key=rank)
    page, seen = Shown(ada, f"{ORDERS_URL}?{query}"), list[str]()
    in_memory = "o=-5" in query  # so all rows were read
    assert page.total == (str(len(right)) if len(right) <= 7 or in_memory else "8+")
    while True:
        seen += page.column("order_id")
        after = {name: at for name, at in page.pages.items() if name in {str(page.number + 1), "Next"}}
        if not after:
            break
        page = page.go(*after.values())
    if "o=-5" in query or "o=4" in query:  # ties are in any order
        by_id = {each.order_id: rank(each) for each in right}
        assert [by_id[each] for each in seen] == [rank(each) for each in right]
    assert sorted(seen) == sorted(each.order_id for each in right)
    assert seen == [each.order_id for each in right] or "o=" in query


def test_a_sort_that_nothing_has_leads_to_the_unsorted_list(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ORDERS.reader, "most_units", 0.5)
    monkeypatch.setattr(OrderAdmin, "ordering", ["-total"])
    page = Shown(ada, ORDERS_URL, _as_ok(ada.get(f"{ORDERS_URL}?username=ann"), 400))
    assert page.go(link(page, "Show them unsorted")).column("order_id")[0] == "O-000"


def test_a_page_that_gives_up_says_so_and_goes_on(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ORDERS.reader, "most_units", 0.5)
    address, found = f"{ORDERS_URL}?username=ann&total__gte=40", list[str]()
    for _ in range(40):
        page = Shown(ada, address)
        found += page.column("order_id")
        stopped = page.soup.select_one("[data-stopped]")
        if stopped is None:
            break
        assert re.match(rf"\s*{len(page.ids)} found in \d+ items read\.", stopped.get_text())
        address = page.at(stopped.select_one("a"))
    assert found == [each.order_id for each in ORDERS.query(username="ann") if each.total >= 40]


# --- Items as they are stored ----------------------------------------------------------------------------------------


def test_an_item_is_shown_as_it_is_stored(ada: Client) -> None:
    page = Shown(ada, url({"PK": {"S": "USER#ann"}, "SK": {"S": "ORDER#O-003"}}))
    found = stored(page)
    assert [*found][:2] == ["PK", "SK"]
    assert found["PK"] == ("S, Key", "USER#ann")
    assert found["GSI1PK"] == ("S, Key of GSI1", "STATE#PLACED")
    assert found["total"] == ("N, Total", "11.25")
    assert found["picture"] == ("B, not declared", '"AP8="')
    assert found["pictures"] == ("BS, not declared", '["AP8=", "YQ=="]')
    assert json.loads(found["address"][1]) == {"city": "Çankaya", "zips": [5.5, None]}
    assert page.soup.select_one(".field-address .readonly").get_text() == '{"city": "Çankaya", "zips": [5.5, null]}'
    assert found["tags"] == ("SS, Tags", '["a", "b"]')
    assert found["paid"] == ("NULL, Paid at", "null")


def test_the_items_of_a_partition_are_of_all_kinds(ada: Client) -> None:
    page = Shown(ada, url({"PK": {"S": "USER#bob"}, "SK": {"S": "ORDER#O-003"}}))
    page = page.go(link(page, "All items of its partition"))
    found = {**items(page)}
    second = page.go(link(page, "Next"))
    found |= items(second)
    assert second.go(link(second, "Previous")).text.count("<li>") == page.text.count("<li>")
    assert len(found) == 42
    assert found["USER#bob · PROFILE – customer"].startswith(CUSTOMERS_URL)
    wish = page.go(found["USER#bob · WISH#1 – its key fits no template"])
    assert "A &lt;b&gt;kettle&lt;/b&gt;" in wish.text
    assert "This item is no row of a list: its key fits no template." in wish.soup.select_one(".errornote").get_text()
    assert ada.get(f"{page.address}?p=x").status_code == 404


@pytest.mark.parametrize(
    ("granted", "kinds", "left"),
    [
        (["view_order"], {"order", "its key fits no template"}, 1),
        (["view_order", "view_customer"], {"order", "customer", "its key fits no template"}, 0),
    ],
)
def test_items_of_a_kind_need_its_permission(granted: list[str], kinds: set[str], left: int) -> None:
    User.objects.filter(username="finn").delete()
    client = client_of("finn", *granted)
    place = {"PK": {"S": "USER#bob"}, "SK": {"S": "PROFILE"}}
    page = Shown(client, url(place, "partition"))
    page = page.go(link(page, "Next"))
    assert {each.partition(" – ")[2] for each in items(page)} == kinds
    assert f"{'One item' if left else 'No item'} of this page is not for you" in page.text or not left
    for base in (ORDERS_URL, CUSTOMERS_URL):
        answer = client.get(url(place, base=base), follow=True)
        assert ("Bob" in answer.content.decode()) == (not left)
    assert client.get(url(place, "partition", CUSTOMERS_URL)).status_code == (403 if left else 200)
    put(SHOP, **order(8, "eve"))
    page = Shown(client, url({"PK": {"S": "USER#eve"}, "SK": {"S": "ORDER#O-008"}}))
    assert not page.soup.select("form [name=note], [name=_save]")


def test_rows_that_a_query_hides_and_fields_that_a_form_leaves_out_are_nowhere(
    ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = OrderAdmin.get_queryset
    monkeypatch.setattr(OrderAdmin, "get_queryset", lambda self, request: usual(self, request).where(username="ann"))
    monkeypatch.setattr(OrderAdmin, "exclude", ["state"])
    place = {"PK": {"S": "USER#bob"}, "SK": {"S": "ORDER#O-003"}}
    assert ada.get(url(place))["Location"] == "/admin/"
    assert not [each for each in items(Shown(ada, url(place, "partition", CUSTOMERS_URL))) if "– order" in each]
    wish = {**place, "SK": {"S": "WISH#1"}}
    assert ada.get(url(wish))["Location"] == "/admin/"
    page = Shown(ada, url({"PK": {"S": "USER#ann"}, "SK": {"S": "ORDER#O-003"}}))
    assert {"GSI1PK", "state"} & {*stored(page)} == set()
    assert "PLACED" not in page.text


# --- Hostile items -----------------------------------------------------------------------------------------------

TEXTS = [
    *("a/b", "a#b", "##", ".", "..", "../../x", " ", "%2F", "_2F", "é" * 500, "日本", "\x00", "\n\t\x1b", "\x7f\u2028"),
    *('"><script>alert(1)</script>', "'", "?a=b&c", "a b+c", "x" * 1000, "{{ x }}{% y %}", "\ufffd", "🦊", "-", "~"),
]


@pytest.mark.parametrize("text", TEXTS)
def test_any_key_and_value_is_shown_and_edited(ada: Client, text: str) -> None:
    place = {"owner": {"S": text}, "id": {"S": text}}
    put(NOTES, **place, text={"S": text}, more={"M": {text: {"L": [{"S": text}, {"S": ""}]}}})
    page = Shown(ada, f"{NOTES_URL}?{urlencode({'owner': text})}")
    assert page.column("count") == ["0"]
    page = page.go(page.at(page.soup.select_one("#result_list tbody th a")))
    assert "<script>alert" not in page.text
    assert json.loads(stored(page)["more"][1]) == {text: [text, ""]} or text in {"\x00", "\n\t\x1b"}
    assert page.posted("#note_form", text="new", count="5").status_code == 302
    assert raw(NOTES, **place)["text"] == {"S": "new"}
    page = page.go(link(page, "All items of its partition"))
    (address,) = items(page).values()
    assert page.go(address).soup.select_one("[name=count]")["value"] == "5"


MISFITS: dict[str, tuple[str, dict[str, Any]]] = {
    "it has no day": ("day", {}),
    "state is none of PLACED, SENT, DONE": ("state", {"S": "LOST"}),
    "placed is not of type datetime": ("placed", {"S": "yesterday"}),
    "total is not of type Decimal": ("total", {"M": {"amount": {"N": "5"}}}),
    "express is not of type bool": ("express", {"S": "<i>yes</i>"}),
    "note is not of type str": ("note", {"M": {"by": {"S": "ann"}}}),
    "tags is not of type set": ("tags", {"L": [{"S": "a"}]}),
    "its key has other values than its attributes": ("order_id", {"S": "O-2"}),
}


@pytest.mark.parametrize("reason", MISFITS)
def test_an_item_of_another_shape_is_shown_with_the_reason(ada: Client, reason: str) -> None:
    name, value = MISFITS[reason]
    item = {**order(1, "mallory"), name: value}
    if name in {"day", "total"}:  # a key of an index must be of its type
        del item[name]
    if name == "total":
        item["total"], reason = {"N": "1" * 38}, ""
    put(SHOP, **{each: value for each, value in item.items() if value})
    page = Shown(ada, f"{ORDERS_URL}?username=mallory")
    if not reason:
        assert page.column("order_id") == ["O-001"]
        return
    assert page.column("order_id") == []
    (misfit,) = page.soup.select("[data-misfits] li")
    assert misfit.get_text() == f"USER#mallory · ORDER#O-001 – {reason}"
    page = page.go(page.at(misfit.select_one("a")))
    assert reason in page.soup.select_one(".errornote").get_text()
    assert page.client.post(page.address, {"note": "lost?"}).status_code == 404
    assert [*items(page.go(link(page, "All items of its partition")))] == [f"USER#mallory · ORDER#O-001 – {reason}"]


def test_the_largest_item_is_shown_and_edited(ada: Client, one: dict[str, Any]) -> None:
    huge = "<é" * 130_000
    put(SHOP, **{**order(7, "eve"), "unknown": {"S": huge}})
    page = Shown(ada, url(one))
    assert stored(page)["unknown"][1] == huge
    assert page.posted("#order_form", note="n").status_code == 302
    assert raw(SHOP, **one)["unknown"] == {"S": huge}


@pytest.mark.parametrize(
    ("table", "base", "item", "column"),
    [
        (DEVICES, DEVICES_URL, {"serial": {"N": "9" * 38}, "name": {"S": "d"}, "size": {"N": "1" * 38}}, "name"),
        (DEVICES, DEVICES_URL, {"serial": {"N": "-5"}, "name": {"S": "d"}}, "name"),
        (BLOBS, BLOBS_URL, {"digest": {"B": b"\x00#/\xff"}, "part": {"N": "2"}, "label": {"S": "l"}}, "label"),
        *((WORDS, WORDS_URL, {"word": {"S": text}, "text": {"S": "t"}}, "text") for text in (".", "..", "/", "%2E")),
    ],
)
def test_keys_are_numbers_bytes_and_single_texts(
    ada: Client, table: Any, base: str, item: dict[str, Any], column: str
) -> None:
    put(table, **item)
    entrance = "00232fff" if table is BLOBS else next(iter(item[table.key[0]].values()))
    page = Shown(ada, f"{base}?{urlencode({table.key[0]: entrance})}")
    page = page.go(page.at(page.soup.select_one("#result_list tbody th a")))
    place = {name: item[name] for name in table.key}
    assert page.address.startswith(url(place, base=base))
    assert stored(page)[column][1] == item[column]["S"]
    if table is DEVICES:
        assert page.posted("#device_form", name="new").status_code == 302
        assert raw(table, **place) == {**item, "name": {"S": "new"}, "version": {"N": "1"}}
        assert ada.get(f"{base}nonsense/change/")["Location"] == "/admin/"
    else:
        assert ada.get(f"{base}{quote('xyz#1')}/change/")["Location"] == "/admin/"


NAMES = "username order_id state state__in day total total__gte total__lte placed__gte placed__year express note tags"
NAMES += " paid__isnull q o p e all username__startswith _facets pk revision x owner GSI1PK tags__in"
VALUES = "0 1 -4 25 ann ann# O-001 SENT LOST 2024-03-01 NaN Infinity 1e999 True ² <b> % ' # / . .. 9999-12-31"
HOSTILE = [*VALUES.split(), "", "\x00", "\ud800", "9" * 5000, "é" * 2000]


@given(
    address=st.sampled_from([ORDERS_URL, f"{ORDERS_URL}?username=ann", NOTES_URL, DEVICES_URL, BLOBS_URL]),
    pairs=st.lists(
        st.tuples(st.sampled_from(NAMES.split()), st.sampled_from(HOSTILE) | st.text(max_size=9)), max_size=4
    ),
)
@settings(deadline=None, max_examples=examples(60))
def test_no_address_is_an_error_of_the_server(hostile: Client, address: str, pairs: list[tuple[str, str]]) -> None:
    query = urlencode(pairs, errors="replace")
    assert hostile.get(f"{address}{'&' if '?' in address else '?'}{query}").status_code in {200, 302, 400}
    for _, value in pairs[:1]:
        for view in ("change", "partition", "history", "delete"):
            path = f"{address.partition('?')[0]}{quote(value.encode(errors='replace').decode())}/{view}/"
            assert hostile.get(path).status_code in {200, 302, 400, 403, 404}, path


# --- Changes -----------------------------------------------------------------------------------------------------


def test_a_change_sets_what_was_changed_and_its_keys_alone(ada: Client, one: dict[str, Any]) -> None:
    before, page = raw(SHOP, **one), Shown(ada, url(one))
    for name in ("username", "order_id", "tags"):
        assert not page.soup.select(f"[name={name}]")
        assert page.soup.select_one(f".field-{name} .readonly")
    answer = page.posted("#order_form", state="DONE", note="<b>", paid_0="2024-03-05", paid_1="12:00:00")
    assert answer.status_code == 302
    assert raw(SHOP, **one) == {
        **before,
        "state": {"S": "DONE"},
        "note": {"S": "<b>"},
        "paid": {"S": "2024-03-05T11:00:00Z"},
        "GSI1PK": {"S": "STATE#DONE"},
    }
    assert log()[-1] == (2, address_of(ORDERS.declaration, one), "Changed State, Note and Paid at.")
    assert (
        page.posted("#order_form", state="DONE", note="<b>", paid_0="2024-03-05", paid_1="12:00:00").status_code == 302
    )
    page = Shown(ada, url(one))
    for name, value in {"total": "1e200", "day": "", "note": "a#b"}.items():  # no number, and no keys of indexes
        again = Shown(ada, url(one), page.posted("#order_form", **{"note": "typed", name: value}))
        assert again.soup.select(".errorlist")
        assert again.soup.select_one("[name=note]")["value"] in {"typed", "a#b"}


def test_of_two_editors_the_second_sees_both_versions(ada: Client, one: dict[str, Any]) -> None:
    first, second = Shown(ada, url(one)), Shown(ada, url(one))
    assert first.posted("#order_form", note="first", day="2024-04-01").status_code == 302
    put(SHOP, **{**raw(SHOP, **one), "views": {"N": "18"}})  # what no field has is no conflict
    conflict = Shown(ada, url(one), second.posted("#order_form", note="second", total="1.5"))
    rows = [
        [cell.get_text() for cell in row.select("th, td")] for row in conflict.soup.select("[data-conflict] tbody tr")
    ]
    assert rows == [
        ["Day", "2024-03-08", "2024-04-01", "not changed by you"],
        ["Total", "9.25", "9.25", "1.5"],
        ["Note", "-", "first", "second"],
    ]
    assert raw(SHOP, **one)["note"] == {"S": "first"}
    assert conflict.posted("#order_form").status_code == 302
    item = raw(SHOP, **one)
    assert [item[name] for name in ("note", "day", "views")] == [{"S": "second"}, {"S": "2024-04-01"}, {"N": "18"}]


def test_a_write_between_the_read_and_the_write_is_a_conflict(
    ada: Client, one: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    page, update = Shown(ada, url(one)), ORDERS.update

    def slow(seen: told.Order, changes: Any) -> told.Order:
        monkeypatch.undo()
        update(seen, note="meanwhile")
        return update(seen, changes)

    monkeypatch.setattr(ORDERS, "update", slow)
    conflict = Shown(ada, url(one), page.posted("#order_form", note="mine"))
    assert "meanwhile" in conflict.soup.select_one("[data-conflict]").get_text()


def test_an_action_is_done_to_what_was_shown(ada: Client, one: dict[str, Any]) -> None:
    put(SHOP, **order(10, "eve"))
    page = Shown(ada, f"{ORDERS_URL}?username=eve")
    assert page.column("order_id")[0] == "O-007"
    ORDERS.update(ORDERS.get(username="eve", order_id="O-007"), note="meanwhile")
    data = {"action": "finish", "index": "0", "select_across": "0"}
    answer = Shown(ada, page.address, ada.post(page.address, {**data, "_selected_action": page.boxes}, follow=True))
    assert "1 of these rows was changed or deleted after you saw it." in answer.said[0]
    assert (raw(SHOP, **one)["state"], ORDERS.get(username="eve", order_id="O-010").state) == (
        {"S": "SENT"},
        State.DONE,
    )
    data["action"] = "export_csv"
    answers: Any = [ada.post(page.address, {**data, "_selected_action": each}) for each in (page.boxes, ["x", "#", ""])]
    lines = [b"".join(each.streaming_content).decode().splitlines() for each in answers]
    assert [line[:9] for line in lines[0]] == [
        "username,",
        "eve,O-007",
        *["eve,O-008"] * (len(lines[0]) - 3),
        "eve,O-010",
    ]
    assert len(lines[1]) == 1


def test_what_a_list_of_others_does_not_do(ada: Client, one: dict[str, Any]) -> None:
    for address in (f"{ORDERS_URL}add/", url(one, "delete")):
        assert ada.get(address).status_code == 403
    assert "delete_selected" not in Shown(ada, f"{ORDERS_URL}?username=ann").text
    customer = {"PK": {"S": "USER#ann"}, "SK": {"S": "PROFILE"}}  # which is only read
    page = Shown(ada, url(customer, base=CUSTOMERS_URL))
    assert not page.soup.select("[name=name], [name=_save]")
    assert ada.post(page.address, {"name": "x"}).status_code == 403
    for names, said in (
        ({"owned": [told.CUSTOMERS]}, "E001: `owned` cannot work: a table"),
        ({"date_hierarchy": "placed"}, "E001: `date_hierarchy` cannot work: no key"),
        ({"list_filter": ["tags"]}, "E004: `list_filter` names tags"),
        ({"search_fields": ["placed"]}, "E005: `search_fields` names 'placed'"),
    ):
        found, *_ = checked(ORDERS, **names)
        assert found.startswith(f"dynamodb_lists.{said}")
    assert not checked(ORDERS, list_display=["note"], list_filter=["state", "note"], search_fields=["order_id"])
