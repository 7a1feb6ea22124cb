"""The portal app: what every page shares."""

from django.apps import AppConfig


class PortalConfig(AppConfig):
    """List views, query forms, error pages, imports, template tags and the admin site."""

    name = "hotelapp.portal"
    label = "portal"
