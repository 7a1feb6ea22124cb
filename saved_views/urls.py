from django.urls import path

from saved_views.views import pages

app_name = "saved_views"
urlpatterns = [
    path("views/", pages.ViewsPage.as_view(), name="views"),
    path("views/save/", pages.SavePage.as_view(), name="save"),
    path("views/<int:view_id>/rename/", pages.RenamePage.as_view(), name="rename"),
    path("views/<int:view_id>/delete/", pages.DeleteViewPage.as_view(), name="delete"),
]
