"""Verification of declared lists: it finds nothing after any writes, and it finds and repairs each fault."""

import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from dynamodb_lists import DynamoDBError, NotFound, Unreadable
from dynamodb_lists.connection.client import client
from dynamodb_lists.declared.counts import Counts, pack, unpack
from dynamodb_lists.declared.models import HEAD, PACKED
from dynamodb_lists.lists import counting
from dynamodb_lists.lists.counting import ListCounts, pack_counts
from dynamodb_lists.maintenance.list_rules import ListCountsRule, rules
from dynamodb_lists.maintenance.rules import GroupRule, Unread
from dynamodb_lists.maintenance.verification import TableCheck, confirmed
from dynamodb_lists.schema.keys import compose
from dynamodb_lists.tests.helpers import dynamodb_local
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.trials import Trial, a_trial, list_of_trials, matching, new_org, numbers, some_trials, walked

samples = list_of_trials("samples", "sample")
MANY = 150
"""So many trials have so many combinations that their counts are packed."""


@pytest.fixture(autouse=True)
def _own_table(endpoint: str) -> Iterator[None]:
    """Verification reads whole tables, so each test has a new one."""
    samples.create_table()
    yield
    client().delete_table(TableName=samples.models.item.Meta.table_name)


@pytest.fixture
def first() -> Trial:
    return samples.create(a_trial(new_org()))


def found(*, repair: bool = False, unread: Unread | None = None) -> list[tuple[str, bool]]:
    """Return what verification finds in the table, and whether it was repaired."""
    checked = rules(samples)
    for rule in checked:
        if isinstance(rule, GroupRule):
            rule.settle_seconds = 0.0  # nobody writes meanwhile
    check = TableCheck(samples.models.item.Meta.table_name, checked, repair=repair, unread=unread)
    return [(fault.text, fault.repaired) for fault in check.faults(lambda _: None)]


def assert_found_and_repaired(fault: str) -> None:
    assert found() == [(fault, False)]
    assert found(repair=True) == [(fault, True)]
    assert found() == []


def counts_of(org: str) -> str:
    """Return the partition of an organisation's counts."""
    return samples.declaration.counts_partition((org,))


def counted(org: str) -> Counter[tuple[Any, ...]]:
    """Return the numbers of the counts that are not zero, by combination."""
    return Counter({key: each.number for key, each in samples.reader.stored_counts((org,)).items() if each.number})


@pytest.fixture
def lost_answers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """DynamoDB gets each request, and every fourth answer to a write is lost on its way."""
    session: Any = client()._endpoint.http_session  # type: ignore[attr-defined]
    usual, sent = session.send, count(1)

    def send(request: Any) -> Any:
        answer = usual(request)
        if b"TransactItems" in (request.body or b"") and next(sent) % 4 == 0:
            raise ReadTimeoutError(endpoint_url=request.url)
        return answer

    monkeypatch.setattr(session, "send", send)
    yield
    monkeypatch.undo()


@pytest.mark.usefixtures("lost_answers")
@pytest.mark.parametrize("seed", range(examples(1)))
def test_many_writers_and_lost_answers_leave_nothing_out_of_step(seed: int) -> None:
    """Six writers create, edit and delete the same items. Rows, counts and copies agree at the end."""
    org = new_org()
    samples.save(some_trials(org, 90, seed))  # so many combinations that the counts are packed

    def work(number: int) -> int:
        drawn, done = random.Random(seed * 10 + number), 0
        for step in range(15):
            name = f"T-{drawn.randrange(30):03}"
            try:
                seen = samples.get(org=org, id=name, consistent=True)
                if drawn.random() < 0.3:
                    samples.delete(seen)
                else:
                    samples.update(seen, state=drawn.choice(["Draft", "Done", ""]), title=f"{number} {step}")
            except NotFound:
                try:
                    samples.create(Trial(org=org, number=name, operator="Zeta", state="New", phase=number))
                except DynamoDBError:
                    continue
            except DynamoDBError:
                continue
            done += 1
        return done

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(work, range(6))) > 30
    rows = list(samples.query(org=org))
    assert Counter(map(samples.declaration.combination, rows)) == counted(org)
    assert len({row.number for row in rows}) == len(rows)
    if dynamodb_local.wanted():  # it shows half of a transaction; if its writer lost the answer, the copy stays wrong
        assert all(repaired and "packed counts" in text for text, repaired in found(repair=True))
    assert found() == []
    samples.update(samples.get(org=org, id=rows[0].number, consistent=True), state="Last")  # packs once more
    heads = samples.reader.heads((org,), HEAD, PACKED, consistent=True)
    assert heads[PACKED]["counts_revision"] == heads[HEAD]["counts_revision"]
    packed = {key: each.number for key, each in unpack(heads[PACKED]["packed"], 3).items() if each.number}
    assert packed == counted(org)


