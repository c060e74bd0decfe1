"""Small images in files of records: CIFAR, STL-10, SVHN, Semeion, PhotoTour. The files are read at once."""

from __future__ import annotations

import os

import numpy as np

from mindspore.dataset.sources.concatenated_arrays import Stacks
from mindspore.dataset.sources.listed import ListedDataset, numbers_of
from mindspore.dataset.sources.matlab_files import matlab
from mindspore.dataset.sources.signatures import ROWS


class _CifarDataset(ListedDataset, takes=f"dataset_dir, usage=None, {ROWS}"):
    """Files of records: bytes of labels, then the three planes of an image."""

    options = {"usage": ("all", "train", "test")}
    files: dict[str, list[str]]  # by usage

    def find(self) -> list[np.ndarray | Stacks]:
        wanted = (
            self.files["train"] + self.files["test"]
            if self.usage == "all"
            else self.files[self.usage]
        )
        present = [path for path in map(self.inside, wanted) if os.path.isfile(path)]
        if not present:
            raise self.error(
                f"the folder must contain the files of usage '{self.usage}' in the binary version: "
                f"{', '.join(wanted)}"
            )
        count = len(self.names) - 1
        records = [self._records(path, count + 3072) for path in present]
        labels = np.concatenate([record[:, :count] for record in records]).astype(np.uint32)
        return [Stacks(records, _pixels), *labels.T.copy()]

    def _records(self, path: str, length: int) -> np.ndarray:
        content = self.mapped(path)
        if not len(content) or len(content) % length:
            raise self.error(
                f"the file '{path}' must be made of records of {length} bytes, but has "
                f"{len(content)} bytes: it is damaged"
            )
        return content.reshape(-1, length)


def _pixels(records: np.ndarray) -> np.ndarray:
    """The images (N, 32, 32, 3) of records, which end in three planes of each."""
    return records[:, -3072:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)


def _turned(rows: np.ndarray) -> np.ndarray:
    return rows.transpose(0, 3, 2, 1)


class Cifar10Dataset(_CifarDataset):
    """CIFAR-10 (Krizhevsky 2009). Columns: `image` uint8 (32, 32, 3), `label` uint32.

    Args:
        dataset_dir: Folder of `data_batch_1.bin`, ... and `test_batch.bin`.
        usage: 'train', 'test' or 'all' (default).

    Examples:
        >>> folder = tempfile.mkdtemp()
        >>> np.array([6] + [255] * 3072, np.uint8).tofile(folder + "/test_batch.bin")
        >>> image, label = next(dataset.Cifar10Dataset(folder, "test").create_tuple_iterator(output_numpy=True))
        >>> image.shape, int(label)
        ((32, 32, 3), 6)
    """

    files = {"train": [f"data_batch_{i}.bin" for i in range(1, 7)], "test": ["test_batch.bin"]}


class Cifar100Dataset(_CifarDataset):
    """CIFAR-100. Columns: `image` uint8 (32, 32, 3), `coarse_label` uint32, `fine_label` uint32.

    Args:
        dataset_dir: Folder of `train.bin` and `test.bin`.
        usage: 'train', 'test' or 'all' (default).

    Examples:
        >>> folder = tempfile.mkdtemp()
        >>> np.array([4, 30] + [255] * 3072, np.uint8).tofile(folder + "/test.bin")
        >>> row = next(dataset.Cifar100Dataset(folder, "test").create_dict_iterator(output_numpy=True))
        >>> row["image"].shape, int(row["coarse_label"]), int(row["fine_label"])
        ((32, 32, 3), 4, 30)
    """

    names = ("image", "coarse_label", "fine_label")
    label = "fine_label"
    files = {"train": ["train.bin"], "test": ["test.bin"]}


