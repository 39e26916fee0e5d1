"""Excel workbooks for tests."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from io import BytesIO

from openpyxl import Workbook
from openpyxl.utils.datetime import WINDOWS_EPOCH
from openpyxl.worksheet.worksheet import Worksheet


def build_workbook(
    sheets: Mapping[str, Iterable[Sequence[object]]],
    *,
    epoch: datetime = WINDOWS_EPOCH,
    change: Callable[[Workbook], object] = id,
) -> bytes:
    """Return the bytes of a workbook with these rows, by title of their sheet."""
    book, file = Workbook(), BytesIO()
    book.epoch = epoch
    book.remove(book.worksheets[0])
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    change(book)
    book.save(file)
    return file.getvalue()


def spreadsheet(
    *rows: Sequence[object],
    epoch: datetime = WINDOWS_EPOCH,
    change: Callable[[Worksheet], object] = id,
) -> bytes:
    """Return the bytes of a workbook with one sheet."""
    return build_workbook(
        {"Sheet": rows}, epoch=epoch, change=lambda book: change(book.worksheets[0])
    )
