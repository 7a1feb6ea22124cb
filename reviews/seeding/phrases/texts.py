"""What demo reviews are put together from, in one language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mood:
    """Phrases of reviews with similar ratings. Any opening, middles and ending fit together.

    ``replies`` are whole replies of the hotel to such reviews.
    """

    titles: tuple[str, ...]
    openings: tuple[str, ...]
    middles: tuple[str, ...]
    endings: tuple[str, ...]
    replies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of a language: praise, mixed feelings and complaints. ``blank`` is what stands between sentences."""

    praise: Mood
    mixed: Mood
    complaint: Mood
    blank: str = " "

    def of(self, rating: int) -> Mood:
        """The phrases that fit a rating from 1 to 5."""
        return {5: self.praise, 4: self.praise, 3: self.mixed}.get(rating, self.complaint)
