"""The app of saved views: lists with their filters and sort, under a name, for oneself or for all of a hotel."""

from django.apps import AppConfig
from django.db.models.signals import post_delete
from django.utils.module_loading import import_string

SHARE_VIEWS = "portal.share_views"
"""The permission to save, rename and delete the views of a hotel."""


class SavedViewsConfig(AppConfig):
    """Saved views."""

    name = "saved_views"
    rules = ("saved_views.invariants.RULES",)
    seeders = ("saved_views.seeding.ViewSeeder",)
    frame_links = (("save_view", "saved_views:save"),)
    sidebar_groups = ("saved_views.views.sidebar.sidebar_group",)

    def ready(self) -> None:
        forget = import_string("saved_views.commands.forget_account")  # models are loaded by now
        post_delete.connect(forget, "auth.User", dispatch_uid="saved views of a deleted account")
