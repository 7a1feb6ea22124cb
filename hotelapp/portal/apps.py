"""The portal app: what every page shares."""

from django.apps import AppConfig


class PortalConfig(AppConfig):
    """List views, query forms, error pages, template tags, the admin site and the demo's commands."""

    name = "hotelapp.portal"
    label = "portal"
