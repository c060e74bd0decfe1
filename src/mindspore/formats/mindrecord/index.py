"""The index of a data file: `<file>.db`, an SQLite file with the place of every row and the values of index fields."""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import sqlite3
import urllib.parse
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from mindspore.formats.mindrecord.errors import MindRecordFileError
from mindspore.formats.mindrecord.schema import Field

# Numbers of the columns that say where a row lies; ends are exclusive, offsets count from the start of the page.
PLACE = ("PAGE_ID_RAW", "PAGE_OFFSET_RAW", "PAGE_OFFSET_RAW_END")
PLACE += ("PAGE_ID_BLOB", "PAGE_OFFSET_BLOB", "PAGE_OFFSET_BLOB_END")
PLACES = 2 + len(PLACE)  # columns of a row before those of index fields
RAW_PAGE, RAW_BEGIN, RAW_END, BLOB_PAGE, BLOB_BEGIN, BLOB_END = range(6)
_AGAIN = "'python -m mindspore.mindrecord.repair"
_CHANGES = 24, 92  # where SQLite keeps how often a file was changed
_SQL_TYPES = {
    "int32": "INTEGER",
    "int64": "INTEGER",
    "float32": "REAL",
    "float64": "REAL",
    "string": "TEXT",
}
_COLUMNS = (  # spelled as the original does, which compares nothing but is told from other files by it
    "  ROW_ID               INT  NOT NULL, PAGE_ID_RAW          INT  NOT NULL,"
    " PAGE_OFFSET_RAW      INT  NOT NULL, PAGE_OFFSET_RAW_END  INT  NOT NULL,"
    " ROW_GROUP_ID         INT  NOT NULL, PAGE_ID_BLOB         INT  NOT NULL,"
    " PAGE_OFFSET_BLOB     INT  NOT NULL, PAGE_OFFSET_BLOB_END INT  NOT NULL"
)


def index_path(path: str) -> str:
    """Path of the index of a data file."""
    return path + ".db"


def check_index(file: str, path: str, rows: int, fields: Sequence[str]) -> None:
    """Refuse an index that is missing, damaged, or not that of a data file.

    Args:
        file: Where the index lies.
        path: The data file, which has `rows` rows.
        fields: Its index fields.

    Raises:
        MindRecordFileError: See above.
    """
    if not os.path.isfile(file):
        raise no_index(path)
    with _reading(file, path) as database:
        names = [name for (name,) in database.execute("SELECT NAME FROM SHARD_NAME")]
        last = database.execute("SELECT MAX(ROW_ID) FROM INDEXES").fetchone()[0]
        columns = [column[1] for column in database.execute("PRAGMA table_info(INDEXES)")]
    if names != [os.path.basename(path)]:
        raise _wrong(path, f"belongs to {names}. The files must keep the names that they were written with")
    if columns[PLACES:] != [name for i, field in enumerate(fields) for name in (f"INC_{i}", f"{field}_0")]:
        raise _wrong(path, f"is damaged: it has the columns {columns[PLACES:]}, but the index fields are {fields}")
    found = 0 if last is None else last + 1 if isinstance(last, int) else last
    if found != rows:
        raise _wrong(path, f"has {found} rows, but the file has {rows}: one of them is damaged")


def read_places(file: str, path: str, begin: int, end: int) -> np.ndarray:
    """Places of the rows `begin` to `end`, int64 (rows, 6) in the order of PLACE.

    Args:
        file: Where the index lies.
        path: The data file.

    Raises:
        MindRecordFileError: The index cannot be read or lacks one of the rows.
    """
    with _reading(file, path) as database:
        found = database.execute(
            f"SELECT {','.join(PLACE)} FROM INDEXES WHERE ROW_ID >= ? AND ROW_ID < ? ORDER BY ROW_ID",
            (begin, end),
        ).fetchall()
    try:
        places = np.array(found, np.int64).reshape(-1, len(PLACE))
    except (TypeError, ValueError, OverflowError):
        raise _wrong(path, "is damaged: it has places of rows that are no numbers") from None
    if len(places) != end - begin:
        raise _wrong(path, f"is damaged: it has {len(places)} of the {end - begin} rows from {begin} on")
    return places


