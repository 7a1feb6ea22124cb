"""What templates call about notes."""

from notes.entities import Note, about_words, words_of
from portal.jinja import Library
from portal.people import name_of

register = Library()
register.filter("kind_words", words_of)
register.filter("account_name", name_of)


@register.filter("about_words")
def about_of(note: Note) -> str:
    return about_words(note.hotel_id, note.about)
