"""Images that lists name: text files of paths, labels, attributes or captions."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from mindspore.dataset.block import Column
from mindspore.dataset.sources.listed import (
    Files,
    ListedDataset,
    images,
    numbers_of,
    texts,
)
from mindspore.dataset.sources.signatures import IMAGES, OPTIONAL_IMAGES, ORDER


class Food101Dataset(ListedDataset, takes=f"dataset_dir, usage=None, {IMAGES}"):
    r"""Food-101 (Bossard, Guillaumin and Van Gool 2014). Columns: `image`, `label`, the name of the class.

    Args:
        dataset_dir: Folder of `images` and of `meta` with `train.txt` and `test.txt`.
        usage: 'train', 'test' or 'all' (default).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "meta").mkdir()
        >>> (folder / "images" / "waffles").mkdir(parents=True)
        >>> _ = (folder / "meta" / "test.txt").write_text("waffles/1\n")
        >>> vision.write_jpeg(str(folder / "images/waffles/1.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> data = dataset.Food101Dataset(str(folder), "test", decode=True)
        >>> image, label = next(data.create_tuple_iterator(output_numpy=True))
        >>> image.shape, str(label)
        ((4, 6, 3), 'waffles')
    """

    options = {"usage": ("all", "train", "test")}

    def find(self) -> list[Column | Files]:
        usages = ["train", "test"] if self.usage == "all" else [self.usage]
        listed = [
            line for usage in usages for line in self.lines(self.inside("meta", f"{usage}.txt"))
        ]
        paths = [self.inside("images", f"{line}.jpg") for line in listed]
        return [images(paths), texts(line.partition("/")[0] for line in listed)]


class Places365Dataset(
    ListedDataset,
    takes="dataset_dir, usage=None, small=True, decode=False, num_samples=None, "
    f"num_parallel_workers=None, shuffle=None, {ORDER}, cache=None",
):
    r"""Places365 (Zhou et al. 2017). Columns: `image`, `label` uint32.

    Args:
        dataset_dir: Folder of lists such as `places365_train_standard.txt` and folders such as `data_256_standard`.
        usage: 'train-standard' (default), 'train-challenge' or 'val'.
        small: Read the images of 256 x 256 pixels, else the large ones.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "val_256").mkdir()
        >>> _ = (folder / "places365_val.txt").write_text("1.jpg 165\n")
        >>> vision.write_jpeg(str(folder / "val_256" / "1.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> data = dataset.Places365Dataset(str(folder), "val", decode=True)
        >>> image, label = next(data.create_tuple_iterator(output_numpy=True))
        >>> image.shape, int(label)
        ((4, 6, 3), 165)
    """

    options = {"usage": ("train-standard", "train-challenge", "val"), "small": (True, False)}
    small: bool

    def find(self) -> list[Column | Files]:
        size = "256" if self.small else "large"
        which = self.usage.removeprefix("train-")
        folder = f"val_{size}" if which == "val" else f"data_{size}_{which}"
        path = self.inside(f"places365_{self.usage.replace('-', '_')}.txt")
        pairs = [line.rsplit(maxsplit=1) for line in self.lines(path)]
        if not all(len(pair) == 2 and pair[1].isdecimal() for pair in pairs):
            raise self.error(f"the lines of '{path}' must have a path and the number of a class")
        paths = [self.inside(folder, name.lstrip("/")) for name, _ in pairs]
        return [images(paths), numbers_of(int(label) for _, label in pairs)]


class SUN397Dataset(ListedDataset, takes=f"dataset_dir, {IMAGES}"):
    r"""SUN397 (Xiao et al. 2010). Columns: `image`, `label` uint32.

    Args:
        dataset_dir: Folder of `ClassName.txt`, whose lines name the folders of the classes.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "a" / "abbey").mkdir(parents=True)
        >>> _ = (folder / "ClassName.txt").write_text("/a/abbey\n")
        >>> vision.write_jpeg(str(folder / "a/abbey/sun_1.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> data = dataset.SUN397Dataset(str(folder), decode=True)
        >>> image, label = next(data.create_tuple_iterator(output_numpy=True))
        >>> image.shape, int(label)
        ((4, 6, 3), 0)
    """

    def find(self) -> list[Column | Files]:
        names = [line.strip().lstrip("/") for line in self.lines(self.inside("ClassName.txt"))]
        self.classes = {name: i for i, name in enumerate(names)}
        pairs = [
            (path, self.classes[name])
            for name in sorted(names)
            for path in self.entries(self.inside(name), ".jpg")
            if os.path.basename(path).startswith("sun_")
        ]
        return [images(path for path, _ in pairs), numbers_of(label for _, label in pairs)]


class LFWDataset(
    ListedDataset, takes=f"dataset_dir, task=None, usage=None, image_set=None, {IMAGES}"
):
    r"""Labeled Faces in the Wild (Huang et al. 2007).

    Columns: `image`, `label` uint32 (a person) of the task 'people'; `image1`, `image2`, `label` uint32 (1 for the same
    person) of the task 'pairs'.

    Args:
        dataset_dir: Folder of `lfw`, `lfw_funneled` or `lfw-deepfunneled`, and of the lists.
        task: 'people' (default) or 'pairs'.
        usage: '10fold', 'train', 'test' or 'all' (default: train, then test).
        image_set: 'original', 'funneled' (default) or 'deepfunneled'.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "lfw" / "A_Person").mkdir(parents=True)
        >>> _ = (folder / "lfw-names.txt").write_text("A_Person\t1\n")
        >>> _ = (folder / "peopleDevTest.txt").write_text("1\nA_Person\t1\n")
        >>> vision.write_jpeg(str(folder / "lfw/A_Person/A_Person_0001.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> data = dataset.LFWDataset(str(folder), "people", "test", "original", decode=True)
        >>> [(image.shape, int(label)) for image, label in data.create_tuple_iterator(output_numpy=True)]
        [((4, 6, 3), 0)]
    """

    options = {
        "task": ("people", "pairs"),
        "usage": ("all", "10fold", "train", "test"),
        "image_set": ("funneled", "original", "deepfunneled"),
    }
    image_set: str

    def verify(self) -> None:
        self.names = ("image", "label") if self.task == "people" else ("image1", "image2", "label")

    def find(self) -> list[Column | Files]:
        ends = {
            "10fold": [""],
            "train": ["DevTrain"],
            "test": ["DevTest"],
            "all": ["DevTrain", "DevTest"],
        }
        rows = [
            line.split()
            for end in ends[self.usage]
            for line in self.lines(self.inside(f"{self.task}{end}.txt"))
        ]
        return self._people(rows) if self.task == "people" else self._pairs(rows)

    def _people(self, rows: list[list[str]]) -> list[Column | Files]:
        names = [line.split()[0] for line in self.lines(self.inside("lfw-names.txt"))]
        self.classes = {name: i for i, name in enumerate(names)}
        people = [(row[0], self._count(row[1])) for row in rows if len(row) == 2 and not row[0].isdecimal()]
        shots = [(name, number) for name, count in people for number in range(1, count + 1)]
        labels = numbers_of(self.classes[name] for name, _ in shots)
        return [images(self._shot(name, number) for name, number in shots), labels]

    def _count(self, text: str) -> int:
        """How many images of a person there are; their names have four digits."""
        if not text.isdecimal() or len(text) > 4:
            raise self.error(f"the number of images of a person must be below 10,000, but is {text!r}")
        return int(text)

    def _pairs(self, rows: list[list[str]]) -> list[Column | Files]:
        pairs = [  # name, number, number of the same person; or name, number, name, number
            (self._shot(row[0], row[1]), self._shot(row[-2] if len(row) == 4 else row[0], row[-1]))
            for row in rows
            if len(row) > 2
        ]
        same = numbers_of(len(row) == 3 for row in rows if len(row) > 2)
        return [images(first for first, _ in pairs), images(second for _, second in pairs), same]

    def _shot(self, name: str, number: Any) -> str:
        folder = {"original": "lfw", "funneled": "lfw_funneled", "deepfunneled": "lfw-deepfunneled"}
        return self.inside(folder[self.image_set], name, f"{name}_{int(number):04d}.jpg")


class SBUDataset(ListedDataset, takes=f"dataset_dir, {IMAGES}"):
    r"""SBU captioned photographs (Ordonez, Kulkarni and Berg 2011), those that are there. Columns: `image`, `caption`.

    Args:
        dataset_dir: Folder of `SBU_captioned_photo_dataset_urls.txt`, `..._captions.txt` and `sbu_images`.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "sbu_images").mkdir()
        >>> _ = (folder / "SBU_captioned_photo_dataset_urls.txt").write_text("http://an.example/path/1/2.jpg\n")
        >>> _ = (folder / "SBU_captioned_photo_dataset_captions.txt").write_text("a caption\n")
        >>> vision.write_jpeg(str(folder / "sbu_images" / "1_2.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> image, caption = next(dataset.SBUDataset(str(folder), decode=True).create_tuple_iterator(output_numpy=True))
        >>> image.shape, str(caption)
        ((4, 6, 3), 'a caption')
    """

    names = ("image", "caption")
    prefix = "SBU_captioned_photo_dataset_"
    host = 23  # characters before those that name the file

    def find(self) -> list[Column | Files]:
        urls, captions = (
            self.lines(self.inside(f"{self.prefix}{n}.txt")) for n in ("urls", "captions")
        )
        rows = []
        for number, (url, caption) in enumerate(zip(urls, captions, strict=False)):
            if not url or not caption:
                raise self.error(
                    f"the lists of addresses and captions must not have empty lines, as line {number}"
                )
            path = self.inside("sbu_images", url[self.host :].replace("/", "_"))
            if os.path.isfile(path):
                rows.append((path, caption))
        return [images(path for path, _ in rows), texts(caption for _, caption in rows)]


class FlickrDataset(ListedDataset, takes=f"dataset_dir, annotation_file, {OPTIONAL_IMAGES}"):
    r"""Flickr8k and Flickr30k (Young et al. 2014). Columns: `image`, `annotation`, the captions of the image.

    Args:
        dataset_dir: Folder of the images.
        annotation_file: File of lines such as 'name.jpg#0<tab>caption'.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "captions.txt").write_text("1.jpg#0\tA dog\n1.jpg#1\tA dog runs\n")
        >>> vision.write_jpeg(str(folder / "1.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> data = dataset.FlickrDataset(str(folder), str(folder / "captions.txt"), decode=True)
        >>> [(image.shape, captions.tolist()) for image, captions in data.create_tuple_iterator(output_numpy=True)]
        [((4, 6, 3), ['A dog', 'A dog runs'])]
    """

    names = ("image", "annotation")

    def find(self) -> list[Column | Files]:
        captions: dict[str, list[str]] = {}
        for line in self.lines(self.annotation_file):
            head, tab, caption = line.partition("\t")
            name, sign, _ = head.rpartition("#")
            if not tab or not sign:
                raise self.error(f"a line must be 'name#number<tab>caption', but one is {line!r}")
            captions.setdefault(name, []).append(caption)
        paths = self.present(self.inside(name) for name in captions)
        return [images(paths), [texts(group) for group in captions.values()]]


class CelebADataset(
    ListedDataset,
    takes="dataset_dir, num_parallel_workers=None, shuffle=None, usage='all', sampler=None, "
    "decode=False, extensions=None, num_samples=None, num_shards=None, shard_id=None, cache=None, "
    "decrypt=None",
):
    r"""CelebA (Liu et al. 2015). Columns: `image`, `attr` uint32 (40,) of 0 and 1.

    Args:
        dataset_dir: Folder of the images, of `list_attr_celeba.txt` and, for parts, of `list_eval_partition.txt`.
        usage: 'all', 'train', 'valid' or 'test'.
        extensions: Only images with these endings.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "list_attr_celeba.txt").write_text("1\nBald Smiling\n1.jpg -1 1\n")
        >>> vision.write_jpeg(str(folder / "1.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> data = dataset.CelebADataset(str(folder), decode=True)
        >>> [(image.shape, attr.tolist()) for image, attr in data.create_tuple_iterator(output_numpy=True)]
        [((4, 6, 3), [0, 1])]
    """

    names = ("image", "attr")
    options = {"usage": ("all", "train", "valid", "test")}

    def find(self) -> list[Column | Files]:
        path = self.inside("list_attr_celeba.txt")
        count, _, *rows = [line.split() for line in self.lines(path)] or [[""], []]
        if len(count) != 1 or not count[0].isdecimal():
            raise self.error(
                f"the first line of '{path}' must be the number of images, but is {count}"
            )
        wanted = self._wanted()
        rows = [row for row in rows if wanted is None or row[0] in wanted]
        rows = [
            r for r in rows if not self.extensions or os.path.splitext(r[0])[1] in self.extensions
        ]
        if {value for row in rows for value in row[1:]} - {"1", "-1"}:
            raise self.error(f"the attributes in '{path}' must be 1 or -1")
        values = [np.array([value == "1" for value in row[1:]], np.uint32) for row in rows]
        return [images(self.inside(row[0]) for row in rows), values]

    def _wanted(self) -> set[str] | None:
        """Names of the images of this part."""
        if self.usage == "all":
            return None
        number = str(self.options["usage"].index(self.usage) - 1)
        rows = [line.split() for line in self.lines(self.inside("list_eval_partition.txt"))]
        return {row[0] for row in rows if row[1:] == [number]}