class STL10Dataset(ListedDataset, takes=f"dataset_dir, usage=None, {ROWS}"):
    """STL-10 (Coates et al. 2011). Columns: `image` uint8 (96, 96, 3), `label` int32, -1 for images without one.

    Args:
        dataset_dir: Folder of `train_X.bin`, `train_y.bin`, `test_X.bin`, `test_y.bin`, `unlabeled_X.bin`.
        usage: 'train', 'test', 'unlabeled', 'train+unlabeled' or 'all' (default: test, train, unlabeled).

    Examples:
        >>> folder = tempfile.mkdtemp()
        >>> np.zeros(3 * 96 * 96, np.uint8).tofile(folder + "/test_X.bin")
        >>> np.array([10], np.uint8).tofile(folder + "/test_y.bin")
        >>> image, label = next(dataset.STL10Dataset(folder, "test").create_tuple_iterator(output_numpy=True))
        >>> image.shape, int(label)
        ((96, 96, 3), 9)
    """

    options = {"usage": ("all", "train", "test", "unlabeled", "train+unlabeled")}

    def find(self) -> list[np.ndarray | Stacks]:
        parts = ["test", "train", "unlabeled"] if self.usage == "all" else self.usage.split("+")
        images, labels = zip(*map(self._part, parts), strict=True)
        return [Stacks(images, _turned), np.concatenate(labels)]

    def _part(self, part: str) -> tuple[np.ndarray, np.ndarray]:
        path = self.inside(f"{part}_X.bin")
        content = self.mapped(path)
        images = content[: len(content) // 27648 * 27648].reshape(-1, 3, 96, 96)
        if part == "unlabeled":
            labels = np.zeros(len(images), np.uint8)
        else:
            labels = self.content(self.inside(f"{part}_y.bin"))
        if len(images) * 27648 != len(content) or len(labels) != len(images):
            raise self.error(
                f"the file '{path}' must have 27,648 bytes for each of the {len(labels)} labels, "
                f"but has {len(content)}: it is damaged"
            )
        return images, labels.astype(np.int32) - 1


class SVHNDataset(
    ListedDataset,
    takes="dataset_dir, usage=None, num_samples=None, num_parallel_workers=1, shuffle=None, "
    "sampler=None, num_shards=None, shard_id=None",
):
    """Street View House Numbers (Netzer et al. 2011), cropped. Columns: `image` uint8 (32, 32, 3), `label` uint32.

    Args:
        dataset_dir: Folder of `train_32x32.mat`, `test_32x32.mat`, `extra_32x32.mat`.
        usage: 'train', 'test', 'extra' or 'all' (default).

    Examples:
        >>> from scipy.io import savemat
        >>> folder = tempfile.mkdtemp()
        >>> savemat(folder + "/test_32x32.mat", {"X": np.zeros((32, 32, 3, 2), np.uint8), "y": np.array([[7], [10]])})
        >>> data = dataset.SVHNDataset(folder, "test", shuffle=False)
        >>> [(image.shape, int(label)) for image, label in data.create_tuple_iterator(output_numpy=True)]
        [((32, 32, 3), 7), ((32, 32, 3), 0)]
    """

    options = {"usage": ("all", "train", "test", "extra")}

    def find(self) -> list[np.ndarray]:
        usages = ["train", "test", "extra"] if self.usage == "all" else [self.usage]
        parts = [matlab(self, self.inside(f"{usage}_32x32.mat"), "X", "y") for usage in usages]
        labels = np.concatenate([y.ravel() for _, y in parts]) % 10  # 10 means the digit 0
        images = np.concatenate([x.transpose(3, 0, 1, 2) for x, _ in parts])
        return [images, labels.astype(np.uint32)]


class SemeionDataset(ListedDataset, takes=f"dataset_dir, {ROWS}"):
    r"""Semeion handwritten digits (Buscema 1998). Columns: `image` uint8 (16, 16) of 0 and 1, `label` uint32.

    Args:
        dataset_dir: Folder of `semeion.data`.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "semeion.data").write_text("1.0 " * 256 + "0 0 1 0 0 0 0 0 0 0\n")
        >>> image, label = next(dataset.SemeionDataset(str(folder)).create_tuple_iterator(output_numpy=True))
        >>> image.shape, int(label)
        ((16, 16), 2)
    """

    def find(self) -> list[np.ndarray]:
        path = self.inside("semeion.data")
        rows = [line.split() for line in self.lines(path)]
        try:
            table = np.array(rows, np.float32).reshape(-1, 266)
        except ValueError:
            raise self.error(
                f"the lines of '{path}' must have 256 pixels and 10 flags of the class"
            ) from None
        images = table[:, :256].astype(np.uint8).reshape(-1, 16, 16)
        return [images, table[:, 256:].argmax(1).astype(np.uint32)]


class PhotoTourDataset(ListedDataset, takes=f"dataset_dir, name, usage=None, {ROWS}"):
    r"""Photo Tourism patches (Brown, Hua and Winder 2011).

    Columns: `image` uint8 (64, 64, 1) of training; `image1`, `image2`, `matches` uint32 of testing: whether both
    patches show the same point.

    Args:
        dataset_dir: Folder of the folders of the sets, with `patches0000.bmp`, ..., `info.txt` and
            `m50_100000_100000_0.txt`.
        name: 'notredame', 'yosemite', 'liberty', or these with '_harris'.
        usage: 'train' (default) or 'test'.

    Examples:
        >>> folder = Path(tempfile.mkdtemp()) / "liberty"
        >>> folder.mkdir()
        >>> from PIL import Image
        >>> Image.new("L", (1024, 1024)).save(folder / "patches0000.bmp")
        >>> _ = (folder / "info.txt").write_text("0 0\n1 0\n")
        >>> data = dataset.PhotoTourDataset(str(folder.parent), "liberty", "train")
        >>> [image.shape for (image,) in data.create_tuple_iterator(output_numpy=True)]
        [(64, 64, 1), (64, 64, 1)]
    """

    options = {
        "name": tuple(
            place + detector
            for detector in ("", "_harris")
            for place in ("notredame", "yosemite", "liberty")
        ),
        "usage": ("train", "test"),
    }

    def verify(self) -> None:
        self.names = ("image",) if self.usage == "train" else ("image1", "image2", "matches")

    def find(self) -> list[np.ndarray]:
        folder = self.inside(self.name)
        count = len(self.lines(os.path.join(folder, "info.txt")))
        sheets = [self._patches(path) for path in self.entries(folder, ".bmp")]
        patches = np.concatenate(sheets)[:count] if sheets else np.empty(0)
        if len(patches) < count:
            raise self.error(f"'{folder}' must have {count} patches, as info.txt says")
        if self.usage == "train":
            return [patches]
        path = os.path.join(folder, "m50_100000_100000_0.txt")
        pairs = np.array([line.split()[:5] for line in self.lines(path)], np.int64)
        matches = numbers_of(pairs[:, 1] == pairs[:, 4])
        return [patches[pairs[:, 0]], patches[pairs[:, 3]], matches]

    def _patches(self, path: str) -> np.ndarray:
        """The 16 x 16 patches of a sheet, row by row."""
        from mindspore.dataset.vision.codecs import (
            decode_image,  # loads the image libraries
        )

        sheet = decode_image(self.content(path))[..., 0]
        if sheet.shape != (1024, 1024):
            raise self.error(
                f"the image '{path}' must have 1024 x 1024 pixels, but has {sheet.shape}"
            )
        return sheet.reshape(16, 64, 16, 64).swapaxes(1, 2).reshape(256, 64, 64, 1)
