"""What people write is text on every page: no template draws it as markup, neither between tags nor in an attribute."""

import csv
import io
import re
from dataclasses import replace
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from dynamodb_lists.schema.keys import now
from hotels import commands as hotel_commands
from hotels import queries as hotels
from orders import commands as orders
from orders.entities import OrderItem
from reviews import commands as reviews
from rooms import commands as rooms
from rooms import queries as room_queries
from rooms.entities import BulkChange, RoomAction, StatusChange
from rooms.statuses import Service
from saved_views import commands as views
from saved_views import keys as view_keys
from saved_views import queries as view_queries
from tests.helpers.addresses import IN_A_HOTEL, IN_THE_GROUP, addresses
from tests.helpers.documents import ROOT
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_guest, make_order
from tests.helpers.people import bind
from tests.helpers.reviews import make_review
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
EVIL = "\"'><x-evil>"
"""It ends an attribute and a tag, and then begins a tag. Drawn as text, it begins with a character reference."""

SHOWN_ON = 45
"""At least so many pages show something that people wrote."""

IMPORT = "/imports/rooms/"


def fill() -> None:
    """A thing of each kind, with markup in each text that people enter, each changed from such a text to another."""
    make_hotel([make_room("101", view=f"{EVIL} sea", type=f"{EVIL} suite")], name=EVIL)
    hotel = hotels.stored_hotel(ABC)
    hotel_commands.edit_hotel(hotel, replace(hotel, name=f"{EVIL} Hotel", city=EVIL), "anna")
    room = room_queries.room(ABC, "101", consistent=True)
    rooms.edit_room(room, replace(room, view=f"{EVIL} lake"), "anna")
    out = StatusChange(service=Service.OUT_OF_ORDER, reason=EVIL)
    rooms.set_status(ABC, "101", out, "anna")
    rooms.ask_for(ABC, BulkChange(IN_A_HOTEL["change_id"], RoomAction.VIEW, "101", "anna", now(), text=EVIL))
    guest = orders.create_guest(make_guest("alex", EVIL), "anna")
    orders.edit_guest(guest, replace(guest, name=f"{EVIL} Doe", phone=EVIL), "anna")
    item = OrderItem(EVIL, EVIL, 1, Decimal(9000))
    order = orders.place_order(make_order(room_number="101", items=(item,), total="9000"), "anna")
    orders.correct_order(order, [replace(item, name=f"{EVIL} tea")], "anna")
    written = make_review(author=EVIL, title=EVIL, body=EVIL * 99, room_number="101", username="alex")
    review = reviews.reply_to_review(reviews.add_review(written, "anna"), EVIL, "anna")
    reviews.edit_review(review, replace(review, author=f"{EVIL} Ann"), "anna")


def test_what_people_write_is_text_on_every_page(manager: Client, mary: User) -> None:
    fill()
    bind(mary, ABC)  # so that the sidebar and the switcher name the hotel
    owner = view_keys.of_account(mary.pk)
    views.save_view(owner, EVIL, f"/hotels/{ABC}/rooms/")
    (view,) = view_queries.views_of([owner])[owner].views
    file = io.StringIO()
    header = "hotel_id,hotel_name,city,number,view,size,type,rate,currency"
    csv.writer(file).writerows([header.split(","), [ABC, EVIL, EVIL, "102", EVIL, "40", EVIL, EVIL, EVIL]])
    sent = manager.post(IMPORT, {"file": SimpleUploadedFile(f"{EVIL}.csv", file.getvalue().encode())})
    assert sent.status_code == 302, ListMarkup(sent.content).text(".errorlist, [role=alert]")
    upload = sent["Location"]
    urls = [address.url.replace("/v1/", f"/{view.view_id}/") for address in addresses()]
    urls = [url.replace(f"{IMPORT}{IN_THE_GROUP['upload_id']}/", upload) for url in urls]
    urls += [f"/search/{page}?q={word}" for page in ("", "palette/") for word in ("evil", "suite", "alex")]
    urls.append(f"/hotels/{ABC}/rooms/change/?room=101&new-action=view&new-view=x")
    shown = set()
    for url in urls:
        for headers in ({}, {"HX-Request": "true", "HX-Target": "list"}):
            answer = manager.get(url, headers=headers)
            if answer["Content-Type"].startswith("text/html"):
                content = answer.content.decode()
                assert "<x-evil" not in content.lower(), url
                shown |= {url} if "x-evil&gt;" in content else set()
    assert len(shown) >= SHOWN_ON, shown


def test_no_template_turns_escaping_off() -> None:
    off = re.compile(r"\|\s*safe|autoescape|\bMarkup\b")
    templates = [*(ROOT / "templates").rglob("*.html")]
    assert len(templates) > 100
    assert [str(each) for each in templates if off.search(each.read_text())] == []
