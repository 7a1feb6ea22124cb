"""Uploads: a file is checked and shown before anything is written, and imported in steps; refused rows come back."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from dynamodb_lists import Conflict
from dynamodb_lists.connection.client import client
from dynamodb_lists.tests.helpers.answers import answering, refusal
from dynamodb_lists.tests.helpers.waiting import eventually
from orders import queries as orders
from orders.statuses import Status
from portal.history import queries as history
from portal.history.entities import Actor, How
from portal.people import HotelScope
from portal.uploads import steps, views
from portal.uploads.models import Upload, UploadModel
from portal.uploads.steps import Uploads
from reviews import queries as reviews
from rooms import queries as rooms
from rooms.imports import RoomImport
from tests.helpers.kinds import items_of
from tests.helpers.markup import errors, get
from tests.helpers.orders import make_order
from tests.helpers.orders import store as store_orders
from tests.helpers.people import bind, permit
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, assert_in_step, make_hotel
from tests.helpers.uploads import (
    HEADER,
    ORDERS,
    REVIEWS,
    ROOMS,
    counts,
    finish,
    go_on,
    line,
    order_line,
    reviews_file,
    rooms_file,
    send,
    told,
)
from tests.helpers.uploads import fill as fill_examples
from tests.helpers.writes import delete_room

fill = fill_examples
pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
MOST_ROWS = 100


MIXED = rooms_file(line("101"), line("102"), line("103"), line("x!"), line("103"), line("1", hotel="nowhere"))


def test_a_file_is_shown_before_anything_is_written_and_then_imported_as_its_uploader(manager: Client) -> None:
    address = send(manager, MIXED)
    assert counts(manager, address) == {"added": 1, "changed": 1, "same": 1, "refused": 3}
    page = manager.get(address)
    calls = [call.operation for call in page.wsgi_request.ledger.calls if call.purpose != "session"]  # type: ignore[attr-defined]
    assert sorted(calls) == ["BatchGetItem", "BatchGetItem", "GetItem", "GetItem"], "hotels, rooms, upload, its rows"
    assert told(manager, address) == [
        ("2", "abc · 101", "Stays the same", ""),
        ("3", "abc · 102", "Change", "Rate a night: EUR 99.00 → EUR 120.50"),
        ("4", "abc · 103", "New", "View: Sea view ; Size: 40 m² ; Type: Suite ; Rate a night: EUR 120.50 ; "
         "Currency: EUR ; Service status: In service ; Cleaning status: Clean"),
        ("5", "-", "Refused", "number: A room number has up to 16 letters, digits, spaces, dots and dashes, and begins "
         "with a letter or digit."),
        ("6", "abc · 103", "Refused", "line 4 already has the same room"),
        ("7", "nowhere · 1", "Refused", "hotel_id: there is no hotel nowhere; add it first"),
    ]  # fmt: skip
    assert not rooms.has_room(ABC, "103")
    assert rooms.room(ABC, "102").rate == 99
    assert finish(manager, address) == {"added": 1, "changed": 1, "same": 1, "refused": 3}
    assert rooms.room(ABC, "102", consistent=True).rate == Decimal("120.50")
    assert rooms.room(ABC, "103", consistent=True).added_by == "mary"
    (entry,) = history.changes_by("mary").page().rows
    assert (entry.thing, entry.how, entry.changes[0].after) == (f"room#{ABC}#102", How.IMPORT, "120.5")
    assert "102" in manager.get("/history/mine/", follow=True).content.decode()
    assert_in_step()
    assert "Hotel ABC" in manager.get(f"/hotels/{ABC}/rooms/").content.decode(), "the name of the file is not taken"


def test_refused_rows_are_mended_and_uploaded_again(manager: Client) -> None:
    address = send(manager, MIXED)
    finish(manager, address)
    file = manager.get(f"{address}refused/")
    assert file["Content-Disposition"] == 'attachment; filename="my rooms.rejected.csv"'
    lines = file.content.decode("utf-8-sig").splitlines()
    assert lines[0] == f"line,reason,{HEADER}"
    assert [each.partition(",")[0] for each in lines[1:]] == ["5", "6", "7"]
    mended = send(manager, file.content.replace(b"x!", b"104").replace(b"nowhere", b"xyz"))
    assert finish(manager, mended) == {"added": 2, "changed": 0, "same": 1, "refused": 0}
    assert rooms.has_room(ABC, "104")
    assert rooms.has_room("xyz", "1")
    assert finish(manager, send(manager, MIXED))["added"] == 0, "the same file twice"


def test_refused_rows_of_an_export_which_has_a_reason_itself_are_uploaded_again(manager: Client) -> None:
    exported = manager.get(f"/hotels/{ABC}/rooms/?format=csv").getvalue()
    address = send(manager, exported.replace(b",40,", b",x!,"))
    assert finish(manager, address)["refused"]
    file = manager.get(f"{address}refused/")
    assert file.content.decode("utf-8-sig").splitlines()[0].count("reason") > 1
    assert finish(manager, send(manager, file.content.replace(b",x!,", b",40,")))["refused"] == 0


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of two rows, and one piece in a request."""
    monkeypatch.setattr(steps, "PIECE_ROWS", 2)
    monkeypatch.setattr(views, "WORK_SECONDS", 0.0)


