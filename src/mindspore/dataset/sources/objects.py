"""Objects in images: Pascal VOC and COCO."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

import numpy as np

from mindspore.core.json_text import parsed
from mindspore.dataset import checked as check
from mindspore.dataset.block import Column
from mindspore.dataset.samplers import PKSampler
from mindspore.dataset.sources.listed import Files, ListedDataset, images, numbers_of, texts
from mindspore.dataset.sources.signatures import IMAGES


class VOCDataset(
    ListedDataset,
    takes="dataset_dir, task='Segmentation', usage='train', class_indexing=None, "
    f"{IMAGES}, extra_metadata=False, decrypt=None",
):
    r"""Pascal VOC (Everingham et al. 2010).

    Columns: `image`; of the task 'Segmentation' `target`, an image; of the task 'Detection', with one row for each
    object, `bbox` float32 (x, y, width, height), `label`, `difficult`, `truncate` uint32 (n, 1).

    Args:
        dataset_dir: Folder of `JPEGImages`, `Annotations`, `ImageSets` and `SegmentationClass`.
        task: 'Segmentation' or 'Detection'.
        usage: Name of the list in `ImageSets/Segmentation` or `ImageSets/Main`.
        class_indexing: Labels by name for 'Detection'; objects of other classes are left out. Default: the classes are
            numbered in the order of their names.

    Examples:
        >>> folder = Path(tempfile.mkdtemp())
        >>> for name in ("JPEGImages", "SegmentationClass", "ImageSets/Segmentation"):
        ...     (folder / name).mkdir(parents=True)
        >>> _ = (folder / "ImageSets/Segmentation/train.txt").write_text("1\n")
        >>> vision.write_jpeg(str(folder / "JPEGImages/1.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> vision.write_png(str(folder / "SegmentationClass/1.png"), np.zeros((4, 6, 3), np.uint8))
        >>> image, target = next(dataset.VOCDataset(str(folder), decode=True).create_tuple_iterator(output_numpy=True))
        >>> image.shape, target.shape
        ((4, 6, 3), (4, 6, 3))
    """

    options = {"task": ("Segmentation", "Detection")}

    def verify(self) -> None:
        check.string(self, "usage", self.usage)
        detection = self.task == "Detection"
        if self.class_indexing is not None and not detection:
            raise check.fail(
                ValueError, self, "class_indexing", "None for 'Segmentation'", self.class_indexing
            )
        folder = "Main" if detection else "Segmentation"
        self.listing = check.file(
            self, "usage", self.inside("ImageSets", folder, f"{self.usage}.txt")
        )
        self.names = (
            ("image", "bbox", "label", "difficult", "truncate")
            if detection
            else ("image", "target")
        )

    def find(self) -> Sequence[Column | Files]:
        names = [name for line in self.lines(self.listing) if (name := line.strip())]
        if self.task == "Segmentation":
            targets = images(self.inside("SegmentationClass", f"{name}.png") for name in names)
            return [self._photographs(names), targets]
        objects = {name: self._objects(self.inside("Annotations", f"{name}.xml")) for name in names}
        there = sorted({label for found in objects.values() for label, _ in found})
        classes = self.classes = self.class_indexing or {label: i for i, label in enumerate(there)}
        kept = {
            n: [(classes[o], v) for o, v in found if o in classes] for n, found in objects.items()
        }
        kept = {name: found for name, found in kept.items() if found}
        boxes = [np.array([v[:4] for _, v in found], np.float32) for found in kept.values()]
        rest = [[[label, *v[4:]] for label, v in found] for found in kept.values()]
        columns = [[numbers_of(row[i : i + 1] for row in rows) for rows in rest] for i in range(3)]
        return [self._photographs(kept), boxes, *columns]

    def _photographs(self, names: Any) -> Files:
        return images(self.inside("JPEGImages", f"{name}.jpg") for name in names)

    def _objects(self, path: str) -> list[tuple[str, list[float]]]:
        """Of each object its class, and box, difficult, truncated."""
        (path,) = self.present([path])
        try:
            nodes = ElementTree.parse(path).getroot().findall("object")
        except ElementTree.ParseError as error:
            raise self.error(f"the file '{path}' must be XML, but is damaged: {error}") from None
        if not nodes:
            raise self.error(f"the file '{path}' must have an 'object'")
        named = [(node.findtext("name"), node) for node in nodes]
        return [(name.strip(), self._numbers(node, path)) for name, node in named if name]

    def _numbers(self, node: ElementTree.Element, path: str) -> list[float]:
        box = node.find("bndbox")
        if box is None:
            raise self.error(f"every object in '{path}' must have a 'bndbox'")
        try:
            left, top, right, bottom = (
                float(box.findtext(k, "")) for k in ("xmin", "ymin", "xmax", "ymax")
            )
            flags = [int(node.findtext(key) or 0) for key in ("difficult", "truncated")]
        except ValueError as error:
            raise self.error(
                f"the numbers of the objects in '{path}' cannot be read: {error}"
            ) from None
        if not (0 < left < right and 0 < top < bottom):
            raise self.error(
                f"the corners of a box in '{path}' must be greater than 0 and in order, but are "
                f"({left:g}, {top:g}), ({right:g}, {bottom:g})"
            )
        width, height = np.float32(right) - np.float32(left), np.float32(bottom) - np.float32(top)
        return [left, top, float(width), float(height), *flags]

    def get_class_indexing(self) -> dict[str, int]:
        if self.task != "Detection":
            raise NotImplementedError(
                "For 'get_class_indexing', only the task 'Detection' has classes."
            )
        return super().get_class_indexing()


_COCO = {
    "Detection": ("image", "bbox", "category_id", "iscrowd"),
    "Stuff": ("image", "segmentation", "iscrowd"),
    "Keypoint": ("image", "keypoints", "num_keypoints"),
    "Panoptic": ("image", "bbox", "category_id", "iscrowd", "area"),
    "Captioning": ("image", "captions"),
}


class CocoDataset(
    ListedDataset,
    takes="dataset_dir, annotation_file, task='Detection', "
    f"{IMAGES}, extra_metadata=False, decrypt=None",
):
    """COCO (Lin et al. 2014). Images without annotations are left out.

    Columns: `image` and, with one row for each annotation, of the task 'Detection' `bbox` float32 (x, y, width,
    height), `category_id`, `iscrowd` uint32; of 'Panoptic' also `area` uint32; of 'Stuff' `segmentation` float32, one
    row for each polygon, and `iscrowd`; of 'Keypoint' `keypoints` float32 and `num_keypoints` uint32; of 'Captioning'
    `captions`. Rows of different lengths end in -1.

    Args:
        dataset_dir: Folder of the images.
        annotation_file: JSON file of the annotations.
        task: 'Detection', 'Stuff', 'Keypoint', 'Panoptic' or 'Captioning'.

    Examples:
        >>> import json
        >>> folder = Path(tempfile.mkdtemp())
        >>> vision.write_jpeg(str(folder / "1.jpg"), np.zeros((4, 6, 3), np.uint8))
        >>> box = {"image_id": 1, "bbox": [1, 0, 2, 3], "category_id": 18}
        >>> content = {"images": [{"id": 1, "file_name": "1.jpg"}], "annotations": [box]}
        >>> content["categories"] = [{"id": 18, "name": "dog"}]
        >>> _ = (folder / "boxes.json").write_text(json.dumps(content))
        >>> data = dataset.CocoDataset(str(folder), str(folder / "boxes.json"), decode=True)
        >>> row = next(data.create_dict_iterator(output_numpy=True))
        >>> row["image"].shape, row["bbox"].tolist(), row["category_id"].tolist()
        ((4, 6, 3), [[1.0, 0.0, 2.0, 3.0]], [[18]])
    """

    options = {"task": tuple(_COCO)}

    def verify(self) -> None:
        sampler = self.arguments["sampler"]
        if isinstance(sampler, PKSampler):
            wanted = "no PKSampler: images have no single class"
            raise check.fail(ValueError, self, "sampler", wanted, sampler)
        self.names = _COCO[self.task]

    def find(self) -> Sequence[Column | Files]:
        content = self._parsed()
        files = {
            self._of(image, "id", "images"): self._of(image, "file_name", "images")
            for image in self._of(content, "images", "the file")
        }
        if self.task in ("Detection", "Panoptic"):
            self.classes = self._categories(content)
        groups: dict[Any, list[dict[str, Any]]] = {}
        for note in self._of(content, "annotations", "the file"):
            number = self._of(note, "image_id", "annotations")
            if number not in files:
                raise self.error(
                    f"an annotation is of the image {number}, which is not in 'images'"
                )
            groups.setdefault(number, []).extend(
                self._of(note, "segments_info", "annotations")
                if self.task == "Panoptic"
                else [note]
            )
        kept = [number for number in files if groups.get(number)]
        rows = [self._row(groups[number]) for number in kept]
        columns = [list(column) for column in zip(*rows, strict=True)] or [
            [] for _ in self.names[1:]
        ]
        return [images(self.inside(files[number]) for number in kept), *columns]

    def _parsed(self) -> dict[str, Any]:
        try:
            return parsed(self.text(self.annotation_file))
        except ValueError as error:
            raise self.error(f"the annotation file must be JSON: {error}") from None

    def _of(self, node: Any, key: str, place: str) -> Any:
        """A field that must be there."""
        if not isinstance(node, dict) or key not in node:
            raise self.error(f"the field '{key}' is missing in {place}")
        return node[key]

    def _categories(self, content: dict[str, Any]) -> dict[str, list[int]]:
        fields = ("id", "isthing") if self.task == "Panoptic" else ("id",)
        return {
            self._of(node, "name", "categories"): [
                self._of(node, key, "categories") for key in fields
            ]
            for node in self._of(content, "categories", "the file")
        }

    def _row(self, notes: list[dict[str, Any]]) -> list[np.ndarray]:
        """The columns of an image from its annotations."""
        if self.task == "Captioning":
            return [texts(self._of(note, "caption", "annotations") for note in notes)[:, None]]
        first = {"Stuff": "segmentation", "Keypoint": "keypoints"}.get(self.task, "bbox")
        lists = [
            part for note in notes for part in self._lists(self._of(note, first, "annotations"))
        ]
        numbers = [self._column(notes, name) for name in self.names[2:]]
        return [_padded(lists), *numbers]

    def _lists(self, value: Any) -> list[list[float]]:
        """The lists of numbers of an annotation: a box, key points, polygons, or counts of runs."""
        if isinstance(value, dict):
            return [self._of(value, "counts", "segmentation")]
        return value if value and isinstance(value[0], list) else [value]

    def _column(self, notes: list[dict[str, Any]], name: str) -> np.ndarray:
        if name == "iscrowd" and self.task == "Detection":
            values = [note.get(name, 0) for note in notes]
        else:
            values = [self._of(note, name, "annotations") for note in notes]
        known = {category[0] for category in (self.classes or {}).values()}
        if name == "category_id" and (unknown := set(values) - known):
            raise self.error(
                f"the categories {sorted(unknown)} of annotations are not in 'categories'"
            )
        return numbers_of([value] for value in values)

    def get_class_indexing(self) -> dict[str, list[int]]:
        if self.task not in ("Detection", "Panoptic"):
            raise NotImplementedError(
                "For 'get_class_indexing', only the tasks 'Detection' and 'Panoptic' have classes."
            )
        return super().get_class_indexing()


def _padded(lists: list[list[float]]) -> np.ndarray:
    """Lists of numbers as rows of equal length, with -1 after the shorter ones."""
    width = max(map(len, lists), default=0)
    return np.array([[*row, *[-1] * (width - len(row))] for row in lists], np.float32)
