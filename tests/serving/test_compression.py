"""What the portal compresses itself: pages, and whole styles and scripts that nobody has collected."""

import gzip
from contextlib import closing
from pathlib import Path

import pytest
import zstandard
from django.conf import settings
from django.http.response import HttpResponseBase
from django.test import Client

from hotelapp.compression import SKIPPABLE

pytestmark = pytest.mark.django_db
STYLES = "/static/portal/portal.css"
FILE_NAME = 8
"""The flag of gzip's header for the name of a file, which Django makes up so that each answer has a random length."""


def answer(client: Client, address: str, method: str = "GET", **headers: str) -> tuple[HttpResponseBase, bytes]:
    """The answer to a browser that understands gzip."""
    response = client.generic(method, address, headers={"Accept-Encoding": "gzip, br", **headers})
    with closing(response):
        return response, response.getvalue()


def test_a_style_is_compressed_and_found_unchanged_by_its_time() -> None:
    response, content = answer(Client(), STYLES)
    assert gzip.decompress(content) == (Path(settings.BASE_DIR) / "static/portal/portal.css").read_bytes()
    assert (response["Content-Encoding"], response["Vary"]) == ("gzip", "Accept-Encoding")
    assert "ETag" not in response
    assert "Content-Length" not in response
    unchanged, _ = answer(Client(), STYLES, If_Modified_Since=response["Last-Modified"])
    assert unchanged.status_code == 304
    assert "Content-Encoding" not in unchanged


@pytest.mark.parametrize(
    ("address", "method", "headers", "status"),
    [
        (STYLES, "HEAD", {}, 200),
        (STYLES, "GET", {"Range": "bytes=0-99"}, 206),
        ("/static/fonts/icons.woff2", "GET", {}, 200),
    ],
)
def test_a_part_a_head_and_a_font_are_sent_as_they_are(
    address: str, method: str, headers: dict[str, str], status: int
) -> None:
    response, content = answer(Client(), address, method, **headers)
    assert (response.status_code, response.headers.get("Content-Encoding")) == (status, None)
    assert method == "HEAD" or len(content) == int(response["Content-Length"])


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