NINE = rooms_file(*(line(str(200 + number)) for number in range(9)))


@pytest.mark.usefixtures("small_steps")
def test_an_import_goes_on_where_it_stopped_also_in_two_windows(manager: Client, mary: User) -> None:
    address = send(manager, NINE)
    assert counts(manager, address)["added"] == 2, "the first request has checked the first piece"
    assert manager.post(address, {"confirm": "on"}).status_code == 302, "nothing is confirmed before all is checked"
    go_on(manager, address)
    assert counts(manager, address)["added"] == 9
    assert not rooms.has_room(ABC, "200")
    assert [row[0] for row in told(manager, f"{address}?page=5")] == ["10"]
    assert get(manager, f"{address}?page=2").link("next") == "?page=3"
    assert {manager.get(f"{address}?page={page}").status_code for page in ("0", "6", "x")} == {400}
    manager.post(address, {"confirm": "on"})
    with answering(lambda **_: refusal("InternalServerError")):
        assert manager.post(address).status_code == 503
    upload = steps.stored(address.split("/")[-2], "rooms", mary.username)
    assert upload.importing
    late = upload

    def uploads() -> Uploads:
        return Uploads(RoomImport(Actor(mary.username, How.IMPORT)), HotelScope(), lambda permission: True)

    def step(seen: Upload) -> Upload:
        """The upload once the piece is imported. A slow window may look between the two writes of a quicker one."""
        found, window = [seen], uploads()

        def is_imported() -> bool:
            found.append(window.take_step(seen))
            return found[-1].imported > seen.imported

        assert eventually(is_imported)
        return found[-1]

    with ThreadPoolExecutor(3) as pool:
        for _ in range(3):
            after = list(pool.map(step, [upload] * 3))
            assert {each.imported for each in after} == {upload.imported + 1}
            upload = after[0]
    assert uploads().take_step(late) == upload, "a window that was late does not turn the import back"
    assert finish(manager, address) == {"added": 9, "changed": 0, "same": 0, "refused": 0}
    assert manager.post(address).status_code == 302, "a finished import stays as it is"
    assert rooms.room_counts(ABC).counts.total == 11
    assert_in_step()


