"""Readers: they open lists, follow them to the next page, search and export, all the time."""

from urllib.parse import urljoin

from tests.storm.pages import next_page
from tests.storm.traffic import NO_ANSWER
from tests.storm.writers.base import OK, Client

MOST_PAGES = 3
ADDRESSES = (
    ("list", "/hotels/"),
    ("list", "/hotels/lakeview/rooms/"),
    ("list", "/hotels/lakeview/rooms/?view=sea-view&view=garden-view&sort=-size&then=type"),
    ("list", "/hotels/lakeview/rooms/?sort=-rate&page_size=10"),
    ("list", "/hotels/lakeview/rooms/?status=dirty&status=out-of-order"),
    ("list", "/hotels/seaside/rooms/?size_min=20&size_max=40&sort=type"),
    ("list", "/hotels/seaside/rooms/?number=1"),
    ("list", "/hotels/seaside/attention/"),
    ("list", "/guests/"),
    ("list", "/guests/?q=a"),
    ("list", "/orders/unfinished/"),
    ("list", "/orders/unfinished/?status=PROCESSING&sort=date"),
    ("list", "/orders/unfinished/"),
    ("list", "/hotels/seaside/orders/?status=PLACED"),
    ("list", "/hotels/seaside/orders/big/"),
    ("list", "/hotels/seaside/reviews/"),
    ("list", "/hotels/seaside/reviews/?language=en&rating=1&rating=5"),
    ("list", "/history/mine/"),
    ("page", "/"),
    ("page", "/hotels/lakeview/"),
    ("page", "/hotels/lakeview/rooms/101/"),
    ("page", "/history/room/lakeview/101/"),
    ("search", "/search/?q=storm"),
    ("search", "/search/palette/?q=1"),
    ("export", "/hotels/lakeview/rooms/?format=csv"),
    ("export", "/guests/?format=csv"),
    ("export", "/hotels/seaside/reviews/?format=csv"),
    ("wrong address", "/hotels/nowhere/rooms/"),
    ("wrong address", "/hotels/seaside/rooms/?sort=nothing"),
    ("wrong address", "/orders/nothing/"),
    ("static", "/static/portal/portal.css"),
)
"""Kinds of requests, and addresses. The demo data have what they name."""


class Reader(Client):
    """Opens one address after the other."""

    def step(self) -> None:
        """Open an address. A list is followed for some pages."""
        kind, address = self.random.choice(ADDRESSES)
        for _ in range(MOST_PAGES):
            answer = self.browser.get(address, kind)
            if answer.to_login:
                self.log_in()
            if answer.status == NO_ANSWER:
                self.wait()
            if kind != "list" or answer.status != OK or not (query := next_page(answer.text)):
                return
            address = urljoin(address, query)
