"""Files that are uploaded to be imported, and what the page of an upload shows."""

import json
from decimal import Decimal
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from dynamodb_lists.tests.helpers.paging import until
from tests.helpers.markup import errors, get
from tests.helpers.rooms import ABC, make_hotel, make_room

ROOMS, ORDERS, REVIEWS = (f"/imports/{things}/" for things in ("rooms", "orders", "reviews"))
HEADER = "hotel_id,hotel_name,city,number,view,size,type,rate,currency"


def fill() -> None:
    """Rooms 101 (the same in the file), 102 (which the file changes)."""
    make_hotel([make_room("101"), make_room("102", rate=Decimal(99))])
    make_hotel(hotel_id="xyz", name="Hotel XYZ")


def line(number: str, rate: str = "120.50", hotel: str = ABC, **other: str) -> str:
    """Return a line of a file of rooms."""
    return ",".join([hotel, "Other name", "Rome", number, "Sea view", "40", other.get("type", "Suite"), rate, "EUR"])


def rooms_file(*lines: str) -> bytes:
    """Return a file of these lines."""
    return "\r\n".join([HEADER, *lines, ""]).encode()


def order_line(order_id: str, username: str, status: str, **others: Any) -> bytes:
    """Return the line of an order of one thing."""
    order = {"order_id": order_id, "username": username, "hotel_id": ABC, "status": status, "currency": "EUR"}
    times = {"placed_at": "2023-01-15T10:22:31Z", "status_at": "2023-01-16T10:22:31Z"}
    items = [{"sku": "sku-0", "name": "Thing", "quantity": 1, "unit_price": 100}]
    return json.dumps({**order, **times, "items": items, **others}).encode() + b"\n"


def reviews_file(*ratings: int) -> bytes:
    """Reviews ``r-1``, ``r-2``, ... by Ann."""
    header = "review_id,hotel_id,room_number,language,rating,created_at,author,title,body"
    lines = [f"r-{n},{ABC},,en,{rating},2023-01-15T10:22:31Z,Ann,," for n, rating in enumerate(ratings, 1)]
    return "\n".join([header, *lines]).encode()


def send(client: Client, content: bytes, address: str = ROOMS, name: str = "my rooms.csv") -> str:
    """Return the address of the upload."""
    response = client.post(address, {"file": SimpleUploadedFile(name, content)})
    assert response.status_code == 302, errors(response)
    return str(response["Location"])


def counts(client: Client, address: str) -> dict[str, int]:
    """Return the numbers on an upload's page."""
    found = get(client, address).soup.select("[data-outcome-of]")
    return {str(item["data-outcome-of"]): int(item.select_one("strong").get_text()) for item in found}  # type: ignore[union-attr]


def finish(client: Client, address: str) -> dict[str, int]:
    """Confirm the import, and continue until it is done."""
    client.post(address, {"confirm": "on"})
    go_on(client, address)
    return counts(client, address)


def go_on(client: Client, address: str) -> None:
    """Continue until the file is checked, or its import done."""
    until(lambda: b"bulk-continue" not in client.get(address).content or client.post(address).status_code != 302)
    assert b"bulk-continue" not in client.get(address).content


def told(client: Client, address: str) -> list[tuple[str, ...]]:
    """Return the rows of the preview: line, thing, what happens, why."""
    rows = get(client, address).table.select("tbody tr")
    return [tuple(" ".join(cell.get_text(" ").split()) for cell in row.select("td, th")) for row in rows]
