from django.contrib.auth.views import LogoutView
from django.urls import include, path

from accounts.logins.passwords import OwnPasswordPage, SetPasswordPage
from accounts.second_factor import views

# Between the password and the code. They are below the login page, so that its cookie reaches them.
LOGIN = [
    path("code/", views.CodePage.as_view(), name="code"),
    path("set-up/", views.FirstSetUpPage.as_view(), name="set_up"),
    path("set-password/<uidb64>/<token>/", SetPasswordPage.as_view(), name="set_password"),
    path("leave/", LogoutView.as_view(next_page="admin:login", redirect_field_name=None), name="leave"),
]
SECOND_FACTOR = [
    path("", views.SecondFactorPage.as_view(), name="second_factor"),
    path("set-up/", views.SetUpPage.as_view(), name="set_up"),
    path("backup-codes/", views.BackupCodesPage.as_view(), name="backup_codes"),
    path("remove/", views.RemovePage.as_view(), name="remove"),
]
urlpatterns = [
    path("admin/login/", include((LOGIN, "login"))),
    path("admin/password_change/", OwnPasswordPage.as_view(), name="own_password"),
    path("account/second-factor/", include((SECOND_FACTOR, "accounts"))),
]
