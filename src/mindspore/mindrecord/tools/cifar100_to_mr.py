"""CIFAR-100 to MindRecord."""

from __future__ import annotations

import os

from mindspore.mindrecord.status import MSRStatus
from mindspore.mindrecord.tools._converter import (
    CifarConverter,
    check_fields,
    cifar_rows,
    write,
)

__all__ = ["Cifar100ToMR"]

SCHEMA = {
    "id": {"type": "int64"},
    "fine_label": {"type": "int64"},
    "coarse_label": {"type": "int64"},
    "data": {"type": "bytes"},
}


class Cifar100ToMR(CifarConverter):
    """Writes CIFAR-100 as `destination` (training) and `<destination>_test`; images are JPEG.

    Args:
        source: Folder of the files for Python, train and test.
        destination: Path to write.

    Raises:
        ParamValueError: A path is no str or empty.
    """

    def transform(self, fields: list[str] | None = None) -> MSRStatus:
        """Convert both sets.

        Args:
            fields: Index fields, of `id`, `fine_label` and `coarse_label`; None for all.

        Raises:
            PathNotExistsError: A file is missing.
            MindRecordFileError: A file is another one.
            ValueError: `fields` is no list.
            MRMDefineIndexError: A field is no index field.
        """
        index_fields = check_fields(fields)
        labels = {"fine_label": b"fine_labels", "coarse_label": b"coarse_labels"}
        for part, end in (("train", ""), ("test", "_test")):
            rows = cifar_rows([os.path.join(self.source, part)], labels)
            write(self.destination + end, SCHEMA, f"img_{part}", index_fields, rows)
        return MSRStatus.SUCCESS
