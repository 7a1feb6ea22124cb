"""The steps of an upload: its rows are checked, and then imported, a piece at a time.

Rows go through what the command of the same import does. An import of stored rows changes nothing, so a step can be
repeated, and taken in two windows at the same time. Uploads create no hotels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hotelapp.dynamodb.connection.errors import Conflict
from hotelapp.portal.access import HotelScope
from hotelapp.portal.imports.file_rows import FileRow
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
        verdicts = self.verdicts(piece.rows)
        results = [each.result for each in verdicts] if upload.checking else self._imported(piece, verdicts)
        hotels = (each.entity.hotel_id for each in verdicts if each.outcome is not RowOutcome.REFUSED)
        after = upload.after_step(piece.results, results, next(hotels, ""))
        try:
            store.move_on(upload, after, results)
        except Conflict:
            return store.stored(upload.upload_id, upload.things, upload.by)
        return after

    def verdicts(self, rows: Sequence[FileRow]) -> list[Verdict]:
        """What would become of each row now."""
        checked: list[tuple[FileRow, Any]] = [self.importer.checked(row) for row in rows]
        refused = self._refused_hotels({entity.hotel_id for _, entity in checked if entity is not None})
        changes, reasons = self.importer.plan([each for _, each in checked if each and each.hotel_id not in refused])
        by_id = {self.importer.identity(change.entity): change for change in changes}
        verdicts = []
        for row, entity in checked:
            change = entity and by_id.get(self.importer.identity(entity))
            reason = row.problem or refused.get(entity.hotel_id) or reasons.get(self.importer.identity(entity), "")
            if change and change.before and not self.may_change:
                reason = f"it is stored with other values, and you may not change {self.importer.noun}s"
            verdicts.append(Verdict(row, entity, reason, change))
        return verdicts

    def _refused_hotels(self, hotel_ids: set[str]) -> Mapping[str, str]:
        """Why rows of some hotels are refused, by hotel."""
        foreign = {hotel_id for hotel_id in hotel_ids if not self.scope.allows(hotel_id)}
        missing = self.importer.missing_hotels(hotel_ids - foreign)
        return {
            **{hotel_id: f"hotel_id: you are not bound to the hotel {hotel_id}" for hotel_id in foreign},
            **{hotel_id: f"hotel_id: there is no hotel {hotel_id}; add it first" for hotel_id in missing},
        }

    def _imported(self, piece: UploadPiece, verdicts: Sequence[Verdict]) -> list[Result]:
        """Import the rows that were not refused when they were checked, and are not refused now."""
        pairs = list(zip(verdicts, piece.results, strict=True))
        good = [each.entity for each, result in pairs if RowOutcome.REFUSED not in {each.outcome, result[0]}]
        refusals = self.importer.save(good)[1]
        results: list[Result] = []
        for verdict, result in pairs:
            reason = result[1] or verdict.reason or refusals.get(self.importer.identity(verdict.entity), "")
            results.append((RowOutcome.REFUSED, reason) if reason else result)
        return results
