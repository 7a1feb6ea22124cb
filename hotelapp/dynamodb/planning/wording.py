"""Words for numbers, in pictures, explanations and messages of commands."""


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 room", "2,000 rooms"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
