"""Designs of tables as people publish them: each a generator of items, with the keys that it has."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

Item = dict[str, Any]


@dataclass(frozen=True)
class Design:
    """A table: the attributes of its key and of its indexes, the names of its numbers, and its items."""

    name: str
    key: Sequence[str]
    items: Callable[[Random], Iterator[Item]]
    indexes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    numbers: Sequence[str] = ()
    finds: Sequence[str] = ()
    """Texts that a declaration of it must have."""
    asked: Mapping[str, Any] = field(default_factory=dict)
    """Conditions, and by how many items they are met; ``list`` is the list that is asked."""


def moment(random: Random) -> datetime:
    return datetime(2023, 1, 1, tzinfo=UTC) + timedelta(seconds=random.randrange(10**7))


def iso(at: datetime, timespec: str = "seconds") -> str:
    return at.isoformat(timespec=timespec).replace("+00:00", "Z")


def game_scores(random: Random) -> Iterator[Item]:
    for user in range(30):
        for game in ("Galaxy Invaders", "Meteor Blasters", "Starship X"):
            yield {
                "UserId": str(user),
                "GameTitle": game,
                "TopScore": user * 7,
                "TopScoreDateTime": iso(moment(random)),
            }


def tasks(random: Random) -> Iterator[Item]:
    for n in range(60):
        project, status = random.choice(["Apollo", "Zeus.2"]), random.choice(["open", "in-progress"])
        yield {
            "pk": f"$taskapp#task_t-{n}",
            "sk": f"$tasks_1#project_{project.lower()}",
            "gsi1pk": f"$taskapp#project_{project.lower()}",
            "gsi1sk": f"$assigned#tasks_1#status_{status}#task_t-{n}",
            **{"task": f"T-{n}", "project": project, "status": status, "__edb_e__": "tasks", "__edb_v__": "1"},
        }
    for name in ("Ann.Lee", "Bob"):
        keys = {"pk": f"$taskapp#employee_{name.lower()}", "sk": "$employees_1#office_a"}
        yield {**keys, "employee": name, "office": "A", "__edb_e__": "employees", "__edb_v__": "1"}


def replies(random: Random) -> Iterator[Item]:
    for n in range(60):
        at = iso(moment(random), "milliseconds")
        yield {
            "Id": f"Amazon DynamoDB#Thread {n % 5}",
            "ReplyDateTime": at,
            "PostedBy": f"User {n % 20}",
            "Message": "m",
        }


def threads(random: Random) -> Iterator[Item]:
    for n in range(30):
        forum = random.choice(["Amazon S3", "Amazon DynamoDB"])
        yield {
            "ForumName": forum,
            "Subject": f"{forum} Thread {n}",
            "LastPost": iso(moment(random)),
            "Tags": {"a", "b"},
        }


def users_and_orders(random: Random) -> Iterator[Item]:
    for n in range(12):
        yield {"PK": f"USER#u{n}", "SK": f"PROFILE#u{n}", "username": f"u{n}", "email": f"u{n}@x.com"}
        for number in range(8):
            order, at, total = f"5e{n}{number}", iso(moment(random)), Decimal(random.randrange(9999)) / 100
            status = ("PLACED", "SHIPPED", "DELIVERED", "CANCELLED")[number % 4]
            keys = {"PK": f"USER#u{n}", "SK": f"ORDER#{order}", "OrderStatusDate": f"{status}#{at}"}
            sparse = {"GSI1PK": "OPEN", "GSI1SK": order} if status in {"PLACED", "SHIPPED"} else {}
            values = {"username": f"u{n}", "orderId": order, "status": status, "createdAt": at, "total": total}
            yield {**keys, **sparse, **values}


def shop(random: Random) -> Iterator[Item]:
    for n in range(12):
        user, mail = f"CUSTOMER#c{n}", f"CUSTOMEREMAIL#c{n}@x.com"
        yield {"PK": user, "SK": user, "Username": f"c{n}", "Addresses": {"Home": {"city": "Y"}}}
        yield {"PK": mail, "SK": mail}
        for number in range(3):
            order = f"1Vrg{n}{number}"
            keys = {"PK": user, "SK": f"#ORDER#{order}", "GSI1PK": f"ORDER#{order}", "GSI1SK": f"ORDER#{order}"}
            yield {**keys, "OrderId": order, "CreatedAt": iso(moment(random), "milliseconds"), "Amount": Decimal("9.5")}
            for item in ("it0", "it1"):
                own, keys = f"ORDER#{order}#ITEM#{item}", {"GSI1PK": f"ORDER#{order}", "GSI1SK": f"ITEM#{item}"}
                yield {"PK": own, "SK": own, **keys, "OrderId": order, "ItemId": item, "Price": Decimal("3.25")}


def sensors(random: Random) -> Iterator[Item]:
    for n in range(80):
        alarm = {"escalated_to": f"person-{n % 13}"} if n % 5 == 0 else {}
        yield {"device": f"d-{n % 4}", "ts": 1_673_000_000 + 60 * n, "temperature": Decimal(n) / 10, **alarm}


def bank(random: Random) -> Iterator[Item]:
    for account in range(20):
        number = f"NL{account:06d}"
        yield {
            "PK": f"ACCT#{number}",
            "SK": "METADATA",
            "account": number,
            "opened": "2020-01-09",
            "entity_type": "account",
        }
        for n in range(6):
            at, amount = moment(random), Decimal(random.randrange(-999, 999)) / 100
            keys = {"PK": f"ACCT#{number}", "SK": f"TXN#{at.date()}#{n * 7:06d}", "account": number}
            yield {**keys, "seq": n * 7, "at": iso(at), "amount": amount, "entity_type": "entry"}


def products(random: Random) -> Iterator[Item]:
    for n in range(60):
        text = str(Decimal(random.randrange(10, 2000)) / 10 + Decimal("0.05"))
        yield {
            "id": f"prod-{n}",
            "category": ["books", "toys"][n % 2],
            "price": n * 3 % 50,
            "unit_price": text,
            "ok": n % 3 == 0,
        }


def sessions(random: Random) -> Iterator[Item]:
    for n in range(60):
        at = 1_673_000_000 + random.randrange(10**6)
        yield {"pk": f"sess#{n % 20}", "sk": str(at), "user_id": str(n % 20), "created_at": at, "expires_at": at * 1000}


def events(random: Random) -> Iterator[Item]:
    for n in range(120):
        at = iso(moment(random))
        yield {"PK": f"EVENT#{n:05d}", "SK": "EVENT", "number": n, "at": at, "GSI1PK": f"SHARD#{n % 4}", "GSI1SK": at}


def games(random: Random) -> Iterator[Item]:
    for n in range(15):
        at, place = iso(moment(random)), ["Grasslands", "Jungle"][n % 2]
        opened = {"open_timestamp": at} if n < 9 else {}
        keys = {"PK": f"GAME#g{n}", "SK": f"#METADATA#g{n}"}
        yield {**keys, "game_id": f"g{n}", "map": place, "create_time": at, "open": n < 9, **opened}
        for user in range(3):
            yield {"PK": f"GAME#g{n}", "SK": f"USER#u{user}", "game_id": f"g{n}", "username": f"u{user}", "score": n}


def documents(random: Random) -> Iterator[Item]:
    for n in range(60):
        yield {"PK": f"TENANT#t{n % 9}", "SK": f"DOC#{n:03d}", "title": f"Title {n}", "item-id": n}


def deals(random: Random) -> Iterator[Item]:
    for n in range(80):
        at, brand, kind = moment(random), random.choice(["Apple", "P&G"]), random.choice(["Toys", "Home & Garden"])
        own, day = f"DEAL#1b{n}", f"{at.date()}T00:00:00.000Z"
        keys = {"PK": own, "SK": own, "GSI1PK": f"BRAND#{brand.upper()}#{day}", "GSI1SK": own}
        yield {**keys, "DealId": f"1b{n}", "Brand": brand, "Category": kind, "CreatedAt": iso(at, "milliseconds")}
        user = f"USER#u{n}"
        yield {"PK": user, "SK": user, "UserIndex": user, "Username": f"u{n}"}


DESIGNS = [
    Design(
        "GameScores",
        ("UserId", "GameTitle"),
        game_scores,
        {"GameTitleIndex": ("GameTitle", "TopScore")},
        ("TopScore",),
        ["TopScoreDateTime: datetime"],
        {"list": "gamescores", "GameTitle": "Starship X"},
    ),
    Design(
        "projects",
        ("pk", "sk"),
        tasks,
        {"gsi1": ("gsi1pk", "gsi1sk")},
        finds=["$taskapp#task_{task:lower}", "#status_{status}#task_{task:lower}", "class TaskStatusChoice(StrEnum)"],
        asked={"list": "tasks", "project": "Apollo"},
    ),
    Design(
        "Reply",
        ("Id", "ReplyDateTime"),
        replies,
        {"PostedBy-index": ("PostedBy", "ReplyDateTime")},
        finds=["{ReplyDateTime:milliseconds}"],
        asked={"list": "replys", "PostedBy": "User 7"},
    ),
    Design(
        "Thread",
        ("ForumName", "Subject"),
        threads,
        {"LastPostIndex": ("ForumName", "LastPost")},
        finds=["Tags: set"],
        asked={"list": "threads", "ForumName": "Amazon S3"},
    ),
    Design(
        "users-and-orders",
        ("PK", "SK"),
        users_and_orders,
        {"status": ("PK", "OrderStatusDate"), "open": ("GSI1PK", "GSI1SK")},
        finds=["'OrderStatusDate': '{status}#{createdAt}'", "total: Decimal", "when=[{'status': {'"],
        asked={"list": "orders", "status": ["PLACED", "SHIPPED"]},
    ),
    Design(
        "shop",
        ("PK", "SK"),
        shop,
        {"GSI1": ("GSI1PK", "GSI1SK")},
        finds=["'ORDER#{OrderId}#ITEM#{ItemId}'", "customeremail_id: str  # stands in keys alone"],
        asked={"list": "orders", "OrderId": "1Vrg31"},
    ),
    Design(
        "sensors",
        ("device", "ts"),
        sensors,
        {"escalations": ("escalated_to", "ts")},
        ("ts",),
        ["{ts:epoch}", "escalated_to: str | None", "numbers=['ts']"],
        {"list": "sensors", "escalated_to": "person-5"},
    ),
    Design(
        "bank",
        ("PK", "SK"),
        bank,
        finds=["TXN#{at:date}#{seq:6}", "marks={'entity_type': 'account'}", "opened: date"],
        asked={"list": "entrys", "account": "NL000003"},
    ),
    Design(
        "products",
        ("id",),
        products,
        {"category-index": ("category", "price"), "by-unit": ("category", "unit_price")},
        ("price",),
        ["unit_price: Decimal", "class ProductCategoryChoice(StrEnum)", "key=('{id}',)"],
        {"list": "products", "category": "toys"},
    ),
    Design("sessions", ("pk", "sk"), sessions, finds=["{created_at:epoch}"], asked={"list": "sesss", "user_id": "7"}),
    Design(
        "events",
        ("PK", "SK"),
        events,
        {"GSI1": ("GSI1PK", "GSI1SK")},
        finds=["EVENT#{number:5}", "SHARD_3 = 'SHARD#3'"],
        asked={"list": "events"},
    ),
    Design(
        "games",
        ("PK", "SK"),
        games,
        {"OpenGamesIndex": ("map", "open_timestamp"), "inverted": ("SK", "PK")},
        finds=["open_timestamp: datetime | None", "class GameUser(Record)"],
        asked={"list": "gameusers", "username": "u1"},
    ),
    Design(
        "documents",
        ("PK", "SK"),
        documents,
        finds=["tenant_id: str", "doc_id: str", "# 'item-id' is no field"],
        asked={"list": "docs", "tenant_id": "t3"},
    ),
    Design(
        "deals",
        ("PK", "SK"),
        deals,
        {"GSI1": ("GSI1PK", "GSI1SK"), "UserIndex": ("UserIndex",)},
        finds=[
            "'BRAND#{Brand:upper}#{CreatedAt:date}T00:00:00.000Z'",
            "key=('USER#{Username}', 'USER#{Username}')",
            "HOME_GARDEN = 'Home & Garden'",
        ],
        asked={"list": "users", "Username": "u7"},
    ),
]
