"""The WSGI application that the server serves: ``python -m hotelapp.serving``."""

import os

import django
from django.core.handlers.wsgi import WSGIHandler

from hotelapp.serving.static_files import require_collected

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hotelapp.settings")

django.setup(set_prefix=False)
require_collected()
application = WSGIHandler()