def no_index(path: str) -> MindRecordFileError:
    """The error that a data file has no index."""
    return MindRecordFileError(
        f"The file '{path}' has no index: '{index_path(path)}' does not exist. Both files belong together. "
        f"{_AGAIN} {path}' makes it again."
    )


def _wrong(path: str, what: str) -> MindRecordFileError:
    """The error that the index of the data file `path` is not sound."""
    return MindRecordFileError(
        f"The index '{index_path(path)}' of the file '{path}' {what}. If only the index is wrong, "
        f"{_AGAIN} {path}' makes it again."
    )


class IndexWriter:
    """An index under a temporary name.

    Args:
        path: The file, which must not exist.
    """

    def __init__(self, path: str):
        self.path = path
        self._database: sqlite3.Connection | None = None
        self._insert = ""

    def create(self, name: str, fields: Sequence[Field]) -> None:
        """Begin the index of the data file with the base name `name`, with these index fields."""
        columns = "".join(
            f",INC_{i} INT, {field.name}_0 {_SQL_TYPES[field.type]}"
            for i, field in enumerate(fields)
        )
        key = "".join(f",INC_{i}" for i in range(len(fields)))
        database = self._open(len(fields))
        database.execute(f"CREATE TABLE INDEXES({_COLUMNS}{columns}, PRIMARY KEY(ROW_ID{key}))")
        database.execute("CREATE TABLE SHARD_NAME(NAME TEXT NOT NULL)")
        database.execute("INSERT INTO SHARD_NAME VALUES(?)", (name,))

    def go_on(self, source: str) -> None:
        """Begin with a copy of the index `source`."""
        shutil.copyfile(source, self.path)
        database = self._open(0)
        columns = database.execute("PRAGMA table_info(INDEXES)").fetchall()
        self._prepare((len(columns) - PLACES) // 2)

    def _open(self, fields: int) -> sqlite3.Connection:
        self._database = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        self._database.execute(
            "PRAGMA journal_mode=OFF"
        )  # a file without its name needs no rollback
        self._database.execute("PRAGMA synchronous=OFF")
        self._prepare(fields)
        return self._database

    def _prepare(self, fields: int) -> None:
        marks = ",".join("?" * PLACES) + ",0,?" * fields
        self._insert = f"INSERT INTO INDEXES VALUES({marks})"

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Add rows: number, the six places, number of the group, values of the index fields."""
        assert self._database is not None
        self._database.execute("BEGIN")
        self._database.executemany(self._insert, (_ordered(row) for row in rows))
        self._database.execute("COMMIT")

    def close(self) -> None:
        """Let go of the file."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def finish(self) -> None:
        """Complete the file.

        Its bytes depend on the rows alone, not on how many calls brought them: the number of its changes, which SQLite
        keeps twice, is set to one.
        """
        self.close()
        with open(self.path, "r+b") as file:
            for at in _CHANGES:
                file.seek(at)
                file.write((1).to_bytes(4, "big"))


def _ordered(row: Sequence[Any]) -> tuple[Any, ...]:
    """A row in the order of the table; a float that is not a number as the text that can be read back."""
    number, raw_page, raw_begin, raw_end, blob_page, blob_begin, blob_end, group, *values = row
    kept = ["nan" if isinstance(v, float) and math.isnan(v) else v for v in values]
    return number, raw_page, raw_begin, raw_end, group, blob_page, blob_begin, blob_end, *kept


@contextlib.contextmanager
def _reading(file: str, path: str) -> Iterator[sqlite3.Connection]:
    """The index `file` of a data file, opened without locks and without leaving files beside it."""
    address = urllib.parse.quote(os.path.abspath(file))
    try:
        database = sqlite3.connect(f"file:{address}?mode=ro&immutable=1", uri=True)
        try:
            yield database
        finally:
            database.close()
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter of names in the file, and of texts of errors
        raise _wrong(path, f"is damaged or no index: {error}") from None
