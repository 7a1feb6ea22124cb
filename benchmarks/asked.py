"""The lists of the clairvoyant, and what people ask: rooms, whose rates follow size and view, artworks and flights."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from random import Random
from typing import Any, NamedTuple

from dynamodb_lists import List, Query, Record, between
from hotels.entities import Hotel
from hotels.lists import HOTELS
from portal.times import now
from rooms import commands
from rooms.entities import Room, StatusChange, with_status
from rooms.lists import ROOMS
from rooms.statuses import Housekeeping, Service
from tests.helpers.filling import fill_list
from tests.helpers.rooms import make_room

VIEWS, SIZES = ["Sea view", "Garden view", "Courtyard", "City", "Pool"], [14, 18, 22, 26, 30, 36, 42, 55, 70, 95]
TYPES = ["Single", "Double", "Twin", "Family", "Suite", "Penthouse"]
FACETS, SORTED, RANGES, STATUS, BOTH = "facets", "by rate, number", "rates", "status", "both"
TAPS = 500


class Stock(NamedTuple):
    """What an owner has: a seed; the shares of dirty, broken and inspected rooms; and the level of the prices."""

    seed: int
    statuses: tuple[float, float, float] = (0.35, 0.05, 0.2)
    prices: float = 1


class Subject(NamedTuple):
    """A list; how an owner's items are filled in and how some change; and its kinds of questions."""

    listed: List[Any]
    owner: str
    fill: Callable[[str, int, Stock], None]
    tap: Callable[[str, int, Random], None]
    questions: Mapping[str, Callable[[Random, Query[Any]], Query[Any]]]


# --- Rooms ------------------------------------------------------------------------------------------------


def number(place: int) -> str:
    """Return the number of the room at a place: 60 on a floor."""
    return f"{1 + place // 60}{place % 60:02}"


def rooms(hotel: str, count: int, stock: Stock) -> Iterator[Room]:
    """Yield rooms: small ones are many, small and large ones have other types, and rates follow size and view."""
    random, at = Random(stock.seed), now()
    for place in range(count):
        size, view = SIZES[min(int(random.expovariate(0.35)), 9)], random.choices(VIEWS, (2, 4, 5, 3, 1))[0]
        kind = random.choice(TYPES[:2] if size < 20 else TYPES[1:4] if size < 40 else TYPES[3:6])
        more = {"Sea view": 60, "Pool": 25}.get(view, 0)
        rate = Decimal(max(int((size * 3 + more + random.gauss(0, 12)) * stock.prices), 20))
        room, lot = make_room(number(place), view, size, kind, hotel_id=hotel, rate=rate), random.random()
        dirty, broken, inspected = stock.statuses
        if lot < dirty:
            since = at - timedelta(minutes=random.randint(1, 600))
            room = replace(room, housekeeping=Housekeeping.DIRTY, attention_since=since)
        elif lot < dirty + broken:
            since = at - timedelta(random.randint(2, 40))
            room = replace(room, service=Service.OUT_OF_ORDER, reason="Boiler", attention_since=since)
        elif lot < dirty + broken + inspected:
            room = replace(room, housekeeping=Housekeeping.INSPECTED)
        yield room


def fill_rooms(hotel: str, count: int, stock: Stock) -> None:
    fill_list(HOTELS, [Hotel(hotel, "Hotel", currency="EUR", time_zone="Europe/Paris")])
    fill_list(ROOMS, rooms(hotel, count, stock))
    commands.pack_hotels([hotel])


def tap_rooms(hotel: str, count: int, random: Random) -> None:
    """Set the status of rooms, most of them on the lower floors."""
    for _ in range(TAPS):
        status = StatusChange(random.choice([*Housekeeping]))
        commands.set_status(hotel, number(int(random.triangular(0, count, 0))), status, "anna")


def some(random: Random, values: Sequence[Any]) -> list[Any]:
    return random.sample(values, random.choice([1, 1, 2, 3]))


def by_facets(random: Random, query: Query[Any], least: int = 1) -> Query[Any]:
    for name in random.sample(["view", "size", "type"], random.randint(least, 3)):
        if name == "view":
            query = query.where(view=some(random, VIEWS))
        elif name == "type":
            query = query.where(type=some(random, TYPES))
        elif random.random() < 0.5:
            query = query.where(size=random.sample(SIZES, random.choice([1, 2, 3])))
        else:
            query = query.where(size=between(*sorted(random.sample(SIZES, 2))))
    return query


def by_rate(random: Random, query: Query[Any]) -> Query[Any]:
    low = random.choice([None, *range(40, 260, 15)])
    high = random.choice([120, 40]) if low is None else random.choice([None, low + 15, low + 40, low + 100])
    rates = between(low and Decimal(low), high and Decimal(high))
    return by_facets(random, query, 0).where(currency="EUR", rate=rates)


