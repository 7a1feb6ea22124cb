from hotels import queries
from portal.shards import ShardsCommand


class Command(ShardsCommand):
    help = (
        "Show the number of shards of the group's statistics, or raise it to N. The portal may run meanwhile. The "
        "command takes two minutes, and can be stopped and repeated."
    )
    sharding = queries.GROUP_SHARDS
