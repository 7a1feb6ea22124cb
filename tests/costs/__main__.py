"""``make record-aws``: the demo's settings, accounts in memory, and DynamoDB as the environment names it.

A table that is named on its own would not have the prefix, so such names are not read.
"""

import os
import secrets
import sys

import django
from django.core.exceptions import ImproperlyConfigured

if not os.environ.get("DYNAMODB_TABLE_PREFIX", "").strip():
    sys.exit("Set DYNAMODB_TABLE_PREFIX to a throw-away prefix: the tables are deleted at the end.")
os.environ |= {
    "DJANGO_SETTINGS_MODULE": "hotelapp.settings",
    "ENV_FILE": "",
    "DEMO": "1",
    "LOG_LEVEL": "WARNING",
    "SECRET_KEY": secrets.token_urlsafe(50),
    "ALLOWED_HOSTS": "testserver",
    "DATABASE_URL": "sqlite://:memory:",
    "DYNAMODB_PROTECTED": "0",
    "DYNAMODB_TABLE_NAMES": "",
}
try:
    django.setup()
except ImproperlyConfigured as error:
    sys.exit(str(error))

from dynamodb_lists.connection.errors import DynamoDBError  # noqa: E402
from tests.costs import recording  # noqa: E402

try:
    recording.main()
except DynamoDBError as error:
    sys.exit(str(error))
