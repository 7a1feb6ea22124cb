"""Two tables of a program that knows nothing of lists: ``python fill.py`` creates and fills them by boto3."""

import os
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import boto3

LOCAL: Any = {
    "endpoint_url": os.environ.get("DYNAMODB_ENDPOINT_URL", "http://127.0.0.1:8765"),
    "region_name": "us-east-1",
    "aws_access_key_id": "local",
    "aws_secret_access_key": "local",
}
STATUSES = ("PLACED", "SHIPPED", "DELIVERED", "SHIPPED", "DELIVERED")
PLATINUM = 1_000_000
ALBUMS = {
    ("Paula Abdul", "Forever Your Girl", "Virgin"): {"Straight Up": 1_000_000, "Cold Hearted": 1_200_000},
    ("Janet Jackson", "janet.", "Virgin"): {"If": 500_000, "Again": 2_000_000},
    ("Drake", "Scorpion", "Young Money"): {"God's Plan": 15_000_000, "Nonstop": 4_000_000, "Jaded": 250_000},
}
Item = Mapping[str, Any]


def of_user(name: str, full_name: str, orders: int) -> Iterator[Item]:
    """A user, the orders, and the items of each order."""
    mine = {"PK": f"USER#{name}", "Username": name}
    profile = {"FullName": full_name, "Email": f"{name}@example.com", "CreatedAt": "2018-03-23T10:00:00Z"}
    yield {**mine, "SK": f"#PROFILE#{name}", **profile, "Home": {"Street": "1 Main Street", "City": "Omaha"}}
    for number in range(orders):
        order_id, status = f"{name[0]}{number * 7919 % 100_000:05}", STATUSES[number % len(STATUSES)]
        at = f"2019-11-{number % 28 + 1:02}T{number % 24:02}:30:00Z"
        placed = {"PlacedId": f"placed-{order_id}"} if status == "PLACED" else {}
        key = {"SK": f"ORDER#{order_id}", "OrderId": order_id}
        yield {**mine, **key, **placed, "Status": status, "CreatedAt": at, "OrderStatusDate": f"{status}#{at}"}
        for line in range(number % 3 + 1):
            item_id = f"{order_id}-{line}"
            product = {"Product": ("Tea", "Book", "Lamp")[line], "Price": Decimal("19.95") * (line + 1)}
            yield {"PK": f"ITEM#{item_id}", "SK": key["SK"], "ItemId": item_id, "OrderId": order_id, **product}


def users_and_orders() -> Iterator[Item]:
    """Users, and two items that no list expects: a status that nobody declared, and a kind of item."""
    yield from of_user("alexdebrie", "Alex DeBrie", 40)
    yield from of_user("nedstark", "Eddard Stark", 10)
    of_alex, at = {"PK": "USER#alexdebrie", "Username": "alexdebrie"}, "2019-11-30T12:00:00Z"
    returned = {"Status": "RETURNED", "CreatedAt": at, "OrderStatusDate": f"RETURNED#{at}"}
    yield {**of_alex, "SK": "ORDER#a99999", "OrderId": "a99999", **returned}
    yield {**of_alex, "SK": "CART", "Products": ["Tea", "Lamp"]}


def music() -> Iterator[Item]:
    """Songs. Only platinum ones have the attribute ``SongPlatinumSalesCount``, so the index by it is sparse."""
    for (artist, album, label), songs in ALBUMS.items():
        for title, sales in songs.items():
            platinum = {"SongPlatinumSalesCount": sales} if sales >= PLATINUM else {}
            names = {"Title": title, "Artist": artist, "Album": album, "RecordLabel": label}
            yield {"PK": f"ALBUM#{artist}#{album}", "SK": f"SONG#{title}", **names, "Sales": sales, **platinum}


def schema(key: Sequence[str]) -> Any:
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(key, ("HASH", "RANGE"), strict=False)]


def fill(name: str, types: Mapping[str, str], indexes: Sequence[Sequence[str]], items: Iterator[Item]) -> None:
    """Create a table with the key PK and SK, and with indexes as the console names them; and put the items."""
    named: Any = [
        {"IndexName": f"{'-'.join(key)}-index", "KeySchema": schema(key), "Projection": {"ProjectionType": "ALL"}}
        for key in indexes
    ]
    database: Any = boto3.resource("dynamodb", **LOCAL)
    table = database.create_table(
        TableName=name,
        KeySchema=schema(("PK", "SK")),
        AttributeDefinitions=[{"AttributeName": each, "AttributeType": kind} for each, kind in types.items()],
        GlobalSecondaryIndexes=named,
        BillingMode="PAY_PER_REQUEST",
    )
    table.wait_until_exists()
    with table.batch_writer() as batch:
        for item in items:
            batch.put_item(Item=item)


if __name__ == "__main__":
    texts = {"PK": "S", "SK": "S"}
    by_status = {**texts, "OrderStatusDate": "S", "PlacedId": "S"}
    fill("users-and-orders", by_status, (("PK", "OrderStatusDate"), ("SK", "PK"), ("PlacedId",)), users_and_orders())
    by_label = {**texts, "RecordLabel": "S", "SongPlatinumSalesCount": "N"}
    fill("music", by_label, (("RecordLabel", "SongPlatinumSalesCount"),), music())
