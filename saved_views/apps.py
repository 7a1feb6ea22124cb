"""The app of saved views: lists with their filters and sort, under a name, for oneself or for all of a hotel."""

from django.apps import AppConfig

from portal.app_config import PortalConfig

SHARE_VIEWS = "portal.share_views"
"""The permission to save, rename and delete the views of a hotel."""


class SavedViewsConfig(PortalConfig, AppConfig):
    name = "saved_views"
    frame_urls = {"save_view": "saved_views:save"}

    def ready(self) -> None:
        from saved_views.views import sidebar_group

        self.sidebar_group = sidebar_group
