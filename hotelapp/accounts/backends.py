"""The authentication backend: Django's, with the user's second factor read in the same query."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.backends import ModelBackend
from django.db.models import OuterRef, Subquery
from django_otp.plugins.otp_totp.models import TOTPDevice


class StaffBackend(ModelBackend):
    """Users of the portal. The user of a session has ``second_factor``: the id of the TOTP device, or ``None``."""

    def get_user(self, user_id: Any) -> Any:
        """The user of a session; ``None`` if the account was deleted or deactivated."""
        device = TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True).values("pk")[:1]
        user = get_user_model()._default_manager.filter(pk=user_id).annotate(second_factor=Subquery(device)).first()
        return user if user and self.user_can_authenticate(user) else None
