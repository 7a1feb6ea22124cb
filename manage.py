#!/usr/bin/env python
"""Django's command line, with the settings that ``.env`` holds."""

import gc
import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hotelapp.settings")
    gc.set_threshold(10_000)  # with 700, the default, a start looks hundreds of times through what stays anyway
    execute_from_command_line(sys.argv)
