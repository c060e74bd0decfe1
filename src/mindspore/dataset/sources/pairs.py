"""Pairs of files: images with images of another resolution, or with maps of what they show."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from mindspore.core.json_text import parsed
from mindspore.dataset import checked as check
from mindspore.dataset.block import Column
from mindspore.dataset.sources.listed import Files, ListedDataset, images, stem
from mindspore.dataset.sources.signatures import IMAGES, OPTIONAL_IMAGES, ORDER


def json_file(source: Any, path: str) -> np.ndarray:
    """Content of a JSON file as a string without blanks, keys in their order."""
    try:
        content = parsed(source.text(path))
    except ValueError as error:
        raise source.error(f"the file '{path}' must be JSON: {error}") from None
    return np.array(json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True))


class CityscapesDataset(
    ListedDataset,
    takes=f"dataset_dir, usage='train', quality_mode='fine', task='instance', {OPTIONAL_IMAGES}",
):
    """Cityscapes (Cordts et al. 2016). Columns: `image`, `task`, an image or, of the task 'polygon', JSON text.

    Args:
        dataset_dir: Folder of `leftImg8bit` and of `gtFine` or `gtCoarse`.
        usage: 'train', 'val', 'all', 'test' of fine annotations, 'train_extra' of coarse ones.
        quality_mode: 'fine' or 'coarse'.
        task: 'instance', 'semantic', 'polygon' or 'color'.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> for name, end in (("leftImg8bit", "leftImg8bit"), ("gtFine", "gtFine_labelIds")):
        ...     (folder / name / "train" / "ulm").mkdir(parents=True)
        ...     file = folder / name / "train" / "ulm" / f"ulm_1_{end}.png"
        ...     vision.write_png(str(file), np.zeros((4, 6, 3), np.uint8))
        >>> data = dataset.CityscapesDataset(str(folder), task="semantic", decode=True)
        >>> [(image.shape, task.shape) for image, task in data.create_tuple_iterator(output_numpy=True)]
        [((4, 6, 3), (4, 6, 3))]
    """

    names = ("image", "task")
    options = {
        "quality_mode": ("fine", "coarse"),
        "task": ("instance", "semantic", "polygon", "color"),
    }
    usages = {"fine": ("train", "test", "val"), "coarse": ("train", "train_extra", "val")}
    ends = {
        "instance": "instanceIds.png",
        "semantic": "labelIds.png",
        "polygon": "polygons.json",
        "color": "color.png",
    }
    quality_mode: str

    def verify(self) -> None:
        check.option(self, "usage", self.usage, [*self.usages[self.quality_mode], "all"])

    def find(self) -> list[Column | Files]:
        usages = self.usages[self.quality_mode] if self.usage == "all" else (self.usage,)
        paths = [path for usage in usages for path in self._photographs(usage)]
        truth = self.present(map(self._truth, paths))
        return [images(paths), Files(truth, json_file) if self.task == "polygon" else images(truth)]

    def _photographs(self, usage: str) -> list[str]:
        cities = self.folders(self.inside("leftImg8bit", usage))
        return [path for city in cities for path in self.entries(city, ".png")]

    def _truth(self, path: str) -> str:
        quality = f"gt{self.quality_mode.title()}"
        usage, city, file = path.split(os.sep)[-3:]
        name = file.removesuffix("leftImg8bit.png") + f"{quality}_{self.ends[self.task]}"
        return self.inside(quality, usage, city, name)


class DIV2KDataset(
    ListedDataset,
    takes=f"dataset_dir, usage='train', downgrade='bicubic', scale=2, {OPTIONAL_IMAGES}",
):
    """DIV2K (Agustsson and Timofte 2017) for super-resolution. Columns: `hr_image`, `lr_image`.

    Args:
        dataset_dir: Folder of `DIV2K_train_HR`, `DIV2K_train_LR_bicubic` and so on.
        usage: 'train', 'valid' or 'all'.
        downgrade: 'bicubic', 'unknown', 'mild', 'difficult' or 'wild': how the small image was made.
        scale: 2, 3, 4 or 8; 8 is there for 'bicubic' only, and the last three downgrades have 4 only.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "DIV2K_train_HR").mkdir()
        >>> (folder / "DIV2K_train_LR_bicubic" / "X2").mkdir(parents=True)
        >>> vision.write_png(str(folder / "DIV2K_train_HR" / "0001.png"), np.zeros((8, 12, 3), np.uint8))
        >>> vision.write_png(str(folder / "DIV2K_train_LR_bicubic/X2/0001x2.png"), np.zeros((4, 6, 3), np.uint8))
        >>> data = dataset.DIV2KDataset(str(folder), decode=True)
        >>> [(large.shape, small.shape) for large, small in data.create_tuple_iterator(output_numpy=True)]
        [((8, 12, 3), (4, 6, 3))]
    """

    names = ("hr_image", "lr_image")
    options = {
        "usage": ("train", "valid", "all"),
        "downgrade": ("bicubic", "unknown", "mild", "difficult", "wild"),
        "scale": (2, 3, 4, 8),
    }
    downgrade: str
    scale: int

    def verify(self) -> None:
        if self.downgrade in ("mild", "difficult", "wild") and self.scale != 4:
            raise check.fail(ValueError, self, "scale", f"4 for '{self.downgrade}'", self.scale)
        if self.scale == 8 and self.downgrade != "bicubic":
            raise check.fail(
                ValueError, self, "scale", f"2, 3 or 4 for '{self.downgrade}'", self.scale
            )

    def find(self) -> list[Column | Files]:
        usages = ("train", "valid") if self.usage == "all" else (self.usage,)
        pairs = [pair for usage in usages for pair in self._pairs(usage)]
        return [
            images(large for large, _ in pairs),
            images(self.present(small for _, small in pairs)),
        ]

    def _pairs(self, usage: str) -> list[tuple[str, str]]:
        if self.scale == 8:
            folder, end = (f"DIV2K_{usage}_LR_x8",), "x8"
        elif self.downgrade in ("bicubic", "unknown"):
            folder = (f"DIV2K_{usage}_LR_{self.downgrade}", f"X{self.scale}")
            end = f"x{self.scale}"
        else:
            folder, end = (f"DIV2K_{usage}_LR_{self.downgrade}",), f"x4{self.downgrade[0]}"
        large = self.entries(self.inside(f"DIV2K_{usage}_HR"), ".png")
        return [(path, self.inside(*folder, f"{stem(path)}{end}.png")) for path in large]


KITTI = (
    ["label", "truncated", "occluded", "alpha", "bbox", "dimensions", "location", "rotation_y"],
    [1, 1, 1, 1, 4, 3, 3, 1],
)


class KITTIDataset(
    ListedDataset,
    takes="dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, "
    f"decode=False, {ORDER}, cache=None",
):
    """KITTI object detection (Geiger, Lenz and Urtasun 2012).

    Columns: `image`; for training also, with one row for each object, `label` uint32, `truncated`, `occluded` uint32,
    `alpha`, `bbox` (left, top, right, bottom), `dimensions`, `location`, `rotation_y`; float32 where not said.
    Classes are numbered in the order of their names.

    Args:
        dataset_dir: Folder of `data_object_image_2` and `data_object_label_2`.
        usage: 'train' (default) or 'test'.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "data_object_image_2" / "testing" / "image_2").mkdir(parents=True)
        >>> image = np.zeros((4, 6, 3), np.uint8)
        >>> vision.write_png(str(folder / "data_object_image_2/testing/image_2/000000.png"), image)
        >>> data = dataset.KITTIDataset(str(folder), "test", decode=True)
        >>> [image.shape for (image,) in data.create_tuple_iterator(output_numpy=True)]
        [(4, 6, 3)]
    """

    options = {"usage": ("train", "test")}

    def verify(self) -> None:
        self.names = ("image", *KITTI[0]) if self.usage == "train" else ("image",)

    def find(self) -> list[Column | Files]:
        folder = "training" if self.usage == "train" else "testing"
        photographs = self.entries(self.inside("data_object_image_2", folder, "image_2"), ".png")
        if self.usage == "test":
            return [images(photographs)]
        places = [
            self.inside("data_object_label_2", folder, "label_2", f"{stem(path)}.txt")
            for path in photographs
        ]
        tables = [[line.split() for line in self.lines(path)] for path in places]
        for path, table in zip(places, tables, strict=True):
            if not table or any(len(row) != 15 for row in table):
                raise self.error(f"the lines of '{path}' must have the 15 fields of an object")
        names = sorted({row[0] for table in tables for row in table})
        self.classes = {name: i for i, name in enumerate(names)}
        rows = [self._columns(table) for table in tables]
        return [images(photographs), *(list(column) for column in zip(*rows, strict=True))]

    def _columns(self, table: list[list[str]]) -> list[np.ndarray]:
        """The columns of one image from the lines of its objects."""
        classes = self.classes or {}
        numbers = np.array([[classes[row[0]], *row[1:]] for row in table], np.float64)
        parts = np.split(numbers, np.cumsum(KITTI[1])[:-1], axis=1)
        return [
            part.astype(np.int64).astype(np.uint32)
            if name in ("label", "occluded")
            else part.astype(np.float32)
            for name, part in zip(KITTI[0], parts, strict=True)
        ]


FACES = ["blur", "expression", "illumination", "occlusion", "pose", "invalid"]


class WIDERFaceDataset(ListedDataset, takes=f"dataset_dir, usage=None, {IMAGES}"):
    r"""WIDER FACE (Yang et al. 2016).

    Columns: `image`; but for the test set also `bbox` int32 (n, 4) (x, y, width, height) and for each face `blur`,
    `expression`, `illumination`, `occlusion`, `pose`, `invalid` int32 (n,), the numbers of a line in this order.

    Args:
        dataset_dir: Folder of `WIDER_train`, `WIDER_val`, `WIDER_test` and `wider_face_split`.
        usage: 'train', 'valid', 'test' or 'all' (default: train and valid).

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "WIDER_val" / "images" / "0--Parade").mkdir(parents=True)
        >>> (folder / "wider_face_split").mkdir()
        >>> vision.write_jpeg(str(folder / "WIDER_val/images/0--Parade/1.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> lines = "0--Parade/1.jpg\n1\n1 0 2 3 0 0 0 0 0 0\n"
        >>> _ = (folder / "wider_face_split/wider_face_val_bbx_gt.txt").write_text(lines)
        >>> data = dataset.WIDERFaceDataset(str(folder), "valid", decode=True)
        >>> row = next(data.create_dict_iterator(output_numpy=True))
        >>> row["image"].shape, row["bbox"].tolist()
        ((4, 6, 3), [[1, 0, 2, 3]])
    """

    options = {"usage": ("all", "train", "test", "valid")}

    def verify(self) -> None:
        self.names = ("image",) if self.usage == "test" else ("image", "bbox", *FACES)

    def find(self) -> list[Column | Files]:
        if self.usage == "test":
            names = self.lines(self.inside("wider_face_split", "wider_face_test_filelist.txt"))
            return [images(self.inside("WIDER_test", "images", name.strip()) for name in names)]
        usages = {"train": ["train"], "valid": ["val"], "all": ["train", "val"]}[self.usage]
        faces = [pair for usage in usages for pair in self._faces(usage)]
        tables = [table for _, table in faces]
        columns = [
            [table[:, :4] for table in tables],
            *([t[:, i].copy() for t in tables] for i in range(4, 10)),
        ]
        return [images(path for path, _ in faces), *columns]

    def _faces(self, usage: str) -> list[tuple[str, np.ndarray]]:
        """Paths of images with the numbers of their faces; an image without faces has one line of zeros."""
        listing = self.inside("wider_face_split", f"wider_face_{usage}_bbx_gt.txt")
        lines, at, found = self.lines(listing), 0, []
        while at < len(lines):
            try:
                count = max(int(lines[at + 1]), 1)
                rows = [line.split() for line in lines[at + 2 : at + 2 + count]]
                table = np.array(rows, np.int32).reshape(count, 10)
            except (ValueError, IndexError):
                raise self.error(
                    f"'{listing}' must have the path of an image, the number of its faces and ten "
                    f"numbers for each of them, but has something else from line {at + 1} on"
                ) from None
            found.append((self.inside(f"WIDER_{usage}", "images", lines[at].strip()), table))
            at += 2 + count
        return found
