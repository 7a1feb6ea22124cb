"""The notes of a hotel: their list, jobs, lost things, and what the pages of other things show of them."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from hotels.commands import save_hotels
from hotels.entities import Hotel
from notes import commands, queries
from notes.entities import Kind, Note, State
from notes.lists import NOTES
from orders import commands as orders
from orders import queries as guests
from portal.history.entities import Actor
from portal.people import person_id
from portal.times import now, today_in
from tests.conftest import logged_in
from tests.helpers.kinds import all_items, assert_all_in_step
from tests.helpers.markup import ListMarkup, entry_of, get
from tests.helpers.notes import make_note, store
from tests.helpers.orders import make_order
from tests.helpers.orders import store as store_orders
from tests.helpers.people import join, permit
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
NOTES_OF, JOBS, ROOM = f"/hotels/{ABC}/notes/", f"/hotels/{ABC}/jobs/", f"/hotels/{ABC}/rooms/118/"


def add(client: Client, query: str = "", **entries: str) -> Any:
    """Send the form at an address, and return the answer."""
    address = f"{NOTES_OF}add/{query}"
    return client.post(address, {**entry_of(get(client, address)), **entries})


def texts(client: Client, address: str) -> list[str]:
    return [" ".join(row.get_text(" ").split()) for row in get(client, address).soup.select("tbody th")]


def test_a_note_is_added_found_done_open_again_and_deleted(staff: Client, manager: Client) -> None:
    make_hotel([make_room("118")])
    assert "No note is open here." in get(staff, NOTES_OF).text("main")
    assert add(staff, text=" Ruf ein Taxi\nfür “Zoë” <b>").headers["Location"] == NOTES_OF
    page = get(staff, NOTES_OF)
    assert "Ruf ein Taxi für “Zoë” <b>" in page.text("tbody")
    (note_id,) = page.rows
    for words, found in {"zoe": [note_id], "taxi ruf": [note_id], "taxis": []}.items():
        assert get(staff, f"{NOTES_OF}?q={words}").rows == found, words
    done = staff.post(NOTES_OF, {"one": f"done/{note_id}"}, follow=True)
    assert ListMarkup(done.content).rows == []
    assert "1 note was marked done." in ListMarkup(done.content).text("body")
    page = get(staff, f"{NOTES_OF}?status=done")
    assert (page.rows, page.total) == ([note_id], 1)
    for query, found in {
        "": [],
        "&status=done": [note_id],
        "&status=any": [note_id],
        "&status=any&kind=job": [],
    }.items():
        page = get(staff, f"{NOTES_OF}?q=taxi{query}")
        assert page.rows == found, query
        assert bool(page.soup.select(".nothing a[href='?q=taxi&status=any']")) == (query == "")
    again = staff.post(NOTES_OF, {"one": f"done/{note_id}"}, follow=True)
    assert "Somebody else was quicker: it is done." in again.content.decode()
    staff.post(NOTES_OF, {"mark": "open", "note": note_id})
    assert get(staff, NOTES_OF).rows == [note_id]
    delete = f"{NOTES_OF}{note_id}/delete/"
    assert staff.get(delete).status_code == 403
    assert manager.post(delete, entry_of(get(manager, delete))).headers["Location"] == NOTES_OF
    assert get(staff, f"{NOTES_OF}?status=any").rows == []
    assert_all_in_step()


def test_a_lost_thing_is_done_once_somebody_has_it_and_its_place_finds_it(staff: Client) -> None:
    make_hotel()
    long = "A black leather wallet with two cards and some coins"
    store(make_note("n-1", long, kind=Kind.LOST, place="Front desk safe, drawer 2"), make_note("n-2", "A taxi"))
    for words, found in {"drawer": ["n-1"], "safe wallet": ["n-1"], "coins": []}.items():
        assert get(staff, f"{NOTES_OF}?q={words}").rows == found, words
    answer = ListMarkup(staff.post(NOTES_OF, {"mark": "done", "note": ["n-1", "n-2"]}, follow=True).content)
    refusal = "1 note was not marked done. “A black leather wallet with two cards and some coins”: Say first to whom"
    assert (refusal in answer.text("body"), answer.rows) == (True, ["n-1"])
    address = str(answer.element('[data-row="n-1"] a.button')["href"]).partition("#")[0]
    entry = entry_of(get(staff, address)) | {"done": "1"}
    assert "Say first to whom it was" in ListMarkup(staff.post(address, entry).content).text("main")
    assert get(staff, NOTES_OF).rows == ["n-1"]
    assert staff.post(address, {**entry, "handed_to": "Mia Berg"}).status_code == 302
    assert NOTES.get(hotel_id=ABC, note_id="n-1").status == State.DONE
    assert (get(staff, NOTES_OF).rows, get(staff, f"{NOTES_OF}?status=done&kind=lost-and-found").rows) == ([], ["n-1"])


def test_several_notes_are_marked_at_once(staff: Client) -> None:
    make_hotel()
    store(*(make_note(f"n-{n}") for n in range(5)))
    store(make_note("n-9", hotel_id="other"))
    answer = staff.post(NOTES_OF, {"mark": "done", "note": ["n-0", "n-1", "n-9", "n-77"]}, follow=True)
    said = ListMarkup(answer.content).text("body")
    assert "2 notes were marked done." in said
    assert "2 notes were not marked done. n-9: There is no such note. n-77: There is no such note." in said
    assert [*ListMarkup(answer.content).rows] == ["n-4", "n-3", "n-2"]
    assert NOTES.get(hotel_id="other", note_id="n-9").status == State.OPEN
    assert staff.post(NOTES_OF, {"one": "gone/n-2"}).status_code == 400
    assert "No note was selected" in staff.post(NOTES_OF, {"mark": "done"}, follow=True).content.decode()


def test_one_button_undoes_the_marks_of_several_notes(staff: Client, newcomer: Client, dana: User) -> None:
    make_hotel()
    store(*(make_note(f"n-{n}") for n in range(4)))
    answer = ListMarkup(staff.post(NOTES_OF, {"mark": "done", "note": ["n-0", "n-1", "n-2"]}, follow=True).content)
    undo = [str(field["value"]) for field in answer.soup.select(".done [name=undo]")]
    assert len(undo) == 3
    NOTES.by(Actor("zoe")).update(NOTES.get(hotel_id=ABC, note_id="n-2"), text="Later")
    permit(dana, "notes.view_note")
    assert newcomer.post(NOTES_OF, {"undo": undo}).status_code == 403
    said = ListMarkup(staff.post(NOTES_OF, {"undo": undo}, follow=True).content)
    assert "2 notes were put back." in said.text("body")
    assert "1 note was not put back. n-2: zoe has changed this since." in said.text("body")
    assert (sorted(said.rows), len(said.soup.select(".done [name=undo]"))) == (["n-0", "n-1", "n-3"], 0)
    staff.post(NOTES_OF, {"undo": undo[:2]})  # sent twice, it is done once
    assert sorted(get(staff, NOTES_OF).rows) == ["n-0", "n-1", "n-3"]
    assert staff.post(NOTES_OF, {"undo": "n-0"}).status_code == 400


def test_a_form_that_is_sent_again_after_back_adds_no_second_note(staff: Client) -> None:
    make_hotel()
    address = staff.get(f"{NOTES_OF}add/?kind=job").headers["Location"]
    for _ in range(2):  # Back leads to the same address
        form = entry_of(get(staff, address))
        assert form["kind"] == "job"
        assert staff.post(address, {**form, "text": "The lamp is out"}).headers["Location"] == NOTES_OF
    assert len(get(staff, NOTES_OF).rows) == 1
    again = staff.post(address, {**form, "text": "The lift, too"})
    assert "This form has already added a note." in again.content.decode()
    staff.post(address, {**entry_of(ListMarkup(again.content)), "text": "The lift, too"})
    assert len(get(staff, NOTES_OF).rows) == 2


def test_histories_name_a_note_by_its_text(staff: Client) -> None:
    make_hotel()
    store(make_note("n-1", "A taxi\nat " + "seven " * 20))
    staff.post(NOTES_OF, {"mark": "done", "note": "n-1"})
    name = "Note “A taxi at seven seven seven seven seven seven seven seven…” of Hotel ABC"
    for address in ("history", "history/?days=today"):
        assert name in get(staff, f"/hotels/{ABC}/{address}/".replace("today/", "today")).text("main"), address
    assert f"History of {name}" in get(staff, f"/history/note/{ABC}/n-1/").text("body")


def test_tabs_filters_sorts_and_pages_agree_with_the_notes(manager: Client, mary: User) -> None:
    make_hotel()
    me, today = person_id(mary), today_in()
    notes = [
        make_note(
            f"n-{n:02d}",
            f"Note {n}",
            kind=[*Kind][n % 3],
            status=[*State][n % 2],
            person=me if n % 5 else "",
            until=None if n % 4 else today + timedelta(days=n - 30),
        )
        for n in range(60)
    ]
    store(*notes)
    asked: dict[str, Callable[[Note], bool]] = {
        "": lambda note: note.status == State.OPEN,
        "status=any": lambda note: True,
        "status=done&kind=job&kind=lost-and-found": lambda note: note.status == State.DONE and note.kind != Kind.NOTE,
        f"person={me}&sort=until": lambda note: note.status == State.OPEN and note.person == me,
        f"kind=job&person={me}&status=any&sort=-until": lambda note: note.kind == Kind.JOB and note.person == me,
    }
    for query, wanted in asked.items():
        first = get(manager, f"{NOTES_OF}?{query}&page_size=10")
        found, page = [*first.rows], first
        while page.link("next"):
            page = get(manager, f"{NOTES_OF}{page.link('next')}")
            found += page.rows
        assert sorted(found) == sorted(note.note_id for note in notes if wanted(note)), query
        assert first.total == len(found), query
    page = get(manager, JOBS)
    jobs = [note for note in notes if (note.kind, note.status) == (Kind.JOB, State.OPEN)]
    assert page.rows == [
        each.note_id for each in sorted(jobs, key=lambda note: (note.until is None, note.until or today))
    ]
    late = [note.note_id for note in jobs if note.until and note.until < today]
    overdue = [row["data-row"] for row in page.soup.select("tr[data-row]") if "Overdue" in row.get_text()]
    assert late == overdue != []
    mine = next(link for link in page.soup.select(".tabs a") if link.get_text(strip=True) == "My jobs")
    assert get(manager, str(mine["href"])).total == sum(note.person == me for note in jobs)
    for bad in ("kind=guest", "status=lost", f"person={'x' * 99}", f"about={'x' * 99}", "sort=text"):
        assert manager.get(f"{NOTES_OF}?{bad}").status_code == 400, bad


def test_a_note_is_about_what_the_hotel_has(staff: Client) -> None:
    make_hotel([make_room(number) for number in ("118", "1.18")])
    make_hotel([make_room("9", hotel_id="other")], "other")
    store_orders([make_order("o-1"), make_order("o-2", hotel_id="other")])
    store_reviews([make_review("r-1")])
    for about in ("room:118", "room:1.18", "guest:alex", "order:o-1", "review:r-1"):
        answer = add(staff, f"?about={about}", text=f"About {about}")
        assert answer.status_code == 302, ListMarkup(answer.content).text("main")
        assert texts(staff, f"{NOTES_OF}?about={about}") == [f"About {about}"]
        assert str(get(staff, f"{NOTES_OF}?about={about}").element("a.primary")["href"]).endswith(
            f"?about={about.replace(':', '%3A')}"
        )
    for about in ("room:9", "order:o-2", "guest:eve", "review:r-2"):
        assert add(staff, f"?about={about}", text="Nothing").status_code == 200, about
    for about in ("hotel:abc", "room:", "room:1%238", "room", "session:x", "room:1/8"):
        assert staff.get(f"{NOTES_OF}add/?about={about}").status_code == 400, about
    assert get(staff, f"{NOTES_OF}?status=any").total == 5
    assert staff.get(f"{NOTES_OF}add/?kind=guest").status_code == 400
    answer = add(staff, text="A picked room", room="118")
    assert answer.headers["Location"] == ROOM
    page = get(staff, ROOM)
    assert [item["data-note"] for item in page.soup.select("[data-note]")][0:1] != []
    assert "A picked room" in page.text(".of-room")
    assert "About room:1.18" not in page.text("main")
    staff.post(NOTES_OF, {"mark": "done", "note": [str(each["data-note"]) for each in page.soup.select("[data-note]")]})
    assert not get(staff, ROOM).soup.select("[data-note]"), "only what is open"
    assert not get(staff, f"{NOTES_OF}add/?about=order:o-1").soup.select("[name=room]"), "it is about one thing"


def test_a_defect_is_a_job_in_repairs_and_leaves_the_room_in_service(staff: Client, alice: User) -> None:
    make_hotel([make_room("118")])
    report = get(staff, ROOM).element('a[href*="kind=job"]')["href"]
    assert get(staff, str(report)).text("h1") == "Report a defect: Room 118"
    query = str(report).partition("?")[2]
    entries = {"text": "The lamp is broken", "person": person_id(alice)}
    assert b"This day has passed." in add(staff, f"?{query}", **entries, until="2020-01-01").content
    assert add(staff, f"?{query}", **entries).headers["Location"] == ROOM
    (job,) = NOTES.query(hotel_id=ABC)
    NOTES.by(Actor("anna")).update(job, until=date(2020, 1, 1))
    beside = [link for link in get(staff, f"/hotels/{ABC}/repairs/").soup.select(".tabs a") if link["href"] == JOBS]
    assert beside, "Repairs lead to jobs"
    (row,) = get(staff, JOBS).soup.select("tr[data-row]")
    words = " ".join(row.get_text(" ").split())
    assert words.startswith("The lamp is broken Room 118 alice 1 Jan 2020 Overdue")
    assert "Clean" in get(staff, ROOM).text("dl.facts")


def test_a_note_becomes_a_job(staff: Client) -> None:
    make_hotel()
    store(make_note("n-1", "A bulb is out", place="Lobby"))
    page = get(staff, f"{NOTES_OF}n-1/")
    button = page.element('button[form="entries"][name=kind]')
    assert staff.post(f"{NOTES_OF}n-1/", {**entry_of(page), "kind": str(button["value"])}).status_code == 302
    note = NOTES.get(hotel_id=ABC, note_id="n-1")
    assert (note.kind, note.text, note.place) == (Kind.JOB, "A bulb is out", "Lobby")
    assert not get(staff, f"{NOTES_OF}n-1/").soup.select('button[form="entries"]')


def test_a_change_meanwhile_is_compared_and_undone(staff: Client, manager: Client) -> None:
    make_hotel()
    store(make_note())
    entry = entry_of(get(staff, f"{NOTES_OF}n-1/"))
    NOTES.by(Actor("anna")).update(NOTES.get(hotel_id=ABC, note_id="n-1"), text="Call two taxis")
    answer = staff.post(f"{NOTES_OF}n-1/", {**entry, "text": "Call a bus"})
    assert "Compare both versions" in answer.content.decode()
    assert staff.post(f"{NOTES_OF}n-1/", {**entry, "until": "2030-01-01"}).status_code == 200
    page = get(manager, f"/history/note/{ABC}/n-1/")
    assert "Call a taxi Call two taxis" in page.text("tbody")
    manager.post(str(page.element("tbody form")["action"]), {"serial": page.element("[name=serial]")["value"]})
    assert NOTES.get(hotel_id=ABC, note_id="n-1").text == "Call a taxi"


def test_who_sees_notes_reads_them_and_others_are_sent_away(newcomer: Client, dana: User) -> None:
    make_hotel([make_room("118")])
    store(make_note("n-1", about="room:118"))
    permit(dana, "notes.view_note")
    page = get(newcomer, NOTES_OF)
    assert page.rows == ["n-1"]
    assert not page.soup.select("main button[name=one], .tick, a.primary, tbody td a"), "no step, and no link to a room"
    page = get(newcomer, f"{NOTES_OF}n-1/")
    assert "Call a taxi" in page.text("dl.facts")
    assert not page.soup.select("main form.entries")
    assert newcomer.post(f"{NOTES_OF}n-1/", {"text": "Mine", "kind": "note", "revision": "1"}).status_code == 403
    permit(dana, "rooms.view_room")
    assert not get(newcomer, ROOM).soup.select("[data-note]")
    assert newcomer.get(NOTES_OF).status_code == 403


@pytest.mark.parametrize(
    ("group", "may"),
    [
        ("Front desk", ("add", "change")),
        ("Housekeeping", ("add", "change")),
        ("Supervisor", ("add", "change")),
        ("Manager", ("add", "change", "delete")),
        ("Auditor", ()),
    ],
)
def test_groups_may_write_notes(db: None, group: str, may: tuple[str, ...]) -> None:
    user = User.objects.create_user("hana", is_staff=True)
    join(user, group)
    wanted = {f"notes.{action}_note" for action in ("view", *may)}
    assert {name for name in user.get_all_permissions() if name.startswith("notes.")} == wanted


def test_the_erasure_of_a_guest_erases_the_notes_about_the_guest() -> None:
    make_hotel([make_room("118")])
    save_hotels([Hotel("other", "Other")])
    store_orders([make_order("o-1"), make_order("o-2", "bea")])
    store_reviews([make_review("r-1", username="alex")])
    mark, kept = "Zanzibar", "Umbrella"
    for number, about in enumerate(("guest:alex", "order:o-1", "review:r-1")):
        note = commands.add_note(make_note(f"n-{number}", f"{mark} one", about=about, place=mark), "anna")
        NOTES.by(Actor("anna")).update(note, text=f"{mark} two", handed_to=mark)
    commands.add_note(make_note("n-8", f"{mark} three", about="guest:alex", hotel_id="other"), "anna")
    commands.add_note(make_note("n-9", kept, about="order:o-2"), "anna")
    assert len(queries.of_guest("alex")) == 4
    for _ in range(2):
        orders.erase_guest(guests.guest("alex", consistent=True), "mary")
        stored = str([*all_items()])
        assert not {mark, mark.lower()} & {*re.findall(r"\w+", stored)}, "neither in a note, a word, nor a history"
    assert kept in stored
    assert {note.status for note in queries.of_guest("alex")} == {State.DONE}
    assert_all_in_step()


def test_a_note_sent_twice_is_one_note(staff: Client) -> None:
    make_hotel()
    entry = {**entry_of(get(staff, f"{NOTES_OF}add/")), "text": "Once"}
    for _ in range(2):
        assert staff.post(f"{NOTES_OF}add/", entry).status_code == 302
    assert "already added" in staff.post(f"{NOTES_OF}add/", {**entry, "text": "Twice"}).content.decode()
    assert texts(staff, NOTES_OF) == ["Once"]
    earlier = commands.add_note(make_note("n-7", written_at=now() - timedelta(hours=1)), "anna")
    assert commands.add_note(make_note("n-7"), "anna").written_at == earlier.written_at, "an hour later, too"


def test_a_note_is_late_from_the_day_after_its_last_as_long_as_it_is_open() -> None:
    today = today_in()
    found = [make_note(until=today + timedelta(days=days)).is_late(today) for days in (-1, 0, 1)]
    assert found == [True, False, False]
    assert not make_note(until=today - timedelta(days=1), status=State.DONE).is_late(today)
    assert not make_note().is_late(today)


def test_the_handover_shows_open_notes_and_the_way_to_the_others(staff: Client) -> None:
    make_hotel()
    store(*(make_note(f"n-{n:02d}", f"Note {n}", status=State.DONE if n < 3 else State.OPEN) for n in range(15)))
    section = "section:has(#open-notes-title)"
    page = get(staff, f"/hotels/{ABC}/handover/")
    assert len(page.soup.select(f"{section} li")) == 8
    link = page.element(f"{section} p a")
    assert (link.get_text(" ", strip=True), link["href"]) == ("And 4 more notes", NOTES_OF)


def test_pages_of_a_room_and_an_order_lead_to_their_notes(manager: Client, mary: User) -> None:
    make_hotel([make_room("118")])
    store_orders([make_order("o-1")])
    store_reviews([make_review("r-1", room_number="118"), make_review("r-2")])
    for page, about in {
        "orders/o-1": "order%3Ao-1",
        "reviews/r-1": "room%3A118",
        "reviews/r-2": "review%3Ar-2",
    }.items():
        links = [str(link["href"]) for link in get(manager, f"/{page}/").soup.select("main a[href]")]
        assert f"{NOTES_OF}add/?about={about}" in links, page
        assert f"{NOTES_OF}?about={about}&status=any" in links, page
    assert get(manager, "/guests/alex/").soup.select(f'a[href="{NOTES_OF}?about=guest:alex&status=any"]')
    mary.user_permissions.add(*Permission.objects.filter(codename="view_note"))
    assert get(manager, f"/hotels/{ABC}/").soup.select(f'main a[href="{NOTES_OF}"]'), "the overview leads to notes"
    found = logged_in(mary).get("/search/?q=lost and").content.decode()
    assert NOTES_OF in found
