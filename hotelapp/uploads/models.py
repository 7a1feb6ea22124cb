"""The items of uploads in the table ``sessions``, whose TTL removes them."""

from pynamodb.attributes import BinaryAttribute, TTLAttribute, UnicodeAttribute

from hotelapp.dynamodb.schema.models import PortalModel
from hotelapp.dynamodb.schema.tables import table_name
from hotelapp.uploads import keys
from hotelapp.uploads.entities import Upload


class UploadModel(PortalModel):
    """An upload: whose it is, how far it is, and the numbers of its outcomes."""

    class Meta:
        table_name = table_name("sessions")

    kind = "upload"
    entity = Upload
    session_key = UnicodeAttribute(hash_key=True)
    expires_at = TTLAttribute()

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return keys.is_upload(partition)


class UploadPieceModel(PortalModel):
    """Some rows of an upload's file, and their results, both compressed."""

    class Meta:
        table_name = table_name("sessions")

    kind = "upload-piece"
    session_key = UnicodeAttribute(hash_key=True)
    expires_at = TTLAttribute()
    rows = BinaryAttribute(legacy_encoding=False)
    results = BinaryAttribute(legacy_encoding=False, null=True)

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return keys.is_piece(partition)
