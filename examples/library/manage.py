"""Commands of the library: ``python manage.py create_tables``."""

import os
import sys

from django.core.management import execute_from_command_line

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "library.settings")
execute_from_command_line(sys.argv)
