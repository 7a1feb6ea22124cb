"""The groups of staff that the migration creates, and the table of them in the documents."""

import re

import pytest
from django.contrib.auth.models import Group

from tests.helpers.documents import text_of
from tests.helpers.people import make_groups, portal_permissions

pytestmark = pytest.mark.django_db
GROUPS = ("Front desk", "Housekeeping", "Supervisor", "Manager", "Auditor")
"""The document names each by its first letter."""

STAFF = {"auth.view_user", "auth.add_user", "auth.change_user"}
NAME = re.compile(r"`(\w+\.\w+)`")


@pytest.fixture(autouse=True)
def _groups(db: None) -> None:
    """The groups. Tests with a live server empty the SQL tables, so the migration's function runs again."""
    make_groups()


def permissions_of(group: str) -> set[str]:
    granted = Group.objects.get(name=group).permissions.values_list("content_type__app_label", "codename")
    return {f"{app}.{codename}" for app, codename in granted}


def documented() -> dict[str, set[str]]:
    """Return the permissions of each group in the document's table."""
    rows = [line.split("|") for line in text_of("portal.md", "Permissions").splitlines() if line.startswith("| `")]
    return {group: {name for row in rows if group[0] in row[3] for name in NAME.findall(row[1])} for group in GROUPS}


def test_roles_and_permissions_are_those_of_the_document() -> None:
    groups = {group.name for group in Group.objects.all()}
    assert {name: permissions_of(name) for name in groups} == documented()
    assert groups == set(GROUPS)
    # every permission is in the document, and managers have all but those of engineers
    rows = [line for line in text_of("portal.md", "Permissions").splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in NAME.findall(row.split("|")[1])}
    engineers = {"portal.view_costs", "portal.open_lab"}
    assert named == portal_permissions() | STAFF == permissions_of("Manager") | engineers
