"""What must agree in the table ``reviews``: reviews, the keys of their indexes, and the counts of each hotel."""

from hotels.entities import REVIEWS as REVIEWED
from hotels.entities import TOTAL
from hotels.invariants import StatisticsRule
from reviews import queries
from reviews.lists import REVIEWS

RULES = (
    REVIEWS,
    StatisticsRule(
        model=REVIEWS.model,
        what=REVIEWED,
        read=lambda hotel_id, what: queries.hotel_reviews(hotel_id, "" if what[1] == TOTAL else what[1]),
        settle_seconds=2.0,  # a GSI finds the reviews
    ),
)
