"""The items of uploads in the table ``sessions``, whose TTL removes them."""

from pynamodb.attributes import BinaryAttribute, TTLAttribute, UnicodeAttribute

from dynamodb_lists.schema.keys import parse
from dynamodb_lists.schema.models import PortalModel
from dynamodb_lists.schema.tables import table_name
from portal.uploads.entities import Upload


class WaitingItem(PortalModel):
    """An item that waits for a day. Its key begins with its kind."""

    class Meta:
        table_name = table_name("sessions")

    session_key = UnicodeAttribute(hash_key=True)
    expires_at = TTLAttribute()

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return parse(partition)[0] == cls.kind


class UploadModel(WaitingItem):
    kind = "upload"
    entity = Upload


class UploadPieceModel(WaitingItem):
    """Some rows of an upload's file, and their results, both compressed."""

    kind = "upload-piece"
    rows = BinaryAttribute(legacy_encoding=False)
    results = BinaryAttribute(legacy_encoding=False, null=True)
