"""Lists with bad parameters: status 400, the list under the other parameters, and each problem beside its field."""

import pytest
from django.http import QueryDict
from django.test import Client

from orders.forms import StatusAndDaysForm
from portal.forms.parameters import BadParameters, checked
from portal.lists.forms import ListForm
from portal.lists.views import MAX_READS
from reviews.forms import ReviewsForm
from rooms.forms import RoomsForm
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_order, store
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOMS, REVIEWS, ORDERS = f"/hotels/{ABC}/rooms/", f"/hotels/{ABC}/reviews/", "/guests/alex/orders/"
SMALL, LARGE = [f"1{n:02d}" for n in range(40)], [f"2{n:02d}" for n in range(40)]


def fill() -> None:
    views = ("Sea view", "Garden view")
    small = [make_room(number, views[n % 2], size=20, type="Double") for n, number in enumerate(SMALL)]
    make_hotel([*small, *(make_room(number, size=60) for number in LARGE)])
    store([make_order("o-1", "alex")])
    store_reviews([make_review("r-1", "en", 5), make_review("r-2", "de", 1)])


def refused(client: Client, url: str, **headers: str) -> ListMarkup:
    """Return the list of an answer with status 400."""
    response = client.get(url, headers=headers)
    assert response.status_code == 400
    page = ListMarkup(response.content)
    assert page.table
    return page


@pytest.mark.parametrize(
    ("url", "field", "typed", "label", "total"),
    [
        (f"{ROOMS}?size_min=-7&view=sea-view", "size_min", "-7", "From m²", 60),
        (f"{ROOMS}?size_min=50&size_max=40&type=double", "size_min", "50", "From m²", 40),
        (f"{ORDERS}?from=2023-02-01&to=2023-01-01&status=SHIPPED", "from", "2023-02-01", "From", None),
        ("/guests/?q=%23", "q", "#", "Beginning of a name, e-mail or username; end of a phone number", None),
    ],
)
def test_the_problem_is_beside_its_field_with_what_was_typed(
    staff: Client, url: str, field: str, typed: str, label: str, total: int | None
) -> None:
    page = refused(staff, url)
    assert page.text(f'.problems [data-problem="{field}"]') == label
    control = page.element(f"#{field}")
    assert control["value"] == typed
    assert control["aria-invalid"] == "true"
    assert page.text(f"#{control['aria-describedby']} li") == page.text(".problems dd")
    assert page.table.get("data-total") == (str(total) if total is not None else None)


@pytest.mark.parametrize(
    ("url", "field", "rows"),
    [
        (f"{ROOMS}?size=21&type=suite", "size", LARGE),
        (f"{REVIEWS}?language=fr&rating=5", "language", ["r-1"]),
    ],
)
def test_a_choice_that_is_not_offered_is_named_at_the_choices(
    staff: Client, url: str, field: str, rows: list[str]
) -> None:
    page = refused(staff, f"{url}&page_size=100")
    box = next(box for box in page.soup.select("fieldset") if box.select(f'[data-facet="{field}"]'))
    assert page.text(f"#{box['aria-describedby']}") == page.text(".problems dd")
    assert sorted(page.rows) == rows


def test_a_list_with_too_many_unknown_values_is_not_read_again_and_again(staff: Client) -> None:
    views = "&".join(f"view=v{n}" for n in range(MAX_READS + 1))
    response = staff.get(f"{ROOMS}?{views}")
    assert response.status_code == 400
    page = ListMarkup(response.content)
    assert page.text("[data-problem=view]") == "View"
    assert not page.soup.select("table")


def test_a_bad_cursor_leads_to_the_first_page(staff: Client) -> None:
    page = refused(staff, f"{ROOMS}?sort=-size&page_size=10&cursor=x")
    assert page.text("[data-problem=cursor]") == "Page"
    assert page.text("nav.pager .range") == "1–10 of 80"
    assert page.rows[0] in LARGE
    assert staff.get(ROOMS + str(page.link("next"))).status_code == 200


def test_an_export_with_bad_parameters_is_no_download(staff: Client) -> None:
    for query in ("size_min=x&format=csv", "view=nowhere&format=xlsx", "cursor=x&view=nowhere&format=csv"):
        response = staff.get(f"{ROOMS}?{query}")
        assert (response.status_code, "Content-Disposition" in response) == (400, False), query
        page = ListMarkup(response.content)
        assert not page.soup.select("table"), query
        assert page.text(".problems dt") in {"From m²", "View"}, query


def remaining(form: ListForm) -> str:
    with pytest.raises(BadParameters) as refused:
        checked(form)
    return refused.value.remaining


@pytest.mark.parametrize(
    ("form", "query", "good"),
    [
        (ReviewsForm, "language=FR&language=fr&language=%23&sort=-date", "language=fr&sort=-date"),
        (RoomsForm, "size=040&size=x&size=40&size=&view=a%20b", "size=40"),
        (RoomsForm, "size=x&page_size=25&format=csv&cursor=x&odd=1", ""),
        (RoomsForm, "size_min=050&size_max=40&type=suite", "type=suite&size_max=40"),
        (StatusAndDaysForm, "from=2023-01-15&to=tomorrow&status=SHIPPED", "status=SHIPPED&from=2023-01-15"),
    ],
)
def test_the_way_out_keeps_each_good_value_in_its_one_spelling(form: type[ListForm], query: str, good: str) -> None:
    assert remaining(form(QueryDict(query))) == good


# --- The button that opens the filters on a narrow screen ------------------------------------------------


def test_a_filter_with_a_problem_is_not_folded_away(staff: Client) -> None:
    page = refused(staff, f"{ROOMS}?size_min=x&view=sea-view")
    assert page.element(".fold").has_attr("open")
    assert page.text(".fold summary") == "Filters 1 set"
    assert not refused(staff, f"{ROOMS}?cursor=x").element(".fold").has_attr("open")


def test_every_problem_is_named_even_if_only_the_data_shows_it(staff: Client) -> None:
    page = refused(staff, f"{ROOMS}?view=x&view=y&type=z&size_min=0&size_max=20")
    assert [name["data-problem"] for name in page.soup.select("[data-problem]")] == ["size_min", "view", "view", "type"]
    assert page.total == len(SMALL)
    assert [str(link["href"]) for link in page.soup.select(".refused .actions a")] == [f"{ROOMS}?size_max=20", ROOMS]
