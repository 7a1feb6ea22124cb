"""What the tests of the package have, for those of the portal."""

from dynamodb_lists.tests.helpers.paging import MOST, NEXT, PREVIOUS, follow, linked, until

__all__ = ["MOST", "NEXT", "PREVIOUS", "follow", "linked", "until"]
