"""Whether the static files have been collected. Without them, every page that names one is a 500."""

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage, staticfiles_storage
from django.core.exceptions import ImproperlyConfigured

COMMAND = "python manage.py collectstatic --no-input"


def require_collected() -> None:
    """Raise ``ImproperlyConfigured`` if a static file of this release has no collected copy with a hashed name.

    The demo serves static files from the packages, and does not collect them. Contents are not compared: that would
    read every file at each start.
    """
    if not isinstance(staticfiles_storage, ManifestStaticFilesStorage):
        return
    names = {path.replace("\\", "/") for finder in get_finders() for path, _ in finder.list([])}
    missing = sorted(names - set(staticfiles_storage.hashed_files))
    if missing:
        raise ImproperlyConfigured(
            f"The static files are not collected: {settings.STATIC_ROOT} lacks {len(missing)} of them, such as "
            f"{missing[0]}. Run: {COMMAND}"
        )
