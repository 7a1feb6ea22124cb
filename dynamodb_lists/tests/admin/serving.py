"""Serves the project with the admin to a real browser: ``python -m dynamodb_lists.tests.admin.serving PORT``.

``ENDPOINT`` is the engine's address, ``SQLITE`` a file, and ``LOOK`` the look.
"""

import os
import sys
from datetime import date, timedelta

import django
from django.core.management import call_command
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

os.environ["DJANGO_SETTINGS_MODULE"] = "dynamodb_lists.tests.admin.settings"


class Quiet(WSGIRequestHandler):
    """A handler that logs nothing."""

    def log_message(self, *_: object) -> None:
        pass


def fill() -> None:
    """Accounts, tables and rows."""
    from django.contrib.auth.models import User  # noqa: PLC0415

    from dynamodb_lists.tests.admin.library import told  # noqa: PLC0415
    from dynamodb_lists.tests.admin.library.models import BOOKS, LIBRARIES, LOANS, Book, Library, Loan  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    User.objects.create_superuser("ada", password="x")
    for listed in (BOOKS, LOANS, LIBRARIES):
        listed.create_table()
    told.create_all()
    told.fill()
    genres = ("Poetry", "History", "Children's books")
    BOOKS.save(
        Book(
            shelf=f"F-{n:02}",
            title=f"The book {n}",
            author=("Ann Lee", "Bo Xu")[n % 2],
            genre=genres[n % 3],
            year=1950 + n,
        )
        for n in range(40)
    )
    LIBRARIES.save([Library(code="L1", name="Central")])
    LOANS.save(
        Loan(library="L1", number=f"N-{n}", genre="A", member="x", due=date(2026, 1, 1) + timedelta(days=n))
        for n in range(30)
    )


def main() -> None:
    """Fill what is empty, and serve."""
    django.setup()
    fill()
    from django.contrib.staticfiles.handlers import StaticFilesHandler  # noqa: PLC0415
    from django.core.wsgi import get_wsgi_application  # noqa: PLC0415

    server = ThreadedWSGIServer(("127.0.0.1", int(sys.argv[1])), Quiet)
    server.set_app(StaticFilesHandler(get_wsgi_application()))
    print("ready", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
