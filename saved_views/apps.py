"""The app of saved views: lists with their filters and sort, under a name, for oneself or for all of a hotel."""

from django.apps import AppConfig
from django.db.models.signals import post_delete

from dynamodb_lists.django.declaring import HasRules, Rules
from portal.frame import HasLinks, Links
from portal.sources import HasSources, Sources

SHARE_VIEWS = "portal.share_views"
"""The permission to save, rename and delete the views of a hotel."""


class SavedViewsConfig(HasRules, HasSources, HasLinks, AppConfig):
    """Saved views."""

    name = "saved_views"

    @property
    def rules(self) -> Rules:
        from saved_views.invariants import RULES

        return RULES

    @property
    def sources(self) -> Sources:
        from saved_views.seeding import ViewSeeder

        return Sources(ViewSeeder)

    def ready(self) -> None:
        from saved_views.commands import forget_account

        post_delete.connect(forget_account, "auth.User", dispatch_uid="saved views of a deleted account")

    @property
    def links(self) -> Links:
        from saved_views.views.sidebar import sidebar_group

        return Links(frame=(("save_view", "saved_views:save"),), group=sidebar_group)
