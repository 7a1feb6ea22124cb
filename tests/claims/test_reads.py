"""What a Query reads, and what it is charged for."""

from collections.abc import Mapping, Sequence
from typing import Any

from dynamodb_lists.tests.helpers.paging import MOST
from tests.claims.tables import Answer, Table, sort_keys, units

PARTS: Mapping[str, Any] = {":pk": "parts"}
RARE = {"FilterExpression": "kind = :kind"}


def test_a_filter_saves_no_read_units(parts: Table, figures: Sequence[str]) -> None:
    whole = parts.query("pk = :pk", PARTS)
    filtered = parts.query("pk = :pk", {**PARTS, ":kind": "rare"}, **RARE)
    counted = parts.query("pk = :pk", PARTS, Select="COUNT")
    projected = parts.query("pk = :pk", PARTS, ProjectionExpression="sk")
    by_key = parts.query("kind = :kind", {":kind": "rare"}, IndexName="by-kind")
    assert sort_keys(filtered) == sort_keys(by_key)
    assert {units(filtered), units(counted), units(projected)} == {units(whole)}
    read = [filtered["ScannedCount"], filtered["Count"], units(filtered), units(by_key)]
    assert figures == [f"{figure:,g}" for figure in read]


def test_limit_is_applied_before_the_filter(parts: Table, figures: Sequence[str]) -> None:
    answer = parts.query("pk = :pk", {**PARTS, ":kind": "rare"}, **RARE, Limit=25)
    assert "LastEvaluatedKey" in answer
    assert figures == [str(answer["ScannedCount"]), str(answer["Count"])]


def test_a_page_can_be_empty_and_not_the_last(parts: Table, figures: Sequence[str]) -> None:
    pages: list[Answer] = [_last_shelf(parts)]
    while after := pages[-1].get("LastEvaluatedKey"):
        pages.append(_last_shelf(parts, ExclusiveStartKey=after))
        assert len(pages) < MOST
    first = next(number for number, page in enumerate(pages) if page["Items"])
    assert figures == [str(first), f"{pages[first]['Count']}", f"{len(pages)}"]
    assert pages[-1]["Items"] == []


def _last_shelf(parts: Table, **options: Any) -> Answer:
    values = {**PARTS, ":shelf": {"N": "9"}}
    return parts.query("pk = :pk", values, FilterExpression="shelf = :shelf", Limit=100, **options)


def test_a_sort_by_what_is_not_in_the_key_reads_everything(parts: Table, figures: Sequence[str]) -> None:
    whole = parts.query("pk = :pk", PARTS)
    assert "LastEvaluatedKey" not in whole
    cheapest = sorted(whole["Items"], key=lambda item: int(item["price"]["N"]))[:25]
    page = parts.query("pk = :pk", PARTS, Limit=26)
    assert [item["price"]["N"] for item in cheapest] == [str(price) for price in range(25)]
    assert sort_keys(page) == sorted(sort_keys(page))
    assert figures == [f"{figure:,g}" for figure in (whole["Count"], units(whole), page["Count"], units(page))]
