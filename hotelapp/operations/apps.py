"""The operations app."""

import logging

from django.apps import AppConfig
from django.conf import settings


class OperationsConfig(AppConfig):
    """Logs, request ids, health and metrics."""

    name = "hotelapp.operations"
    label = "operations"

    def ready(self) -> None:
        if settings.LOGGING_CONFIG:
            logging.captureWarnings(True)
