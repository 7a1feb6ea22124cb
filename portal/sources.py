"""Where the data of an app come from: demo data and files. So the portal imports no app."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dynamodb_lists.django.declaring import declaring
from portal.imports.importer import Importer
from portal.seeding import Seeder


@dataclass(frozen=True)
class Sources:
    """What writes an app's demo data, and what imports its files, if people may upload them."""

    seeder: type[Seeder]
    importer: type[Importer[Any]] | None = None


class HasSources:
    """An ``AppConfig`` of an app with data."""

    @property
    def sources(self) -> Sources:
        raise NotImplementedError


def seeders() -> list[Seeder]:
    """The seeders of all apps, in the order of ``INSTALLED_APPS``."""
    return [app.sources.seeder() for app in declaring(HasSources)]


def importers() -> Sequence[type[Importer[Any]]]:
    """The imports of all apps."""
    return [app.sources.importer for app in declaring(HasSources) if app.sources.importer]
