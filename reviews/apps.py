"""The reviews app: guests' reviews of hotels, and the counts of languages and ratings."""

from django.apps import AppConfig

from hotels.apps import Action, HotelTab
from portal.frame import SidebarLink
from portal.history.subjects import Subject

VIEW_REVIEWS = "reviews.view_review"


class ReviewsConfig(AppConfig):
    name = "reviews"
    sidebar = (SidebarLink("Guests", "Unanswered reviews", "reviews", "reviews:unanswered"),)
    subjects = (Subject("review", "Review {0}", "reviews:review", VIEW_REVIEWS),)
    hotel_tabs = (HotelTab(50, "Reviews", "reviews:reviews", VIEW_REVIEWS),)
    palette_links = (SidebarLink("", "Unanswered reviews of all hotels", "", "reviews:unanswered"),)
    hotel_actions = (
        Action("Unanswered reviews", "reviews:reviews", VIEW_REVIEWS, "?unanswered=1"),
        Action("Add a review", "reviews:add_review", "reviews.add_review"),
    )
    room_parts = ("reviews.views.pages.OF_ROOM",)
    gone_room_parts = room_parts
    room_names = ("reviews.queries.reviews_of_room",)
    imports = ("reviews.imports.ReviewImport",)
    measured_lists = ("reviews.lab.REVIEWS",)
    good_filters = ("reviews.lab.SMALL_SHARE",)
    rules = ("reviews.invariants.RULES",)
    seeders = ("reviews.seeding.ReviewSeeder",)
