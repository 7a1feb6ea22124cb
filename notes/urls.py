from django.urls import path

from notes import views

app_name = "notes"
urlpatterns = [
    path("hotels/<str:hotel_id>/jobs/", views.JobsPage.as_view(), name="jobs"),
    path("hotels/<str:hotel_id>/notes/", views.NotesPage.as_view(), name="notes"),
    path("hotels/<str:hotel_id>/notes/add/", views.AddNotePage.as_view(), name="add"),
    path("hotels/<str:hotel_id>/notes/<str:note_id>/", views.NotePage.as_view(), name="note"),
    path("hotels/<str:hotel_id>/notes/<str:note_id>/delete/", views.DeleteNotePage.as_view(), name="delete"),
]
