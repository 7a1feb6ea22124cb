"""What a picker sends: the thing that was chosen, and the text for which it was chosen."""

from hypothesis import given
from hypothesis import strategies as st

from portal.forms.pickers import Pick, PickerWidget

characters = st.characters(exclude_categories=["Cs"])
texts = st.text(characters, max_size=20)


def sent(text: str, chosen: str) -> Pick | None:
    return PickerWidget().value_from_datadict({"guest": text, "guest-chosen": chosen}, {}, "guest").choice


@given(texts, texts, texts.map(str.split).map(" ".join).filter(bool))
def test_what_was_chosen_comes_back_as_it_was(thing_id: str, name: str, text: str) -> None:
    pick = Pick(thing_id, name)
    assert sent(text, pick.chosen(text)) == pick


@given(texts)
def test_any_text_can_be_sent_as_what_was_chosen(text: str) -> None:
    assert sent("", text) is None


def test_a_thing_is_chosen_for_one_text() -> None:
    pick = Pick("alex", "Alex Doe")
    assert sent("Alex Doe", pick.chosen()) == pick
    assert sent("al", pick.chosen("al")) == pick
    assert sent("a b", Pick("a  b", "a  b").chosen()) == Pick("a  b", "a  b"), "blanks are no change of the text"
    for text, chosen in (
        ("Alex", pick.chosen()),
        ("Alex Doe", pick.chosen("al")),
        ("Alex Doe", ""),
        ("", Pick("", "").chosen()),
    ):
        assert sent(text, chosen) is None, (text, chosen)
