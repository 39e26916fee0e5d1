"""Static files are compressed only when they have changed."""

from pathlib import Path

from django.core.files.base import ContentFile
from pytest_django.fixtures import Settings

from tricky_site.http.statics import IncrementallyCompressedStatics


def test_compresses_only_changed_or_damaged_files(
    tmp_path: Path, settings: Settings
) -> None:
    settings.STATIC_ROOT = tmp_path
    sheet = ContentFile(b"button { color: red }\n" * 100)
    statics = IncrementallyCompressedStatics()
    statics.save("a.css", sheet)
    statics.save("b.css", sheet)
    names = ["a.css", "b.css"]
    assert len(list(statics.compress_files(names))) == 4

    (tmp_path / "a.css").write_bytes(b"button { color: blue }\n" * 100)
    compressed = (tmp_path / "b.css.br").read_bytes()
    assert list(statics.compress_files(["b.css"])) == []
    assert {name for name, _ in statics.compress_files(names)} == {"a.css"}
    for damaged in (compressed[:-1], b"", compressed[1:]):
        (tmp_path / "b.css.br").write_bytes(damaged)
        assert {name for name, _ in statics.compress_files(names)} == {"b.css"}
        assert (tmp_path / "b.css.br").read_bytes() == compressed
    (tmp_path / "b.css.gz").write_bytes((tmp_path / "b.css.gz").read_bytes()[:-9])
    assert {name for name, _ in statics.compress_files(names)} == {"b.css"}
