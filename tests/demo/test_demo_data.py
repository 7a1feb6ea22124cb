"""What the demo's data are like: reviews of their rating and language, usernames that fit names."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any

import pytest

from hotelapp.demo.management.commands.seed_demo import SEEDED, Command
from orders import keys as order_keys
from orders.seeding import LOCALES, STAFF, guests, guests_by_locale
from orders.statuses import Status
from reviews.keys import RATINGS
from reviews.seeding import LANGUAGES, PHRASES, phrases, reviews

Mood = Mapping[str, Sequence[str]]
AT = datetime(2000, 1, 1, tzinfo=UTC)


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
    assert [collection.total for collection in collections] == list(map(len, made.values()))
    assert len(made.pop("working day")) > 100  # the hour tells how many
    assert list(map(len, made.values())) == [3, 2300, 150, 600, 63, 1200, 36, 4]
    assert {order.status for order in made["order"]} == {*Status}
    assert max(Counter(order.username for order in made["order"]).values()) > 25
    for hotel in made["hotel"]:
        found = [review for review in made["review"] if review.hotel_id == hotel.hotel_id]
        assert len(found) == 400
        assert {str(review.rating) for review in found} == {*map(str, RATINGS)}
        assert {review.language for review in found} == LANGUAGES.keys()
    assert [hotel.rooms for hotel in made["hotel"]] == [240, 2000, 60]


# --- Reviews --------------------------------------------------------------------------------------------


def test_reviews_fit_their_rating_and_language_and_some_have_a_reply_or_name_a_guest() -> None:
    people = guests_by_locale(1, 150)
    locales = {guest.username: locale for locale, guest in people}
    found = list(reviews(1, "seaside", 400, people))
    assert found == list(reviews(1, "seaside", 400, people)), "the same seed gives the same reviews"
    for review in found:
        mood = phrases(review.language, review.rating)
        other = [text for _, each in moods() if each is not mood for text in texts(each)]
        assert review.title in mood["titles"]
        assert review.body.startswith(tuple(mood["openings"]))
        assert not any(text in review.body for text in other)
        assert review.reply in {"", *mood["replies"]}
        assert (review.replied_by in STAFF, (review.replied_at or AT) > review.created_at) == (bool(review.reply),) * 2
        if review.username:
            assert locales[review.username] == LANGUAGES[review.language]
            assert review.author in {guest.name for _, guest in people}
    assert {review.rating for review in found} == {1, 2, 3, 4, 5}
    assert 60 < sum(bool(review.reply) for review in found) < 200
    assert 20 < sum(bool(review.username) for review in found) < 100
    assert {len(review.body) > 160 for review in found} == {True, False}, "long texts fold"


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
