"""What every page owes to everybody: good markup, text that stays text, a title of its own, one SQL query, no write.

Each page is loaded once for all tests: as a page, as the part that htmx loads, and as an export. Whatever people can
enter has markup in it.
"""

import csv
import io
import re
from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import AnonymousUser, Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import QueryDict
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from dynamodb_lists.schema.keys import now
from hotels import queries as hotels
from notes.commands import add_note
from notes.lists import NOTES
from orders import commands as orders
from orders.entities import OrderItem
from portal.history.entities import Actor
from portal.lists.views import ListPage
from portal.people import names_of
from reviews import commands as reviews
from reviews.lists import STANDARD
from rooms import commands as rooms
from rooms import queries as room_queries
from rooms.entities import BulkChange, RoomAction, StatusChange
from rooms.statuses import Service
from tests.helpers.addresses import Address, addresses
from tests.helpers.documents import ROOT
from tests.helpers.markup import ListMarkup, faults_of_markup
from tests.helpers.notes import make_note
from tests.helpers.orders import make_guest, make_order
from tests.helpers.pages import EXAMPLES
from tests.helpers.people import bind, show_every_hotel
from tests.helpers.reviews import make_review, make_standard
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.views import keep_examples
from tests.helpers.writes import create_guest, edit_hotel, edit_review, edit_room
from tests.project.test_access import FORM, HTMX, writes

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
EVIL = "\"'><x-evil>"
"""It ends an attribute and a tag, and then begins a tag. Drawn as text, it begins with a character reference."""

NAMING = 10
"""At least so many pages name the author of a change."""

SHOWN_ON = 45
"""At least so many pages and parts show something that people wrote."""

IMPORT = "/imports/rooms/"
FIND = [f"/search/{page}?q={word}" for page in ("", "palette/") for word in ("evil", "suite", "alex")]
PREVIEW = f"/hotels/{ABC}/rooms/change/?room=101&new-action=view&new-view=x"
NOT_OF_ONE_HOTEL = {"/", "/hotels/add/"}
"""Who is bound to one hotel is sent from the start page to that of the hotel, and may not add another one."""

OFFERING_STAFF = {"rooms:bulk_change", "rooms:plan_room", "rooms:plan", "notes:add", "notes:note"}
"""Pages that offer the staff who clean rooms. A list looks them up only if somebody has one of its rooms."""
OF_ACCOUNTS = {"accounts:second_factor", "accounts:set_up", "history:staff"}
OF_VIEWS = {"saved_views:views", "saved_views:rename", "saved_views:delete"}
"""Pages that show what SQL holds: a second factor, a menu of all members of staff, saved views."""


NAMED = {"anna": "Annabel Longstreet", "mary": "Maryam Winterbourne"}
"""The names of who makes all changes, and of who reads them."""


class Opened(NamedTuple):
    """An address as a manager opened it. The export is ``None`` if it is no list."""

    address: Address
    page: Any
    part: Any
    export: Any
    queries: int

    @property
    def texts(self) -> list[str]:
        """What is HTML of the page and of the part."""
        return [text_of(answer) for answer in (self.page, self.part) if text_of(answer)]

    @property
    def name(self) -> str:
        return self.address.name


_opened: list[Opened] = []


def text_of(answer: Any) -> str:
    return str(answer.content.decode()) if answer["Content-Type"].startswith("text/html") else ""


def fill() -> None:
    """A thing of each kind, with markup in each text that people enter, each changed from such a text to another."""
    make_hotel([make_room("101", view=f"{EVIL} sea", type=f"{EVIL} suite")], name=EVIL)
    hotel = hotels.stored_hotel(ABC)
    edit_hotel(hotel, replace(hotel, name=f"{EVIL} Hotel", city=EVIL), "anna")
    room = room_queries.room(ABC, "101", consistent=True)
    edit_room(room, replace(room, view=f"{EVIL} lake"), "anna")
    out = StatusChange(service=Service.OUT_OF_ORDER, reason=EVIL)
    rooms.set_status(ABC, "101", out, "anna")
    rooms.ask_for(ABC, BulkChange(EXAMPLES["change_id"], RoomAction.VIEW, "101", "anna", now(), text=EVIL))
    guest = create_guest(make_guest("alex", EVIL), "anna")
    orders.edit_guest(guest, replace(guest, name=f"{EVIL} Doe", phone=EVIL), "anna")
    item = OrderItem(EVIL, EVIL, 1, Decimal(9000))
    order = orders.place_order(make_order(room_number="101", items=(item,), total="9000"), "anna")
    orders.correct_order(order, [replace(item, name=f"{EVIL} tea")], "anna")
    written = make_review(author=EVIL, title=EVIL, body=EVIL * 99, room_number="101", username="alex")
    review = reviews.reply_to_review(reviews.add_review(written, "anna"), EVIL, "anna")
    edit_review(review, replace(review, author=f"{EVIL} Ann"), "anna")
    texts = {"place": EVIL, "handed_to": EVIL, "about": "room:101", "written_by": "anna"}
    note = add_note(make_note(text=EVIL, **texts), "anna")
    NOTES.by(Actor("anna")).update(note, text=f"{EVIL} taxi")
    standard = STANDARD.by(Actor("anna")).create(make_standard(text=EVIL))
    STANDARD.by(Actor("anna")).update(standard, text=f"{EVIL} {{guest}}")