def by_status(random: Random, query: Query[Any]) -> Query[Any]:
    dirty, broken = Housekeeping.DIRTY, Service.OUT_OF_ORDER
    choices: list[list[Any]] = [[dirty], [broken], [Housekeeping.INSPECTED], [dirty, broken], [Housekeeping.CLEAN]]
    return with_status(query, frozenset(random.choice(choices)))


FACET_SORTS = [["view"], ["size"], ["type"], ["view", "size"], ["size", "type"], ["type", "view"], ["type", "size"]]
SORTS = [["view"], ["size"], ["type"], ["number"], ["rate"], ["rate"], ["view", "size"], ["type", "view"]]


def in_order(random: Random, query: Query[Any], sorts: Sequence[Sequence[str]]) -> Query[Any]:
    return query.order_by(*random.choice(sorts), descending=random.random() < 0.4)


OF_ROOMS = Subject(
    ROOMS,
    "hotel_id",
    fill_rooms,
    tap_rooms,
    {
        FACETS: lambda random, query: in_order(random, by_facets(random, query), FACET_SORTS),
        SORTED: lambda random, query: in_order(random, by_facets(random, query), [["rate"], ["number"]]),
        RANGES: lambda random, query: in_order(random, by_rate(random, query), SORTS),
        STATUS: lambda random, query: in_order(random, by_status(random, by_facets(random, query, 0)), SORTS),
        BOTH: lambda random, query: in_order(random, by_status(random, by_rate(random, query)), SORTS),
    },
)

# --- Artworks ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Artwork(Record):
    museum: str
    inventory: str
    medium: str
    school: str
    century: int
    year: int
    value: int
    on_show: bool


MEDIA = ["Oil", "Ink", "Bronze", "Print", "Photograph", "Marble", "Textile", "Glass"]
SCHOOLS = ["Dutch", "Edo", "Florence", "Fang", "Venice", "Moscow", "Mughal", "Paris", "Ulm", "Vienna", "York", "Zürich"]
ARTWORKS = List(
    Artwork, owner="museum", id="inventory", facets=("medium", "school", "century"), sorts=("year", "value")
)


