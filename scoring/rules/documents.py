"""Files of documents: one, or one a line."""

from collections.abc import Iterator


def documents(read: bytes, *, in_lines: bool) -> Iterator[bytes]:
    """Yield the documents of a file; of lines those that are not empty.

    >>> list(documents(b"{}\\n\\n[]\\n", in_lines=True))
    [b'{}', b'[]']
    """
    if not in_lines:
        yield read
        return
    yield from (line for line in read.split(b"\n") if line.strip())
