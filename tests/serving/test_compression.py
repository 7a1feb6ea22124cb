"""What the portal compresses itself: pages."""

import gzip
from contextlib import closing

import pytest
import zstandard
from django.http.response import HttpResponseBase
from django.test import Client

from hotelapp.compression import SKIPPABLE

pytestmark = pytest.mark.django_db
FILE_NAME = 8
"""The flag of gzip's header for the name of a file, which Django makes up so that each answer has a random length."""


def answer(client: Client, address: str, **headers: str) -> tuple[HttpResponseBase, bytes]:
    """The answer to a browser that understands gzip."""
    response = client.get(address, headers={"Accept-Encoding": "gzip, br", **headers})
    with closing(response):
        return response, response.getvalue()


def test_a_page_is_compressed_with_a_random_length_and_an_export_is_not(staff: Client) -> None:
    page, content = answer(staff, "/guests/")
    assert page["Content-Encoding"] == "gzip"
    assert content[3] & FILE_NAME
    plain = gzip.decompress(content)
    assert b"data-list" in plain
    export, content = answer(staff, "/guests/?format=csv")
    assert "Content-Encoding" not in export
    assert b"username" in content.lower()


def test_a_browser_that_takes_zstd_gets_it_with_a_random_length(staff: Client) -> None:
    pages = [answer(staff, "/guests/", **{"Accept-Encoding": "gzip, deflate, br, zstd"}) for _ in range(5)]
    for page, content in pages:
        assert (page["Content-Encoding"], page["Content-Length"]) == ("zstd", str(len(content)))
        assert "Accept-Encoding" in page["Vary"]
        with zstandard.ZstdDecompressor().stream_reader(content, read_across_frames=True) as plain:
            assert b"data-list" in plain.read()
    assert len({content[content.rindex(SKIPPABLE) :] for _, content in pages}) > 1
    assert answer(staff, "/guests/", **{"Accept-Encoding": "zstd;q=0, gzip"})[0]["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in answer(staff, "/guests/", **{"Accept-Encoding": "br"})[0]
