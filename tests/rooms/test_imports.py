"""``import_rooms``: it stores good rows, rejects bad ones with a reason, and a second import changes nothing."""

import csv
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from dynamodb_lists.tests.helpers.examples import DEPTH
from hotels import queries as hotels
from orders.forms.rows import OrderRowForm
from reviews.forms import ReviewRowForm
from rooms import queries
from rooms.forms.rooms import RoomRowForm
from tests.helpers.rooms import all_items, assert_in_step, of_abc
from tests.helpers.things import with_writers

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
HEADER = "hotel_id,hotel_name,city,number,view,size,type,rate,currency"
GOOD = "abc,Hotel ABC,Paris,{},Sea view,40,Suite,120.50,EUR"
SHARED = Path(settings.BASE_DIR).parent / "shared" / "data" / "rooms.csv"


def run(command: str, *args: Any, **options: Any) -> str:
    out = StringIO()
    call_command(command, *args, stdout=out, **options)
    return out.getvalue()


def write(path: Path, *lines: str, header: str = HEADER) -> Path:
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8", errors="surrogateescape")
    return path


def refused(folder: Path) -> list[dict[str, str]]:
    with (folder / "rooms.rejected.csv").open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        return list(csv.DictReader(file))


def snapshot() -> list[Any]:
    return sorted((item["pk"]["S"], item["sk"]["S"], sorted(map(str, item.items()))) for item in all_items())


def test_the_same_file_twice_leaves_the_same_data(tmp_path: Path) -> None:
    file = write(tmp_path / "rooms.csv", *(GOOD.format(number) for number in range(100, 220)))
    assert run("import_rooms", file) == "120 rooms read, 120 written, 0 left as they are.\n"
    before = snapshot()
    assert run("import_rooms", file) == "120 rooms read, 0 written, 120 left as they are.\n"
    assert snapshot() == before
    assert_in_step()
    assert hotels.stored_hotel("abc").rooms == 120


def test_several_blanks_in_a_number_are_one(tmp_path: Path) -> None:
    """In every file that names a room: rooms, and the orders and reviews that are to be found at them."""
    run("import_rooms", write(tmp_path / "one.csv", GOOD.format("12 A")))
    assert "0 written, 1 left" in run("import_rooms", write(tmp_path / "two.csv", GOOD.format("12  A")))
    for form, name in ((RoomRowForm, "number"), (OrderRowForm, "room_number"), (ReviewRowForm, "room_number")):
        assert form.base_fields[name].clean(" 12 \t A ") == "12 A", form


def test_the_first_row_names_the_hotel_however_many_writers_there_are(tmp_path: Path) -> None:
    rows = [f"h{n % 3},Hotel {n},Paris,{n},Sea view,40,Suite,120.50,EUR" for n in range(100, 160)]
    with with_writers(4):
        assert "60 written" in run("import_rooms", write(tmp_path / "rooms.csv", *rows))
    assert [hotel.name for hotel in hotels.hotels().stream()] == ["Hotel 102", "Hotel 100", "Hotel 101"]
    assert_in_step()


BAD = [
    ("abc,Hotel ABC,Paris,,Sea,40,Suite,1,EUR", "number"),
    ("abc,Hotel ABC,Paris,11,Sea,0,Suite,1,EUR", "size"),
    ("abc,Hotel ABC,Paris,11,Sea,40,Suite,-1,EUR", "rate"),
    ("abc,Hotel ABC,Paris,11,Sea,40,Suite,1.005,EUR", "too many decimals"),
    ("abc,Hotel ABC,Paris,11,Sea,40,Suite,1,XXX", "currency code"),
    ("a b,Hotel ABC,Paris,11,Sea,40,Suite,1,EUR", "hotel_id"),
    ("abc,,Paris,11,Sea,40,Suite,1,EUR", "hotel_name"),
    ("abc,Hotel ABC,Paris,11,Sea,40,Suite,1", "8 cells"),
    ("abc,Hotel ABC,Paris,11,Sea,40,Suite,1,EUR,more", "10 cells"),
    ('abc,Hotel ABC,Paris,11,"Sea"x,40,Suite,1,EUR', "expected after"),
    ("abc,Hotel ABC,Paris,11,Se\x00a,40,Suite,1,EUR", "view"),
    ("abc,Hotel ABC,Paris,11,Se\udcffa,40,Suite,1,EUR", "not UTF-8"),
    (GOOD.format(100), "line 2 already has the same room"),
]


