"""The WSGI application that the server serves: ``python -m hotelapp.serving``."""

import logging
import os
from typing import Any

import django
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage, staticfiles_storage
from django.core.exceptions import ImproperlyConfigured
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.template import engines
from django.utils.http import parse_header_parameters
from jinja2 import Environment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hotelapp.settings")

COLLECT = "python manage.py collectstatic --no-input"


class PortalRequest(WSGIRequest):
    """A request that is read in UTF-8, whatever it says: no page sends another set, and the middleware refuses those.

    Django reads the query string in that set at once. What is raised then, before any middleware, has no page.
    """

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))
        except ValueError:
            self.content_type, self.content_params = "", {"charset": "unreadable"}


class PortalHandler(WSGIHandler):
    request_class = PortalRequest


def require_collected() -> None:
    """Raise ``ImproperlyConfigured`` if a static file of this release has no collected copy with a hashed name.

    Without it, every page that names the file is a 500. The demo serves static files from the packages, and does not
    collect them. Contents are not compared: that would read every file at each start.
    """
    if not isinstance(staticfiles_storage, ManifestStaticFilesStorage):
        return
    names = {path.replace("\\", "/") for finder in get_finders() for path, _ in finder.list([])}
    if missing := sorted(names - set(staticfiles_storage.hashed_files)):
        lacks = f"{settings.STATIC_ROOT} lacks {len(missing)} of them, such as {missing[0]}"
        raise ImproperlyConfigured(f"The static files are not collected: {lacks}. Run: {COLLECT}")


django.setup(set_prefix=False)
logging.captureWarnings(True)
require_collected()
# Compile the templates of Jinja2 before the server forks: of the first page of a process, it takes two thirds.
environment: Environment = engines["jinja2"].env  # type: ignore[attr-defined]
for template in environment.list_templates():
    environment.get_template(template)
application = PortalHandler()
