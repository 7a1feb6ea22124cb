"""The settings that Django's admin needs, with Django's defaults, and without the portal's templates and apps."""

import os

import environ

SECRET_KEY = "only-for-benchmarks"
DEBUG = False
ALLOWED_HOSTS = ["localhost"]
USE_TZ = True
ROOT_URLCONF = "benchmarks.stock.site"
STATIC_URL = "static/"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {"default": {**environ.Env.db_url_config(os.environ["STOCK_DATABASE"]), "CONN_MAX_AGE": 600}}
SERVER_THREADS = 16  # the portal's server asks for it

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "benchmarks.stock",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,  # with Django's cached loader, as in the portal
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
