"""The accounts app: logins and their limits, the second factor, and the pages of staff accounts below ``/admin/``."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Staff accounts."""

    name = "hotelapp.accounts"
    label = "accounts"
    verbose_name = "staff accounts"
