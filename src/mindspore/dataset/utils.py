"""Helpers for programs that write their own sources: `mindspore.dataset.utils`."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mindspore.core.plain_files import regular
from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.formats.files import atomic

Color = tuple[int, int, int]


class LineReader:
    """Lines of a text file by their number, without the file being held in memory.

    Args:
        filename: The file.
    """

    def __init__(self, filename: str):
        self.filename = check.file(self, "filename", filename)
        self._file = open(self.filename, "rb", opener=regular)  # noqa: SIM115 - open as long as it
        self._ends = [0]
        for line in self._file:
            self._ends.append(self._ends[-1] + len(line))

    def __enter__(self) -> LineReader:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self.len()

    def len(self) -> int:
        """Number of lines."""
        return len(self._ends) - 1

    def readline(self, line: int) -> str:
        """Line number `line`, from 1, without its end."""
        check.integer(self, "line", line, 1, self.len())
        self._file.seek(self._ends[line - 1])
        content = self._file.read(self._ends[line] - self._ends[line - 1])
        try:
            return content.decode().rstrip("\n").rstrip("\r")
        except UnicodeDecodeError as error:
            raise ValueError(
                f"For 'LineReader', line {line} of the file '{self.filename}' must be UTF-8, but: {error}."
            ) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def imshow_det_bbox(
    image: np.ndarray,
    bboxes: np.ndarray,
    labels: np.ndarray,
    segm: np.ndarray | None = None,
    class_names: Sequence[str] | Mapping[int, str] | None = None,
    score_threshold: float = 0,
    bbox_color: Color = (0, 255, 0),
    text_color: Color = (203, 192, 255),
    mask_color: Color = (128, 0, 128),
    thickness: int = 2,
    font_size: float = 0.8,
    show: bool = True,
    win_name: str = "win",
    wait_time: int = 2000,
    out_file: str | None = None,
) -> np.ndarray:
    """Draw detected objects on an image, and show it or write it to a file; gives the drawing (H, W, C) in BGR.

    Args:
        image: uint8, (H, W, 3) or (3, H, W) in RGB; it is not changed.
        bboxes: (n, 4) (x, y, width, height), or (n, 5) with a score.
        labels: (n, 1), the number of each object's class.
        segm: (m, H, W), the pixels of masks, one for each object or fewer.
        class_names: Names of the classes; default: their numbers.
        score_threshold: Objects with a lower score are left out.
        bbox_color, text_color, mask_color: (B, G, R).
        thickness, font_size: Of lines and text.
        show: Open a window of the name `win_name`, for `wait_time` ms (0: until a key is pressed).
        out_file: Where to write the drawing.
    """
    owner = "imshow_det_bbox"
    _check_objects(owner, image, bboxes, labels, segm, class_names)
    for name, color in [
        ("bbox_color", bbox_color),
        ("text_color", text_color),
        ("mask_color", mask_color),
    ]:
        if not isinstance(color, tuple) or len(color) != 3:
            raise check.fail(TypeError, owner, name, "a tuple (B, G, R)", color)
    check.optional(check.string, owner, "out_file", out_file)
    if not check.boolean(owner, "show", show) and out_file is None:
        raise check.fail(ValueError, owner, "out_file", "given, or 'show' True", out_file)
    cv2: Any = importlib.import_module("cv2")  # an image library, which other programs do without
    pixels = image if image.shape[-1] == 3 else image.transpose(1, 2, 0)
    drawing = np.ascontiguousarray(pixels[..., ::-1])
    for number, box in enumerate(bboxes.tolist()):
        if len(box) == 5 and box[4] < score_threshold:
            continue
        if segm is not None and number < len(segm):
            mask = segm[number].astype(bool)
            drawing[mask] = (drawing[mask] * 0.5 + np.array(mask_color) * 0.5).astype(np.uint8)
        x, y, width, height = (int(value) for value in box[:4])
        cv2.rectangle(drawing, (x, y), (x + width, y + height), bbox_color, thickness)
        label = int(labels[number, 0])
        text = str(label) if class_names is None else class_names[label]
        text += f" {box[4]:.02f}" if len(box) == 5 else ""
        cv2.putText(drawing, text, (x, y - 2), cv2.FONT_HERSHEY_COMPLEX, font_size, text_color)
    if out_file is not None:
        _written(owner, cv2, out_file, drawing)
    if show:
        cv2.imshow(win_name, drawing)
        cv2.waitKey(wait_time)
    return drawing


def _written(owner: str, cv2: Any, path: str, drawing: np.ndarray) -> None:
    """Write a drawing in the format that the end of its name says, whole or not at all."""
    try:
        content = cv2.imencode(os.path.splitext(path)[1] or ".", drawing)[1].tobytes()
        with atomic(os.path.realpath(path), None) as file:
            file.write(content)
    except cv2.error:
        raise PipelineError(
            f"For '{owner}', the drawing cannot be written to '{path}': its end is that of no format."
        ) from None
    except OSError as error:
        raise PipelineError(
            f"For '{owner}', the drawing cannot be written to '{path}': {error.strerror}."
        ) from None


def _check_objects(
    owner: str, image: Any, bboxes: Any, labels: Any, segm: Any, class_names: Any
) -> None:
    arrays = [("image", image, 3), ("bboxes", bboxes, 2), ("labels", labels, 2)]
    for name, array, axes in arrays if segm is None else [*arrays, ("segm", segm, 3)]:
        if check.instance(owner, name, array, np.ndarray).ndim != axes:
            raise check.fail(ValueError, owner, name, f"an array with {axes} axes", array.shape)
    if image.dtype != np.uint8 or 3 not in (image.shape[0], image.shape[-1]):
        raise check.fail(ValueError, owner, "image", "uint8 with three channels", image.shape)
    if bboxes.shape[1] not in (4, 5):
        raise check.fail(ValueError, owner, "bboxes", "of shape (n, 4) or (n, 5)", bboxes.shape)
    if labels.shape != (len(bboxes), 1):
        raise check.fail(ValueError, owner, "labels", f"of shape ({len(bboxes)}, 1)", labels.shape)
    check.optional(check.instance, owner, "class_names", class_names, (list, tuple, dict))
    most = int(labels.max(initial=-1))
    if isinstance(class_names, (list, tuple)) and len(class_names) <= most:
        raise check.fail(ValueError, owner, "class_names", f"more than {most} names", class_names)