def artworks(museum: str, count: int, stock: Stock) -> Iterator[Artwork]:
    """Yield artworks: schools have their centuries and media, old works are worth more, and few are on show."""
    random = Random(stock.seed)
    for place in range(count):
        school = SCHOOLS[min(int(random.expovariate(0.25)), len(SCHOOLS) - 1)]
        year = min(max(int(random.gauss(1500 + 35 * SCHOOLS.index(school), 90)), 1200), 2020)
        medium = random.choice(MEDIA[: 3 if year < 1600 else 8]) if random.random() < 0.9 else "Oil"
        value = int(random.lognormvariate(8 + (2020 - year) / 200, 1) * stock.prices)
        shown = random.random() < stock.statuses[2]
        facets: dict[str, Any] = {"medium": medium, "school": school, "century": year // 100}
        numbers: dict[str, Any] = {"year": year, "value": min(value, 10**9)}
        yield Artwork(museum=museum, inventory=f"{place:06}", on_show=shown, **facets, **numbers)


def fill_artworks(museum: str, count: int, stock: Stock) -> None:
    ARTWORKS.save(artworks(museum, count, stock))


def tap_artworks(museum: str, count: int, random: Random) -> None:
    """Value some artworks anew."""
    for _ in range(TAPS):
        found = ARTWORKS.get(museum=museum, inventory=f"{int(random.triangular(0, count, 0)):06}")
        ARTWORKS.update(found, value=random.randint(1_000, 10**7))


def of_facets(random: Random, query: Query[Any], least: int = 1) -> Query[Any]:
    for name in random.sample(["medium", "school", "century"], random.randint(least, 3)):
        choices: Sequence[Any] = {"medium": MEDIA, "school": SCHOOLS, "century": range(14, 20)}[name]
        if name == "century" and random.random() < 0.5:
            query = query.where(century=between(*sorted(random.sample(choices, 2))))
        else:
            query = query.where(**{name: some(random, choices)})
    return query


def of_values(random: Random, query: Query[Any]) -> Query[Any]:
    if random.random() < 0.5:
        first = random.choice(range(1350, 1950, 10))
        return of_facets(random, query, 0).where(year=between(first, first + random.choice([5, 20, 80])))
    low = random.choice([None, 1_000, 5_000, 20_000, 100_000])
    high = 3_000 if low is None else random.choice([None, 2 * low, 10 * low])
    return of_facets(random, query, 0).where(value=between(low, high))


ART_SORTS = [["medium"], ["school"], ["century"], ["medium", "school"], ["century", "school"]]
ALL_SORTS = [*ART_SORTS, ["year"], ["value"], ["inventory"]]
OF_ARTWORKS = Subject(
    ARTWORKS,
    "museum",
    fill_artworks,
    tap_artworks,
    {
        FACETS: lambda random, query: in_order(random, of_facets(random, query), ART_SORTS),
        SORTED: lambda random, query: in_order(random, of_facets(random, query), [["year"], ["value"], ["inventory"]]),
        RANGES: lambda random, query: in_order(random, of_values(random, query), ALL_SORTS),
    },
)

# --- Flights ----------------------------------------------------------------------------------------------


class Status(StrEnum):
    PLANNED = "planned"
    FULL = "full"
    CANCELLED = "cancelled"


@dataclass(frozen=True, kw_only=True)
class Flight(Record):
    airport: str
    flight: str
    airline: str
    to: str
    status: Status
    departs: datetime
    price: int


AIRLINES = ["Aer Lingus", "Condor", "Delta", "Easy", "Finnair", "Iberia", "LOT", "Swiss"]
CITIES = ["Athens", "Bergen", "Cork", "Dublin", "Faro", "Graz", "Hanoi", "Izmir", "Lyon", "Malta", "Nice", "Oslo"]
FIRST_DAY, DAYS = datetime(2027, 1, 1, tzinfo=UTC), 365
FLIGHTS = List(
    Flight, owner="airport", id="flight", facets=("airline", "to"), sorts=("departs", "price"), counted=("status",)
)


def flights(airport: str, count: int, stock: Stock) -> Iterator[Flight]:
    """Yield flights: airlines have their cities, summers are dear and often full, and few flights are cancelled."""
    random = Random(stock.seed)
    full, cancelled, _ = stock.statuses
    for place in range(count):
        first = random.randrange(len(AIRLINES))
        city = CITIES[(first + min(int(random.expovariate(0.4)), 11)) % len(CITIES)]
        day = int(random.triangular(0, DAYS, 210))
        departs = FIRST_DAY + timedelta(day, 300 * random.randrange(60, 270))
        summer = max(1 - abs(day - 210) / 120, 0)
        shares = 1 - cancelled - full * summer, full * summer, cancelled
        facts: dict[str, Any] = {"status": random.choices([*Status], shares)[0], "departs": departs}
        facts["price"] = max(int((60 + 120 * summer + random.gauss(0, 40)) * stock.prices), 15)
        yield Flight(airport=airport, flight=f"{place:06}", airline=AIRLINES[first], to=city, **facts)


def fill_flights(airport: str, count: int, stock: Stock) -> None:
    FLIGHTS.save(flights(airport, count, stock))


def tap_flights(airport: str, count: int, random: Random) -> None:
    """Cancel some flights."""
    for _ in range(TAPS):
        found = FLIGHTS.get(airport=airport, flight=f"{int(random.triangular(0, count, 0)):06}")
        FLIGHTS.update(found, status=Status.CANCELLED)


def by_line(random: Random, query: Query[Any], least: int = 1) -> Query[Any]:
    for name in random.sample(["airline", "to"], random.randint(least, 2)):
        query = query.where(**{name: some(random, AIRLINES if name == "airline" else CITIES)})
    return query


def by_day(random: Random, query: Query[Any]) -> Query[Any]:
    first = FIRST_DAY + timedelta(random.randrange(DAYS))
    if random.random() < 0.5:
        query = query.where(departs=between(first, first + timedelta(random.choice([1, 7, 31]))))
    else:
        low = random.choice([None, 60, 120, 200])
        query = query.where(price=between(low, 60 if low is None else random.choice([None, low + 20, 2 * low])))
    return by_line(random, query, 0)


def of_status(random: Random, query: Query[Any]) -> Query[Any]:
    return query.where(status=random.sample([*Status], random.choice([1, 1, 2])))


LINE_SORTS = [["airline"], ["to"], ["airline", "to"], ["to", "airline"]]
NUMBER_SORTS = [["departs"], ["price"], ["flight"]]
FLIGHT_SORTS = [*LINE_SORTS, *NUMBER_SORTS]
OF_FLIGHTS = Subject(
    FLIGHTS,
    "airport",
    fill_flights,
    tap_flights,
    {
        FACETS: lambda random, query: in_order(random, by_line(random, query), LINE_SORTS),
        SORTED: lambda random, query: in_order(random, by_line(random, query), NUMBER_SORTS),
        RANGES: lambda random, query: in_order(random, by_day(random, query), FLIGHT_SORTS),
        STATUS: lambda random, query: in_order(random, of_status(random, by_line(random, query, 0)), FLIGHT_SORTS),
        BOTH: lambda random, query: in_order(random, of_status(random, by_day(random, query)), FLIGHT_SORTS),
    },
)
SUBJECTS = {"rooms": OF_ROOMS, "artworks": OF_ARTWORKS, "flights": OF_FLIGHTS}
