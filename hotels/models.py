"""The items of hotels. They are in the table ``hotel-app``, whose keys and indexes the rooms app declares."""

from django.db import models
from pynamodb.attributes import UnicodeAttribute

from hotelapp.dynamodb.schema.models import PortalModel
from hotelapp.dynamodb.schema.tables import table_name
from hotels import keys
from hotels.entities import Hotel


class HotelModel(PortalModel):
    """A hotel, with the number of its rooms, so that the list of hotels needs no counts."""

    class Meta:
        table_name = table_name(keys.TABLE)

    kind = "hotel"
    entity = Hotel
    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        """Whether the key is that of a hotel."""
        return partition == keys.HOTELS


class HotelPermissions(models.Model):
    """What a user may be allowed to do with hotels; granted on ``/admin/``. It has no SQL table."""

    class Meta:
        app_label = "hotels"
        managed = False
        default_permissions = ()
        permissions = [(f"{action}_hotel", f"Can {action} hotel") for action in ("view", "add", "change")]
