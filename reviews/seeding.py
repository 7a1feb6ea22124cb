"""Made-up reviews in several languages: the same seed always gives the same data."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

from faker import Faker

from reviews.values import Review

LANGUAGES = {"en": "en_GB", "de": "de_DE", "fr": "fr_FR", "it": "it_IT", "es": "es_ES", "ja": "ja_JP", "el": "el_GR"}
WEIGHTS = (40, 22, 16, 9, 7, 4, 2)
RATINGS = {5: 44, 4: 29, 3: 12, 2: 8, 1: 7}
NEWEST = datetime(2026, 10, 31, 18, 0, tzinfo=UTC)
DAYS = 1500
DAY = 86_400
ROOM_SHARE = 0.5  # of the reviews name a room
FIRST_FLOOR = 40  # rooms that the demo's hotels have there


def reviews(seed: int, hotel_id: str, number: int) -> Iterator[Review]:
    """That many reviews of a hotel; some name one of its first rooms, numbered as the demo's rooms are."""
    random = Random(f"reviews:{seed}:{hotel_id}")
    fake = Faker(list(LANGUAGES.values()))
    fake.seed_instance(f"reviews:{seed}:{hotel_id}")
    for place in range(number):
        (language,) = random.choices(list(LANGUAGES), WEIGHTS)
        local = fake[LANGUAGES[language]]
        (rating,) = random.choices(list(RATINGS), list(RATINGS.values()))
        yield Review(
            review_id=f"{hotel_id}-{place:05d}",
            hotel_id=hotel_id,
            language=language,
            rating=rating,
            created_at=NEWEST - timedelta(seconds=random.randrange(DAYS * DAY)),
            author=local.name(),
            title=local.sentence(nb_words=4).rstrip(".。"),
            body=local.paragraph(nb_sentences=random.choice((1, 3, 6, 12))),
            room_number=f"1{random.randrange(FIRST_FLOOR) + 1:02d}" if random.random() < ROOM_SHARE else "",
        )
