"""The benchmark of the group: what its model of DynamoDB lets through, and whose keys it counts."""

from random import Random

import pytest

from benchmarks.throttling import (
    OF_TABLE,
    READ_UNITS,
    TRANSACTIONS,
    WRITE_UNITS,
    Limits,
    Request,
    limit,
    play,
)

KEY, TABLE, ITEM = ("app", "hotels"), ("app", ""), ("app", "statistics", "total")


def write(units: float, *items: tuple[str, ...]) -> Request:
    return Request(WRITE_UNITS, {KEY: units, TABLE: units}, items, 0.01)


def let_through(request: Request, a_second: int, seconds: int = 4) -> float:
    """How many requests a second are served in the last seconds, when the first second's units are used up."""
    limits, times = Limits(), range(a_second * seconds)
    served = [n for n in times if limits.refusal(request, n / a_second) is None]
    return sum(n >= a_second for n in served) / (seconds - 1)


@pytest.mark.parametrize(("what", "a_second", "most"), [(READ_UNITS, 4000, 3000), (WRITE_UNITS, 1600, 1000)])
def test_a_key_takes_its_units_a_second_and_no_more(what: str, a_second: int, most: float) -> None:
    assert let_through(Request(what, {KEY: 1}), a_second) == pytest.approx(most, rel=0.01)
    assert let_through(Request(what, {KEY: 2}), a_second) == pytest.approx(most / 2, rel=0.01)
    assert let_through(Request(what, {KEY: 0.5}), a_second) == a_second
    assert limit(what, TABLE) == OF_TABLE


def test_transactions_conflict_while_another_one_holds_an_item() -> None:
    limits = Limits()
    assert limits.refusal(write(1, ITEM), 0) is None
    assert limits.refusal(write(1, ITEM, KEY), 0.009) == (TRANSACTIONS, ITEM)
    assert limits.refusal(write(1, KEY), 0.0095) is None, "the refused transaction holds nothing"
    assert limits.refusal(write(1, ITEM), 0.0101) is None


def test_refused_requests_are_sent_again_until_they_fail() -> None:
    together = play([(0.0, "1", [write(1, ITEM)]), (0.0, "2", [write(1, ITEM)])], Random(1))
    assert (len(together.seconds), together.failed) == (2, 0)
    assert together.refused[TRANSACTIONS, ITEM] == together.sent[WRITE_UNITS] - 2 > 0
    assert max(together.seconds) > 0.02 > min(together.seconds) == pytest.approx(0.01)
    never = play([(0.0, "1", [write(2000), write(1)]), (0.0, "2", [write(2000, ITEM)])], Random(1))
    assert (never.failed, never.seconds) == (2, [])
    assert never.sent == {WRITE_UNITS: 3 + 8, TRANSACTIONS: 8}, (
        "the SDK sends a call three times, and eight a transaction"
    )
