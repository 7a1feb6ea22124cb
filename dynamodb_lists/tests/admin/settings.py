"""The settings of a small project with an admin. ``LOOK=unfold`` shows it under Unfold."""

import os

LOOK = os.environ.get("LOOK", "stock")
SECRET_KEY = "of the tests"
DEBUG = False
ALLOWED_HOSTS = ["*"]
USE_TZ = True
TIME_ZONE = "Europe/Amsterdam"
STATIC_URL = "static/"
ROOT_URLCONF = "dynamodb_lists.tests.admin.urls"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ.get("SQLITE", ":memory:")}}
DYNAMODB_ENDPOINT_URL = os.environ.get("ENDPOINT")
DYNAMODB_TABLE_PREFIX = os.environ.get("PREFIX", "")
INSTALLED_APPS = [
    "dynamodb_lists.django",
    *(["unfold"] if LOOK == "unfold" else []),
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "dynamodb_lists.tests.admin.library",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
