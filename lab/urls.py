from django.urls import path

from lab import views

app_name = "lab"
urlpatterns = [
    path("lab/", views.LabPage.as_view(), name="lab"),
    path("lab/break-even/", views.BreakEvenPage.as_view(), name="break_even"),
]
