from django.urls import path

from portal.history import views

app_name = "history"
urlpatterns = [
    path("history/mine/", views.OwnHistory.as_view(), name="mine"),
    path("history/staff/", views.StaffHistoryFinder.as_view(), name="find_staff"),
    path("history/staff/<path:username>/", views.StaffHistoryPage.as_view(), name="staff"),
    path("history/newest/<slug:kind>/<path:ids>/", views.NewestEntries.as_view(), name="newest"),
    path("history/undo/<slug:kind>/<path:ids>/", views.UndoPage.as_view(), name="undo"),
    path("history/<slug:kind>/<path:ids>/", views.ThingHistoryPage.as_view(), name="thing"),
]
