"""The changelist: right rows on each page, whatever is filtered, sorted and searched, at the cost of a few Queries."""

import random
import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.admin import ShowFacets, display
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists import at_most
from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.declared.parts import part
from dynamodb_lists.django.admin import filters, queries
from dynamodb_lists.tests.admin.library.admin import BookAdmin, LoanAdmin
from dynamodb_lists.tests.admin.library.models import BOOKS, LOANS, Binding, Book, Loan
from dynamodb_lists.tests.admin.pages import BOOKS_URL, LOANS_URL, Shown
from dynamodb_lists.tests.helpers import dynamodb_local
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.paging import follow

pytestmark = pytest.mark.usefixtures("migrated")
MOST_UNITS = 60 if dynamodb_local.wanted() else 3
"""The most read units of a page of which no more rows must be read. DynamoDB Local charges whole items for LSIs."""

SORTED = ["title", "genre", "year", "price", "binding", "rare", "bought"]
GENRES, LANGUAGES = ["Sci-fi", "Poetry", "Children's books", ""], ["English", "Dutch", "Türkçe"]
WORDS = ["Solaris", "Momo", "Hobbit", "Annals", "Night", "Letters"]
DAY = datetime(2024, 3, 1, 12, tzinfo=UTC)


def made_up(seed: int, count: int) -> list[Book]:
    rnd = random.Random(seed)
    return [
        Book(
            shelf=f"F-{number}",
            title=f"The {rnd.choice(WORDS)} {number % 7}",
            author=rnd.choice(["Ann Lee", "Bo Xu", "Çelik Ada"]),
            genre=rnd.choice(GENRES),
            language=rnd.choice(LANGUAGES),
            year=rnd.choice([None, *range(1950, 1960)]),
            binding=rnd.choice([*Binding]),
            rare=rnd.random() < 0.2,
            price=Decimal(rnd.randrange(4000)) / 100,
            bought=rnd.choice([None, DAY + timedelta(days=rnd.randrange(60))]),
            summary="Not in lists.",
        )
        for number in range(count)
    ]


@pytest.fixture(scope="module")
def books(migrated: None) -> list[Book]:
    """Many books, in place of those that are stored."""
    for book in BOOKS.query():
        BOOKS.delete(book)
    found = made_up(5, 150)
    BOOKS.save(found)
    return found


@pytest.fixture(scope="module")
def loans(migrated: None) -> list[Loan]:
    rnd = random.Random(6)
    found = [
        Loan(
            library=f"L{1 + number % 2}",
            number=f"N-{number}",
            genre=rnd.choice("AB"),
            member=rnd.choice("xyz"),
            due=date(2025, 11, 1) + timedelta(days=rnd.randrange(150)),
            returned=None if number % 3 else date(2026, 5, 5),
        )
        for number in range(200)
    ]
    LOANS.save(found)
    return found


@pytest.fixture
def no_scan() -> Iterator[list[Call]]:
    """The calls of the test. None of them may be a Scan."""
    calls: list[Call] = []
    ledger.observers.append(calls.append)
    yield calls
    ledger.observers.remove(calls.append)
    assert calls
    assert not [call for call in calls if call.operation == "Scan"]


Wanted = tuple[list[tuple[str, str]], Callable[[Book], bool]]


def asked(rnd: random.Random) -> Wanted:
    """Return some filters: parameters, and the same in Python."""
    pairs: list[tuple[str, str]] = []
    tests: list[Callable[[Book], bool]] = []
    for name, values in (("genre", GENRES), ("language", LANGUAGES), ("binding", [*Binding]), ("rare", [True, False])):
        if rnd.random() < 0.35:
            chosen = rnd.sample(values, rnd.choice([1, 1, 2]))
            pairs += [(name, str(value)) for value in chosen]
            tests.append(lambda book, name=name, chosen=chosen: getattr(book, name) in chosen)  # type: ignore[misc]
    if rnd.random() < 0.3:
        low, high = sorted(rnd.sample(range(1948, 1962), 2))
        pairs += [("year__gte", str(low)), ("year__lte", str(high))]
        tests.append(lambda book: book.year is not None and low <= book.year <= high)
    if rnd.random() < 0.2:
        low_day, high_day = DAY + timedelta(days=9), DAY + timedelta(days=31)
        pairs += [("bought__gte", str(low_day)), ("bought__lt", str(high_day))]
        tests.append(lambda book: book.bought is not None and low_day <= book.bought < high_day)
    return pairs, lambda book: all(test(book) for test in tests)


