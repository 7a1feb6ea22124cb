"""The demo's ``.env`` is the owner's alone, and is not lost if it cannot be written."""

import errno
import os
import platform
from pathlib import Path

import pytest

from hotelapp import private_files
from hotelapp.demo import env_file


def fail(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_file_that_everybody_could_read_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    monkeypatch.setattr(env_file, "ENV_FILE", file)
    file.write_text("DEMO=1\nDEMO_USERNAME=me\nDEMO_PASSWORD=mine\nSECRET_KEY=s\n")
    file.chmod(0o644)
    env_file.write({"DEMO": "1"}, file)
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o664)
    env_file.main()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_mounted_read_only_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(number: int) -> None:
        raise OSError(number, os.strerror(number))

    file = tmp_path / ".env"
    file.touch()
    file.chmod(0o644)
    monkeypatch.setattr(Path, "chmod", lambda *_: refuse(errno.EROFS))
    private_files.close(file)
    monkeypatch.setattr(Path, "chmod", lambda *_: refuse(errno.EIO))
    with pytest.raises(OSError, match="Input/output error"):
        private_files.close(file)


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_does_not_lose_the_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    file = tmp_path / ".env"
    file.write_text("DEMO=1\nSECRET_KEY=kept\n")
    monkeypatch.setattr(env_file, "ENV_FILE", file)
    monkeypatch.setattr(env_file, "read", lambda: {"DEMO": "1"})
    monkeypatch.setattr(os, call, fail)
    with pytest.raises(SystemExit, match="The file .env cannot be written: .Errno 28. No space left on device"):
        env_file.main()
    assert file.read_text() == "DEMO=1\nSECRET_KEY=kept\n"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(platform.system() != "Linux", reason="other systems have no further loopback addresses")
def test_no_web_page_can_guess_the_engines_address() -> None:
    hosts = {env_file.engine_host() for _ in range(20)}
    assert len(hosts) > 15
    assert all(host.startswith("127.") for host in hosts)
