"""The accounts app: logins and their limits, the second factor, and the pages of staff accounts below ``/admin/``."""

from typing import Any

from django.apps import AppConfig, apps
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_migrate

from portal.app_config import PortalConfig, SidebarLink


class AccountsConfig(PortalConfig, AppConfig):
    name = "accounts"
    verbose_name = "staff accounts"
    sidebar = (
        SidebarLink("Staff", "Staff", "person", "admin:auth_user_changelist", "auth.view_user"),
        SidebarLink("Staff", "Roles", "groups", "admin:auth_group_changelist", "auth.view_group"),
    )

    def ready(self) -> None:
        from accounts import change_numbers as changes
        from accounts import models, recording

        self.subjects = recording.ACCOUNTS, recording.GROUPS
        models.check_all_names()
        user_logged_in.connect(changes.note_login, dispatch_uid="accounts.change_numbers")
        post_migrate.connect(changes.make_triggers, self, dispatch_uid="accounts.change_numbers")
        auth = apps.get_app_config("auth")
        auth.verbose_name = "Staff"  # docs/words.md
        for model, words in {"User": ("member of staff", "members of staff"), "Group": ("role", "roles")}.items():
            options = auth.get_model(model)._meta
            options.verbose_name, options.verbose_name_plural = words
        mail: Any = auth.get_model("User")._meta.get_field("email")
        mail.verbose_name = "e-mail address"