def uploaded(manager: Client) -> str:
    """Return the id of a file of rooms that is uploaded."""
    file = io.StringIO()
    header = "hotel_id,hotel_name,city,number,view,size,type,rate,currency"
    csv.writer(file).writerows([header.split(","), [ABC, EVIL, EVIL, "102", EVIL, "40", EVIL, EVIL, EVIL]])
    sent = manager.post(IMPORT, {"file": SimpleUploadedFile(f"{EVIL}.csv", file.getvalue().encode())})
    assert sent.status_code == 302, ListMarkup(sent.content).text(".errorlist, [role=alert]")
    return str(sent["Location"]).removeprefix(IMPORT).strip("/")


def open_it(manager: Client, address: Address, url: str) -> Opened:
    with CaptureQueriesContext(connection) as queries:
        page = manager.get(url)
        number = len(queries)
    part = manager.get(url, headers=HTMX)
    is_list = issubclass(address.page, ListPage)
    return Opened(address, page, part, manager.get(url, {"format": "csv"}) if is_list else None, number)


@pytest.fixture
def opened(manager: Client, mary: User) -> list[Opened]:
    """Every page. The manager may open the lab as well, and is bound to the hotel, so that the sidebar names it."""
    if not _opened:
        for username, name in NAMED.items():
            User.objects.update_or_create({"first_name": name}, username=username)
        names_of(NAMED)  # which a process keeps for some minutes
        mary.user_permissions.add(Permission.objects.get(codename="open_lab"))
        keep_examples(mary.pk, EVIL)
        for url in ("/guests/", f"/hotels/{ABC}/rooms/"):
            manager.get(url)  # so that the process knows the saved views of the sidebar
        upload_id = uploaded(manager)
        for each in addresses():
            if each.route in NOT_OF_ONE_HOTEL:
                show_every_hotel(mary)
            else:
                bind(mary, ABC)
            _opened.append(open_it(manager, each, each.with_values(upload_id=upload_id)))
    return _opened


def test_a_manager_may_open_it_and_reading_writes_nothing(opened: list[Opened]) -> None:
    for each in opened:
        assert {each.page.status_code, each.part.status_code} <= {200, 302}, each.name
        assert each.export is None or each.export.getvalue(), each.name
        for answer in filter(None, (each.page, each.part, each.export)):
            assert writes(answer) == [], each.name


def test_its_markup_is_good(opened: list[Opened]) -> None:
    """Tests read pages with a parser that mends them silently, and so do browsers, each in its own way."""
    for each in opened:
        if each.texts and each.page.status_code == 200:
            assert faults_of_markup(each.page.content) == [], each.name


def test_the_tick_box_of_each_row_names_the_row(opened: list[Opened]) -> None:
    rows = [
        row for each in opened for text in each.texts for row in ListMarkup(text.encode()).soup.select("[data-row]")
    ]
    names = {
        (str(row["data-row"]), str(box["aria-label"]), " ".join(row.get_text().split()))
        for row in rows
        for box in row.select("td.tick input")
    }
    assert {row for row, *_ in names} >= {"101", "o-1"}
    for row, name, texts in names:  # by its id, or as a note by its text
        text = name.partition("“")[2].rstrip("…”")
        assert re.search(rf"\b{re.escape(row)}\b", name) or (text and text in texts), name


def test_what_people_write_is_text_on_every_page(opened: list[Opened], manager: Client) -> None:
    texts = [text for each in opened for text in each.texts]
    texts += [manager.get(url).content.decode() for url in (*FIND, PREVIEW)]
    assert [text for text in texts if "<x-evil" in text.lower()] == []
    assert sum("x-evil&gt;" in text for text in texts) >= SHOWN_ON


def test_people_are_shown_by_their_names(opened: list[Opened]) -> None:
    username, shown = re.compile(rf"\b({'|'.join(NAMED)})\b"), set()
    for each in opened:
        files = [each.export.getvalue().decode()] if each.export else []
        for text in [*(ListMarkup(text.encode()).soup.get_text(" ") for text in each.texts), *files]:
            assert [text[max(found.start() - 60, 0) :][:120] for found in username.finditer(text)] == [], each.name
            if NAMED["anna"] in text:
                shown.add(each.name)
    assert len(shown) >= NAMING, shown


