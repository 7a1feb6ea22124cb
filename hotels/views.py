"""Pages of hotels."""

from typing import Any

from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.portal.lists.forms import ListForm
from hotelapp.portal.lists.views import ListPage
from hotelapp.portal.views import StaffPage
from hotels import queries
from hotels.entities import Hotel

SWITCHER_HOTELS = 100


class HotelsPage(ListPage[ListForm]):
    """All hotels with the number of their rooms."""

    title = "Hotels"
    form_class = ListForm
    template_name = "hotels/hotels.html"
    list_template_name = "hotels/_hotels.html"
    entity = Hotel
    noun = "hotels"

    def listing(self, form: ListForm) -> Listing[Hotel]:
        """All hotels."""
        return queries.hotels()


class HotelSwitcher(StaffPage):
    """The links of the hotel switcher. They are loaded when it opens, so that a closed switcher costs nothing."""

    template_name = "hotels/_switcher.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The first hundred hotels. The page of all hotels lists the others."""
        return {"hotels": queries.first_hotels(SWITCHER_HOTELS)}
