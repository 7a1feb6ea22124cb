"""The operations app."""

import logging

from django.apps import AppConfig
from django.conf import settings


class OperationsConfig(AppConfig):
    """Logs, request ids, health and metrics."""

    name = "hotelapp.operations"
    label = "operations"

    def ready(self) -> None:
        """Log Python's warnings instead of printing them, where the portal configures the logs."""
        if settings.LOGGING_CONFIG:
            logging.captureWarnings(True)
