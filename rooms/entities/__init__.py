from rooms.entities.bulk import FACET_ACTIONS, PLANNING, BulkChange, BulkProgress, RoomAction, RoomFailure
from rooms.entities.rooms import (
    STATUS_FIELDS,
    FoundRoom,
    Plan,
    Room,
    RoomCounts,
    RoomRefused,
    StatusChange,
    becomes_inspected,
    currency_problem,
    plain_part,
    with_status,
)
