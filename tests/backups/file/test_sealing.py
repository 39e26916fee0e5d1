"""What is sealed is opened by its passphrase alone, as it was written or not at all."""

import io
from base64 import b64decode
from pathlib import Path

import pytest

from backups.file.sealing import (
    ALTERED,
    CHUNK,
    MAGIC,
    WRONG,
    SealedReader,
    SealingWriter,
)
from backups.refusals import BackupError

PASSPHRASE = "correct horse battery"
BY_RAGE = b64decode(
    "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCA2aVVyYnJITVo0dEFGcVlRaEhRcmhnIDEx"
    "CmF4WmQ1TzVJTzBYMVVCZkk0OUdxSzFiaC9oMzhOM3FwTDBVYkh1ek1WVWcKLS0tIFBuTlBla2I3"
    "TU9uVnFpa3I4Q1YvYlNneVRsRlh5L1RaNkN6MWYyUnhFT0kKJKexOl1mxyCJkoAeCDf5+bdADIhc"
    "hirHbX6P8ZDJ5daXSv3kEBQNIROcoC/gdnFKHjiN6cfTSIs="
)
"""Another program wrote this in the same format, by the passphrase `a dozen letters`."""


def sealed(text: bytes) -> bytes:
    file = io.BytesIO()
    writer = SealingWriter(file, PASSPHRASE, work=1)
    for begin in range(0, len(text), 1000):
        writer.write(text[begin : begin + 1000])
    writer.finish()
    return file.getvalue()


def opened(raw: bytes, passphrase: str = PASSPHRASE) -> bytes:
    reader = SealedReader(io.BytesIO(raw), passphrase)
    return b"".join(iter(lambda: reader.read(3000), b""))


def is_refused(raw: bytes) -> bool:
    try:
        opened(raw)
    except BackupError:
        return True
    return False


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])
def test_what_was_sealed_is_opened_again(size: int) -> None:
    text = bytes(range(256)) * (size // 256 + 1)
    assert opened(sealed(text[:size])) == text[:size]


def test_what_another_program_sealed_is_opened() -> None:
    assert opened(BY_RAGE, "a dozen letters") == b"Seven hands at table 3.\n"


def test_another_passphrase_opens_nothing() -> None:
    with pytest.raises(BackupError, match=WRONG):
        opened(sealed(b"Seven hands"), "correct horse batterz")


def test_one_altered_bit_anywhere_is_refused() -> None:
    raw = sealed(b"Seven hands at table 3.")
    for place in range(len(raw)):
        for bit in (1, 4, 128):
            altered = bytearray(raw)
            altered[place] ^= bit
            assert is_refused(bytes(altered)), (place, bit)


@pytest.mark.parametrize("left", [0, 1, len(MAGIC), 200, CHUNK, CHUNK + 216, -1])
def test_a_file_that_was_cut_off_is_refused(left: int) -> None:
    assert is_refused(sealed(bytes(2 * CHUNK))[:left])


def test_a_whole_chunk_that_is_missing_at_the_end_is_missed() -> None:
    raw = sealed(bytes(2 * CHUNK))
    with pytest.raises(BackupError, match=ALTERED):
        opened(raw[: -(CHUNK + 16)])


def test_what_would_take_all_memory_to_open_is_refused() -> None:
    raw = sealed(b"Seven hands").replace(b" 1\n", b" 40\n", 1)
    with pytest.raises(BackupError, match=ALTERED):
        opened(raw)


def test_the_same_text_is_never_sealed_alike(tmp_path: Path) -> None:
    assert sealed(b"Seven hands")[:200] != sealed(b"Seven hands")[:200]
