"""Images in folders by class."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore.dataset import _check as check
from mindspore.dataset.block import Column
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.sources.mappable import MappableDataset

EXTENSIONS = (".jpg", ".jpeg", ".png", ".bmp", ".gif", ".tif", ".tiff", ".webp")


class ImageFolderDataset(MappableDataset):
    """Image files in a folder for each class. Columns: `image` (the file's bytes, or the decoded image), `label` int32.

    Args:
        dataset_dir: Folder of the class folders; classes are numbered in the order of their names.
        extensions: Endings of image files, such as ['.jpg']; default: those of the usual formats.
        class_indexing: Labels by class name; other folders are left out.
        decode: Give uint8 images (H, W, 3) instead of bytes.
        decrypt: Function from path to the bytes of the decrypted file.
        num_parallel_workers: Threads that read and decode.
        sampler, shuffle, num_samples, num_shards, shard_id: Which rows, in which order; default: all, shuffled.
        cache: Not supported.
    """

    rows_at_once = 8
    threads_help = True
    anywhere = True

    def __init__(
        self,
        dataset_dir: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        sampler: Any = None,
        extensions: Any = None,
        class_indexing: dict[str, int] | None = None,
        decode: bool = False,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        decrypt: Callable[[str], bytes] | None = None,
    ):
        super().__init__(
            num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache
        )
        self.dataset_dir = check.folder(self, "dataset_dir", dataset_dir)
        self.extensions = (
            EXTENSIONS
            if extensions is None
            else tuple(
                e if e.startswith(".") else "." + e
                for e in check.names(self, "extensions", extensions)
            )
        )
        self.class_indexing = check.optional(
            check.instance, self, "class_indexing", class_indexing, dict
        )
        for name, label in (class_indexing or {}).items():
            check.string(self, "class_indexing", name)
            check.integer(self, "class_indexing", label, 0, check.INT32_MAX)
        self.decode = check.boolean(self, "decode", decode)
        self.decrypt = check.optional(check.callable_, self, "decrypt", decrypt)
        self._listed: tuple[list[str], np.ndarray, dict[str, int]] | None = None

    def column_names(self) -> list[str]:
        return ["image", "label"]

    def size(self) -> int:
        return len(self._list()[0])

    def labels(self) -> np.ndarray:
        return self._list()[1]

    def num_classes(self) -> int:
        return len(self.get_class_indexing())

    def get_class_indexing(self) -> dict[str, int]:
        return dict(self._list()[2])

    def row_bytes(self) -> int:
        return 2**15

    def fetch(self, numbers: np.ndarray) -> list[Column]:
        paths, labels, _ = self._list()
        images = [
            read_image_file(self, paths[i], self.decode, self.decrypt) for i in numbers.tolist()
        ]
        return [images, labels[numbers]]

    def _list(self) -> tuple[list[str], np.ndarray, dict[str, int]]:
        """Paths, labels and classes; looked up once."""
        if self._listed is None:
            names = sorted(entry.name for entry in os.scandir(self.dataset_dir) if entry.is_dir())
            classes = self.class_indexing or {name: i for i, name in enumerate(names)}
            missing = [name for name in classes if name not in names]
            if missing:
                raise PipelineError(
                    f"For 'ImageFolderDataset', the 'class_indexing' names folders that "
                    f"'{self.dataset_dir}' does not have: {missing}."
                )
            found = [
                (path, classes[name])
                for name in names
                if name in classes
                for path in self._images(name)
            ]
            if not found:
                raise PipelineError(
                    f"For 'ImageFolderDataset', the folder '{self.dataset_dir}' must contain a folder for "
                    f"each class with image files ({', '.join(self.extensions)}), but has none."
                )
            self._listed = (
                [path for path, _ in found],
                np.array([label for _, label in found], np.int32),
                dict(classes),
            )
        return self._listed

    def _images(self, name: str) -> list[str]:
        paths = []
        for folder, folders, files in os.walk(
            os.path.join(self.dataset_dir, name), followlinks=True
        ):
            folders.sort()
            paths += [
                os.path.join(folder, file)
                for file in sorted(files)
                if file.lower().endswith(tuple(e.lower() for e in self.extensions))
            ]
        return paths


def read_image_file(
    owner: Any, path: str, decode: bool, decrypt: Callable[[str], bytes] | None
) -> np.ndarray:
    """Bytes of an image file as uint8, decoded if asked for."""
    try:
        content = (
            np.fromfile(path, np.uint8)
            if decrypt is None
            else np.frombuffer(decrypt(path), np.uint8)
        )
    except OSError as error:
        raise PipelineError(
            f"For '{type(owner).__name__}', the file '{path}' cannot be read: {error}."
        ) from None
    if not decode:
        return content
    from mindspore.dataset.vision.codecs import (
        decode_image,  # loads the image library, which bytes do not need
    )

    try:
        return decode_image(content)
    except ValueError as error:
        raise PipelineError(
            f"For '{type(owner).__name__}', the file '{path}' must be an image, but cannot be "
            f"decoded: {error}"
        ) from None
