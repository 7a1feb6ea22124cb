"""The items of saved views. They are in the table ``hotel-app``, whose keys and indexes the rooms app declares."""

from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.schema.tables import table_name
from hotels.keys import TABLE
from saved_views.entities import SavedViews


class SavedViewsModel(ItemModel):
    """All views of one owner."""

    class Meta:
        table_name = table_name(TABLE)

    kind = "saved-views"
    entity = SavedViews
    key_templates = "saved-views#{owner:parts}", "views"
    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
