"""What must hold of saved views: those of a member of staff end with the account."""

from django.contrib.auth.models import User

from dynamodb_lists.maintenance.invariants import ItemRule
from dynamodb_lists.schema.keys import parse
from dynamodb_lists.schema.models import RawItem
from saved_views import commands, keys
from saved_views.models import SavedViewsModel


class OwnerRule(ItemRule):
    """The account whose views an item holds exists. A repair deletes the views."""

    model = SavedViewsModel

    def wrong(self, item: RawItem) -> str:
        kind, owner_id = parse(_owner(item))
        if kind == keys.STAFF and not User.objects.filter(pk=owner_id).exists():
            return f"there are saved views of the account {owner_id}, which does not exist"
        return ""

    def repair(self, item: RawItem) -> bool:
        commands.delete_views(_owner(item))
        return True


def _owner(item: RawItem) -> str:
    return str(SavedViewsModel.values_in(*SavedViewsModel.key_of(item))["owner"])


RULES = (OwnerRule(),)
