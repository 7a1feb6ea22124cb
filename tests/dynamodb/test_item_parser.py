"""The parser of items returns the same as botocore's own parser."""

from base64 import b64encode
from typing import Any

import botocore.session
from botocore.model import ServiceModel
from botocore.parsers import JSONParser
from hypothesis import given
from hypothesis import strategies as st

from hotelapp.dynamodb.connection.item_parser import ItemParser, ItemParserFactory

MODEL = ServiceModel(
    botocore.session.get_session().get_component("data_loader").load_service_model("dynamodb", "service-2")
)
base64 = st.binary(max_size=9).map(lambda raw: b64encode(raw).decode())
plain = st.one_of(
    st.fixed_dictionaries({"S": st.text()}),
    st.fixed_dictionaries({"N": st.integers().map(str)}),
    st.fixed_dictionaries({"BOOL": st.booleans()}),
    st.fixed_dictionaries({"NULL": st.just(True)}),
    st.fixed_dictionaries({"SS": st.lists(st.text(), min_size=1)}),
    st.fixed_dictionaries({"B": base64}),
    st.fixed_dictionaries({"BS": st.lists(base64, min_size=1)}),
)
attributes = st.recursive(
    plain,
    lambda inner: (
        st.fixed_dictionaries({"L": st.lists(inner, max_size=3)})
        | st.fixed_dictionaries({"M": st.dictionaries(st.text(), inner, max_size=3)})
    ),
    max_leaves=8,
)


class Plain(JSONParser):
    """botocore's parser, with its inner function declared for the type checker."""

    _parse_shape: Any


@given(st.lists(st.dictionaries(st.text(min_size=1), attributes, max_size=5), max_size=4))
def test_items_come_out_as_botocore_makes_them(items: list[dict[str, Any]]) -> None:
    shape = MODEL.operation_model("Query").output_shape
    answer = {"Items": items, "Count": len(items), "LastEvaluatedKey": items[-1] if items else {}}
    ours, botocores = (parser()._parse_shape(shape, answer) for parser in (ItemParser, Plain))
    assert ours == botocores


def test_other_protocols_keep_their_parsers() -> None:
    assert isinstance(ItemParserFactory().create_parser("json"), ItemParser)
    assert not isinstance(ItemParserFactory().create_parser("query"), ItemParser)
