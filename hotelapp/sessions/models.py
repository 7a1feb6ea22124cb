"""The items of the table ``sessions``."""

from pynamodb.attributes import BooleanAttribute, TTLAttribute, UnicodeAttribute

from hotelapp.dynamodb.models import PortalModel
from hotelapp.dynamodb.tables import register, table_name


@register
class Session(PortalModel):
    """A session: what Django signed, and when DynamoDB may delete it (Unix time; the table's TTL).

    ``provisional`` is there, and true, while another write is sure to follow: a login makes the session first, and
    puts the user in when the page is done.
    """

    class Meta:
        table_name = table_name("sessions")

    session_key = UnicodeAttribute(hash_key=True)
    data = UnicodeAttribute()
    expires_at = TTLAttribute()
    provisional = BooleanAttribute(null=True)
