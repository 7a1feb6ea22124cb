"""Demo reviews in several languages: the same seed always gives the same data."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from faker import Faker

from hotelapp.demo.seeding import Collection, Seeder, register, size
from hotels.seeding import demo_hotels
from reviews import commands
from reviews.entities import Review

LANGUAGES = {"en": "en_GB", "de": "de_DE", "fr": "fr_FR", "it": "it_IT", "es": "es_ES", "ja": "ja_JP", "el": "el_GR"}
WEIGHTS = (40, 22, 16, 9, 7, 4, 2)
RATINGS = {5: 44, 4: 29, 3: 12, 2: 8, 1: 7}
NEWEST = datetime(2026, 10, 31, 18, 0, tzinfo=UTC)
DAYS = 1500
DAY = 86_400
DEFAULT_REVIEWS = 400
ROOM_SHARE = 0.5  # the share of reviews that name a room
FIRST_FLOOR = 40  # the number of rooms on the first floor of the demo's hotels


def reviews(seed: int, hotel_id: str, number: int) -> Iterator[Review]:
    """Reviews of a hotel. Some name a room of its first floor, numbered as the demo's rooms are."""
    random = Random(f"reviews:{seed}:{hotel_id}")
    fake = Faker(list(LANGUAGES.values()))
    fake.seed_instance(f"reviews:{seed}:{hotel_id}")
    for index in range(number):
        (language,) = random.choices(list(LANGUAGES), WEIGHTS)
        local = fake[LANGUAGES[language]]
        (rating,) = random.choices(list(RATINGS), list(RATINGS.values()))
        created_at = NEWEST - timedelta(seconds=random.randrange(DAYS * DAY))
        yield Review(
            review_id=f"{hotel_id}-{index:05d}",
            hotel_id=hotel_id,
            language=language,
            rating=rating,
            created_at=created_at,
            added_at=created_at,
            author=local.name(),
            title=local.sentence(nb_words=4).rstrip(".。"),
            body=local.paragraph(nb_sentences=random.choice((1, 3, 6, 12))),
            room_number=f"1{random.randrange(FIRST_FLOOR) + 1:02d}" if random.random() < ROOM_SHARE else "",
        )


@register
class ReviewSeeder(Seeder):
    """Reviews of the demo hotels."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the number of reviews."""
        parser.add_argument(
            "--reviews",
            type=size,
            default=DEFAULT_REVIEWS,
            metavar="N",
            help=f"Number of reviews of each hotel (default: {DEFAULT_REVIEWS})",
        )

    def collections(self, options: Mapping[str, Any]) -> Iterator[Collection[Review]]:
        """The reviews of every hotel."""
        hotels, number = demo_hotels(options), options["reviews"]
        all_reviews = (review for demo in hotels for review in reviews(options["seed"], demo.hotel.hotel_id, number))
        yield Collection("review", number * len(hotels), all_reviews, lambda batch: commands.save_reviews(batch)[0])
