"""Images that are listed, or labelled, by files of MATLAB: flowers, boundaries of objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset.block import Column
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.sources.flower_names import FLOWERS
from mindspore.dataset.sources.listed import Files, ListedDataset, Reader, images
from mindspore.dataset.sources.matlab_files import matlab
from mindspore.dataset.sources.signatures import ORDER


class Flowers102Dataset(
    ListedDataset,
    takes="dataset_dir, task='Classification', usage='all', num_samples=None, num_parallel_workers=1, "
    f"shuffle=None, decode=False, {ORDER}",
):
    """Oxford 102 Flower (Nilsback and Zisserman 2008). Columns: `image`, `segmentation` of that task, `label` uint32.

    Args:
        dataset_dir: Folder of `jpg`, `segmim`, `imagelabels.mat` and `setid.mat`.
        task: 'Classification' or 'Segmentation'.
        usage: 'train', 'valid', 'test' or 'all'.

    Examples:
        >>> from scipy.io import savemat
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "jpg").mkdir()
        >>> savemat(folder / "imagelabels.mat", {"labels": np.array([[77]], np.uint8)})
        >>> savemat(folder / "setid.mat", {"tstid": np.array([[1]], np.uint16)})
        >>> vision.write_jpeg(str(folder / "jpg" / "image_00001.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> data = dataset.Flowers102Dataset(str(folder), usage="test", decode=True)
        >>> [(image.shape, int(label)) for image, label in data.create_tuple_iterator(output_numpy=True)]
        [((4, 6, 3), 76)]
    """

    options = {
        "task": ("Classification", "Segmentation"),
        "usage": ("all", "train", "valid", "test"),
    }
    parts = {"train": "trnid", "test": "tstid", "valid": "valid"}

    def verify(self) -> None:
        segments = ("segmentation",) if self.task == "Segmentation" else ()
        self.names = ("image", *segments, "label")

    def find(self) -> list[Column | Files]:
        labels = matlab(self, self.inside("imagelabels.mat"), "labels")[0].ravel()
        usages = self.parts if self.usage == "all" else [self.usage]
        sets = matlab(self, self.inside("setid.mat"), *(self.parts[usage] for usage in usages))
        numbers = np.concatenate([part.ravel() for part in sets]).astype(np.int64)
        self.classes = {name: i for i, name in enumerate(FLOWERS)}
        columns = {
            "image": images(self.inside("jpg", f"image_{i:05d}.jpg") for i in numbers),
            "segmentation": images(self.inside("segmim", f"segmim_{i:05d}.jpg") for i in numbers),
            "label": labels[numbers - 1].astype(np.uint32) - 1,
        }
        return [columns[name] for name in self.names]


class SBDataset(
    ListedDataset,
    takes="dataset_dir, task='Boundaries', usage='all', num_samples=None, num_parallel_workers=1, "
    f"shuffle=None, decode=None, {ORDER}",
):
    r"""Semantic Boundaries (Hariharan et al. 2011).

    Columns: `image`, `task` uint8: the boundaries of each of the 20 classes (20, H, W), or the classes (H, W).

    Args:
        dataset_dir: Folder of `img`, `cls` and the lists `train.txt`, `val.txt`, `train_noval.txt`.
        task: 'Boundaries' or 'Segmentation'.
        usage: 'train', 'val', 'train_noval' or 'all' (train and val).

    Examples:
        >>> from scipy.io import savemat
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "img").mkdir()
        >>> (folder / "cls").mkdir()
        >>> _ = (folder / "val.txt").write_text("1\n")
        >>> vision.write_jpeg(str(folder / "img" / "1.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> savemat(folder / "cls" / "1.mat", {"GTcls": {"Segmentation": np.zeros((4, 6), np.uint8)}})
        >>> data = dataset.SBDataset(str(folder), "Segmentation", "val", decode=True)
        >>> [(image.shape, task.shape) for image, task in data.create_tuple_iterator(output_numpy=True)]
        [((4, 6, 3), (4, 6))]
    """

    names = ("image", "task")
    options = {
        "task": ("Boundaries", "Segmentation"),
        "usage": ("all", "train", "val", "train_noval"),
    }

    def find(self) -> list[Column | Files]:
        usages = ["train", "val"] if self.usage == "all" else [self.usage]
        names = [
            line.strip() for usage in usages for line in self.lines(self.inside(f"{usage}.txt"))
        ]
        read: Reader = _boundaries if self.task == "Boundaries" else _segmentation
        truth = Files([self.inside("cls", f"{name}.mat") for name in names], read)
        return [images(self.inside("img", f"{name}.jpg") for name in names), truth]


def _boundaries(source: Any, path: str) -> np.ndarray:
    from mindspore.dataset.vision.codecs import check_size  # loads the image libraries

    maps = matlab(source, path, "GTcls")[0]["Boundaries"][0][0]
    length = sum(sparse.data.nbytes for sparse in maps.ravel())
    try:
        for sparse in maps.ravel():
            check_size(sparse.shape[1], sparse.shape[0], length)
    except PipelineError as error:
        raise source.error(f"the file '{path}' cannot be read: {error}") from None
    return np.stack([sparse.toarray() for sparse in maps.ravel()]).astype(np.uint8)


def _segmentation(source: Any, path: str) -> np.ndarray:
    return matlab(source, path, "GTcls")[0]["Segmentation"][0][0].astype(np.uint8)
