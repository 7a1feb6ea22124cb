"""The accounts app: logins and their limits, the second factor, and the pages of staff accounts below ``/admin/``."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in

from hotelapp.history.subjects import Subject, register


class AccountsConfig(AppConfig):
    """Staff accounts."""

    name = "hotelapp.accounts"
    label = "accounts"
    verbose_name = "staff accounts"

    def ready(self) -> None:
        from hotelapp.accounts import names, recording  # noqa: PLC0415 (models are not loaded before)

        for kind, page, model in (("account", "named", "user"), ("group", "change", "group")):
            address = f"admin:auth_{model}_{page}"
            title = f"{kind.capitalize()} {{0}}"
            register(Subject(kind, title, address, f"auth.view_{model}", field_labels=recording.LABELS))
        user_logged_in.connect(lambda **_: recording.send(), weak=False, dispatch_uid="send to the history")
        names.refuse_authors()
