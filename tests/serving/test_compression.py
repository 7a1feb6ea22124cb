"""What the portal compresses itself: pages, and no export, in which a row would wait for the rows after it."""

import gzip

import pytest
from django.test import Client

FILE_NAME = 8
"""The flag of gzip's header for the name of a file, which Django makes up so that each answer has a random length."""


@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables")
def test_a_page_is_compressed_with_a_random_length_and_an_export_is_not(staff: Client) -> None:
    page, export = (
        staff.get(address, headers={"Accept-Encoding": "gzip, br, zstd"})
        for address in ("/guests/", "/guests/?format=csv")
    )
    assert page["Content-Encoding"] == "gzip"
    assert page.content[3] & FILE_NAME
    assert b"data-list" in gzip.decompress(page.content)
    assert "Content-Encoding" not in export
    assert b"username" in export.getvalue().lower()
    assert "Content-Encoding" not in staff.get("/guests/", headers={"Accept-Encoding": "br"})
