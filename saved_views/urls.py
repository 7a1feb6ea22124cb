from django.urls import path

from saved_views import views

app_name = "saved_views"
urlpatterns = [
    path("views/", views.ViewsPage.as_view(), name="views"),
    path("views/save/", views.SavePage.as_view(), name="save"),
    path("views/<int:view_id>/rename/", views.RenamePage.as_view(), name="rename"),
    path("views/<int:view_id>/delete/", views.DeleteViewPage.as_view(), name="delete"),
]
