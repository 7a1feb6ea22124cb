"""What the demo's data are like: reviews of their rating and language, usernames that fit names."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import pytest

from hotelapp.demo.management.commands.seed_demo import SEEDED, Command
from orders import keys as order_keys
from orders.seeding import LOCALES, STAFF, guests, guests_by_locale
from orders.statuses import Status
from reviews.keys import RATINGS
from reviews.seeding import LANGUAGES, PHRASES, guests_by_language, phrases, reviews

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


def test_names_that_are_not_ascii_have_usernames_in_latin_letters_and_a_second_one_a_number() -> None:
    strange = {locale for locale, guest in guests_by_locale(1, 400) if not guest.name.isascii()}
    assert strange >= {"de_DE", "ja_JP", "el_GR", "vi_VN"}
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
