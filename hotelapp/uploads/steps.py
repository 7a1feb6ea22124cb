"""The steps of an upload: its rows are checked, and then imported, a piece at a time.

Rows go through what the command of the same import does. An import of stored rows changes nothing, so a step can be
repeated, and taken in two windows at the same time. Uploads create no hotels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hotelapp.dynamodb.connection.errors import Conflict
from hotelapp.portal.access import HotelScope
from hotelapp.portal.imports.importer import Importer
from hotelapp.uploads import store
from hotelapp.uploads.entities import Result, RowOutcome, Upload, UploadPiece, Verdict


@dataclass(frozen=True, slots=True)
class Uploads:
    """The uploads of a user: the import, the user's hotels, and whether the user may change what is stored."""

    importer: Importer[Any]
    scope: HotelScope
    may_change: bool

    def take_step(self, upload: Upload) -> Upload:
        """Check or import the next piece; returns the upload then. If somebody else was quicker, it stays as it is."""
        piece = store.piece(upload, upload.taken, self.importer)
        verdicts = self.verdicts(piece)
        if upload.checking:
            results = [(verdict.outcome, verdict.reason) for verdict in verdicts]
        else:
            results = self._imported(piece, verdicts)
        hotels = (self.importer.hotel_id(each.entity) for each in verdicts if each.outcome is not RowOutcome.REFUSED)
        after = upload.after_step(piece.results, results, next(hotels, ""))
        try:
            store.move_on(upload, after, results)
        except Conflict:
            return store.stored(upload.upload_id, upload.things, upload.by)
        return after

    def verdicts(self, piece: UploadPiece) -> list[Verdict]:
        """What would become of each row now."""
        verdicts = [Verdict(*self.importer.checked(row)) for row in piece.rows]
        missing = self._missing({self.importer.hotel_id(each.entity) for each in verdicts if each.entity is not None})
        found = [each if each.entity is None else self._in_hotel(each, missing) for each in verdicts]
        found = [_refused(each, each.row.problem) if each.entity is None else each for each in found]
        changes, refusals = self.importer.plan(
            [each.entity for each in found if each.outcome is not RowOutcome.REFUSED]
        )
        by_id = {self.importer.identity_of(change.entity): change for change in changes}
        return [self._judged(each, by_id, refusals) for each in found]

    def _missing(self, hotel_ids: set[str]) -> dict[str, str]:
        """Why rows of some hotels are refused, by hotel."""
        seen = {hotel_id for hotel_id in hotel_ids if self.scope.allows(hotel_id)}
        missing = self.importer.missing_hotels(seen)
        foreign = {hotel_id: f"hotel_id: you are not bound to the hotel {hotel_id}" for hotel_id in hotel_ids - seen}
        return foreign | {hotel_id: f"hotel_id: there is no hotel {hotel_id}; add it first" for hotel_id in missing}

    def _in_hotel(self, verdict: Verdict, missing: dict[str, str]) -> Verdict:
        reason = missing.get(self.importer.hotel_id(verdict.entity))
        return _refused(verdict, reason) if reason else verdict

    def _judged(self, verdict: Verdict, changes: dict[Any, Any], refusals: Any) -> Verdict:
        if verdict.outcome is RowOutcome.REFUSED:
            return verdict
        identity = self.importer.identity(verdict.entity)
        if reason := refusals.get(identity):
            return _refused(verdict, reason)
        if not (change := changes.get(identity)):
            return verdict
        if change.before is not None and not self.may_change:
            return _refused(verdict, f"it is stored with other values, and you may not change {self.importer.noun}s")
        outcome = RowOutcome.ADDED if change.before is None else RowOutcome.CHANGED
        return verdict._replace(outcome=outcome, before=change.before, after=change.after)

    def _imported(self, piece: UploadPiece, verdicts: Sequence[Verdict]) -> list[Result]:
        """Import the rows that were not refused when they were checked, and are not refused now."""
        pairs = list(zip(verdicts, piece.results, strict=True))
        good = [verdict.entity for verdict, result in pairs if RowOutcome.REFUSED not in {verdict.outcome, result[0]}]
        refusals = self.importer.save(good)[1]
        late = {id(entity): refusals.get(self.importer.identity(entity), "") for entity in good}
        results: list[Result] = []
        for verdict, result in pairs:
            reason = verdict.reason or late.get(id(verdict.entity), "")
            results.append((RowOutcome.REFUSED, reason) if reason and result[0] is not RowOutcome.REFUSED else result)
        return results


def _refused(verdict: Verdict, reason: str) -> Verdict:
    return verdict._replace(outcome=RowOutcome.REFUSED, reason=reason)
