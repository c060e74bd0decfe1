"""Writing MindRecord files."""

from __future__ import annotations

import functools
import os
import re
import weakref
from typing import Any

from mindspore.formats.mindrecord.errors import (
    MRMAddSchemaError,
    MRMDefineIndexError,
    MRMInvalidHeaderSizeError,
    MRMInvalidPageSizeError,
    MRMOpenForAppendError,
    MRMWriteDatasetError,
    ParamTypeError,
    ParamValueError,
)
from mindspore.formats.mindrecord.header import (
    HEADER_SIZE,
    HEADER_SIZES,
    PAGE_SIZE,
    PAGE_SIZES,
)
from mindspore.formats.mindrecord.index import index_path
from mindspore.formats.mindrecord.records import RecordSet
from mindspore.formats.mindrecord.schema import Schema, parse_schema
from mindspore.formats.mindrecord.sealed import seal
from mindspore.formats.mindrecord.shard_writer import Seal
from mindspore.formats.mindrecord.staging import INDEX, exists
from mindspore.formats.mindrecord.writer import SetWriter, going_on, new_set, shard_paths
from mindspore.mindrecord.config import settings
from mindspore.mindrecord.filereader import check_path, open_records
from mindspore.mindrecord.rows import encoded_rows
from mindspore.mindrecord.status import SUCCESS, MSRStatus
from mindspore.mindrecord.workers import Workers

__all__ = ["FileWriter"]

_BAD_NAME = re.compile(r"[\\/:*?\"<>|`&;']")
MAX_SHARDS = 1000


