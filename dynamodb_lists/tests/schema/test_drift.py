"""How a table differs from what its model declares: an update mends what it can, and the rest stays."""

from hypothesis import given
from hypothesis import strategies as st

from dynamodb_lists.schema import drift
from dynamodb_lists.schema.drift import Remedy

INDEX = st.tuples(st.sampled_from(["LSI", "GSI"]), st.sampled_from("pab"), st.sampled_from("ab"))
FACTS = st.fixed_dictionaries(
    {
        "keys": st.just(("p", "s")),
        **{f"type of {name}": st.just("S") for name in "psb"},
        "type of a": st.sampled_from("SN"),
        drift.TTL: st.sampled_from([drift.OFF, "expires_at"]),
    },
    optional={
        **{f"index {name}": INDEX for name in "xyz"},
        drift.PROTECTION: st.sampled_from([drift.ON, drift.OFF]),
        drift.RECOVERY: st.sampled_from([drift.ON, drift.OFF, drift.UNSUPPORTED]),
    },
)


@given(FACTS)
def test_a_table_does_not_differ_from_itself(facts: drift.Facts) -> None:
    assert list(drift.differences(facts, facts)) == []


@given(FACTS, FACTS)
def test_once_all_that_can_be_updated_is_updated_only_the_rest_differs(
    declared: drift.Facts, there: drift.Facts
) -> None:
    before = list(drift.differences(declared, there))
    updated = {each.fact: declared[each.fact] for each in before if each.remedy == Remedy.UPDATE}
    after = list(drift.differences(declared, {**there, **updated}))
    assert after == [difference for difference in before if difference.remedy != Remedy.UPDATE]
