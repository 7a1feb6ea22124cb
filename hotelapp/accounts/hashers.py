"""Hashes passwords in turn, so that guesses do not take the processor away from everybody else."""

from functools import cache

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from hotelapp.limits.turns import Turns


@cache
def turns() -> Turns:
    """The turns of this process: it hashes one password at a time. The rest of ``PASSWORD_PLACES`` wait."""
    return Turns("passwords to hash", 1, settings.PASSWORD_PLACES - 1)


class TurnTakingHasher(PBKDF2PasswordHasher):
    """Django's own hasher, in turn. It reads and writes the same hashes."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """The hash with its salt. Raises the same as :meth:`~hotelapp.limits.turns.Turns.turn`."""
        with turns().turn():
            return super().encode(password, salt, iterations)
