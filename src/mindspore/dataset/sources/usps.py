"""USPS handwritten digits: sparse vectors in text files."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mindspore.core.plain_files import regular
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.sources.files import Row
from mindspore.dataset.sources.text_folders import TextFolderDataset


class USPSDataset(TextFolderDataset):
    r"""USPS (Hull 1994) in the format of LIBSVM. Columns: `image` uint8 (16, 16, 1), `label` uint32.

    Args:
        dataset_dir: Folder of `usps` (7,291 images for training) and `usps.t` (2,007 for testing).
        usage: 'train', 'test' or 'all' (default).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "usps").write_text("3 " + " ".join(f"{i}:-1" for i in range(1, 257)) + "\n")
        >>> data = dataset.USPSDataset(str(folder), "train")
        >>> image, label = next(data.create_tuple_iterator(output_numpy=True))
        >>> image.shape, int(label)
        ((16, 16, 1), 2)
    """

    parts = {"train": "usps", "test": "usps.t"}
    order = ("train", "test")
    columns = ["image", "label"]

    def read(self, path: str) -> Iterator[Row]:
        with open(path, encoding="ascii", errors="replace", opener=regular) as stream:
            for number, line in enumerate(stream, 1):
                yield self._row(line.split(), path, number)

    def _row(self, fields: list[str], path: str, number: int) -> Row:
        """A line: the class from 1, then 'index:value' with values from -1 to 1."""
        try:
            label = int(fields[0])
            pairs = [field.split(":") for field in fields[1:]]
            values = np.array([value for _, value in pairs], np.float32)
            complete = [int(index) for index, _ in pairs] == list(range(1, 257))
        except (ValueError, IndexError):
            label, values, complete = 0, np.zeros(0, np.float32), False
        if not (complete and 1 <= label <= 10 and np.abs(values).max() <= 1):
            raise PipelineError(
                f"For 'USPSDataset', line {number} of '{path}' must have a class from 1 to 10 and 256 values "
                "from -1 to 1, but is damaged."
            )
        image = ((values.astype(np.float64) + 1) / 2 * 255).astype(np.uint8).reshape(16, 16, 1)
        return [image, np.array(label - 1, np.uint32)]
