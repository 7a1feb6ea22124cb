from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated, NamedTuple

from dynamodb_lists import AddedRecord, Field, Words
from portal.times import now


@dataclass(frozen=True, slots=True)
class Hotel(AddedRecord):
    """A hotel. ``rooms`` is the number of its rooms; every write of rooms updates it.

    ``currency`` (ISO 4217) is what its prices are in, and ``time_zone`` is a name of the IANA database. Either is blank
    for a hotel whose import did not say it, until somebody enters it. In files of rooms, rates name the currency.
    """

    hotel_id: Annotated[str, Field("Id", entered=False)]
    name: Annotated[str, Field("Hotel", column="hotel_name")]
    city: Annotated[str, Field("City", blank=True)] = ""
    rooms: Annotated[int, Field("Rooms", entered=False, computed=True, compared=False)] = 0
    currency: Annotated[str, Field("Currency", optional=True)] = ""
    time_zone: Annotated[str, Field("Time zone", optional=True)] = ""

    @property
    def words(self) -> Words:
        """Return the words by which the hotel is found. The city comes first, so that a long name leaves it room."""
        return Words.of(f"{self.city} {self.name}", self.hotel_id)


ORDERS, REVIEWS, ROOMS, TOTAL, REVENUE = "orders", "reviews", "rooms", "total", "revenue"
"""The first part of each statistic's key, the second part of a total, and the number that is an amount of money."""

UNANSWERED = "unanswered-"
"""The beginning of the name of a number of reviews without a reply, in the total. The language is the end."""

DAYS, MONTHS = 30, 12
"""How many days of orders, and how many months of reviews, statistics have; today and this month are the last."""

TREND_DAYS = 2 * DAYS
"""The days of orders that a trend takes: the :data:`DAYS` days of which today is the last, and as many before these."""

KEPT_DAYS = 400
"""The days whose statistics are written and checked, so that this month can be compared with that of last year."""

Statistic = tuple[str, ...]
"""What a statistic counts: ``("orders", "2026-11-23", "CHF")``, ``("reviews", "2026-11")``, ``("rooms", "total")``."""

Numbers = Mapping[Statistic, Mapping[str, Decimal]]
"""Numbers by statistic and name: what an order, a review or a room adds."""

Stored = tuple[Statistic, Mapping[str, Decimal]]
"""A statistic and its numbers, as they are stored."""


def kept(numbers: Numbers) -> Iterator[tuple[Statistic, Mapping[str, Decimal]]]:
    """Return the statistics that are written and checked: all except those of old days."""
    first = str(now().date() - timedelta(days=KEPT_DAYS))
    return ((what, each) for what, each in numbers.items() if what[0] != ORDERS or what[1] >= first)  # so is "total"


class Age(NamedTuple):
    """How old an order is: placed from ``youngest`` to ``oldest`` days ago; ``None`` means no limit."""

    label: str
    youngest: int
    oldest: int | None

    def days(self, today: date) -> tuple[date | None, date]:
        """Return the first and the last day on which such orders were placed; no first day for the oldest."""
        first = None if self.oldest is None else today - timedelta(days=self.oldest)
        return first, today - timedelta(days=self.youngest)


AGES = (
    Age("Today", 0, 0),
    Age("1–2 days", 1, 2),
    Age("3–7 days", 3, 7),
    Age(f"8–{DAYS - 1} days", 8, DAYS - 1),
    Age(f"{DAYS} days or more", DAYS, None),
)
OLD = AGES[2:]
"""The ages of unfinished orders that figures call old. An order is late after the time for which it is wanted."""


