"""What the tests of the package have, for those of the portal."""

from dynamodb_lists.tests.helpers.waiting import PATIENCE, eventually

__all__ = ["PATIENCE", "eventually"]