def beside(page: Shown, step: int) -> str | None:
    """Return the address of the page after this one; before it if the step is -1."""
    return page.pages.get(str(page.number + step)) or page.pages.get("Next" if step > 0 else "Previous")


def walked(page: Shown, step: int) -> list[str]:
    """Return the ids of a page and of those after it; before it if the step is -1."""
    pages = [*follow(page, partial(beside, step=step), page.go)]
    return [each for shown in pages[::step] for each in shown.ids]


@pytest.mark.parametrize("seed", range(examples(2)))
def test_each_page_has_the_rows_that_python_finds(
    ada: Client, books: list[Book], seed: int, no_scan: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rnd = random.Random(seed)
    for _ in range(2):
        pairs, wanted = asked(rnd)
        name, sign = rnd.choice(SORTED), rnd.choice(["", "-"])
        monkeypatch.setattr(BookAdmin, "list_display", [name])  # cells take most of a page's time
        page = Shown(ada, f"{BOOKS_URL}?{urlencode([*pairs, ('o', f'{sign}1')])}")
        rows = {book.shelf: book for book in filter(wanted, books)}

        values = {shelf: part(getattr(book, name)) for shelf, book in rows.items()}
        found = walked(page, 1)
        assert [values[shelf] for shelf in found] == sorted(values.values(), reverse=bool(sign))
        assert sorted(found) == sorted(rows)
        if name not in BOOKS.declaration.facets:  # within a facet's value, rows are in the order of an index
            assert found == sorted(rows, key=lambda shelf: (values[shelf], shelf), reverse=bool(sign))
        if len(rows) > 20:
            assert walked(page.go([*page.pages.values()][-1]), -1) == found
        if not {"year__gte", "bought__gte"} & {name for name, _ in pairs}:
            assert page.total == str(len(rows))


def test_a_page_costs_a_few_units(ada: Client, books: list[Book], no_scan: Any) -> None:
    for query in (
        "",
        "?genre=Poetry",
        "?o=1",
        "?o=-5",
        "?language=Dutch&o=-4",
    ):
        cost = Shown(ada, BOOKS_URL + query).cost
        assert cost["units"] <= MOST_UNITS, query
        assert cost["waves"] <= 2, query
    merged = Shown(ada, f"{BOOKS_URL}?genre=Poetry&genre=Sci-fi&o=4").cost
    # the counts, and two ranges that are merged; whole items fill a request sooner
    assert merged["units"] <= MOST_UNITS
    assert merged["waves"] <= (3 if dynamodb_local.wanted() else 2)
    page = Shown(ada, BOOKS_URL)
    last = page.go([*page.pages.values()][-1])
    assert (last.number, last.cost["units"] <= MOST_UNITS) == (8, True)


def test_filters_count_and_take_several_values(ada: Client, books: list[Book]) -> None:
    poetry = sum(book.genre == "Poetry" for book in books)
    page = Shown(ada, BOOKS_URL)
    page = page.go(page.choices("genre")[f"Poetry ({poetry})"])
    assert page.total == str(poetry)
    scifi = sum(book.genre == "Sci-fi" for book in books)
    page = page.go(page.choices("genre")[f"Sci-fi ({scifi})"])
    assert page.total == str(poetry + scifi)
    dutch = sum(book.genre in {"Poetry", "Sci-fi"} and book.language == "Dutch" for book in books)
    page = page.go(page.choices("language")[f"Dutch ({dutch})"])
    assert page.total == str(dutch)
    assert {f"Dutch ({dutch})"} <= {*page.chosen}
    left = sum(book.genre == "Poetry" and book.language == "Dutch" for book in books)
    page = page.go(page.choices("genre")[next(label for label in page.choices("genre") if "Sci-fi" in label)])
    assert page.total == str(left)
    page = page.go(page.choices("genre")["All"])
    assert page.total == str(sum(book.language == "Dutch" for book in books))
    blank = sum(book.genre == "" for book in books)
    assert Shown(ada, BOOKS_URL).choices("genre")[f"- ({blank})"].endswith("?genre=")


def test_a_filter_of_many_values_draws_some_and_takes_any(
    ada: Client, books: list[Book], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filters, "MOST_CHOICES", 2)

    def typed(page: Shown, value: str) -> Shown:
        fields = page.soup.select("form:has(#id_genre) input[name]")
        return page.go(f"{BOOKS_URL}?{urlencode([(each['name'], each.get('value') or value) for each in fields])}")

    page = Shown(ada, f"{BOOKS_URL}?o=1")
    frequent = sorted(GENRES, key=lambda genre: -sum(book.genre == genre for book in books))[:2]
    assert {label.partition(" (")[0] for label in page.choices("genre")} == {"All", *(each or "-" for each in frequent)}
    assert page.soup.select_one("[data-left-out]").get_text() == "These 2 of 4 values have the most rows."
    assert not page.soup.select("#id_binding")  # which has two values
    page = typed(page, "pOETRY")
    assert {*walked(page, 1)} == {book.shelf for book in books if book.genre == "Poetry"}
    page = typed(page, "Sci-fi")
    assert page.total == str(sum(book.genre in {"Poetry", "Sci-fi"} for book in books))
    page = typed(page, "Nothing")
    assert page.go(page.choices("genre")["Nothing"]).address.endswith("?genre=pOETRY&genre=Sci-fi&o=1")


def test_a_wrong_value_leads_to_the_list_of_its_owner(ada: Client) -> None:
    assert ada.get(f"{LOANS_URL}?library=L1&due__gte=x")["Location"] == f"{LOANS_URL}?library=L1&e=1"
    assert ada.get(f"{BOOKS_URL}?year__gte=x")["Location"] == f"{BOOKS_URL}?e=1"
    assert "&#x27;x&#x27; is no Year." in Shown(ada, f"{BOOKS_URL}?e=1").text


def test_counts_are_those_of_the_rows_that_may_be_seen(
    ada: Client, books: list[Book], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = BookAdmin.get_queryset

    def shown(query: str, **own: Any) -> Shown:
        monkeypatch.setattr(BookAdmin, "get_queryset", lambda self, request: usual(self, request).where(**own))
        return Shown(ada, BOOKS_URL + query)

    poetry = [book.language for book in books if book.genre == "Poetry"]
    page = shown("?language=Dutch", genre="Poetry")
    assert {*page.choices("language")} == {"All", *(f"{each} ({poetry.count(each)})" for each in LANGUAGES)}
    assert [*page.choices("genre")] == ["All", f"Poetry ({poetry.count('Dutch')})"]
    assert f"({len(poetry)} total)" in page.soup.select_one("#changelist-search").get_text()
    assert [*shown("?q=the", genre="Poetry").choices("genre")] == ["All", "Poetry"]
    page = shown("?language=Dutch", year=at_most(1954))  # of these years, nothing counts the languages
    assert {*page.choices("language")} == {"All", *LANGUAGES}
    assert f"{len(books)} total" not in page.text


def test_a_filter_of_the_project_narrows_the_query(
    ada: Client, books: list[Book], monkeypatch: pytest.MonkeyPatch
) -> None:
    for facets in (ShowFacets.ALWAYS, ShowFacets.ALLOW, ShowFacets.NEVER):
        monkeypatch.setattr(BookAdmin, "show_facets", facets)
        page = Shown(ada, f"{BOOKS_URL}?genre=Poetry&_facets=True")
        label = next(each for each in page.choices("decade") if each.startswith("No year"))
        page = page.go(page.choices("decade")[label])
        assert {*walked(page, 1)} == {book.shelf for book in books if book.genre == "Poetry" and book.year is None}
        assert any("(" in each for each in page.choices("genre")) == (facets is not ShowFacets.NEVER)


def test_a_column_that_is_computed_sorts_by_what_it_names(
    ada: Client, books: list[Book], monkeypatch: pytest.MonkeyPatch
) -> None:
    @display(ordering="-year", description="Age")
    def age(book: Book) -> str:
        return f"{book.age} years"

    monkeypatch.setattr(BookAdmin, "list_display", ["title", age, "author"])
    for sign in ("", "-"):
        page = Shown(ada, f"{BOOKS_URL}?o={sign}2")
        rows = sorted(books, key=lambda book: (part(book.year), book.shelf), reverse=not sign)
        assert page.ids == [book.shelf for book in rows[:20]]
        assert page.column("age")[0] == f"{rows[0].age} years"
        assert page.soup.select(f".column-age.{'de' if sign else 'a'}scending")
    assert Shown(ada, f"{BOOKS_URL}?o=3").ids == page.go(BOOKS_URL).ids  # nothing sorts by authors


def test_words_are_found_by_their_beginnings_with_filters(ada: Client, books: list[Book]) -> None:
    for text, genre in (
        ("hob", None),
        ("le", None),
        ("ann", "Poetry"),
        ("cel sol", None),
        ("the mo", "Sci-fi"),
        ("???", None),
    ):
        pairs = [("q", text), *([("genre", genre)] if genre else [])]
        page = Shown(ada, f"{BOOKS_URL}?{urlencode(pairs)}")
        words = text.split() if text != "???" else ["\0"]
        found = {
            book.shelf
            for book in books
            if all(any(word.startswith(each) for word in _words(book)) for each in words)
            and (genre is None or book.genre == genre)
        }
        shown = walked(page, 1)
        assert len(shown) == len({*shown})
        assert {*shown} == found
        assert page.soup.select_one("#searchbar")["value"] == text


def _words(book: Book) -> list[str]:
    return re.findall(r"\w+", f"{book.title} {book.author}".lower().replace("ç", "c"))


def test_the_search_form_keeps_all_values_of_filters(ada: Client, books: list[Book]) -> None:
    page = Shown(ada, f"{BOOKS_URL}?genre=Poetry&genre=Sci-fi&o=1")
    kept = [(each["name"], each["value"]) for each in page.soup.select("#changelist-search input[type=hidden]")]
    assert kept == [("genre", "Poetry"), ("genre", "Sci-fi"), ("o", "1")]
    kept = [(each["name"], each["value"]) for each in page.soup.select('[data-filter-title="year"] input[type=hidden]')]
    assert kept == [("genre", "Poetry"), ("genre", "Sci-fi"), ("o", "1")]


def test_all_rows_of_a_short_list_are_shown_at_once(
    ada: Client, books: list[Book], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BookAdmin, "list_max_show_all", 100)
    page = Shown(ada, f"{BOOKS_URL}?genre=Poetry")
    everything = page.go(page.at(page.soup.select_one(".showall")))
    assert len(everything.ids) == sum(book.genre == "Poetry" for book in books)
    assert len(Shown(ada, f"{BOOKS_URL}?all=&q=%20").ids) == 20  # they are too many, and blanks are no search


def test_a_cursor_of_another_list_shows_the_first_page(ada: Client, books: list[Book]) -> None:
    page = Shown(ada, BOOKS_URL)
    other = page.pages["2"].replace("?", "?genre=Poetry&")
    shown = page.go(other)
    assert shown.number == 1
    assert "first page" in shown.said[0]


def test_owners_come_first(ada: Client, loans: list[Loan], no_scan: Any) -> None:
    page = Shown(ada, LOANS_URL)
    links = {a.get_text(): page.at(a) for a in page.soup.select("#content-main li a")}
    assert links == {"L1": f"{LOANS_URL}?library=L1", "L2": f"{LOANS_URL}?library=L2"}
    page = page.go(links["L2"])
    assert {*walked(page, 1)} == {loan.number for loan in loans if loan.library == "L2"}
    assert page.choices("library")["All"] == f"{LOANS_URL}"
    filtered = page.go(next(url for label, url in page.choices("member").items() if label.startswith("x")))
    assert {*walked(filtered, 1)} == {loan.number for loan in loans if (loan.library, loan.member) == ("L2", "x")}
    cleared = filtered.go(filtered.at(filtered.soup.select_one("#changelist-filter-extra-actions a")))
    assert cleared.address == f"{LOANS_URL}?library=L2"


def test_a_sparse_list_is_a_filter_in_its_own_order(ada: Client, loans: list[Loan], no_scan: Any) -> None:
    page = Shown(ada, f"{LOANS_URL}?library=L1")
    page = page.go(page.choices("open")["Open"])
    rows = sorted(
        (loan for loan in loans if loan.library == "L1" and loan.returned is None),
        key=lambda loan: (loan.due, loan.number),
    )
    assert walked(page, 1) == [loan.number for loan in rows]
    narrowed = page.go(page.choices("genre")["A"])
    assert walked(narrowed, 1) == [loan.number for loan in rows if loan.genre == "A"]


def test_days_are_found_by_year_month_and_day(ada: Client, loans: list[Loan]) -> None:
    page = Shown(ada, f"{LOANS_URL}?library=L1")
    links = {a.get_text(): page.at(a) for a in page.soup.select(".toplinks a")}
    assert [*links] == ["2025", "2026"]
    assert page.cost["waves"] <= 2
    assert page.cost["units"] <= (MOST_UNITS if dynamodb_local.wanted() else 2.5)
    page = page.go(links["2026"])
    assert {*walked(page, 1)} == {loan.number for loan in loans if loan.library == "L1" and loan.due.year == 2026}
    page = page.go({a.get_text(): page.at(a) for a in page.soup.select(".toplinks a")}["February 2026"])
    february = [loan for loan in loans if loan.library == "L1" and (loan.due.year, loan.due.month) == (2026, 2)]
    assert {*walked(page, 1)} == {loan.number for loan in february}
    page = page.go({a.get_text(): page.at(a) for a in page.soup.select(".toplinks a")}["February 3"])
    assert {*walked(page, 1)} == {loan.number for loan in february if loan.due.day == 3}


def test_years_without_rows_are_left_out(ada: Client, books: list[Book], monkeypatch: pytest.MonkeyPatch) -> None:
    def years(address: str) -> list[str]:
        return [a.get_text() for a in Shown(ada, address).soup.select(".toplinks a")]

    days = [date(1997, 12, 31), date(2001, 1, 1), date(2001, 12, 31), date(2004, 6, 1), date(2008, 1, 1)]
    LOANS.save(Loan(library="L5", number=f"N-{n}", genre="A", member="x", due=day) for n, day in enumerate(days))
    assert years(f"{LOANS_URL}?library=L5") == ["1997", "2001", "2004", "2008"]
    assert Shown(ada, f"{LOANS_URL}?library=L5").cost["waves"] <= 3
    monkeypatch.setattr(queries, "MOST_YEARS", 9)
    assert years(f"{LOANS_URL}?library=L5") == [str(year) for year in range(1997, 2009)]
    assert years(f"{LOANS_URL}?library=L6") == []
    monkeypatch.setattr(BookAdmin, "date_hierarchy", "bought")
    late = Book(shelf="Y-1", title="Late", author="Y", bought=datetime(2025, 12, 31, 23, 30, tzinfo=UTC))
    BOOKS.save([late])  # in Amsterdam, it is the next year
    assert years(BOOKS_URL) == ["2024", "2026"]
    assert Shown(ada, f"{BOOKS_URL}?bought__year=2026").ids == ["Y-1"]
    BOOKS.delete(BOOKS.get(shelf="Y-1"))


LIBRARY = "L7"


def loan(number: int) -> Loan:
    return Loan(library=LIBRARY, number=f"N-{number:03}", genre="A", member="x", due=date(2026, 1, 1))


@pytest.mark.parametrize(("query", "step"), [("", 1), ("", -1), ("&due__gte=2026-01-01", -1), ("&open=1", 1)])
def test_every_row_that_stays_is_shown_while_others_come_and_go(
    ada: Client, monkeypatch: pytest.MonkeyPatch, query: str, step: int
) -> None:
    """On the way on, pages before become fewer than the rank in a cursor says, and on the way back more."""
    for name, value in {"list_per_page": 5, "date_hierarchy": None, "list_display": ["number"]}.items():
        monkeypatch.setattr(LoanAdmin, name, value)
    numbers, (fewer, more) = [*range(100, 200, 2)], (3, 1) if step > 0 else (1, 4)
    LOANS.save(map(loan, numbers))
    rnd, seen, stays = random.Random(1), set[str](), {*numbers}
    page = Shown(ada, f"{LOANS_URL}?library={LIBRARY}{query}")
    if step < 0:
        page = page.go([*page.pages.values()][-1])
    for shown in follow(page, partial(beside, step=step), page.go):
        seen |= {*shown.ids}
        gone = {*rnd.sample(numbers, min(fewer, len(numbers)))}
        for number in gone:
            LOANS.delete(LOANS.get(library=LIBRARY, id=f"N-{number:03}"))
        free = sorted({*range(101, 199, 2)} - {*numbers})
        added = rnd.sample(free, min(more, len(free)))
        LOANS.save(map(loan, added))
        stays, numbers = stays - gone, sorted({*numbers, *added} - gone)
    assert {f"N-{number:03}" for number in stays} <= seen
    for each in LOANS.query(library=LIBRARY):
        LOANS.delete(each)


NAMES = """
    genre year year__gte year__lte price__gte bought__gte bought__lt bought__year rare rare__exact binding o p q all e x
    title__startswith shelf shelf__gte pk pk__in library open due__year due__month due__day due__gte _popup _to_field
    _facets _changelist_filters summary revision number__startswith genre__in genre__isnull row_key genre__language
"""
VALUES = """
    0 -1 1 99999999999 1e999999999 NaN Infinity True # a#b 2026-02-31 0001-01-01 9999-12-31 -4.-4 4.5.6 L1 % ' " <b> ²
    0001-01-01T00:00:00+14:00 Poetry hardback 1950 ١ ½
"""
HOSTILE = [*VALUES.split(), "", "\x00", "\ud800", "9" * 5000, "é" * 2000]


@given(
    address=st.sampled_from([BOOKS_URL, LOANS_URL, f"{LOANS_URL}?library=L1"]),
    pairs=st.lists(
        st.tuples(st.sampled_from(NAMES.split()), st.sampled_from(HOSTILE) | st.text(max_size=20)),
        max_size=4,
    ),
)
@settings(deadline=None, max_examples=examples(60))
def test_no_query_string_is_an_error_of_the_server(hostile: Client, address: str, pairs: list[tuple[str, str]]) -> None:
    query = urlencode(pairs, errors="replace")
    answer = hostile.get(f"{address}{'&' if '?' in address else '?'}{query}")
    assert answer.status_code in {200, 302, 400}, pairs
    if answer.status_code == 302:
        assert answer["Location"].endswith("e=1")