def test_no_template_turns_escaping_off() -> None:
    off = re.compile(r"\|\s*safe|autoescape|\bMarkup\b")
    templates = [*(ROOT / "templates").rglob("*.html")]
    assert len(templates) > 100
    assert [str(each) for each in templates if off.search(each.read_text())] == []


def test_it_has_a_title_and_a_heading_of_its_own(opened: list[Opened]) -> None:
    """The pages of one form share a title and a heading, and so do the pages of one import."""
    of: dict[str, str] = {}
    for each in opened:
        if each.page.status_code == 200 and each.texts and "portal-header" in each.texts[0]:
            page = ListMarkup(each.page.content)
            name = each.name.removesuffix("_of_hotel").replace(":upload", ":import")
            for title in (page.text("title"), page.text("h1")):
                assert of.setdefault(title, name) == name


def test_it_takes_one_sql_query(opened: list[Opened]) -> None:
    others = {each.name: each.queries for each in opened if each.queries != 1}
    assert others.keys() == OF_ACCOUNTS | OF_VIEWS | OFFERING_STAFF, others


def words(markup: ListMarkup) -> str:
    """Return a list as text with its attributes, without tokens and costs, which differ from request to request."""
    for changing in markup.soup.select("[name=csrfmiddlewaretoken], [data-cost], #cost-badge, #list-status, #times"):
        changing.decompose()
    return re.sub(r"\s+", " ", "".join(map(str, (markup.soup.select_one("#list") or markup.soup).contents))).strip()


def test_the_part_is_the_list_of_the_page_and_says_in_its_caption_what_it_lists(opened: list[Opened]) -> None:
    lists = [each for each in opened if each.export]
    assert len(lists) > 10
    for each in lists:
        page, part = ListMarkup(each.page.content), ListMarkup(each.part.content)
        heading = re.escape(page.text("h1"))
        if each.name != "overview:group":  # its first table is no list
            caption = page.text("caption")
            assert re.fullmatch(rf"{heading}(, orders)?: (\d+–\d+ of \d+|Nothing to show)", caption), caption
        assert not part.soup.select("html"), each.name
        assert each.part["HX-Push-Url"] == each.page.wsgi_request.path
        assert words(part) == words(page), each.name


def fields_of(address: Address) -> set[str]:
    """Return the parameters of a list."""
    page: Any = address.page()
    request = RequestFactory().get(address.url)
    request.user = AnonymousUser()
    page.setup(request, **{name: EXAMPLES[name] for name in address.kwargs})
    return {*page.form(QueryDict()).fields}


def test_a_list_names_what_it_does_not_understand(manager: Client) -> None:
    for address in (each for each in addresses() if issubclass(each.page, ListPage)):
        fields = fields_of(address)
        for query, named in (
            ("sort=odd&page_size=7&format=odd", {"page_size", "format"} | {"sort"} & fields),
            ("cursor=x", {"cursor"}),
        ):
            answer = manager.get(f"{address.url}?{query}", headers=HTMX)
            problems = ListMarkup(answer.content).soup.select("[data-problem]")
            assert answer.status_code == 400, address.name
            assert {str(problem["data-problem"]) for problem in problems} == named, address.name


def test_a_character_that_no_value_has_is_refused_or_ignored(manager: Client, mary: User) -> None:
    """Also by pages that are no list and draw the refused form of one, as the lab does."""
    mary.user_permissions.add(Permission.objects.get(codename="open_lab"))
    for address in addresses():
        is_list = issubclass(address.page, ListPage)
        names = [*fields_of(address)] if is_list else ["cursor", "page_size"]
        answer = manager.get(address.url, dict.fromkeys(names, "a\0"))
        if is_list or address.name == "rooms:lab":
            problems = ListMarkup(answer.content).soup.select("[data-problem]")
            assert answer.status_code == 400, address.name
            assert {str(problem["data-problem"]) for problem in problems} == {*names}, address.name
        else:
            assert answer.status_code in {200, 302, 400, 404, 405}, address.name


@pytest.mark.parametrize("value", ["nothing", "a#b"])
def test_what_is_not_there_is_a_404(manager: Client, value: str) -> None:
    """Saved views and uploads, which end by themselves, lead back to their list. Anybody may have changed something."""
    for address in addresses():
        if address.name == "history:staff" or address.name.startswith("saved_views:"):
            continue
        for name in {*address.kwargs} - {"upload_id", "kind", "things"}:
            url = address.with_values(**{name: value})
            answers = [manager.get(url)]
            if issubclass(address.page, ListPage):
                answers.append(manager.get(url, {"format": "csv"}))
            assert {answer.status_code for answer in answers} == {404}, url
            if address.access.post != "-":
                answers.append(manager.post(url, FORM))
                deletes = address.name in {"rooms:delete_room", "notes:delete", "reviews:delete_standard_reply"}
                assert answers[-1].status_code in ({302, 404} if deletes else {404}), url  # what is gone is deleted
            assert [writes(answer) for answer in answers] == [[]] * len(answers), url
