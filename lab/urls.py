from django.urls import path

from lab import views

app_name = "lab"
urlpatterns = [
    path("lab/", views.LabPage.as_view(), name="lab"),
]
