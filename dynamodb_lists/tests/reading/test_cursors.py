"""Cursors: valid for their own query, and refused for any other."""

import json
import zlib
from base64 import urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamodb_lists.connection.configuration import connection
from dynamodb_lists.connection.errors import BadCursor
from dynamodb_lists.reading import cursors as module
from dynamodb_lists.reading.cursors import MAX_LENGTH, Cursor, Position, decode, encode
from dynamodb_lists.tests.helpers.configured import configured

cursors = st.builds(
    Cursor,
    st.builds(Position, st.text(max_size=50), st.lists(st.text(max_size=50)).map(tuple)),
    st.booleans(),
    st.none() | st.integers(0),
    st.none() | st.sampled_from(["", "lsi1"]),
    st.none() | st.integers(0),
    st.booleans(),
)


@given(cursors, st.text(max_size=50), st.text(max_size=50))
def test_a_cursor_is_read_under_its_own_query_alone(cursor: Cursor, query: str, other: str) -> None:
    text = encode(cursor, query)
    assert decode(text, query) == cursor
    if query != other:
        with pytest.raises(BadCursor):
            decode(text, other)


@given(st.data())
def test_a_tampered_cursor_and_any_other_text_are_refused(data: st.DataObject) -> None:
    text = encode(Cursor(Position("zeta#draft#011#T-101"), False, 24, ""), "q")
    position = data.draw(st.integers(0, len(text) - 2))
    changed = text[:position] + data.draw(st.sampled_from("aZ0:-_é")) + text[position + 1 :]
    for other in ({changed} - {text}) | {data.draw(st.text())}:
        with pytest.raises(BadCursor):
            decode(other, "q")


def test_a_cursor_of_a_former_secret_leads_on_and_new_ones_have_the_present_secret() -> None:
    former, place = connection().read().secret, Cursor(None, backward=True)
    text = encode(place, "q")
    with configured(secret="present", former_secrets=["older", former]):
        assert decode(text, "q") == place
        text = encode(place, "q")
    with configured(secret="present"):
        assert decode(text, "q") == place
    with configured(secret="another"), pytest.raises(BadCursor):
        decode(text, "q")


def test_a_long_text_is_refused_before_it_is_looked_at() -> None:
    with pytest.raises(BadCursor, match="too long"):
        decode("x" * (MAX_LENGTH + 1), "q")


def test_a_cursor_of_another_shape_is_refused_although_it_is_signed() -> None:
    """A reader follows a link of another release's page."""

    def signed(fields: object) -> str:
        content = zlib.compress(json.dumps(fields).encode())
        return urlsafe_b64encode(module._signature(connection().read().secret, "q", content) + content).decode()

    assert decode(signed([["a", []], False, 1, "", 2, True]), "q") == Cursor(Position("a"), False, 1, "", 2, True)
    for fields in ([], [["a", []], False, 1], [["a", []], False, 1, "", 2, False, 3], 5, [5, False, 1, "", 2, False]):
        with pytest.raises(BadCursor):
            decode(signed(fields), "q")
