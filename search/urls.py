from django.urls import path

from search.views import pages, palette

app_name = "search"
urlpatterns = [
    path("search/", pages.SearchPage.as_view(), name="search"),
    path("search/choices/", pages.Choices.as_view(), name="choices"),
    path("search/palette/", palette.PaletteResults.as_view(), name="palette"),
]
