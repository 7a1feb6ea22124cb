"""What the tests of the package have, for those of the portal."""

from dynamodb_lists.tests.helpers.scopes import a_page, within

__all__ = ["a_page", "within"]
