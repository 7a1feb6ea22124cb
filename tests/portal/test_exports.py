"""Exports as CSV: with and without a byte order mark, and with plain numbers."""

import csv
import io
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from tests.helpers.contents import Fill
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_order, store
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOMS = f"/hotels/{ABC}/rooms/"


def fill() -> None:
    make_hotel([make_room("101", "Hướng biển", rate=Decimal("1234567.5")), make_room("102", size=1200)])
    store([make_order("o-1", "alex", total=12345)])


@pytest.fixture
def filling() -> Fill:
    return fill


def test_an_export_for_excel_differs_in_its_byte_order_mark_alone(staff: Client) -> None:
    plain, excel = (staff.get(f"{ROOMS}?view=hướng-biển&format={written}") for written in ("csv", "csv-excel"))
    body = plain.getvalue()
    assert body.startswith(b"hotel_id,")
    assert excel.getvalue() == b"\xef\xbb\xbf" + body
    for name in ("Content-Type", "Content-Disposition"):
        assert excel[name] == plain[name]


def test_an_empty_export_for_excel_has_its_header(staff: Client) -> None:
    assert staff.get("/guests/?q=zz&format=csv-excel").getvalue() == b"\xef\xbb\xbfusername,name,email\r\n"


def test_an_export_for_excel_can_be_imported(staff: Client, tmp_path: Path) -> None:
    file = tmp_path / "rooms.csv"
    file.write_bytes(staff.get(f"{ROOMS}?format=csv-excel").getvalue())
    out = io.StringIO()
    call_command("import_rooms", file, stdout=out)
    assert "2 rooms" in out.getvalue()
    assert not (tmp_path / "rooms.rejected.csv").exists()
    assert_in_step()


@pytest.mark.parametrize(
    ("url", "column", "value"),
    [(ROOMS, "rate", "1234567.5"), (ROOMS, "size", "1200"), ("/guests/alex/orders/", "total", "12345")],
)
@pytest.mark.parametrize("written", ["csv", "csv-excel"])
def test_numbers_are_plain(staff: Client, url: str, column: str, value: str, written: str) -> None:
    text = staff.get(f"{url}?format={written}").getvalue().decode("utf-8-sig")
    assert value in {row[column] for row in csv.DictReader(io.StringIO(text))}


def test_a_list_links_to_both_exports_of_its_selection(staff: Client) -> None:
    page = ListMarkup(staff.get(f"{ROOMS}?size=1200").content)
    assert {link.get_text(): str(link["href"]) for link in page.soup.select("a[download]")} == {
        "Export CSV": "?size=1200&format=csv",
        "CSV for Excel": "?size=1200&format=csv-excel",
    }
