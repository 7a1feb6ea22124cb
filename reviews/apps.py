from django.apps import AppConfig

from hotels.app_config import HotelPagesConfig, HotelTab
from portal.app_config import SidebarLink, Subject

VIEW_REVIEWS, KEEP_REPLIES = "reviews.view_review", "reviews.keep_replies"


class ReviewsConfig(HotelPagesConfig, AppConfig):
    name = "reviews"
    sidebar = (SidebarLink("Guests", "Reviews without a reply", "reviews", "reviews:unanswered"),)
    subjects = (
        Subject("review", "Review {0}", "reviews:review", VIEW_REVIEWS),
        Subject(
            "standard-reply", "Standard reply {2} ({1}) of {0}", "reviews:standard_reply", KEEP_REPLIES, in_hotel=True
        ),
    )
    tabs = (HotelTab(50, "Reviews", "reviews:reviews", VIEW_REVIEWS),)

    def ready(self) -> None:
        from reviews import imports, invariants, queries
        from reviews.views.pages import OF_ROOM

        self.rules = invariants.RULES
        self.importer = imports.ReviewImport
        self.room_parts = (OF_ROOM,)
        self.naming = queries.reviews_of_room