@pytest.mark.parametrize("size", [5, MANY])
def test_a_count_that_is_lost_hides_no_row_and_is_repaired(size: int) -> None:
    """Lose a count of a list with few rows, and of one with many rows. The packed copy, if there is one, is
    outdated.
    """
    rows, models = some_trials(new_org(), size), samples.models
    samples.save(rows)
    org = rows[0].org
    lost = samples.declaration.combination(rows[0])
    models.count(counts_of(org), compose(*lost)).delete()
    models.head(counts_of(org), HEAD).update([models.head.counts_revision.add(1)])
    wanted = matching(rows, operator=rows[0].operator.__eq__, state=rows[0].state.__eq__)
    query = samples.query(org=org).where(operator=rows[0].operator, state=rows[0].state)
    for asked in (query, query.order_by("-day"), query.order_by("cost")):
        assert sorted(numbers(row for page in walked(asked, 3) for row in page.rows)) == sorted(numbers(wanted))
    number = sum(samples.declaration.combination(row) == lost for row in rows)
    assert_found_and_repaired(
        f"the count of samples {org} {' '.join(lost)} is missing; the number of samples is {number}"
    )
    page = query.page()
    assert page.total == len(wanted)
    assert page.cost.units <= 3 or dynamodb_local.wanted(), "it charges whole items for reads of LSIs"


