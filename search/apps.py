"""The search app: one field that finds all, and what pickers in forms find."""

from django.apps import AppConfig

from portal.app_config import PortalConfig


class SearchConfig(PortalConfig, AppConfig):
    name = "search"
    frame_urls = {"search": "search:search", "palette": "search:palette", "choices": "search:choices"}

    def ready(self) -> None:
        from search.views import UsersFinder

        self.finder = UsersFinder
