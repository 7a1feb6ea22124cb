"""Serves the portal until a signal arrives: ``python -m hotelapp.serving``. docs/settings.md lists its variables."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from hotelapp.serving.options import server_options
from hotelapp.serving.server import serve


def main() -> int:
    """Serve. If the settings or the static files are wrong, say so in one line; the exit status is 1."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hotelapp.settings")
    try:
        application = import_string("hotelapp.wsgi.application")
        options = server_options()
    except ImproperlyConfigured as error:
        sys.stderr.write(f"{error}\n")
        return 1
    serve(application, options)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