@pytest.mark.parametrize("others", [0, 2], ids=["alone", "beside a writer"])
def test_all_counts_of_an_owner_are_counted_by_one_read_of_its_items(
    others: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of the counts are lost and half are wrong. The repair counts again if somebody changes a row meanwhile."""
    org, usual, reads = new_org(), ListCounts.counted_anew, list[int]()
    rows, more = some_trials(org, MANY), some_trials(org, MANY + others, seed=2)[MANY:]
    samples.save(rows)
    stored = samples.reader.stored_counts((org,))
    for number, key in enumerate(stored):
        item = samples.models.count(counts_of(org), compose(*key))
        item.delete() if number % 2 else item.update([samples.models.count.number.add(3)])
    samples.repack((org,))

    def counted_anew(store: ListCounts[Any], progress: Any) -> Any:
        right = usual(store, progress)
        reads.append(len(more))
        if more:
            samples.create(more.pop())
        return right

    monkeypatch.setattr(ListCounts, "counted_anew", counted_anew)
    assert all(repaired for _, repaired in found(repair=True))
    assert reads == [*range(others, -1, -1)], "once more after each change"
    assert counted(org) == Counter(map(samples.declaration.combination, samples.query(org=org)))
    labels = {key: each.labels for key, each in samples.reader.stored_counts((org,)).items()}
    assert labels.items() >= {key: each.labels for key, each in stored.items()}.items()
    assert found() == []


def test_counts_that_others_change_while_they_are_counted_are_not_counted_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    org, usual, reads = new_org(), ListCounts.counted_anew, list[Any]()
    samples.save(some_trials(org, 20))
    suspects = [(org,), *((org, *key) for key in samples.reader.stored_counts((org,)))]

    def counted_anew(store: ListCounts[Any], progress: Any) -> Any:
        reads.append(usual(store, progress))
        samples.save(some_trials(org, 20 + 9 * len(reads), seed=len(reads))[20:])
        return reads[-1]

    monkeypatch.setattr(ListCounts, "counted_anew", counted_anew)
    monkeypatch.setattr(ListCountsRule, "settle_seconds", 0.0)
    (rule,) = (each for each in rules(samples) if isinstance(each, ListCountsRule))
    assert [*confirmed(rule, suspects)] == []
    assert len(reads) == 1


def test_a_wrong_copy_and_a_wrong_number_of_items_are_found_and_repaired() -> None:
    rows, head = some_trials(new_org(), MANY), samples.models.head
    samples.save(rows)
    org, number = rows[0].org, "the number of all samples {} is {}; the number of samples is {}"
    for sort_key, action, fault in (
        (PACKED, head.packed.set(pack({})), f"the packed counts of samples of {org} are not its counts"),
        (HEAD, head.items.set(7), number.format(org, 7, MANY)),
        (HEAD, head.items.remove(), number.format(org, "missing", MANY)),
    ):
        head(counts_of(org), sort_key).update([action])
        page = samples.query(org=org).where(state={"Draft", "Done"}).order_by("day").page(MANY)
        assert sorted(numbers(page.rows)) == sorted(numbers(matching(rows, state={"Draft", "Done"}.__contains__)))
        assert_found_and_repaired(fault)


def test_a_copy_never_holds_a_change_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """One writer reads the counts after a second writer has written, and packs them before the second writer packs."""
    rows, late, usual = some_trials(new_org(), MANY), list[Any](), ListCounts.counts
    samples.save(rows)

    def written_meanwhile(store: ListCounts[Any]) -> Counts:
        monkeypatch.setattr(ListCounts, "counts", usual)
        with monkeypatch.context() as patch:
            patch.setattr(counting, "pack_counts", lambda *call: late.append(call))
            samples.create(a_trial(rows[0].org, "late"))
        return usual(store)

    monkeypatch.setattr(ListCounts, "counts", written_meanwhile)
    samples.repack((rows[0].org,))
    (call,) = late
    pack_counts(*call)
    assert found() == []


def test_words_follow_their_item(first: Trial) -> None:
    query = samples.query(org=first.org)
    second = samples.update(first, title="Blue moon")
    assert numbers(query.search("moon blu").page().rows) == ["T-1"]
    third = samples.update(second, title="Red moon", operator="Other")
    assert [numbers(query.search(text).page().rows) for text in ("blue", "moo", "r")] == [[], ["T-1"], ["T-1"]]
    wrong = samples.models.word(f"samples#{first.org}#words#x", "xyz#T-1", words=" xyz")
    wrong.save()
    assert_found_and_repaired(f"the word item samples#{first.org}#words#x xyz#T-1 is surplus")
    samples.delete(third)
    assert query.search("moon").page().rows == ()
    assert found() == []


@pytest.mark.parametrize("how", [*Unread])
def test_an_item_that_cannot_be_read_is_named_beside_its_page_and_reset_or_deleted(how: Unread) -> None:
    """Another program has written a text into a day, and a state that no count knows."""
    rows = some_trials(new_org(), 5)
    samples.save(rows)
    bad, key = rows[2], {"pk": {"S": f"samples#{rows[2].org}"}, "sk": {"S": rows[2].number}}
    client().update_item(
        TableName=samples.models.item.Meta.table_name,
        Key=key,
        UpdateExpression="SET #0 = :0, #1 = :1",
        ExpressionAttributeNames={"#0": "day", "#1": "state"},
        ExpressionAttributeValues={":0": {"S": "soon"}, ":1": {"S": "Lost"}},
    )
    query, said = samples.query(org=bad.org), f"The sample samples#{bad.org} {bad.number} cannot be read: day is 'soon'"
    for listed in (query, query.order_by("-day"), query.where(phase=bad.phase), query.search(bad.title)):
        page = listed.page()
        assert bad.number not in numbers(page.rows)
        assert [each.reason for each in page.misfits] == [said]
    for read in (lambda: [*query], lambda: samples.get(org=bad.org, id=bad.number), lambda: samples.save([bad])):
        with pytest.raises(Unreadable, match=said):
            read()
    fault = f"{said}: reset or delete it, with --unread"
    assert (fault, False) in found(repair=True)
    assert (fault, True) in found(repair=True, unread=how)
    assert found() == []
    assert numbers(query) == [each.number for each in rows if how is Unread.RESET or each is not bad]
    assert not query.page().misfits
    if how is Unread.RESET:
        stored = samples.get(org=bad.org, id=bad.number)
        assert (stored.day, stored.state, stored.title) == (None, "Lost", bad.title)
        assert stored in query.where(state="Lost").page().rows
