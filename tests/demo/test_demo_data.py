"""What the demo's data are like: reviews in their language, usernames that fit names, prices that end as prices do."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from typing import Any

import pytest

from hotelapp.demo.management.commands.seed_demo import SEEDED, Command
from hotels.entities import Hotel
from hotels.seeding import demo_hotels
from orders import keys as order_keys
from orders.seeding import LOCALES, STAFF, guests, guests_by_locale
from orders.statuses import Status
from portal.money import decimals
from reviews.keys import RATINGS
from reviews.seeding import LANGUAGES, PHRASES, guests_by_language, phrases, reviews
from rooms.seeding import rooms

SCRIPTS = {"ja": "[\u3040-\u30ff\u4e00-\u9fff]", "el": "[\u0370-\u03ff\u1f00-\u1fff]"}
COMMON = {
    "en": "the we",
    "de": "wir das",
    "fr": "nous la",
    "it": "la abbiamo",
    "es": "la el",
    "ja": "た",
    "el": "το και",
}
"""Words of each language, one of which is in most of its texts."""


Mood = Mapping[str, Sequence[str]]


def moods() -> Iterator[tuple[str, Mood]]:
    for language, found in PHRASES.items():
        yield from ((language, found[mood]) for mood in ("praise", "mixed", "complaint"))


def texts(mood: Mood) -> list[str]:
    return list(chain.from_iterable(mood.values()))


@pytest.mark.django_db
def test_the_demo_has_the_sizes_that_the_documents_name() -> None:
    """It has every status, rating and language, too, and a guest with more than a page of orders."""
    options = vars(Command().create_parser("manage.py", "seed_demo").parse_args([]))
    collections = [collection for demo_data in SEEDED for collection in demo_data(options)]
    made: dict[str, list[Any]] = {collection.noun: list(collection.entities) for collection in collections}
    assert (
        [collection.total for collection in collections]
        == list(map(len, made.values()))
        == [3, 2300, 150, 600, 1200, 4]
    )
    assert {order.status for order in made["order"]} == {*Status}
    assert max(Counter(order.username for order in made["order"]).values()) > 25
    for hotel in made["hotel"]:
        found = [review for review in made["review"] if review.hotel_id == hotel.hotel_id]
        assert len(found) == 400
        assert {str(review.rating) for review in found} == {*map(str, RATINGS)}
        assert {review.language for review in found} == LANGUAGES.keys()
    assert [hotel.rooms for hotel in made["hotel"]] == [240, 2000, 60]


# --- Reviews --------------------------------------------------------------------------------------------


def test_every_language_has_its_own_phrases_for_every_mood() -> None:
    assert PHRASES.keys() == LANGUAGES.keys()
    every = [text for _, mood in moods() for text in texts(mood)]
    assert len(every) == len(set(every)), "no phrase belongs to two moods or languages"
    for language, mood in moods():
        assert mood.keys() == {"titles", "openings", "middles", "endings", "replies"}
        assert all(3 <= len(sentences) <= 6 or part == "replies" for part, sentences in mood.items())
        for sentence in chain.from_iterable(mood[part] for part in ("openings", "middles", "endings", "replies")):
            assert sentence == sentence.strip()
            assert sentence[-1] in ".!。", sentence
        assert not any(title.endswith((".", "。")) for title in mood["titles"])
        assert len(mood["replies"]) > 1
        if script := SCRIPTS.get(language):
            assert all(re.search(script, text) for text in texts(mood))


@pytest.mark.parametrize("language", PHRASES)
def test_phrases_are_in_their_language(language: str) -> None:
    """Most sentences have a word that is frequent in the language, and more of them than another language's."""
    own = [text for other, mood in moods() if other == language for text in texts(mood)]

    def having(words: str) -> int:
        return sum(
            any(re.search(rf"(?<!\w){word}(?!\w)" if language != "ja" else word, text, re.I) for word in words.split())
            for text in own
        )

    assert having(COMMON[language]) > len(own) / 4
    assert max(COMMON, key=lambda other: having(COMMON[other])) == language


def test_reviews_fit_their_rating_and_language() -> None:
    seen = set()
    for review in reviews(1, "seaside", 400):
        mood = phrases(review.language, review.rating)
        other = [text for _, each in moods() if each is not mood for text in texts(each)]
        assert review.title in mood["titles"]
        assert review.body.startswith(tuple(mood["openings"]))
        assert review.body.endswith(tuple(mood["endings"]))
        assert not any(text in review.body for text in other)
        assert review.reply in {"", *mood["replies"]}
        seen.add(review.rating)
    assert seen == {1, 2, 3, 4, 5}
    assert phrases("en", 5) is PHRASES["en"]["praise"]
    assert phrases("en", 1) is PHRASES["en"]["complaint"]


