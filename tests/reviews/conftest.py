"""Fixtures of tests of reviews."""

from collections.abc import Iterator

import pytest

from tests.helpers.reviews import assert_reviews_in_step


@pytest.fixture
def in_step(empty_tables: None) -> Iterator[None]:
    """Check after the test that reviews, indexes and counts agree."""
    yield
    assert_reviews_in_step()
