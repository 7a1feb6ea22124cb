from hotels import queries
from portal.shards import ShardsCommand


class Command(ShardsCommand):
    help = (
        "Show the number of shards that each statistic of the group has, or raise it to N. Safe beside the running "
        "portal. It takes two minutes, and may be stopped and repeated."
    )
    sharding = queries.GROUP_SHARDS
