"""The parts of the keys of reviews. docs/keys.md explains them."""

import re

LANGUAGE, RATING = "language", "rating"
RATINGS = (5, 4, 3, 2, 1)

BY_LANGUAGE_RATING, UNANSWERED = "by-language-rating", "unanswered"
REVIEW_ID = re.compile(r"\A[A-Za-z0-9_-]{1,64}\Z")
REPLY_NAME = re.compile(r"\A[\w(][\w (),.!'-]{0,39}\Z")
"""The name of a standard reply is a part of its key and of addresses."""

LANGUAGE_CODE = re.compile(r"\A[a-z]{2,3}(-[a-z0-9]{2,8}){0,6}\Z")  # a part of keys, so it is short