def test_a_bad_row_is_kept_with_its_line_and_reason_and_the_good_ones_are_in(tmp_path: Path) -> None:
    file = write(tmp_path / "rooms.csv", GOOD.format(100), *(line for line, _ in BAD), GOOD.format(101))
    with pytest.raises(CommandError, match=f"{len(BAD)} rows refused"):
        run("import_rooms", file)
    assert [room.number for room in queries.all_rooms(of_abc())] == ["100", "101"]
    for number, (row, (line, reason)) in enumerate(zip(refused(tmp_path), BAD, strict=True), start=3):
        assert (row["line"], reason in row["reason"]) == (str(number), True), line
    assert_in_step()


def test_refused_rows_keep_every_cell_and_can_be_mended_and_imported(tmp_path: Path) -> None:
    torn = GOOD.format("102").replace("Sea view", "Vườn, hoa")
    file = write(tmp_path / "rooms.csv", GOOD.format(100), GOOD.format(""), torn, 'abc,"Sea"x')
    with pytest.raises(CommandError, match="3 rows refused"):
        run("import_rooms", file)
    rejected = tmp_path / "rooms.rejected.csv"
    text = rejected.read_text(encoding="utf-8")
    assert "Vườn, hoa" in text
    assert 'abc,""Sea""x' in text
    mended = text.replace("Paris,,", "Paris,101,").replace("Vườn, hoa", '"Vườn, hoa"')
    rejected.write_text("\n".join(line for line in mended.splitlines() if '""x' not in line), encoding="utf-8")
    assert "2 written" in run("import_rooms", rejected)
    assert queries.room("abc", "102").view == "Vườn, hoa"
    run("import_rooms", write(file, GOOD.format(100)))
    assert not rejected.exists(), "the refused rows of an earlier run are no longer true"


def test_quotes_line_breaks_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    file = tmp_path / "rooms.csv"
    file.write_text(f'\ufeff{HEADER}\nabc,"Hotel\nABC",Paris,1,"View ban công, biển",40,Suite,1,EUR\nx\n', "utf-8")
    with pytest.raises(CommandError):
        run("import_rooms", file)
    assert queries.room("abc", "1").view == "View ban công, biển"
    assert refused(tmp_path)[0]["line"] == "4"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "no column hotel_id, hotel_name.*it has: nothing"),
        (b"hotel_id,number\n", "no column hotel_name"),
        (HEADER.replace(",", "|").encode(), r"separated by commas.*hotel_id\|hotel_name"),
        (HEADER.encode("utf-16"), "in UTF-8"),
        (f"{HEADER},city\n".encode(), "names a column twice"),
    ],
)
def test_a_file_that_is_no_such_csv_is_refused_whole(tmp_path: Path, content: bytes, complaint: str) -> None:
    file = tmp_path / "rooms.csv"
    file.write_bytes(content)
    with pytest.raises(CommandError, match=complaint):
        run("import_rooms", file)


def test_a_stray_quote_takes_no_other_row_with_it(tmp_path: Path) -> None:
    stray = GOOD.format('"23')
    rows = [GOOD.format(number) for number in range(300, 360)]
    file = write(tmp_path / "rooms.csv", GOOD.format(22), stray, *rows[:30], stray, *rows[30:])
    with pytest.raises(CommandError, match="2 rows refused"):
        run("import_rooms", file)
    assert hotels.stored_hotel("abc").rooms == 61
    assert [(row["line"], row["hotel_id"]) for row in refused(tmp_path)] == [("3", stray), ("34", stray)]


def test_the_real_rooms(tmp_path: Path) -> None:
    if not SHARED.exists():
        pytest.skip("the shared data is not beside this clone")
    header, *rows = SHARED.read_text("utf-8").splitlines()
    some = rows[:: 1 if DEPTH > 1 else 10]
    file = write(tmp_path / "rooms.csv", *some, header=header)
    assert run("import_rooms", file).startswith(f"{len(some)} rooms read, {len(some)} written")
    assert len(list(hotels.hotels().stream())) == len({row.partition(",")[0] for row in some})
    assert run("import_rooms", file).startswith(f"{len(some)} rooms read, 0 written")
    assert_in_step()
