"""The items of uploads in the table ``sessions``, whose TTL removes them."""

from pynamodb.attributes import BinaryAttribute, TTLAttribute, UnicodeAttribute

from dynamodb_lists import ItemModel, table_name
from portal.uploads.entities import Upload


class WaitingItem(ItemModel):
    class Meta:
        table_name = table_name("sessions")

    session_key = UnicodeAttribute(hash_key=True)
    expires_at = TTLAttribute()


class UploadModel(WaitingItem):
    kind = "upload"
    entity = Upload
    key_templates = ("upload#{upload_id}",)


class UploadPieceModel(WaitingItem):
    kind = "upload-piece"
    key_templates = ("upload-piece#{upload_id}#{number:4}",)
    rows = BinaryAttribute(legacy_encoding=False)
    results = BinaryAttribute(legacy_encoding=False, null=True)