@dataclass(frozen=True, slots=True)
class HotelStatistics:
    """The numbers of a hotel, of some hotels, or of the group. ``today`` is the last day.

    Days are those of each order's hotel; months are UTC.

    ``rooms`` counts rooms by status: each room under its service and under its housekeeping. ``orders`` has the orders
    placed on each of the last :data:`DAYS` days by their status now, and ``revenue`` the total of those that are not
    cancelled, by currency and day. ``ratings`` counts the reviews written in each of the last :data:`MONTHS` months
    ("2026-11") by rating. ``all_orders`` and ``all_ratings`` count those of all time, and ``unanswered`` the reviews
    without a reply. Days and months are complete, the oldest first; statuses and ratings without a number are left out.
    """

    today: date
    rooms: Mapping[str, int]
    orders: Mapping[date, Mapping[str, int]]
    revenue: Mapping[str, Mapping[date, Decimal]]
    all_orders: Mapping[str, int]
    ratings: Mapping[str, Mapping[int, int]]
    all_ratings: Mapping[int, int]
    unanswered: int

    def orders_by_age(self, status: str) -> dict[Age, int]:
        """Return the orders in a status by the days since they were placed; older orders are counted together."""
        newest_first = [numbers.get(status, 0) for numbers in list(self.orders.values())[::-1]]
        recent = {age: sum(newest_first[age.youngest : (age.oldest or 0) + 1]) for age in AGES[:-1]}
        return {**recent, AGES[-1]: max(self.all_orders.get(status, 0) - sum(newest_first), 0)}

    @classmethod
    def of(cls, stored: Iterable[Stored], today: date) -> "HotelStatistics":
        """Return the sum of stored statistics. An order of a day after ``today`` counts for today: clocks differ."""
        first_day, last_day = last_days(today)
        days = [first_day + timedelta(days=number) for number in range(DAYS)]
        number = today.year * 12 + today.month
        months = [month_of(date(each // 12, each % 12 + 1, 1)) for each in range(number - MONTHS, number)]
        counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        revenue: dict[str, dict[date, Decimal]] = {}
        first, last = str(first_day), str(last_day)
        for (what, part, *currency), numbers in stored:
            when = min(part, last) if currency else part
            if when < (first if currency else months[0]):
                continue
            counts[what, when].update({name: int(number) for name, number in numbers.items() if name != REVENUE})
            if currency:
                amounts = revenue.setdefault(currency[0], dict.fromkeys(days, Decimal(0)))
                amounts[date.fromisoformat(when)] += numbers.get(REVENUE, Decimal(0))
        return cls(
            today,
            +counts[ROOMS, TOTAL],
            {day: +counts[ORDERS, str(day)] for day in days},
            revenue,
            +counts[ORDERS, TOTAL],
            {month: _by_rating(counts[REVIEWS, month]) for month in months},
            _by_rating(counts[REVIEWS, TOTAL]),
            sum(unanswered_by_language(counts[REVIEWS, TOTAL]).values()),
        )


def last_days(today: date, periods_ago: int = 0) -> tuple[date, date]:
    """Return the first and last of the :data:`DAYS` days that end today, or ``periods_ago`` such periods earlier."""
    last = today - timedelta(days=periods_ago * DAYS)
    return last - timedelta(days=DAYS - 1), last


def orders_of_days(stored: Iterable[Stored], first: date, last: date) -> dict[str, Counter[str]]:
    """Return what statistics count of the orders of some days, and their revenue, by currency."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for (what, day, *currency), numbers in stored:
        if what == ORDERS and currency and str(first) <= day <= str(last):
            found[currency[0]].update(numbers)
    return found


def year_before(day: date) -> date:
    """Return the same day of the year before; 28 February for a leap day."""
    return day.replace(year=day.year - 1, day=28 if (day.month, day.day) == (2, 29) else day.day)


def average_rating(ratings: Mapping[int, int]) -> Decimal | None:
    """Return the mean of ratings to one decimal; ``None`` without any."""
    total = sum(ratings.values())
    points = sum(rating * count for rating, count in ratings.items())
    return (Decimal(points) / total).quantize(Decimal("0.1"), ROUND_HALF_UP) if total else None


def month_of(day: date) -> str:
    """Return the month of a day, as statistics name it: "2026-11"."""
    return f"{day:%Y-%m}"


def unanswered_by_language(numbers: Mapping[str, Decimal | int]) -> dict[str, int]:
    """Return the reviews without a reply that the total of reviews counts, by language."""
    named = {name: int(number) for name, number in numbers.items() if name.startswith(UNANSWERED) and number > 0}
    return {name.removeprefix(UNANSWERED): number for name, number in named.items()}


def ratings_of(stored: Iterable[Stored], month: str) -> Mapping[int, int]:
    """Return how many of the reviews of a month have each rating."""
    found = [numbers for what, numbers in stored if what[:2] == (REVIEWS, month)]
    return _by_rating(Counter({name: int(number) for name, number in found[0].items()})) if found else {}


def _by_rating(counts: Counter[str]) -> Mapping[int, int]:
    return {int(name): count for name, count in (+counts).items() if name.isdecimal()}
