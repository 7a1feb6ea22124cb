"""What an address says is not repeated on a page, unless the page is about it.

An attacker who can make a browser ask for an address, and see how long the compressed answer is, could guess a text of
the page by repeating it in the address (BREACH). docs/portal.md says what the random bytes are worth.
"""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from tests.helpers.addresses import addresses, other_addresses
from tests.helpers.markup import ListMarkup
from tests.project.test_access import fill as fill_examples

fill = fill_examples
pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
GUESS = "zqxvkj"
NESTED = {"_changelist_filters": f"q={GUESS}", "next": f"/guests/?{GUESS}=1", "from": f"/guests/?q={GUESS}"}
"""Parameters whose value is an address or a query of its own."""

OF_ADMIN = {"_popup", "_to_field", "e", "o", "p", "q", "all", "is_active__exact", "groups__id__exact"}
"""What the lists of accounts and roles know."""

REFUSED = {"_to_field"}
"""What the forms of accounts and roles refuse, whatever else is in the address."""

ABOUT = {
    "q": "a list says what it was searched for",
    "number": "a list says which number it begins with",
    "room": "lists say which room they are of",
    "person": "the plan says whose rooms it shows",
    "order_id": "the form of a new order has its id",
    "username": "the form of a new order names the guest that it is filled in with",
    "hotel_id": "and the hotel",
    "review_id": "the form of a new review has its id",
    "note_id": "and that of a new note",
}
"""Parameters that a page repeats, because it is about them."""


def repeated(client: Client, url: str, names: set[str]) -> set[str]:
    """Return the parameters that the page repeats. Parameters that the page refuses are asked for one by one, or
    left out.
    """
    answer: Any = client.get(url, {name: NESTED.get(name, GUESS).replace(GUESS, GUESS + name) for name in names})
    if answer.status_code == 400:
        problems = ListMarkup(answer.content).soup.select("[data-problem]")
        refused = {str(problem["data-problem"]) for problem in problems} & names or names & REFUSED
        rest = [names - refused] if refused else [{name} for name in names if len(names) > 1]
        return set().union(*(repeated(client, url, each) for each in rest if each))
    if answer.streaming or answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
        answer.close()
        return set()
    page = ListMarkup(answer.content)
    for panel in page.soup.select("#cost-drawn"):  # it shows engineers the requests of this very address
        panel.decompose()
    return {name for name in names if GUESS + name in str(page.soup)}


def test_no_page_repeats_what_its_address_says(admin_client: Client) -> None:
    erin = User.objects.create_user("erin", email="erin@example.com", is_staff=True)
    Group.objects.update_or_create(pk=erin.pk, defaults={"name": "Night"})
    pages: dict[str, set[str]] = {}
    for address in {(each.page, *each.kwargs): each for each in addresses()}.values():
        form = getattr(getattr(address.view, "view_class", None), "form_class", None)
        pages[address.url] = {*getattr(form, "base_fields", ())}
    pages |= {url: OF_ADMIN for url in other_addresses(str(erin.pk)) if "logout" not in url}
    found = {url: repeated(admin_client, url, {*names, *NESTED, "unknown"}) for url, names in pages.items()}
    assert {url: names - ABOUT.keys() for url, names in found.items() if names - ABOUT.keys()} == {}
    assert ABOUT.keys() == set().union(*found.values()), "one that no page repeats needs no reason"
