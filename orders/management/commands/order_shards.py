"""``manage.py order_shards N``: raise the number of shards of each status of unfinished orders."""

from orders import queries
from portal.shards.command import ShardsCommand


class Command(ShardsCommand):
    help = (
        "Show the number of shards that each status of unfinished orders has, or raise it to N. Safe beside the "
        "running portal. It takes two minutes, and may be stopped and repeated."
    )
    sharding = queries.SHARDS
