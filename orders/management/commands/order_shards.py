from orders.lists import SHARDS
from portal.shards import ShardsCommand


class Command(ShardsCommand):
    help = (
        "Show the number of shards of each list of the orders of all hotels, or raise it to N. Safe beside the "
        "running portal. It takes two minutes, and may be stopped and repeated."
    )
    sharding = SHARDS
