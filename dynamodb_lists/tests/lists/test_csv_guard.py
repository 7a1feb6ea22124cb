"""Cells that a spreadsheet could run have a guard, and are read unchanged."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dynamodb_lists.lists.files import guarded, unguarded

texts = st.text(st.sampled_from("=+-@＝＋－＠;'\n\r\t a"), max_size=12) | st.text()  # noqa: RUF001


@pytest.mark.parametrize(
    "cell",
    ["=1", "+1", "-1", "@a", "＝1", "＋1", "－1", "＠a", " =1", "\tx", "\rx", "\u3000＝1", "'=1", "''＝1", " '=1"],
)
def test_a_formula_has_a_guard_in_front(cell: str) -> None:
    assert guarded(cell) == f"'{cell}"


@pytest.mark.parametrize(
    ("cell", "wanted"),
    [
        (";=1", ";'=1"),
        ("good;=1+1", "good;'=1+1"),
        ("good; ＝1", "good;' ＝1"),
        ("good\n@a", "good\n'@a"),
        ("=1;=2", "'=1;'=2"),
        ("a=1; b-2", "a=1; b-2"),
        ("it's; 'fine'", "it's; 'fine'"),
        ("", ""),
    ],
)
def test_a_guard_stands_where_a_spreadsheet_may_divide_the_cell(cell: str, wanted: str) -> None:
    assert guarded(cell) == wanted


@given(texts)
@example("' =")
@example(";'\n=")
def test_what_is_guarded_is_read_unchanged(cell: str) -> None:
    assert unguarded(guarded(cell)) == cell
    assert guarded(unguarded(guarded(cell))) == guarded(cell)


@given(texts)
def test_no_cell_begins_with_a_formula_however_it_is_divided(cell: str) -> None:
    for part in guarded(cell).replace("\r", "\n").replace("\n", ";").split(";"):
        assert not part.lstrip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠"))
