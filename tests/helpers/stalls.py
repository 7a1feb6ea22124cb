"""What the tests of the package have, for those of the portal."""

from dynamodb_lists.tests.helpers.stalls import stopped

__all__ = ["stopped"]
