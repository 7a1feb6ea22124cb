"""Django settings. The defaults are for production; ``DEMO`` changes them for the demo.

Values come from the environment and from the file ``.env``. ``ENV_FILE`` names another file; if it is blank, no file is
read. docs/operate.md lists every variable.
"""

import os
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf.global_settings import STATICFILES_FINDERS
from django.core.exceptions import ImproperlyConfigured
from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.functional import lazy
from environ import Env

from hotelapp import environment as env
from hotelapp import private_files
from hotelapp.operations import logs

BASE_DIR = Path(__file__).resolve().parent.parent
if env_file := os.environ.get("ENV_FILE", str(BASE_DIR / ".env")):
    private_files.close(Path(env_file))  # it has secrets
    Env.read_env(env_file)  # variables that are set already keep their value

VAR_DIR = Path(env.text("VAR_DIR", str(BASE_DIR / "var")))
try:
    private_files.make_folder(VAR_DIR)
except OSError as error:
    raise ImproperlyConfigured(f"VAR_DIR cannot be used: {error}") from error

DEMO = env.boolean("DEMO")
# The login that `make run` creates, which the login page shows on this machine
DEMO_USERNAME, DEMO_PASSWORD = (env.text(name, "") if DEMO else "" for name in ("DEMO_USERNAME", "DEMO_PASSWORD"))
GROUP_NAME: str = env.text("GROUP_NAME", "Seaside & Lake Hotels" if DEMO else "Hotel group")
DEBUG = env.boolean("DEBUG")
SECRET_KEY = env.secret("SECRET_KEY")
SECRET_KEY_FALLBACKS = env.secrets("SECRET_KEY_FALLBACKS")  # docs/operate.md: a new key without new logins
this_machine = "localhost,127.0.0.1,[::1]" if DEMO else None
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", this_machine, env.HOST, "host names such as portal.example")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")

# --- DynamoDB -------------------------------------------------------------------------------------------

# An endpoint in the environment takes precedence over the engine. Without an endpoint (None), the SDK calls AWS.
DYNAMODB_NAMED_ENDPOINT = env.matching("DYNAMODB_ENDPOINT_URL", "https?://.*", "an address with http:// or https://")
# The embedded engine has no access control. So in production it must be named, and it listens on this machine alone.
ANY_ENGINE = "embedded" if DEMO or DYNAMODB_NAMED_ENDPOINT else None
DYNAMODB_ENGINE = env.choice("DYNAMODB_ENGINE", ANY_ENGINE, ["embedded", "aws"])
DYNAMODB_ENGINE_HOST = env.loopback("DYNAMODB_ENGINE_HOST", "127.0.0.1")
DYNAMODB_ENGINE_PORT = env.number("DYNAMODB_ENGINE_PORT", 8765, 1, 65535)
DYNAMODB_ENGINE_FILE = VAR_DIR / "engine.sqlite3"
DYNAMODB_ENDPOINT_URL: str | None = DYNAMODB_NAMED_ENDPOINT or (
    f"http://{DYNAMODB_ENGINE_HOST}:{DYNAMODB_ENGINE_PORT}" if DYNAMODB_ENGINE == "embedded" else None
)
AWS_REGION = env.text("AWS_REGION", None if DYNAMODB_ENDPOINT_URL is None else "us-east-1")
DYNAMODB_TABLE_PREFIX = env.matching("DYNAMODB_TABLE_PREFIX", "[A-Za-z0-9_.-]*", "of letters, digits and _.-")
DYNAMODB_PROTECTED = env.boolean("DYNAMODB_PROTECTED", not DEMO)
DYNAMODB_TABLE_NAMES = env.pairs("DYNAMODB_TABLE_NAMES")
DYNAMODB_CONNECT_TIMEOUT = 1  # seconds: DynamoDB is in the same region, so a connection takes milliseconds
DYNAMODB_READ_TIMEOUT = env.number("DYNAMODB_READ_TIMEOUT", 5, 1, 600)

# --- Limits of a page -------------------------------------------------------------------------------------

