"""The operations app."""

import logging
import threading

from django.apps import AppConfig
from django.conf import settings

logger = logging.getLogger(__name__)


class OperationsConfig(AppConfig):
    """Logs, request ids, health and metrics."""

    name = "hotelapp.operations"
    label = "operations"

    def ready(self) -> None:
        if settings.LOGGING_CONFIG:
            logging.captureWarnings(True)
            threading.excepthook = log_thread_error


def log_thread_error(failed: threading.ExceptHookArgs) -> None:
    """Log the error that ended a thread."""
    logger.error("A thread ended with an error", exc_info=failed.exc_value)
