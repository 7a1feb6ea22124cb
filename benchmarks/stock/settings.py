"""The settings that ``startproject`` writes, with the rooms, and without what is for development."""

import os
from pathlib import Path
from runpy import run_path

import django

written = run_path(str(Path(django.__file__).parent / "conf/project_template/project_name/settings.py-tpl"))
SECRET_KEY, ALLOWED_HOSTS = "only-for-benchmarks", ["localhost"]
INSTALLED_APPS = [*written["INSTALLED_APPS"], "benchmarks.stock"]
MIDDLEWARE, TEMPLATES = written["MIDDLEWARE"], written["TEMPLATES"]
USE_TZ, STATIC_URL, ROOT_URLCONF = True, "static/", "benchmarks.stock.urls"
VAR_DIR = Path(os.environ["VAR_DIR"])
DATABASES = {
    "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": VAR_DIR / "stock.sqlite3", "CONN_MAX_AGE": 600}
}
SERVER_THREADS = 16  # the portal's server asks for it
