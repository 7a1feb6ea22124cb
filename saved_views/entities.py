"""What holds of saved views: their limits, and what stands for all hotels."""

MOST_VIEWS = 50
"""The most views of one owner, so that the sidebar stays short."""

NAME_LENGTH = 64

EVERYONE = ":all"
"""Stands for all hotels in place of a hotel's id, which it is not. Whoever is bound to hotels does not change these."""
