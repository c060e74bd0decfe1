"""CSV texts, whose fields may be as long as their files."""

from __future__ import annotations

import csv
import os
import threading
from typing import IO, Any

_widening = threading.Lock()


def reader(file: IO[str], **options: Any) -> Any:
    """As `csv.reader` of an open file, which refuses fields of more than 131,072 characters.

    The limit is one of the process, so that of a large file is kept.

    Args:
        file: The file.
        options: Those of `csv.reader`.

    Examples:
        >>> import tempfile
        >>> from mindspore.core.csv_text import reader
        >>> with tempfile.TemporaryFile("w+") as file:
        ...     _ = file.write("a,b\\n1," + "x" * 200_000), file.seek(0)
        ...     [len(line[1]) for line in reader(file)]
        [1, 200000]
    """
    size = os.fstat(file.fileno()).st_size
    with _widening:
        csv.field_size_limit(max(csv.field_size_limit(), size + 1))
    return csv.reader(file, **options)
