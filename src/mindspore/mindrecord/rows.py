"""Rows that are to be written to MindRecord files."""

from __future__ import annotations

from typing import Any

from mindspore.core import log
from mindspore.formats.mindrecord.errors import MRMValidateDataError, MRMWriteDatasetError
from mindspore.formats.mindrecord.row import EncodedRow, encode_row
from mindspore.formats.mindrecord.schema import Schema


def encoded_rows(schema: Schema, rows: list[dict[str, Any]]) -> list[EncodedRow]:
    """The rows that fit the schema, in the form in which they are stored; for the others there is one warning.

    Raises:
        MRMWriteDatasetError: There is none.
    """
    encoded, reasons = [], []
    for number, row in enumerate(rows):
        try:
            encoded.append(encode_row(schema, row))
        except MRMValidateDataError as error:
            reasons.append(f"row {number}: {error.detail}")
    if not encoded:
        raise MRMWriteDatasetError(
            "There is no valid data which can be written by 'write_raw_data': "
            + (" ".join(reasons[:3]) or "the list is empty.")
        )
    if reasons:
        log.warning(
            "%d of %d rows do not fit the schema and are left out; %s",
            len(reasons),
            len(rows),
            " ".join(reasons[:3]),
        )
    return encoded