PAGE_DEADLINE_SECONDS = 10.0  # for all answers of databases; nobody waits longer, and a proxy gives up after 30 or 60
SERVER_THREADS = env.number("SERVER_THREADS", 16, 1, 256)
# Parts of the threads, so that some always serve what needs no database.
EXPORT_PLACES = max(SERVER_THREADS // 4, 1)  # exports of one process at the same time
PASSWORD_PLACES = max(SERVER_THREADS // 2, 1)  # requests that may wait until their password is checked
WAITING_CALLS = max(SERVER_THREADS * 3 // 4, 1)  # calls that may wait while DynamoDB answers nobody

# --- Django ---------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "portal",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django_htmx",
    "dynamodb_lists.django",
    "portal.history",
    "portal.uploads",
    "accounts",
    "overview",
    "hotels",
    "notes",
    "rooms",
    "orders",
    "reviews",
    "search",
    "saved_views",
    "hotelapp.demo",
]

MIDDLEWARE = [
    "hotelapp.middleware.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "hotelapp.middleware.CompressionMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "hotelapp.middleware.SessionOrOutageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "hotelapp.middleware.UserMiddleware",  # Django's AuthenticationMiddleware, and more
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "hotelapp.urls"
WSGI_APPLICATION = "hotelapp.wsgi.application"

CONTEXT_PROCESSORS = [
    "django.template.context_processors.csrf",
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
]
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": CONTEXT_PROCESSORS},
    },
    {  # lists and their parts
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates" / "jinja2"],
        "OPTIONS": {"context_processors": CONTEXT_PROCESSORS, "environment": "portal.jinja.environment"},
    },
]

# SQL holds accounts with their permissions and second factors, failed logins, and saved views. All else is in DynamoDB.
DATABASE_URL = env.confidential("DATABASE_URL", f"sqlite:///{VAR_DIR / 'portal.sqlite3'}")
DATABASES = {"default": env.database(DATABASE_URL)}
if DATABASE_URL.startswith("sqlite:"):  # django-unfold would import it wherever it is installed: a fifth of a start
    sys.modules.setdefault("psycopg", None)  # type: ignore[arg-type]
if DATABASE_URL.startswith(f"sqlite:///{VAR_DIR}/"):
    private_files.make_file(Path(DATABASES["default"]["NAME"]))
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
MIGRATION_MODULES = dict.fromkeys(["portal", "rooms", "orders", "reviews"])  # their models have permissions, no tables

# --- Logins and sessions: docs/portal.md ----------------------------------------------------------------

SESSION_ENGINE = "accounts.sessions"
SESSION_MAX_HOURS = 24  # so that everybody gives the password once a day
SESSION_IDLE_HOURS = env.number("SESSION_IDLE_HOURS", 8, 1, SESSION_MAX_HOURS)
SESSION_COOKIE_AGE = SESSION_MAX_HOURS * 3600

# docs/portal.md: no list of what they changed
MACHINE_ACCOUNTS = frozenset(env.words("MACHINE_ACCOUNTS", "", env.USERNAME, "usernames"))
HISTORY_DAYS = env.number("HISTORY_DAYS", 0, 0, 36_500)  # 0: for ever
SECOND_FACTOR = env.choice("SECOND_FACTOR", "optional", ["optional", "required"])
OTP_TOTP_ISSUER = "Hotel portal"  # how authenticator apps name the portal

AXES_HANDLER = "accounts.logins.limits.LoginLimits"  # has the limits of failures; its counts are in SQL
AXES_COOLOFF_TIME = timedelta(minutes=15)  # a lock; long enough against guessing, short enough not to call for help
AXES_CLIENT_IP_CALLABLE = "accounts.logins.clients.network_of"
AXES_LOCKOUT_CALLABLE = "accounts.logins.limits.locked_page"
AXES_ENABLE_ADMIN = False
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "accounts.backends.StaffBackend"]

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = reverse_lazy("admin:login")
LOGIN_REDIRECT_URL = "/"
CSRF_FAILURE_VIEW = "portal.error_pages.csrf_failure"

CACHES = {  # hotels, names of staff, saved views and the like; each process has its own
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 10_000}}
}

LANGUAGE_CODE = "en-gb"
USE_I18N = False  # there is one language; the frame need not look up its hundred phrases
TIME_ZONE = "UTC"
USE_TZ = True
FORMAT_MODULE_PATH = "hotelapp.formats"

STATIC_URL = "static/"
STATIC_ROOT = None if DEMO else BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [*STATICFILES_FINDERS, "hotelapp.bundles.BundleFinder"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEMO or DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEMO or DEBUG  # the demo serves static files from the packages, without collectstatic

# --- The frame of every page, by django-unfold. Its colours are in static/portal/theme.css ------------------

static_file: Any = lazy(static, str)  # addresses of static files are known once the settings are
UNFOLD = {
    "SITE_TITLE": "Hotel portal",
    "SITE_HEADER": "Hotel portal",
    "SITE_SUBHEADER": lambda request: GROUP_NAME,  # Unfold takes a text for a path of a function
    "SITE_SYMBOL": "hotel",
    "SITE_URL": "/",
    "SHOW_HISTORY": False,
    "GLOBAL_CALLBACK": "portal.frame.shared",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": static_file("portal/favicon.svg")}],
    "ACCOUNT": {
        "navigation": [
            {"title": "Change password", "link": reverse_lazy("own_password")},
            {"title": "Second factor", "link": reverse_lazy("accounts:second_factor")},
        ]
    },
    "SIDEBAR": {"navigation": "portal.frame.navigation"},
}

# --- Security: everything is on, except in the demo, which uses plain HTTP on this machine -------------------

SECURE_SSL_REDIRECT = not DEMO
SECURE_HSTS_SECONDS = env.number("SECURE_HSTS_SECONDS", 0 if DEMO else 31_536_000, 0, 63_072_000)
# Subdomains and the preload list of browsers bind other hosts of the domain, for a year and longer. This is up to who
# runs the domain, so the portal does neither, and Django's warnings about it are silenced.
# So is the one about frames: hotelapp/middleware.py forbids them.
SILENCED_SYSTEM_CHECKS = ["security.W002", "security.W005", "security.W021"]
SESSION_COOKIE_SECURE = not DEMO
CSRF_COOKIE_SECURE = not DEMO
BEHIND_TLS_PROXY = env.boolean("BEHIND_TLS_PROXY")  # the server says which requests came by HTTPS

# --- Operations: logs and metrics --------------------------------------------------------------------------

LOG_LEVEL = env.choice("LOG_LEVEL", "INFO", logs.LEVELS)
LOGGING = logs.configuration("text" if DEMO or DEBUG else "json", LOG_LEVEL, debug=DEBUG)
METRICS_TOKEN = env.confidential("METRICS_TOKEN", "")  # without it there are no metrics
if METRICS_TOKEN and len(METRICS_TOKEN) < 16:  # noqa: PLR2004
    raise ImproperlyConfigured("METRICS_TOKEN must have at least 16 characters.")
