"""Texts from outside: the characters that are refused, and the names of these characters in messages."""

from contextlib import suppress

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.urls import get_resolver
from hypothesis import given
from hypothesis import strategies as st

from portal.forms.entity_forms import EntityForm, RowForm
from portal.forms.fields import LineField, LinesField, MailField, RevisionForm, SearchField, TextField
from portal.forms.pickers import PickerForm
from tests.portal.test_numbers import below

NAMED = {
    "\0": "U+0000 (no letter)",
    "\x1b": "U+001B (no letter)",
    "\u2028": "U+2028 (line separator)",
    "\u202e": "U+202E (right-to-left override)",
    "\ufeff": "U+FEFF (zero width no-break space)",
    "\uffff": "U+FFFF (no letter)",
    "\U000e0041": "U+E0041 (tag latin capital letter a)",
    "\ud800": "U+D800 (no letter)",
}
WRITTEN = [
    "Nguyễn Thị Ánh",
    "می‌خواهم",  # Persian, with a joiner that keeps letters apart
    "ক্‍ষ",  # Bengali, with a joiner
    "שלום\u200f, Ann\u200e",
    "👩‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿 ❤️",
    "ภาษา\u200bไทย",
]
"""What people write with characters that cannot be seen."""

anything = st.text(st.characters(codec=None), max_size=20) | st.text(
    st.sampled_from([*NAMED, "a", " ", "\n", "\r", "\t"])
)


@pytest.mark.parametrize(("char", "name"), NAMED.items())
@pytest.mark.parametrize(
    "field", [TextField(label="Name"), LineField(label="Name"), LinesField(label="Name", max_lines=9)], ids=type
)
def test_a_message_names_the_character(field: TextField, char: str, name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        field.clean(f"a{char}b")
    assert refused.value.messages == [f"The name has the character {name}, which cannot be seen. Type it again."]


@pytest.mark.parametrize("text", WRITTEN)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert LineField().clean(text) == LinesField(max_lines=9).clean(text) == text


@given(anything)
def test_a_text_is_visible_or_blank_and_cleaning_it_again_changes_nothing(text: str) -> None:
    for field in (TextField(required=False), LineField(required=False), LinesField(required=False, max_lines=99)):
        try:
            clean = field.clean(text)
        except ValidationError:
            continue
        assert field.clean(clean) == clean
        assert not {"\r", "\0", "\u202e"} & set(clean)
        assert isinstance(field, LinesField) or not {"\n", "\t"} & set(clean)


def test_a_text_of_several_lines_keeps_tabs_and_line_ends() -> None:
    assert LinesField(max_lines=9).clean("a\r\nb\rc\td") == "a\nb\nc\td"
    assert LineField().clean(" a\tb\r\n c ") == "a b c"
    assert TextField().clean("a  b\nc") == "a  b c"


@pytest.mark.parametrize("text", ["\u200b", "\u200e\u2060", "\u3164", "\u00ad \u00a0", "\ufe0f"])
def test_what_cannot_be_seen_is_blank(text: str) -> None:
    assert LineField(required=False).clean(text) == ""
    with pytest.raises(ValidationError, match="required"):
        LineField().clean(text)


def test_the_host_of_an_address_hides_nothing() -> None:
    assert MailField().clean("ann@köln.example") == "ann@köln.example"
    with pytest.raises(ValidationError, match="U\\+202E"):
        MailField().clean("ann@ex\u202eample.com")


def test_a_search_leaves_out_what_came_with_a_copied_text() -> None:
    assert SearchField().clean("\u202a+49 30\u202c") == "+49 30"


def test_every_text_of_every_form_is_checked() -> None:
    """However a form declares its fields. Lists have cursors and addresses, which are checked where they are read."""
    assert get_resolver().url_patterns, "all forms are imported"
    checked = 0
    for form in {*below(EntityForm), *below(RowForm), *below(RevisionForm), *below(PickerForm)}:
        for name, field in form.base_fields.items() if not form.__module__.startswith("tests.") else ():
            if isinstance(field, forms.CharField) and not field.widget.is_hidden:
                checked += 1
                with suppress(ValidationError):
                    field.clean("a\u202eb")
                    pytest.fail(f"{form.__qualname__}.{name} takes the character")
    assert checked > 40  # noqa: PLR2004
