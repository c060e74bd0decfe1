"""CIFAR-10 to MindRecord."""

from __future__ import annotations

import glob
import os

from mindspore.formats.mindrecord.errors import PathNotExistsError
from mindspore.mindrecord.status import MSRStatus
from mindspore.mindrecord.tools._converter import (
    CifarConverter,
    check_fields,
    cifar_rows,
    write,
)

__all__ = ["Cifar10ToMR"]

SCHEMA = {"id": {"type": "int64"}, "label": {"type": "int64"}, "data": {"type": "bytes"}}


class Cifar10ToMR(CifarConverter):
    """Writes CIFAR-10 as `destination` (training) and `<destination>_test`; images are JPEG.

    Args:
        source: Folder of the files for Python: data_batch_1, ... and test_batch.
        destination: Path to write.

    Raises:
        ParamValueError: A path is no str or empty.
    """

    def transform(self, fields: list[str] | None = None) -> MSRStatus:
        """Convert both sets.

        Args:
            fields: Index fields, of `id` and `label`; None for both.

        Raises:
            PathNotExistsError: A file is missing.
            MindRecordFileError: A file is another one.
            ValueError: `fields` is no list.
            MRMDefineIndexError: A field is no index field.
        """
        index_fields = check_fields(fields)
        if not os.path.isdir(self.source):
            raise FileNotFoundError(f"The folder '{self.source}' does not exist.")
        batches = sorted(glob.glob(os.path.join(glob.escape(self.source), "data_batch_*")))
        test = os.path.join(self.source, "test_batch")
        if not batches or not os.path.isfile(test):
            raise PathNotExistsError(
                f"The folder '{self.source}' must have the files 'data_batch_*' and 'test_batch'."
            )
        labels = {"label": b"labels"}
        rows = cifar_rows(batches, labels)
        write(self.destination, SCHEMA, "img_train", index_fields, rows)
        rows = cifar_rows([test], labels)
        return write(self.destination + "_test", SCHEMA, "img_test", index_fields, rows)
