"""Words for numbers and indexes, in pictures, explanations and messages of commands."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: "1 item", "2,000 items"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def source_name(index: str) -> str:
    """Return what a plan reads: "index NAME", or "base table" for a blank name."""
    return f"index {index}" if index else "base table"