def test_some_reviews_have_replies_and_some_name_a_guest_who_speaks_the_language() -> None:
    people, locales = guests_by_language(1, 150), {guest.username: locale for locale, guest in guests_by_locale(1, 150)}
    found = list(reviews(1, "seaside", 400, people))
    assert found == list(reviews(1, "seaside", 400, people)), "the same seed gives the same reviews"
    replied = [review for review in found if review.reply]
    assert 60 < len(replied) < 200
    for review in replied:
        assert review.replied_by in STAFF
        assert review.replied_at is not None
        assert review.replied_at >= review.created_at
    assert {(review.replied_by, review.replied_at) for review in found if not review.reply} == {("", None)}
    named = [review for review in found if review.username]
    assert 20 < len(named) < 100
    for review in named:
        assert locales[review.username] == LANGUAGES[review.language]
        assert review.author in {guest.name for guest in people[review.language]}
    assert {len(review.body) > 160 for review in found} == {True, False}, "long texts fold"
    unnamed = list(reviews(1, "seaside", 400))
    assert not any(review.username for review in unnamed)
    assert [review.body for review in unnamed] == [review.body for review in found], "guests change nothing else"


# --- Guests ---------------------------------------------------------------------------------------------


def test_usernames_and_addresses_fit_the_names() -> None:
    people = guests(1, 400)
    assert len({guest.username for guest in people}) == 400
    assert {locale for locale, _ in guests_by_locale(1, 400)} == set(LOCALES)
    by_name = {guest.name: guest.username for guest in people}
    for name, username in by_name.items():
        assert order_keys.is_username(username)
        assert re.fullmatch(r"[a-z-]+(\.[a-z-]+)+\d*", username), (name, username)
    for guest in people:
        assert guest.email == f"{guest.username}@example.com"
        assert guest.phone
        if guest.name.isascii():
            words = re.sub(r"[^a-z -]", "", guest.name.lower()).split()
            assert guest.username.rstrip("0123456789") in {".".join(words), ".".join(words[::-1])}


@pytest.mark.parametrize(
    ("locale", "example"),
    [
        ("de_DE", r"^(?!.*[äöüß])"),
        ("ja_JP", r"[a-z]+\.[a-z]+"),
        ("el_GR", r"[a-z]+\.[a-z]+"),
        ("vi_VN", r"[a-z]+\.[a-z]+"),
    ],
)
def test_names_that_are_not_ascii_have_usernames_in_latin_letters(locale: str, example: str) -> None:
    people = [guest for each, guest in guests_by_locale(1, 400) if each == locale]
    strange = [guest for guest in people if not guest.name.isascii()]
    assert strange
    assert all(re.match(example, guest.username) for guest in strange)


def test_a_name_that_occurs_twice_gets_a_number() -> None:
    names = [guest.username for guest in guests(1, 1500)]
    assert len(set(names)) == 1500
    again = [name for name in names if name.endswith("2")]
    assert again
    assert all(name.rstrip("2") in names for name in again)


def test_guests_of_another_seed_are_others() -> None:
    first, second = ({guest.username for guest in guests(seed, 100)} for seed in (1, 2))
    assert not first & second
    assert all(name.endswith("-2") for name in second)
    assert guests(1, 50) == guests(1, 100)[:50], "more guests do not change the first ones"


# --- Prices ---------------------------------------------------------------------------------------------

ENDINGS = {"EUR": r"\d+(5\.00|9\.00|9\.90)", "GBP": r"\d+(5\.00|9\.00|9\.90)", "CHF": r"\d+(5\.00|9\.00|9\.50|9\.90)"}


@pytest.mark.parametrize("currency", ENDINGS)
def test_rates_end_as_prices_do(currency: str) -> None:
    random, hotel = Random(1), Hotel("x", "X", currency=currency, rooms=200)
    rates = [room.rate for room in rooms(random, hotel)]
    assert all(re.fullmatch(ENDINGS[currency], str(rate)) for rate in rates), rates
    assert all(rate == round(rate, decimals(currency)) for rate in rates)
    assert len(set(rates)) > 20


def test_the_demo_hotels_have_different_rates_for_the_same_size() -> None:
    for hotel in demo_hotels({"seed": 1, "rooms": [120, 120, 120]}):
        rates = [room.rate for room in rooms(Random("1"), hotel)]
        assert min(rates) < 100
        assert max(rates) > 250
