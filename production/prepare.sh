#!/bin/sh
# Brings everything that the portal keeps to this release. Safe to repeat, and beside a running portal.
set -eu

if [ -n "${SECRET_KEY_FILE:-}" ] && [ ! -s "$SECRET_KEY_FILE" ]; then
    umask 077
    python -c 'import secrets; print(secrets.token_urlsafe(50))' > "$SECRET_KEY_FILE"
    echo "Wrote a new secret key to $SECRET_KEY_FILE. Keep it: without it, or SECRET_KEY_FALLBACKS, everybody must log in again."
fi
python manage.py migrate --no-input
python manage.py create_tables
