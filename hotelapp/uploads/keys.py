"""Keys of uploads in the table ``sessions``. A session's key is a digest, which has no ``#``."""

from hotelapp.dynamodb.schema.keys import compose, parse

UPLOAD = "upload"


def upload(upload_id: str) -> str:
    """Key of an upload."""
    return compose(UPLOAD, upload_id)


def piece(upload_id: str, number: int) -> str:
    """Key of some rows of an upload's file."""
    return compose(UPLOAD, upload_id, f"{number:04d}")


def is_upload(key: str) -> bool:
    """Whether a key is one of :func:`upload`."""
    return parse(key)[:1] == (UPLOAD,) and not is_piece(key)


def is_piece(key: str) -> bool:
    """Whether a key is one of :func:`piece`."""
    return len(parse(key)) == len(("upload", "id", "number"))
