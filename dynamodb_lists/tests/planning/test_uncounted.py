"""What a process has seen of the items of each owner."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from dynamodb_lists.planned.uncounted import MOST_OWNERS, Samples


@pytest.fixture
def impatient_threads() -> Iterator[None]:
    """Threads take turns after each step, so that they meet wherever they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("impatient_threads")
def test_threads_read_more_owners_than_a_process_keeps() -> None:
    samples = Samples[int]()

    def look(first: int) -> None:
        for number in range(3000):
            samples.of((number * 7 + first) % (MOST_OWNERS + 8))

    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(look, range(8))] == [None] * 8


def test_the_owners_that_were_read_last_keep_their_samples() -> None:
    samples = Samples[int]()
    kept = samples.of("first")
    for number in range(MOST_OWNERS - 1):
        samples.of(number)
    assert samples.of("first") is kept
    samples.of("one more")
    assert samples.of("first") is kept
    for number in range(MOST_OWNERS):
        samples.of(number)
    assert samples.of("first") is not kept
