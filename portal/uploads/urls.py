"""Addresses of uploads. ``things`` are what an app imports: rooms, orders, reviews."""

from django.urls import path

from portal.uploads import views

app_name = "uploads"
urlpatterns = [
    path("imports/<slug:things>/", views.ImportPage.as_view(), name="import"),
    path("imports/<slug:things>/<str:upload_id>/", views.UploadPage.as_view(), name="upload"),
    path("imports/<slug:things>/<str:upload_id>/refused/", views.RefusedRows.as_view(), name="refused"),
]
