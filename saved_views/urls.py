"""Addresses of saved views."""

from django.urls import path

from saved_views.views import pages

app_name = "saved_views"
urlpatterns = [
    path("views/", pages.ViewsPage.as_view(), name="views"),
    path("views/save/", pages.SavePage.as_view(), name="save"),
    path("views/<slug:view_id>/rename/", pages.RenamePage.as_view(), name="rename"),
    path("views/<slug:view_id>/delete/", pages.DeleteViewPage.as_view(), name="delete"),
    path("hotels/<str:hotel_id>/views/<slug:view_id>/rename/", pages.HotelRenamePage.as_view(), name="rename_of_hotel"),
    path("hotels/<str:hotel_id>/views/<slug:view_id>/delete/", pages.HotelDeletePage.as_view(), name="delete_of_hotel"),
]
