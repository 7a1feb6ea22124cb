"""The parser of answers is for DynamoDB's protocol alone. test_thin_client.py tests what it refuses."""

from dynamodb_lists.connection.answer_parser import AnswerParser, AnswerParserFactory


def test_other_protocols_keep_their_parsers() -> None:
    assert isinstance(AnswerParserFactory().create_parser("json"), AnswerParser)
    assert not isinstance(AnswerParserFactory().create_parser("query"), AnswerParser)
