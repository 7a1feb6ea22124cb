from rooms.entities.bulk import FACET_ACTIONS, PLANNING, BulkChange, BulkProgress, RoomAction, RoomFailure, RoomRefused
from rooms.entities.rooms import (
    STATUS_FIELDS,
    FoundRoom,
    Plan,
    Room,
    RoomCounts,
    StatusChange,
    becomes_inspected,
    currency_problem,
    plain_part,
    with_status,
)
