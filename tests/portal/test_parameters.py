"""Query strings: valid values get their canonical spelling, and the error page's link keeps them."""

import pytest
from django.http import QueryDict

from orders.forms.orders import StatusAndDaysForm
from portal.forms.parameters import BadParameters, checked
from portal.lists.forms import ListForm
from reviews.forms import ReviewsForm
from rooms.forms.room_queries import RoomsForm


def remaining(form: ListForm) -> str:
    with pytest.raises(BadParameters) as refused:
        checked(form)
    return refused.value.remaining


@pytest.mark.parametrize(
    ("form", "query", "good"),
    [
        (ReviewsForm, "rating=5&rating=9", "rating=5"),
        (ReviewsForm, "language=FR&language=fr&language=%23&sort=-date", "language=fr&sort=-date"),
        (RoomsForm, "size=040&size=x&size=40&size=&view=a%20b", "size=40"),
        (RoomsForm, "size=x&page_size=25&format=csv&cursor=x&odd=1", ""),
        (RoomsForm, "number=10&size=40&size=x", "number=10&size=40"),
        (RoomsForm, "size_min=050&size_max=40&type=suite", "type=suite&size_max=40"),
        (StatusAndDaysForm, "from=2023-01-15&to=tomorrow&status=SHIPPED", "status=SHIPPED&from=2023-01-15"),
    ],
)
def test_the_way_out_keeps_each_good_value_in_its_one_spelling(form: type[ListForm], query: str, good: str) -> None:
    assert remaining(form(QueryDict(query))) == good


@pytest.mark.parametrize(
    ("form", "query", "field", "value"),
    [(ReviewsForm, "rating=5&language=FR", "language", "fr"), (RoomsForm, "view=sea&size=0777", "size", "777")],
)
def test_a_value_that_nothing_has_is_left_out_however_it_was_spelt(
    form: type[ListForm], query: str, field: str, value: str
) -> None:
    asked = form(QueryDict(query))
    checked(asked)
    assert field not in asked.refuse(field, "There is none here.", value).remaining
