"""Demo reviews in several languages: the same seed always gives the same data."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, cast

from faker import Faker

from hotels.seeding import demo_hotels
from orders.entities import Guest
from orders.seeding import STAFF, guests_by_locale
from portal.seeding import NEWEST, Collection
from reviews import commands
from reviews.entities import Review, StandardReply

LANGUAGES = {"en": "en_GB", "de": "de_DE", "fr": "fr_FR", "it": "it_IT", "es": "es_ES", "ja": "ja_JP", "el": "el_GR"}
WEIGHTS = (40, 22, 16, 9, 7, 4, 2)
RATINGS = {5: 44, 4: 29, 3: 12, 2: 8, 1: 7}
DAYS = 1500
DAY = 86_400
ROOM_SHARE = 0.5  # the share of reviews that name a room
GUEST_SHARE = 0.2  # the share of reviews that name a guest of the portal, in the languages of its guests
REPLY_SHARE = 0.3  # the share of reviews with a reply
REPLY_DAYS = 5  # the longest time until a reply
FIRST_FLOOR = 40  # the number of rooms on the first floor of the demo's hotels
LENGTHS = (0, 1, 2, 4)
LONG = 4  # a text with so many sentences in the middle has two paragraphs

NAMES = {"praise": "Thanks", "mixed": "Thanks, sorry", "complaint": "Apology"}
"""The names of standard replies, by the mood of reviews."""

PHRASES: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8"))
"""Phrases by language and mood. ``blank`` is what stands between the sentences of a language, if not a blank."""


def reviews(
    seed: int,
    hotel_id: str,
    number: int,
    guests: Sequence[tuple[str, Guest]] = (),
    rooms: int = FIRST_FLOOR,
    until: datetime = NEWEST,
) -> Iterator[Review]:
    """Reviews of a hotel until a time. Title and text fit the rating. Some have a reply in their language.

    Some name one of ``guests``, each with the locale of the country, or a room of the first floor, numbered as the demo
    does; the hotel has ``rooms``.
    """
    random = Random(f"reviews:{seed}:{hotel_id}")
    fake = Faker(list(LANGUAGES.values()))
    fake.seed_instance(f"reviews:{seed}:{hotel_id}")
    of_language = {language: [guest for of, guest in guests if of == locale] for language, locale in LANGUAGES.items()}
    for index in range(number):
        (language,) = random.choices(list(LANGUAGES), WEIGHTS)
        (rating,) = random.choices(list(RATINGS), list(RATINGS.values()))
        review = Review(
            review_id=f"{hotel_id}-{index:05d}",
            hotel_id=hotel_id,
            language=language,
            rating=rating,
            created_at=until - timedelta(seconds=random.randrange(DAYS * DAY)),
            author=fake[LANGUAGES[language]].name(),
            title=random.choice(phrases(language, rating)["titles"]),
            body=_body(random, language, rating),
            room_number=_room_number(random, rooms),
        )
        replied = _with_reply(random, replace(review, added_at=review.created_at), until)
        yield _with_guest(Random(f"guest:{seed}:{review.review_id}"), replied, of_language[language])


def phrases(language: str, rating: int) -> Mapping[str, Sequence[str]]:
    """Return the titles, openings, middles, endings and whole replies that fit a rating. Any of them fit together."""
    mood = {5: "praise", 4: "praise", 3: "mixed"}.get(rating, "complaint")
    return cast(Mapping[str, Sequence[str]], PHRASES[language][mood])


def _room_number(random: Random, rooms: int) -> str:
    door = random.randrange(FIRST_FLOOR)
    return f"1{door + 1:02d}" if random.random() < ROOM_SHARE and door < rooms else ""


def _body(random: Random, language: str, rating: int) -> str:
    mood, blank = phrases(language, rating), PHRASES[language].get("blank", " ")
    middles = random.sample(mood["middles"], random.choice(LENGTHS))
    beginning = blank.join([random.choice(mood["openings"]), *middles])
    return f"{beginning}{chr(10) * 2 if len(middles) >= LONG else blank}{random.choice(mood['endings'])}"


def _with_guest(random: Random, review: Review, guests: Sequence[Guest]) -> Review:
    """Return the review, perhaps by a guest of the portal. It draws random numbers of its own."""
    if not guests or random.random() >= GUEST_SHARE:
        return review
    guest = random.choice(guests)
    return replace(review, author=guest.name, username=guest.username)


def _with_reply(random: Random, review: Review, until: datetime) -> Review:
    if random.random() >= REPLY_SHARE:
        return review
    replied_at = review.created_at + timedelta(seconds=random.randrange(600, REPLY_DAYS * DAY))
    return replace(
        review,
        reply=random.choice(phrases(review.language, review.rating)["replies"]),
        replied_by=random.choice(STAFF),
        replied_at=min(replied_at, until),
    )


def standard_replies(hotel_id: str) -> Iterator[StandardReply]:
    """Yield a standard reply of a hotel for each language and mood."""
    for language in LANGUAGES:
        for mood, name in NAMES.items():
            text = PHRASES[language][mood]["replies"][0]
            yield StandardReply(hotel_id=hotel_id, language=language, name=name, text=text)


def demo_data(options: Mapping[str, Any]) -> Iterator[Collection[Any]]:
    seed, hotels, number = options["seed"], demo_hotels(options), options["reviews"]
    guests = guests_by_locale(seed, options["guests"])
    all_reviews = (
        review
        for hotel in hotels
        for review in reviews(seed, hotel.hotel_id, number, guests, hotel.rooms, options["until"])
    )
    texts = [each for hotel in hotels for each in standard_replies(hotel.hotel_id)]
    yield Collection("standard text", len(texts), texts, commands.add_missing_replies)
    yield Collection("review", number * len(hotels), all_reviews, lambda batch: commands.save_reviews(batch)[0])