def losing_progress(client: Client, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Import the rows of the next piece, but do not get to the end of the step."""
    with monkeypatch.context() as patch:
        patch.setattr(steps, "move_on", lambda *_: (_ for _ in ()).throw(Conflict("somebody else")))
        client.post(address, {"confirm": "on"})


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("deleted", [False, True], ids=["still there", "deleted meanwhile"])
def test_a_step_whose_progress_is_lost_is_repeated_without_a_second_effect(
    manager: Client, monkeypatch: pytest.MonkeyPatch, deleted: bool
) -> None:
    address = send(manager, rooms_file(line("101"), line("103")))
    losing_progress(manager, address, monkeypatch)
    added = rooms.room(ABC, "103", consistent=True)
    if deleted:
        delete_room(added, "anna")
    assert finish(manager, address) == {"added": 1, "changed": 0, "same": 1, "refused": 0}
    assert rooms.has_room(ABC, "103") is not deleted, "a row that is in is not imported again"
    assert_in_step()


def test_staff_of_some_hotels_import_rows_of_these_alone(manager: Client, mary: User) -> None:
    bind(mary, "xyz")
    address = send(manager, rooms_file(line("1", hotel="xyz"), line("103"), line("1", hotel="nowhere")))
    assert counts(manager, address)["refused"] == 2
    assert [row[3] for row in told(manager, address)[1:]] == [
        f"hotel_id: you are not bound to the hotel {hotel}" for hotel in (ABC, "nowhere")
    ]
    bind(mary, ABC)
    assert finish(manager, address) == {"added": 0, "changed": 0, "same": 0, "refused": 3}
    assert not rooms.has_room("xyz", "1")


def test_an_upload_is_its_owners_and_waits_for_a_day(manager: Client, staff: Client, alice: User) -> None:
    address = send(manager, MIXED)
    permit(alice, "rooms.add_room", "orders.add_order")
    for foreign in (address, f"{address}refused/", f"{ROOMS}{'0' * 26}/"):
        answer = staff.get(foreign, follow=True)
        assert answer.redirect_chain == [(ROOMS, 302)]
        assert "Upload it again" in answer.content.decode()
    assert staff.post(address, {"confirm": "on"}).status_code == 302
    assert not rooms.has_room(ABC, "103")
    assert manager.get(address.replace("rooms", "orders")).status_code == 302
    assert manager.get("/imports/cars/").status_code == 404


@pytest.mark.usefixtures("small_steps")
def test_an_upload_ends_by_its_ttl_and_before_dynamodb_deletes_it(manager: Client) -> None:
    address = send(manager, NINE)
    items = {
        item["session_key"]["S"]: item
        for item in items_of(UploadModel.Meta.table_name)
        if "upload" in item["kind"]["S"]
    }
    ends = {key: round((int(item["expires_at"]["N"]) - time.time()) / 86_400, 2) for key, item in items.items()}
    upload_id = address.split("/")[-2]
    upload, pieces = f"upload#{upload_id}", [f"upload-piece#{upload_id}#{number:04}" for number in range(5)]
    assert ends == dict.fromkeys([upload, *pieces], 1)
    for piece in pieces:
        end(piece)
    assert "Upload it again" in manager.post(address, follow=True).content.decode()
    end(upload)
    assert manager.get(address).status_code == 302


def end(key: str) -> None:
    """Let the time of an item be over, which DynamoDB deletes within days."""
    client().update_item(
        TableName=UploadModel.Meta.table_name,
        Key={"session_key": {"S": key}},
        UpdateExpression="SET expires_at = :past",
        ExpressionAttributeValues={":past": {"N": str(int(time.time()) - 1)}},
    )


PICTURE = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
NO_FILES = [
    (b"", "empty"),
    (b"PK\x03\x04 and so on", "The file is an Excel workbook. Save it as “CSV UTF-8”"),
    (PICTURE, "The file is not text in UTF-8. Save it as “CSV UTF-8”"),
    (b"\x1f\x8b\x08\x00" + bytes(range(256)), "The file is not text in UTF-8. Save it as “CSV UTF-8”"),
    (b"number,a\x80\x9d\x7f\n", "in UTF-8; it has: number, a€\ufffd?"),
    (b"number,view\n1,2\n", "has no column hotel_id, hotel_name"),
    (HEADER.encode(), "The file has no rooms."),
    (b"x" * (views.MAX_BYTES + 1), "The file is too large. At most 2 MB and 20,000 rows."),
    (rooms_file(*["x"] * (MOST_ROWS + 1)), "The file has too many rows."),
    (rooms_file(*[""] * 900_000), "more than 200,000 lines. Remove the blank ones."),
    (f"{HEADER},{'x' * 600_000}\n{line('1')},\n".encode(), "The first line of the file must name at most 100 columns"),
    (rooms_file(line("1", type="x" * 70_000)), "Line 2 has more than 60,000 characters."),
]


def test_a_file_that_is_none_is_explained(manager: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MAX_ROWS", MOST_ROWS)  # reading so many rows as are allowed takes seconds
    for content, reason in NO_FILES:
        response = manager.post(ROOMS, {"file": SimpleUploadedFile("rooms.csv", content)})
        assert reason in errors(response)
    assert "required" in errors(manager.post(ROOMS))
    refused = manager.post(ORDERS, {"file": SimpleUploadedFile("orders.jsonl", b"\x1f\x8b\x08\x00{}\n")})
    assert "The file is not text in UTF-8. Each row of this import is a JSON object" in errors(refused)


def test_the_cost_of_an_upload_is_bounded_by_its_size(manager: Client) -> None:
    names = [f"{number:020d}" for number in range(91)]
    blanks = "," * len(names)
    content = "\n".join([",".join([HEADER, *names]), *(f"{line('x!')}{blanks}" for _ in range(600))]).encode()
    response = manager.post(ROOMS, {"file": SimpleUploadedFile("rooms.csv", content)})
    assert response.status_code == 302, errors(response)
    kilobytes, pieces = len(content) // 1000, 6
    assert response.wsgi_request.ledger.write_units < kilobytes + 12 * pieces  # type: ignore[attr-defined]
    refused = manager.get(f"{response['Location']}refused/").content.decode("utf-8-sig").splitlines()
    assert refused[0] == ",".join(["line,reason", HEADER, *names])


def test_refused_lines_that_are_no_json_can_be_corrected_and_uploaded_again(manager: Client) -> None:
    good = order_line("o-1", "alex", "PLACED").decode().strip()
    content = f"{good.replace('PLACED', 'LOST')}\n{good[:-1]}\n".encode()
    for _ in range(2):  # as it is, nothing is lost
        address = send(manager, content, ORDERS)
        content = manager.get(f"{address}refused/").content
        first, second = map(json.loads, content.splitlines())
        assert (first["status"], second["text"]) == ("LOST", good[:-1])
        assert second["reason"].startswith("not JSON: ")
    second["text"] += "}"
    mended = send(manager, json.dumps(second).encode(), ORDERS)
    assert finish(manager, mended)["added"] == 1


def test_what_excel_writes_is_understood(manager: Client) -> None:
    """With semicolons, in Windows-1252, and as Unicode text. ``test_cases.py`` has its other habits."""
    for number, (code, separator) in enumerate((("utf-8", ";"), ("cp1252", ","), ("utf-16", "\t")), start=105):
        text = rooms_file(line(str(number), type="Süite")).decode().replace(",", separator)
        address = send(manager, text.encode(code))
        assert (views.WINDOWS in manager.get(address).content.decode()) == (code == "cp1252")
        finish(manager, address)
        assert rooms.room(ABC, str(number), consistent=True).type == "Süite"


def test_the_example_can_be_uploaded(manager: Client) -> None:
    make_hotel(hotel_id="seaside")
    for address in (ROOMS, ORDERS, REVIEWS):
        name = get(manager, address).element("a[download]")["href"]
        file = Path(settings.BASE_DIR, "static", "imports", str(name).rpartition("/")[2]).read_bytes()
        done = finish(manager, send(manager, file, address))
        assert done == {"added": 1, "changed": 0, "same": 0, "refused": 0}
        assert finish(manager, send(manager, file, address))["same"] == 1


def test_orders_move_on_and_reviews_change(manager: Client) -> None:
    store_orders([make_order("o-1", "alex"), make_order("o-2", "bea")])
    store_reviews([make_review("r-1", hotel_id="xyz"), make_review("r-2", rating=5, title="", author="Ann")])
    address = send(manager, b"".join(order_line(f"o-{n}", "alex", "SHIPPED") for n in (1, 2, 3)), ORDERS)
    assert "Status: Placed → On its way" in told(manager, address)[0][3]
    assert told(manager, address)[1][2:] == ("Refused", "order_id: o-2 is an order of another guest")
    assert finish(manager, address) == {"added": 1, "changed": 1, "same": 0, "refused": 1}
    moved = orders.order("o-1")
    assert (moved.status, moved.history[-1].by) == (Status.SHIPPED, "mary")
    refused = json.loads(manager.get(f"{address}refused/").content)
    assert (refused["line"], refused["reason"]) == (2, "order_id: o-2 is an order of another guest")
    address = send(manager, reviews_file(1, 2), REVIEWS)
    assert told(manager, address)[0][3] == "review_id: r-1 is a review of another hotel"
    assert finish(manager, address)["changed"] == 1
    assert reviews.review("r-2", consistent=True).rating == 2
