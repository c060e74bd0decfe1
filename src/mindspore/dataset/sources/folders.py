"""Images in folders by class."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.block import Column
from mindspore.dataset.sources.listed import Files, ListedDataset, images, numbers_of, stem
from mindspore.dataset.sources.matlab_files import matlab
from mindspore.dataset.sources.signatures import IMAGES


def labelled(
    groups: Iterable[tuple[list[str], int]], dtype: Any = np.int32
) -> list[Column | Files]:
    """The columns `image` and `label` of groups of files with their labels."""
    pairs = [(path, label) for paths, label in groups for path in paths]
    return [images(path for path, _ in pairs), numbers_of((label for _, label in pairs), dtype)]


class ImageFolderDataset(
    ListedDataset,
    takes="dataset_dir, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None, "
    "extensions=None, class_indexing=None, decode=False, num_shards=None, shard_id=None, "
    "cache=None, decrypt=None",
):
    """Image files in a folder for each class. Columns: `image` (the file's bytes, or the decoded image), `label` int32.

    Args:
        dataset_dir: Folder of the class folders; classes are numbered in the order of their names.
        extensions: Endings of image files, such as ['.jpg']; default: every file is taken for an image.
        class_indexing: Labels by class name; other folders are left out.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> for name in ("cat", "dog"):
        ...     (folder / name).mkdir()
        ...     vision.write_png(str(folder / name / "1.png"), np.zeros((4, 6, 3), np.uint8))
        >>> data = dataset.ImageFolderDataset(str(folder), decode=True, shuffle=False)
        >>> [(image.shape, int(label)) for image, label in data.create_tuple_iterator(output_numpy=True)]
        [((4, 6, 3), 0), ((4, 6, 3), 1)]
    """

    def find(self) -> list[Column | Files]:
        names = [os.path.basename(folder) for folder in self.folders(self.dataset_dir)]
        classes = self.class_indexing or {name: i for i, name in enumerate(names)}
        missing = [name for name in classes if name not in names]
        if missing:
            raise self.error(f"'class_indexing' names folders that there are not: {missing}")
        self.classes = classes
        groups = [(self._files(name), classes[name]) for name in names if name in classes]
        if not any(paths for paths, _ in groups):
            raise self.error(
                "there must be a folder for each class with image files"
                + (f" ({', '.join(self.extensions)})" if self.extensions else "")
            )
        return labelled(groups)

    def _files(self, name: str) -> list[str]:
        folder = self.inside(name)
        if self.extensions is None and (deeper := self.folders(folder)):
            raise self.error(f"'{deeper[0]}' must be an image file, but is a folder")
        return self.entries(folder, *self.extensions or ())


class Caltech256Dataset(ListedDataset, takes=f"dataset_dir, {IMAGES}"):
    """Caltech-256 (Griffin, Holub and Perona 2007). Columns: `image`, `label` int32.

    Args:
        dataset_dir: Folder of the class folders (`001.ak47`, ...), of which the .jpg files are read.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "001.ak47").mkdir()
        >>> vision.write_jpeg(str(folder / "001.ak47" / "001_0001.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> data = dataset.Caltech256Dataset(str(folder), decode=True)
        >>> [(image.shape, int(label)) for image, label in data.create_tuple_iterator(output_numpy=True)]
        [((4, 6, 3), 0)]
    """

    def find(self) -> list[Column | Files]:
        folders = self.folders(self.dataset_dir)
        self.classes = {os.path.basename(folder): i for i, folder in enumerate(folders)}
        return labelled((self.entries(f, ".jpg", ".JPEG"), i) for i, f in enumerate(folders))


class Caltech101Dataset(
    ListedDataset,
    takes="dataset_dir, target_type=None, num_samples=None, num_parallel_workers=1, shuffle=None, "
    "decode=False, sampler=None, num_shards=None, shard_id=None",
):
    """Caltech-101 (Li, Andreeto, Ranzato and Perona 2003) with the contours of the objects.

    Columns: `image`, `category` int64, `annotation` (2, n), the points of the contour.

    Args:
        dataset_dir: Folder of `101_ObjectCategories` and `Annotations`.
        target_type: 'category' (default), 'annotation' or 'all': which columns stand beside the image.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "101_ObjectCategories" / "crab").mkdir(parents=True)
        >>> vision.write_jpeg(str(folder / "101_ObjectCategories/crab/image_0001.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> data = dataset.Caltech101Dataset(str(folder), decode=True)
        >>> [(image.shape, int(label)) for image, label in data.create_tuple_iterator(output_numpy=True)]
        [((4, 6, 3), 0)]
    """

    options = {"target_type": ("category", "annotation", "all")}
    label = "category"
    target_type: str
    renamed = {  # class folder -> folder of annotations
        "Faces": "Faces_2",
        "Faces_easy": "Faces_3",
        "Motorbikes": "Motorbikes_16",
        "airplanes": "Airplanes_Side_2",
    }

    def verify(self) -> None:
        both = ("category", "annotation")
        self.names = ("image", *(both if self.target_type == "all" else (self.target_type,)))

    def find(self) -> list[Column | Files]:
        folders = [
            folder
            for folder in self.folders(self.inside("101_ObjectCategories"))
            if os.path.basename(folder) != "BACKGROUND_Google"
        ]
        self.classes = {os.path.basename(folder): i for i, folder in enumerate(folders)}
        groups = [(self.entries(folder, ".jpg"), i) for i, folder in enumerate(folders)]
        files, labels = labelled(groups, np.int64)
        contours = Files([self._annotation(path) for path in files.paths], _contour)
        columns = {"image": files, "category": labels, "annotation": contours}
        return [columns[name] for name in self.names]

    def _annotation(self, path: str) -> str:
        folder, number = os.path.basename(os.path.dirname(path)), stem(path).removeprefix("image_")
        place = self.renamed.get(folder, folder)
        return self.inside("Annotations", place, f"annotation_{number}.mat")


def _contour(source: Any, path: str) -> np.ndarray:
    return matlab(source, path, "obj_contour")[0]


class OmniglotDataset(
    ListedDataset,
    takes="dataset_dir, background=None, num_samples=None, num_parallel_workers=None, shuffle=None, "
    "decode=False, sampler=None, num_shards=None, shard_id=None, cache=None",
):
    """Omniglot (Lake, Salakhutdinov and Tenenbaum 2015): characters of many alphabets. Columns: `image`, `label` int32.

    Args:
        dataset_dir: Folder of `images_background` and `images_evaluation`.
        background: Read the background set (default), else the evaluation set.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "images_background" / "Greek" / "character01").mkdir(parents=True)
        >>> vision.write_png(str(folder / "images_background/Greek/character01/1.png"), np.zeros((4, 6, 3), np.uint8))
        >>> data = dataset.OmniglotDataset(str(folder), decode=True)
        >>> [(image.shape, int(label)) for image, label in data.create_tuple_iterator(output_numpy=True)]
        [((4, 6, 3), 0)]
    """

    options = {"background": (True, False)}
    background: bool

    def find(self) -> list[Column | Files]:
        alphabets = self.folders(
            self.inside(f"images_{'background' if self.background else 'evaluation'}")
        )
        characters = [folder for alphabet in alphabets for folder in self.folders(alphabet)]
        self.classes = {"/".join(f.split(os.sep)[-2:]): i for i, f in enumerate(characters)}
        return labelled((self.entries(folder), i) for i, folder in enumerate(characters))


class RenderedSST2Dataset(ListedDataset, takes=f"dataset_dir, usage=None, {IMAGES}"):
    """Rendered SST-2 (Radford et al. 2021): sentences as images. Columns: `image`, `label` uint32.

    Args:
        dataset_dir: Folder of `train`, `valid` and `test`, each with a folder for each class.
        usage: 'train', 'val', 'test' or 'all' (default: test, train, val).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> for mood in ("negative", "positive"):
        ...     (folder / "test" / mood).mkdir(parents=True)
        ...     vision.write_png(str(folder / "test" / mood / "1.png"), np.zeros((4, 6, 3), np.uint8))
        >>> data = dataset.RenderedSST2Dataset(str(folder), "test", decode=True, shuffle=False)
        >>> [(image.shape, int(label)) for image, label in data.create_tuple_iterator(output_numpy=True)]
        [((4, 6, 3), 0), ((4, 6, 3), 1)]
    """

    options = {"usage": ("all", "train", "val", "test")}

    def find(self) -> list[Column | Files]:
        folder = {"val": "valid"}.get(self.usage, self.usage)
        parts = [
            self.inside(name)
            for name in (["test", "train", "valid"] if folder == "all" else [folder])
        ]
        self.classes = {"negative": 0, "positive": 1}
        return labelled(
            (
                (self.entries(os.path.join(part, name), ".png"), label)
                for part in parts
                for name, label in self.classes.items()
            ),
            np.uint32,
        )


class LSUNDataset(
    ListedDataset,
    takes="dataset_dir, usage=None, classes=None, num_samples=None, num_parallel_workers=None, "
    "shuffle=None, decode=False, sampler=None, num_shards=None, shard_id=None, cache=None",
):
    """LSUN scenes (Yu et al. 2015) as image files. Columns: `image`, `label` uint32, 0 for images of the test set.

    Args:
        dataset_dir: Folder of folders such as `bedroom_train`, `bedroom_val` and `test`.
        usage: 'train', 'test', 'valid' or 'all' (default: train and valid).
        classes: List of the classes to read; default: those that there are. Their names give their numbers.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "tower_train").mkdir()
        >>> vision.write_jpeg(str(folder / "tower_train" / "1.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> data = dataset.LSUNDataset(str(folder), "train", ["tower"], decode=True)
        >>> [(image.shape, int(label)) for image, label in data.create_tuple_iterator(output_numpy=True)]
        [((4, 6, 3), 0)]
    """

    options = {"usage": ("all", "train", "test", "valid")}
    scenes = (
        "bedroom",
        "bridge",
        "church_outdoor",
        "classroom",
        "conference_room",
        "dining_room",
        "kitchen",
        "living_room",
        "restaurant",
        "tower",
    )

    def verify(self) -> None:
        self.chosen: list[str] = (
            check.optional(check.instance, self, "classes", self.classes, list) or []
        )
        self.classes = None
        for name in self.chosen:
            check.option(self, "classes", check.string(self, "classes", name), self.scenes)

    def find(self) -> list[Column | Files]:
        if self.usage == "test":
            self.classes = {}
            return labelled([(self.entries(self.inside("test")), 0)], np.uint32)
        ends = {"train": ["_train"], "valid": ["_val"], "all": ["_train", "_val"]}[self.usage]
        here = {os.path.basename(folder) for folder in self.folders(self.dataset_dir)}
        names = sorted(self.chosen) or [
            s for s in self.scenes if any(s + end in here for end in ends)
        ]
        self.classes = {name: i for i, name in enumerate(names)}
        return labelled(
            (
                (self.entries(self.inside(name + end)), label)
                for name, label in self.classes.items()
                for end in ends
                if self.chosen or name + end in here
            ),
            np.uint32,
        )
