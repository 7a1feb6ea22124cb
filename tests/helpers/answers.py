"""What the tests of the package have, for those of the portal."""

from dynamodb_lists.tests.helpers.answers import answer, answering, cancelled, endpoint, refusal

__all__ = ["answer", "answering", "cancelled", "endpoint", "refusal"]
