"""The reviews app: guests' reviews of hotels, and the counts of languages and ratings."""

from django.apps import AppConfig

from hotels.apps import Action, HasHotelPages, HotelPages, HotelTab
from portal.frame import HasLinks, Links, SidebarLink
from portal.history.subjects import Subject

VIEW_REVIEWS = "reviews.view_review"


class ReviewsConfig(HasLinks, HasHotelPages, AppConfig):
    name = "reviews"
    links = Links(
        sidebar=(SidebarLink("Guests", "Unanswered reviews", "reviews", "reviews:unanswered"),),
        palette=(SidebarLink("", "Unanswered reviews of all hotels", "", "reviews:unanswered"),),
    )
    subjects = (Subject("review", "Review {0}", "reviews:review", VIEW_REVIEWS),)
    imports = ("reviews.imports.ReviewImport",)
    measured_lists = ("reviews.lab.REVIEWS",)
    good_filters = ("reviews.lab.SMALL_SHARE",)
    rules = ("reviews.invariants.RULES",)
    seeders = ("reviews.seeding.ReviewSeeder",)

    @property
    def hotel_pages(self) -> HotelPages:
        from reviews.queries import reviews_of_room
        from reviews.views.pages import OF_ROOM

        return HotelPages(
            tabs=(HotelTab(50, "Reviews", "reviews:reviews", VIEW_REVIEWS),),
            actions=(
                Action("Unanswered reviews", "reviews:reviews", VIEW_REVIEWS, "?unanswered=1"),
                Action("Add a review", "reviews:add_review", "reviews.add_review"),
            ),
            room_parts=(OF_ROOM,),
            naming=reviews_of_room,
        )
