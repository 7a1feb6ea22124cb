"""The WSGI application that the server serves: ``python -m hotelapp.serving``."""

import logging
import os
from typing import Any

import django
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.utils.http import parse_header_parameters

from hotelapp.serving.static_files import require_collected

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hotelapp.settings")

UNREADABLE = {"charset": "unreadable"}


class PortalRequest(WSGIRequest):
    """A request that is read in UTF-8, whatever it says: no page sends another set, and UserMiddleware refuses those.

    Django reads the query string in that set at once. What is raised then is raised before any middleware, so it has no
    page.
    """

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))
        except ValueError:
            self.content_type, self.content_params = "", UNREADABLE


class PortalHandler(WSGIHandler):
    """Django's handler, with the requests of the portal."""

    request_class = PortalRequest


django.setup(set_prefix=False)
logging.captureWarnings(True)
require_collected()
application = PortalHandler()
