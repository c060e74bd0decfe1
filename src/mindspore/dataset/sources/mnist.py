"""Handwritten digits and sets in the same format: IDX files of images and labels (LeCun et al. 1998)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from mindspore.dataset.sources.concatenated_arrays import Stacks
from mindspore.dataset.sources.listed import ListedDataset
from mindspore.dataset.sources.signatures import ROWS

_TYPES = {8: ">u1", 12: ">i4"}


class _IdxDataset(ListedDataset):
    """Pairs of files, one of images and one of labels, not compressed.

    Columns: `image` uint8 (28, 28, 1), `label` uint32.
    """

    labels_end = "-labels-idx1-ubyte"

    def parts(self) -> list[str]:
        """Beginnings of the names of the files, in the order of their rows."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'parts' is not defined.")

    def find(self) -> list[np.ndarray | Stacks]:
        present = [p for p in self.parts() if os.path.isfile(self.inside(f"{p}-images-idx3-ubyte"))]
        if not present:
            raise self.error(
                f"the folder must contain the files of usage '{self.usage}', such as "
                f"'{self.parts()[0]}-images-idx3-ubyte' (not compressed)"
            )
        images, labels = zip(*map(self._pair, present), strict=True)
        return [images[0] if len(images) == 1 else Stacks(images), np.concatenate(labels)]

    def _pair(self, part: str) -> tuple[np.ndarray, np.ndarray]:
        images = self._array(self.inside(f"{part}-images-idx3-ubyte"), 3)
        labels = self._array(self._labels_of(part), 2 if "idx2" in self.labels_end else 1)
        if len(images) != len(labels):
            raise self.error(
                f"the '{part}' files must have as many labels as images, but have {len(labels)} "
                f"and {len(images)}"
            )
        return images[..., None], labels.astype(np.uint32)

    def _labels_of(self, part: str) -> str:
        return self.inside(part + self.labels_end)

    def _array(self, path: str, axes: int) -> np.ndarray:
        """The array of an IDX file: magic number, lengths of the axes (big endian), content."""
        content = self.mapped(path)
        start = 4 + 4 * axes
        header = content[:start].view(">u4").tolist() if len(content) >= start else [0]
        if header[0] >> 8 not in _TYPES or header[0] & 255 != axes:
            raise self.error(
                f"the file '{path}' must be an IDX file with {axes} axes, but it begins with "
                f"{content[:4].tobytes()!r}; a compressed file must be unpacked first"
            )
        dtype = np.dtype(_TYPES[header[0] >> 8])
        wanted = int(np.prod(header[1:])) * dtype.itemsize
        if len(content) - start != wanted:
            raise self.error(
                f"the file '{path}' must have {wanted} bytes after its header, as it says, but has "
                f"{len(content) - start}: it is damaged"
            )
        return content[start:].view(dtype).reshape(header[1:])


class MnistDataset(_IdxDataset, takes=f"dataset_dir, usage=None, {ROWS}"):
    """MNIST. Columns: `image` uint8 (28, 28, 1), `label` uint32.

    Args:
        dataset_dir: Folder of the files, such as `train-images-idx3-ubyte`.
        usage: 'train' (60,000 images), 'test' (10,000) or 'all' (default: test, then train).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> images, labels = np.array([2051, 1, 28, 28], ">i4"), np.array([2049, 1], ">i4")
        >>> _ = (folder / "t10k-images-idx3-ubyte").write_bytes(images.tobytes() + bytes(28 * 28))
        >>> _ = (folder / "t10k-labels-idx1-ubyte").write_bytes(labels.tobytes() + bytes([7]))
        >>> image, label = next(dataset.MnistDataset(str(folder), "test").create_tuple_iterator(output_numpy=True))
        >>> image.shape, int(label)
        ((28, 28, 1), 7)
    """

    options = {"usage": ("all", "train", "test")}

    def parts(self) -> list[str]:
        return {"train": ["train"], "test": ["t10k"], "all": ["t10k", "train"]}[self.usage]


class FashionMnistDataset(MnistDataset):
    """Fashion-MNIST (Xiao et al. 2017): images of clothes. Columns: as for MnistDataset.

    Args:
        dataset_dir: Folder of the files, such as `train-images-idx3-ubyte`.
        usage: 'train', 'test' or 'all' (default: test, then train).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> images, labels = np.array([2051, 1, 28, 28], ">i4"), np.array([2049, 1], ">i4")
        >>> _ = (folder / "t10k-images-idx3-ubyte").write_bytes(images.tobytes() + bytes(28 * 28))
        >>> _ = (folder / "t10k-labels-idx1-ubyte").write_bytes(labels.tobytes() + bytes([9]))
        >>> data = dataset.FashionMnistDataset(str(folder), "test")
        >>> image, label = next(data.create_tuple_iterator(output_numpy=True))
        >>> image.shape, int(label)
        ((28, 28, 1), 9)
    """


