from django.urls import path

from search import views

app_name = "search"
urlpatterns = [
    path("search/", views.SearchPage.as_view(), name="search"),
    path("search/choices/", views.Choices.as_view(), name="choices"),
    path("search/palette/", views.PaletteResults.as_view(), name="palette"),
]
