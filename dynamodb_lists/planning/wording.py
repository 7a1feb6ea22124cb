"""Words for numbers and indexes, in pictures, explanations and messages of commands."""


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 item", "2,000 items"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def source_name(index: str) -> str:
    """What a plan or a request reads: an index or, for a blank one, the base table."""
    return f"index {index}" if index else "base table"