class KMnistDataset(MnistDataset):
    """Kuzushiji-MNIST (Clanuwat et al. 2018): cursive Japanese. Columns: as for MnistDataset.

    Args:
        dataset_dir: Folder of the files, such as `train-images-idx3-ubyte`.
        usage: 'train', 'test' or 'all' (default: test, then train).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> images, labels = np.array([2051, 1, 28, 28], ">i4"), np.array([2049, 1], ">i4")
        >>> _ = (folder / "t10k-images-idx3-ubyte").write_bytes(images.tobytes() + bytes(28 * 28))
        >>> _ = (folder / "t10k-labels-idx1-ubyte").write_bytes(labels.tobytes() + bytes([3]))
        >>> image, label = next(dataset.KMnistDataset(str(folder), "test").create_tuple_iterator(output_numpy=True))
        >>> image.shape, int(label)
        ((28, 28, 1), 3)
    """


class EMnistDataset(_IdxDataset, takes=f"dataset_dir, name, usage=None, {ROWS}"):
    """EMNIST (Cohen et al. 2017): letters and digits, images transposed, as published. Columns: as for MnistDataset.

    Args:
        dataset_dir: Folder of the files, such as `emnist-letters-train-images-idx3-ubyte`.
        name: 'byclass', 'bymerge', 'balanced', 'letters', 'digits' or 'mnist'.
        usage: 'train', 'test' or 'all' (default: test, then train).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> images, labels = np.array([2051, 1, 28, 28], ">i4"), np.array([2049, 1], ">i4")
        >>> _ = (folder / "emnist-letters-test-images-idx3-ubyte").write_bytes(images.tobytes() + bytes(28 * 28))
        >>> _ = (folder / "emnist-letters-test-labels-idx1-ubyte").write_bytes(labels.tobytes() + bytes([26]))
        >>> data = dataset.EMnistDataset(str(folder), "letters", "test")
        >>> [(image.shape, int(label)) for image, label in data.create_tuple_iterator(output_numpy=True)]
        [((28, 28, 1), 26)]
    """

    options = {
        "name": ("byclass", "bymerge", "balanced", "letters", "digits", "mnist"),
        "usage": ("all", "train", "test"),
    }

    def parts(self) -> list[str]:
        usages = ["test", "train"] if self.usage == "all" else [self.usage]
        return [f"emnist-{self.name}-{usage}" for usage in usages]


class QMnistDataset(_IdxDataset, takes=f"dataset_dir, usage=None, compat=True, {ROWS}"):
    """QMNIST (Yadav and Bottou 2019): MNIST reconstructed, with where each digit comes from.

    Columns: `image` uint8 (28, 28, 1), `label` uint32, a scalar or, without `compat`, the eight numbers of the file.

    Args:
        dataset_dir: Folder of the files, such as `qmnist-train-images-idx3-ubyte`.
        usage: 'train', 'test', 'test10k' (the first 10,000 of test), 'test50k' (the others), 'nist' or 'all' (default).
        compat: Give only the class.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> images, labels = np.array([2051, 1, 28, 28], ">i4"), np.array([3074, 1, 8, 5, 0, 0, 0, 0, 0, 0, 0], ">i4")
        >>> _ = (folder / "qmnist-test-images-idx3-ubyte").write_bytes(images.tobytes() + bytes(28 * 28))
        >>> _ = (folder / "qmnist-test-labels-idx2-int").write_bytes(labels.tobytes())
        >>> image, label = next(dataset.QMnistDataset(str(folder), "test").create_tuple_iterator(output_numpy=True))
        >>> image.shape, int(label)
        ((28, 28, 1), 5)
    """

    options = {
        "usage": ("all", "train", "test", "test10k", "test50k", "nist"),
        "compat": (True, False),
    }
    labels_end = "-labels-idx2-int"
    compat: bool

    def parts(self) -> list[str]:
        if self.usage == "all":
            return ["qmnist-train", "qmnist-test", "xnist"]
        return [
            "xnist"
            if self.usage == "nist"
            else "qmnist-" + self.usage.removesuffix("10k").removesuffix("50k")
        ]

    def find(self) -> list[np.ndarray | Stacks]:
        images: Any
        labels: Any
        images, labels = super().find()
        if not isinstance(images, np.ndarray):  # of several files: usage 'all'
            return [images, labels[:, 0] if self.compat else labels]
        rows: Any = slice(None)
        if self.usage in ("test10k", "test50k"):
            if len(images) != 60_000:
                raise self.error(f"the test files must have 60,000 images, but have {len(images)}")
            rows = slice(10_000) if self.usage == "test10k" else slice(10_000, None)
        return [images[rows], labels[rows, 0] if self.compat else labels[rows]]
