from django.urls import path

from overview.views import pages

app_name = "overview"
urlpatterns = [
    path("", pages.GroupOverview.as_view(), name="group"),
    path("hotels/<str:hotel_id>/", pages.HotelOverview.as_view(), name="hotel"),
    path("hotels/<str:hotel_id>/handover/", pages.HandoverPage.as_view(), name="handover"),
    path("hotels/<str:hotel_id>/history/", pages.HotelHistoryPage.as_view(), name="history"),
]
