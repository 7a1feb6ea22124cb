"""Words: what is found by typing is what plain Python finds, in any script, in pages both ways, and once each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamodb_lists.schema.conditions import holds
from dynamodb_lists.schema.keys import HIGHEST
from dynamodb_lists.schema.words import (
    MAX_WORDS,
    Term,
    WordQuery,
    Words,
    folded,
    numbers,
    whole,
    words_of,
)
from dynamodb_lists.writing.transactions import MAX_WRITES

NAMES = st.sampled_from(
    [
        "Anna",
        "Annabel",
        "Ann",
        "Émile",
        "Emil",
        "Leroux",
        "Ler",
        "Nguyễn",
        "Văn",
        "山田",
        "太郎",
        "Ζωή",
        "Øre",
        "Straße",
    ]
)
ANY_WORD = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=6) | NAMES


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Nguyễn", "nguyen"),
        ("ZOË", "zoe"),
        ("zoe\u0308", "zoe"),
        ("Straße", "strasse"),
        ("Søren Łukasz Đorđe Ægir", "soren lukasz dorde aegir"),
        ("İstanbul Işık", "istanbul isik"),
        ("Ζωή", "ζωη"),
        ("Ｔａｒｏ", "taro"),
        ("ガク", "ガク"),
        ("김민준", "김민준"),
        ("कमरी", "कमरी"),
        ("O’Brien", "obrien"),
    ],
)
def test_accents_and_case_are_folded_and_the_vowels_of_other_scripts_stay(text: str, plain: str) -> None:
    assert folded(text) == plain
    assert folded(folded(text)) == plain


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Émile Leroux", ("emile", "leroux")),
        ("Jean-Luc Picard", ("jean-luc", "luc", "picard")),
        ("Anna Annabel", ("annabel",)),
        ("  Dr. (h.c.) Zoë, d'Arc ", ("dr", "h.c", "c", "zoe", "darc")),
        ("山田 太郎", ("山田", "太郎")),
        ("#!?", ()),
        ("a b c d e f g h i j", tuple("abcdefgh")),
    ],
)
def test_the_words_of_a_name(name: str, words: tuple[str, ...]) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        *((f"+41 44 123 45 67{end}", ["1234567"]) for end in (" ext. 12", "x12", " Durchwahl -12", " #12", ", 12")),
        *(
            (f"044 123 45 67{between}079 765 43 21", ["1234567", "7654321"])
            for between in (" / ", "/", ", ", "; ", " or ", " | ", " - ", " oder Mobil: ", " +")
        ),
        ("044 123 45 67 / 68", ["1234567"]),
        ("0660/123 45 67", ["1234567"]),
        ("+43 (0)4421 / 123456", ["1123456"]),
        ("+1-555-123-4567 x1/2", ["1234567"]),
        ("٠٤٤ ١٢٣ ٤٥ ٦٧ ext ١٢", ["1234567"]),
    ],
)
def test_each_number_of_a_text_is_found_by_its_last_digits(text: str, ends: list[str]) -> None:
    for end in ends:
        query = WordQuery.of_number(end)
        assert query
        assert query.term(Words((), numbers(text))), (end, numbers(text))
        assert query in WordQuery.of_numbers(text)
    whole_text = WordQuery.of_number(text)
    assert whole_text
    assert whole_text.term(Words((), numbers(text))), "the whole text may be typed"


def test_the_code_of_an_area_is_no_number() -> None:
    assert numbers("22 33 44, 55 66 77") == ("+776655443322", "+443322")
    assert numbers("0660/123 45 67") == ("+76543210660",)
    assert not any(map(WordQuery.of_number, ["4567 x", "2023bea", "12345678x@ex.com"]))


def test_digits_that_begin_a_word_are_a_number_of_what_may_have_a_phone() -> None:
    assert Words.of("2023 Émile", "1234@x.com").others == ("1234@x.com",)
    assert Words.of("2023 Émile", "1234@x.com", phones=[""]).others == ("1234@x.com", "+3202", "+4321")


def test_terms_are_read_as_they_were_stored() -> None:
    terms = Words(words_of("Émile Leroux"), whole("emile80")).terms()
    assert terms == {Term("e", "emile80"), Term("l", "leroux"), Term("el", "elmeirloeu x")}


def test_a_changed_name_fits_into_a_transaction() -> None:
    longest = Words(
        words_of(" ".join(f"{n}word" for n in range(20))),
        (*whole("username", "e@mail"), *numbers(*(f"{n}word1234" for n in range(9)))),
    )
    assert len(longest.name) == MAX_WORDS
    assert 1 + 2 * len(longest.terms()) <= MAX_WRITES


@pytest.mark.parametrize(
    ("text", "initials", "start"),
    [
        ("l", "l", "l"),
        ("Emile Ler", "el", "elmeirl"),
        ("ler emile", "el", "elmeirl"),
        ("em leroux", "el", "elme"),
        ("e leroux", "l", "leroux"),
        ("e l", "el", "el"),
        ("ann anna", "a", "anna"),
        ("jean van leroux", "jl", "jleearno"),
    ],
)
def test_the_range_that_is_read(text: str, initials: str, start: str) -> None:
    query = WordQuery.of(text)
    assert query
    assert (query.initials, query.span.low, query.span.high) == (initials, start, start + HIGHEST)


@given(st.lists(ANY_WORD, min_size=1, max_size=6), st.data())
def test_a_range_holds_one_term_of_whatever_plain_python_finds(name: list[str], data: st.DataObject) -> None:
    words = Words(words_of(" ".join(name)), whole("user", f"{name[0]}@example.com"))
    beginnings = [
        word[: data.draw(st.integers(1, len(word)))]
        for word in data.draw(st.lists(st.sampled_from(name) | ANY_WORD, min_size=1, max_size=3))
    ]
    query = WordQuery.of(" ".join(beginnings))
    if not query:
        assert not any(char.isalnum() for text in beginnings for char in text)
        return
    searched = words.name if len(query.typed) > 1 else (*words.name, *words.others)
    matches = all(any(word.startswith(part) for word in searched) for part in query.typed)
    term = query.term(words)
    assert (term is not None) == matches
    if term is not None:
        assert Term(query.initials, term) in words.terms()
        assert holds(query.span, term)
