"""The items of the table ``sessions``."""

from pynamodb.attributes import BooleanAttribute, TTLAttribute, UnicodeAttribute

from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.schema.tables import register, table_name


@register
class SessionModel(ItemModel):
    """A session: the data that Django signed, and the time when DynamoDB may delete it (Unix time, the table's TTL).

    The key is the SHA-256 of the cookie's value, so that nobody who reads the table, a backup or an export can use a
    session. ``provisional`` is set, and true, while another write is sure to follow: a login creates the session
    first, and adds the user at the end of the page.
    """

    class Meta:
        table_name = table_name("sessions")

    kind = "session"
    key_templates = ("{digest}",)
    session_key = UnicodeAttribute(hash_key=True)
    data = UnicodeAttribute()
    expires_at = TTLAttribute()
    provisional = BooleanAttribute(null=True)
