"""Addresses between the password and the code, below the login page, so that its cookie reaches them."""

from django.urls import path

from hotelapp.accounts.second_factor import login_views

app_name = "login"
urlpatterns = [
    path("admin/login/code/", login_views.CodePage.as_view(), name="code"),
    path("admin/login/set-up/", login_views.FirstSetUpPage.as_view(), name="set_up"),
    path("admin/login/leave/", login_views.LeavePage.as_view(), name="leave"),
]
