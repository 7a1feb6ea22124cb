"""What ``verify_data`` checks of packed counts: a copy of the counts' revision repeats the counts."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from dynamodb_lists.connection.errors import NotFound
from dynamodb_lists.declared.counts import Combination, Count, Counts
from dynamodb_lists.lists.counting import CountsStore, pack_counts
from dynamodb_lists.maintenance.invariants import Entry, GroupRule, Identity, Observation

REVISION = "revision"
"""The detail, in the group of an owner's packed counts, of the revision of the counts."""


class PackedCountsRule(GroupRule):
    """A packed copy of the revision of an owner's counts repeats these counts. A group is an owner.

    Pages do not use a copy that is missing or of another revision. So it is no fault, but a repair packs the counts.
    """

    @abstractmethod
    def store(self, owner: Identity) -> CountsStore:
        """Where the counts of an owner are stored."""

    # --- The entries of items, for subclasses -------------------------------------------------------------

    @staticmethod
    def of_count(owner: Identity, combination: Combination, count: Count) -> Entry:
        return Entry(owner, _detail(combination, count), 1)

    @staticmethod
    def of_revision(owner: Identity, revision: int) -> Entry:
        return Entry(owner, REVISION, revision)

    def of_copy(self, owner: Identity, copy: Any) -> Iterator[Entry]:
        for detail, amount in self._packed(owner, copy).items():
            yield Entry(owner, detail, -amount)

    # --- The check ----------------------------------------------------------------------------------------

    def stored(self, identity: Identity) -> Mapping[str, int]:
        try:
            return self._packed(identity, self.store(identity).heads()[1])
        except NotFound:
            return {}  # no page reads them

    def counted(self, identity: Identity) -> Mapping[str, int]:
        store = self.store(identity)
        try:
            revision, copy = store.heads()
        except NotFound:
            return {}
        used = copy.get("counts_revision", 0) == revision  # 0: an owner that no release with copies changed
        return {REVISION: revision, **_details(store.counts() if used else {})}

    def wrong(self, identity: Identity, seen: Observation) -> str:
        used = seen.stored.get(REVISION) == seen.counted[REVISION]
        what = " ".join([self.store(identity).name, *(["of"] if identity else []), *identity])
        return f"the packed {what} are not its counts" if used else ""

    def repair(self, identity: Identity, seen: Observation) -> bool:
        pack_counts(self.store(identity))
        return self.stored(identity) == self.counted(identity)

    def _packed(self, owner: Identity, copy: Any) -> Mapping[str, int]:
        """What a packed copy says, as amounts; nothing if there is none, or if it cannot be read."""
        counts = self.store(owner).unpacked(copy)
        return {} if counts is None else {REVISION: copy.get("counts_revision", 0), **_details(counts)}


def _details(counts: Counts) -> dict[str, int]:
    return {_detail(combination, count): 1 for combination, count in counts.items()}


def _detail(combination: Combination, count: Count) -> str:
    return repr((tuple(combination), tuple(count)))
