"""Keys of uploads in the table ``sessions``. A session's key is a digest, which has no ``#``."""

from dynamodb_lists.schema.keys import compose


def upload(upload_id: str) -> str:
    return compose("upload", upload_id)


def piece(upload_id: str, number: int) -> str:
    return compose("upload-piece", upload_id, f"{number:04d}")
