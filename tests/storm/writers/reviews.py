"""A writer of reviews and replies."""

from tests.storm.journal import Mark, Outcome, Thing, Values
from tests.storm.writers.base import Writer

MOST_REVIEWS = 30
LANGUAGES = ("en", "de", "fr")


class ReviewWriter(Writer):
    """Adds, edits and deletes reviews, and answers them."""

    hotel_id = "seaside"

    def prepare(self) -> None:
        """Begin without reviews."""
        self.review_ids: list[str] = []

    def step(self) -> None:
        """Add a review, or do something with one of this writer's."""
        if not self.review_ids or (len(self.review_ids) < MOST_REVIEWS and self.random.random() < 1 / 3):
            self.add()
        else:
            self.random.choice([self.edit, self.edit, self.reply, self.reply, self.delete_reply, self.delete])()

    def add(self) -> None:
        """Add a review."""
        form = self.form(f"/hotels/{self.hotel_id}/reviews/add/", "review_id")
        review_id = dict(form.fields)["review_id"]
        values = {**self._opinion(), "author": self.name, "body": "Waves. " * self.random.randint(1, 99)}
        values["body"] = values["body"].strip()
        stored = {**values, "reply": ""}
        write = self.begin("review add", [Mark(_review(review_id), "created")], {_review(review_id): stored})
        if self.expect(write, self.send(write, form.filled(values)), Outcome.ACKNOWLEDGED):
            self.review_ids.append(review_id)

    def edit(self) -> None:
        """Give a review another language and rating, and a title that no other edit has."""
        review_id, opinion = self.random.choice(self.review_ids), self._opinion()
        mark = Mark(_review(review_id), "changed", "title", opinion["title"])
        form = self.form(f"/reviews/{review_id}/edit/", "title")
        write = self.begin("review edit", [mark], {_review(review_id): {**self._stored(review_id), **opinion}})
        self.expect(write, self.send(write, form.filled(opinion)), Outcome.ACKNOWLEDGED)

    def reply(self) -> None:
        """Answer a review, or change the answer."""
        review_id, reply = self.random.choice(self.review_ids), self.mark()
        mark = Mark(_review(review_id), "changed", "reply", reply)
        form = self.form(f"/reviews/{review_id}/reply/", "reply")
        write = self.begin("review reply", [mark], {_review(review_id): {**self._stored(review_id), "reply": reply}})
        self.expect(write, self.send(write, form.filled({"reply": reply})), Outcome.ACKNOWLEDGED)

    def delete_reply(self) -> None:
        """Delete the answer to a review that has one."""
        answered = [review_id for review_id in self.review_ids if self._stored(review_id)["reply"]]
        if not answered:
            return
        review_id = self.random.choice(answered)
        mark = Mark(_review(review_id), "changed", "reply", "")
        after = {_review(review_id): {**self._stored(review_id), "reply": ""}}
        form = self.form(f"/reviews/{review_id}/reply/delete/", "revision")
        write = self.begin("review reply delete", [mark], after)
        self.expect(write, self.send(write, form), Outcome.ACKNOWLEDGED)

    def delete(self) -> None:
        """Delete a review."""
        review_id = self.review_ids.pop(self.random.randrange(len(self.review_ids)))
        form = self.form(f"/reviews/{review_id}/delete/", "revision")
        write = self.begin("review delete", [Mark(_review(review_id), "deleted")], {_review(review_id): None})
        self.expect(write, self.send(write, form), Outcome.ACKNOWLEDGED)

    def _opinion(self) -> dict[str, str]:
        rating = str(self.random.randint(1, 5))
        return {"language": self.random.choice(LANGUAGES), "rating": rating, "title": self.mark()}

    def _stored(self, review_id: str) -> Values:
        return self.journal.values(_review(review_id)) or {}


def _review(review_id: str) -> Thing:
    return "review", review_id
