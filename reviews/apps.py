"""The reviews app: guests' reviews of hotels, and the counts of languages and ratings."""

from django.apps import AppConfig

from dynamodb_lists.django.declaring import HasRules, Rules
from hotels.apps import Action, HasHotelPages, HotelPages, HotelTab
from lab.measured import HasMeasured, MeasuredList
from portal.frame import HasLinks, Links, SidebarLink
from portal.history.subjects import HasSubjects, Subject
from portal.sources import HasSources, Sources

VIEW_REVIEWS = "reviews.view_review"


class ReviewsConfig(HasSubjects, HasRules, HasSources, HasMeasured, HasLinks, HasHotelPages, AppConfig):
    name = "reviews"
    links = Links(
        sidebar=(SidebarLink("Guests", "Unanswered reviews", "reviews", "reviews:unanswered"),),
        palette=(SidebarLink("", "Unanswered reviews of all hotels", "", "reviews:unanswered"),),
    )
    subjects = (Subject("review", "Review {0}", "reviews:review", VIEW_REVIEWS),)

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

    @property
    def rules(self) -> Rules:
        from reviews.invariants import RULES

        return RULES

    @property
    def sources(self) -> Sources:
        from reviews.imports import ReviewImport
        from reviews.seeding import ReviewSeeder

        return Sources(ReviewSeeder, ReviewImport)

    @property
    def measured(self) -> MeasuredList:
        from reviews.lab import REVIEWS

        return REVIEWS