class FileWriter:
    """Writes rows to a set of MindRecord files of version 3.0, which appear together when `commit` is called.

    Until then they lie in a hidden folder beside, which goes away with the writer; files of before stay as they were.
    Whenever a program is killed, the old set or the new one can be read, and the next writer in the folder removes what
    was left. While one writer writes a file, another one gets an error.

    Args:
        file_name: Path of the data file; with several shards their numbers are added.
        shard_num: Number of data files, 1 to 1000.
        overwrite: Replace files that exist.

    Raises:
        ParamValueError: An argument has a wrong type or value.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.mindrecord import FileWriter
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "rows")
        ...     writer = FileWriter(path)
        ...     _ = writer.add_schema({"x": {"type": "int32"}})
        ...     _ = writer.write_raw_data([{"x": 1}, {"x": 2}])
        ...     _ = writer.commit()
        ...     data = dataset.MindDataset(path, shuffle=False)
        ...     [int(x) for x, in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [1, 2]
    """

    def __init__(self, file_name: str, shard_num: int = 1, overwrite: bool = False):
        check_path("FileWriter", file_name)
        if _BAD_NAME.search(os.path.basename(file_name)):
            raise ParamValueError(
                "For 'FileWriter', the 'file_name' must not contain \\/:*?\"<>|`&;', but got "
                f"{os.path.basename(file_name)!r}."
            )
        if not isinstance(shard_num, int) or not 1 <= shard_num <= MAX_SHARDS:
            raise ParamValueError(
                f"For 'FileWriter', the 'shard_num' must be an int between 1 and {MAX_SHARDS}, but got {shard_num!r}."
            )
        if not isinstance(overwrite, bool):
            raise ParamValueError(
                f"For 'FileWriter', the 'overwrite' must be a bool, but got {overwrite!r}."
            )
        self._paths = shard_paths(file_name, int(shard_num))
        self._overwrite = overwrite
        self._schema: Schema | None = None
        self._desc = ""
        self._index: list[str] | None = None
        self._header_size, self._page_size = HEADER_SIZE, PAGE_SIZE
        self._set: SetWriter | None = None
        self._workers: Workers | None = None
        self._drop: Any = None
        self._committed = False
        self._records: RecordSet | None = None  # to append to

    @classmethod
    def open_for_append(cls, file_name: str) -> FileWriter:
        """A writer whose rows come after those of the set to which the data file `file_name` belongs.

        The files are copied when the first rows come, so that they are not changed before `commit`.

        Raises:
            ParamValueError: `file_name` is no path.
            MindRecordFileError: The file is missing or damaged.
            MRMOpenForAppendError: The file is of version 2.0.
        """
        check_path("open_for_append", file_name)
        records = open_records("open_for_append", file_name)
        if records.header.version != "3.0":
            raise MRMOpenForAppendError(
                f"The file '{file_name}' is of version {records.header.version}, but rows are written in version 3.0. "
                "Write the rows of both to a new file."
            )
        writer = cls(file_name, 1, True)
        writer._paths = records.paths
        writer._schema = records.header.schema
        writer._index = list(records.header.index_fields)
        writer._records = records
        return writer

    # ---- what the rows are

    def add_schema(self, content: dict[str, dict], desc: str | None = None) -> int:
        """Say which fields a row has.

        Args:
            content: Of each field {"type": ...}, one of int32, int64, float32, float64, string, bytes; arrays of
                numbers also have a "shape", in which one length may be -1.
            desc: A description.

        Returns:
            0, the number of the schema.

        Raises:
            MRMInvalidSchemaError, MRMBuildSchemaError: The schema is none, or has a shape that cannot be.
            MRMAddSchemaError: There is a schema already.
            TypeError: `desc` is no str.
        """
        schema = parse_schema(content)
        if desc is not None and not isinstance(desc, str):
            raise TypeError(
                f"For 'add_schema', the 'desc' must be a str, but got {type(desc).__name__}."
            )
        if self._schema is not None:
            raise MRMAddSchemaError("A file has one schema only.")
        self._schema, self._desc = schema, desc or ""
        return 0

    def add_index(self, index_fields: list[str]) -> MSRStatus:
        """Say which fields the index holds; without it, all but bytes and arrays.

        Raises:
            ParamTypeError: It is no list of names.
            MRMDefineIndexError: A field is unknown, an array or bytes, or an index already.
        """
        if not isinstance(index_fields, list) or not index_fields:
            raise ParamTypeError("index_fields", "list")
        known = {} if self._schema is None else self._schema.fields
        added: list[str] = []
        for name in index_fields:
            if not isinstance(name, str):
                raise ParamTypeError("index field", "str")
            if name not in known:
                raise MRMDefineIndexError(f"Field {name!r} is not in the schema: {list(known)}.")
            if known[name].is_blob:
                raise MRMDefineIndexError(
                    f"Failed to set field {name} since it's not primitive type: it is bytes or an array."
                )
            if name in (self._index or []) + added:
                raise MRMDefineIndexError(f"Field {name!r} is an index already.")
            added.append(name)
        self._index = (self._index or []) + added
        return SUCCESS

    def set_header_size(self, header_size: int) -> MSRStatus:
        """Bytes of the header area, which holds a few hundred bytes for each page: 16 KiB to 128 MiB, default 16 MiB.

        Raises:
            TypeError: It is no int.
            MRMInvalidHeaderSizeError: It is out of range or no multiple of 4.
        """
        self._header_size = _size(
            "header_size", header_size, HEADER_SIZES, MRMInvalidHeaderSizeError
        )
        return SUCCESS

    def set_page_size(self, page_size: int) -> MSRStatus:
        """Bytes of a page; a row must fit in one: 32 KiB to 256 MiB, default 32 MiB.

        Raises:
            TypeError: It is no int.
            MRMInvalidPageSizeError: It is out of range or no multiple of 4.
        """
        self._page_size = _size("page_size", page_size, PAGE_SIZES, MRMInvalidPageSizeError)
        return SUCCESS

    # ---- writing

    def write_raw_data(
        self, raw_data: list[dict[str, Any]], parallel_writer: bool = False
    ) -> MSRStatus:
        """Write rows. One that does not fit the schema is left out, with a warning that says why.

        Args:
            raw_data: Rows as dicts from field name to int, float, str, bytes or array.
            parallel_writer: Let one process for each shard write, in turns; the shards are sets of their own then.

        Raises:
            ParamTypeError: `raw_data` is no list of dicts.
            TypeError: `parallel_writer` is no bool.
            MRMWriteDatasetError: No row fits the schema, a row is too large, the files exist, or the disk is full.
            RuntimeError: The files were committed already, or `parallel_writer` changes.
        """
        if not isinstance(raw_data, list):
            raise ParamTypeError("raw_data", "list")
        if not all(isinstance(row, dict) for row in raw_data):
            raise ParamTypeError("raw_data item", "dict")
        if not isinstance(parallel_writer, bool):
            raise TypeError(
                f"For 'write_raw_data', the 'parallel_writer' must be a bool, but got {parallel_writer!r}."
            )
        self._check_open("write_raw_data")
        if parallel_writer:
            self._start_workers().write(raw_data)
            return SUCCESS
        if self._workers is not None:
            raise RuntimeError(
                "For 'write_raw_data', the 'parallel_writer' must be the same in all calls of a writer."
            )
        schema = self._ready()
        rows = encoded_rows(schema, raw_data)
        self._begin()
        assert self._set is not None
        try:
            self._set.write(rows)
        except BaseException:  # raised again, without the half of a set
            self._drop()
            self._committed = True
            raise
        return SUCCESS

    def commit(self) -> MSRStatus:
        """Complete the files and give them their names.

        Raises:
            RuntimeError: It was called before, or a writing process has died.
            MRMWriteDatasetError: The disk is full or fails.
        """
        self._check_open("commit")
        if self._workers is not None:
            self._committed = True
            self._workers.commit()
            return SUCCESS
        self._ready()
        self._begin()
        assert self._set is not None
        self._committed = True
        self._set.commit()
        return SUCCESS

    def _check_open(self, method: str) -> None:
        if self._committed:
            raise RuntimeError(
                f"For '{method}', the files must not be committed yet. Create a new FileWriter, or append with "
                "'FileWriter.open_for_append'."
            )

    def open_and_set_header(self) -> MSRStatus:
        """Check the schema and the names of the files, as the first row does: 1.x asked for it before rows that
        several processes write.

        Returns:
            SUCCESS.

        Raises:
            MRMWriteDatasetError: If there is no schema, or a file of the name exists.
        """
        self._ready()
        return SUCCESS

    def _ready(self) -> Schema:
        """The schema, with all checks that precede the first row."""
        if self._schema is None:
            raise MRMWriteDatasetError("There is no schema. Call 'add_schema' first.")
        if self._set is None and not self._overwrite:
            for path in self._paths:
                for file, end in ((path, ""), (index_path(path), INDEX)):
                    if os.path.lexists(file) or exists(path, end):
                        raise MRMWriteDatasetError(
                            f"The file '{file}' exists already. Remove it, or pass 'overwrite=True'."
                        )
        if settings.key and len(self._paths) > 1:
            raise RuntimeError(
                "With an encryption key, a set has one file only: pass shard_num=1, or call "
                "'mindspore.mindrecord.set_enc_key(None)'."
            )
        return self._schema

    def _begin(self) -> None:
        if self._set is not None:
            return
        sealing = self._sealing()
        if self._records is not None:
            self._set = going_on(self._records, sealing)
        else:
            self._set = new_set(
                self._paths,
                *self._described(),
                self._header_size,
                self._page_size,
                sealing,
            )
        self._drop = weakref.finalize(self, self._set.abort)

    def _sealing(self) -> Seal | None:
        """What encrypts files now."""
        if not settings.key:
            return None
        return functools.partial(seal, key=settings.key, mode=settings.enc_mode)

    def _described(self) -> tuple[Schema, list[str], str]:
        """Schema, index fields and description."""
        schema = self._ready()
        if self._index is None:
            self._index = [field.name for field in schema.raws]
        return schema, self._index, self._desc

    # ---- writing processes

    def _start_workers(self) -> Workers:
        if self._set is not None or self._records is not None:
            raise RuntimeError(
                "For 'write_raw_data', the 'parallel_writer' must be the same in all calls of a writer, and False "
                "for appending."
            )
        if self._workers is None:
            schema, index_fields, desc = self._described()
            self._workers = Workers(self._paths, schema, index_fields, desc, self._sealing())
        return self._workers

    def check_worker_status(self, index: int) -> None:
        """Raise the error of the writing process `index`, or that it died."""
        if self._workers is not None:
            self._workers.check(index)

    def check_all_worker_status(self) -> None:
        """Raise the error of any writing process, or that it died."""
        if self._workers is not None:
            for number in range(len(self._paths)):
                self._workers.check(number)


def _size(name: str, value: Any, limits: tuple[int, int], error: type[Exception]) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(
            f"For 'FileWriter', the '{name}' must be an int, but got {type(value).__name__}."
        )
    low, high = limits
    if not low <= value <= high or value % 4:
        raise error(
            f"For 'FileWriter', the '{name}' must be a multiple of 4 in [{low}, {high}], but got {value}."
        )
    return value
