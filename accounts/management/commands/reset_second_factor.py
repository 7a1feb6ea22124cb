"""``manage.py reset_second_factor USERNAME``: for a superuser who has lost the phone and the backup codes."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.events import record
from accounts.recording import recorded
from accounts.second_factor import devices
from portal.history.entities import COMMAND


class Command(BaseCommand):
    help = "Remove the second factor of a user, who can then log in with the password alone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        user = get_user_model()._default_manager.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['username']}.")
        with recorded(user, COMMAND.username):
            removed = devices.remove(user)
        if removed:
            record("second factor disabled", None, "reset_second_factor", of=user.get_username())
        self.stdout.write(f"{user.get_username()} has no second factor now.")
