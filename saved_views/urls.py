"""Addresses of saved views."""

from django.urls import path

from saved_views import views

app_name = "saved_views"
urlpatterns = [
    path("views/", views.ViewsPage.as_view(), name="views"),
    path("views/save/", views.SavePage.as_view(), name="save"),
    path("views/<slug:view_id>/rename/", views.RenamePage.as_view(), name="rename"),
    path("views/<slug:view_id>/delete/", views.DeleteViewPage.as_view(), name="delete"),
    path("hotels/<str:hotel_id>/views/<slug:view_id>/rename/", views.HotelRenamePage.as_view(), name="rename_of_hotel"),
    path("hotels/<str:hotel_id>/views/<slug:view_id>/delete/", views.HotelDeletePage.as_view(), name="delete_of_hotel"),
]
