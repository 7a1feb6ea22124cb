"""Addresses of the second factor of the user who is logged in."""

from django.urls import path

from hotelapp.accounts.second_factor import views

app_name = "accounts"
urlpatterns = [
    path("account/second-factor/", views.SecondFactorPage.as_view(), name="second_factor"),
    path("account/second-factor/set-up/", views.SetUpPage.as_view(), name="set_up"),
    path("account/second-factor/backup-codes/", views.BackupCodesPage.as_view(), name="backup_codes"),
    path("account/second-factor/remove/", views.RemovePage.as_view(), name="remove"),
]
