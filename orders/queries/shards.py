"""How many shards each status of unfinished orders has: a setting of the table, which the table holds."""

from django.core.cache import cache

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.connection.errors import NotFound
from hotelapp.dynamodb.reading.items import get_item
from hotelapp.dynamodb.schema.entities import build
from orders import keys
from orders.entities import OrderShards
from orders.models import OrderShardsModel

CACHE_SECONDS = 60
"""How long a process keeps the numbers. A command that raises them waits longer."""

_CACHE_KEY = "order-shards"


def shards() -> OrderShards:
    """The numbers of shards, at most a minute old."""
    cached: OrderShards | None = cache.get(_CACHE_KEY)
    if cached is None:
        cached = stored_shards()
        cache.set(_CACHE_KEY, cached, CACHE_SECONDS)
    return cached


def stored_shards() -> OrderShards:
    """The numbers of shards as stored; one shard if nobody has raised them."""
    try:
        with ledger.purpose("shards"):
            return build(OrderShards, get_item(OrderShardsModel, keys.SETTINGS, keys.SHARDS, consistent=True))
    except NotFound:
        return OrderShards()
