from orders.lists import SHARDS
from portal.shards import ShardsCommand


class Command(ShardsCommand):
    help = (
        "Show the number of shards of the lists of all hotels' orders, or raise it to N. The portal may run meanwhile. "
        "The command takes two minutes, and can be stopped and repeated."
    )
    sharding = SHARDS
