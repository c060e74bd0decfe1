"""Random parts of images: where they lie, how large they are, and by which way they are computed."""
from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

import mindspore.dataset as ds
from mindspore.dataset import vision
from mindspore.dataset.vision import Border, Inter

IMAGE = np.arange(8 * 11 * 3, dtype=np.uint8).reshape(8, 11, 3)          # every pixel differs, extents do, too
MODES = {Border.CONSTANT: "constant", Border.EDGE: "edge", Border.REFLECT: "reflect", Border.SYMMETRIC: "symmetric"}


def called(operation, count):
    return [operation(IMAGE) for _ in range(count)]


def drawn(operation, count):
    return [np.asarray(operation(Image.fromarray(IMAGE))) for _ in range(count)]


def mapped(operation, count):
    data = ds.NumpySlicesDataset(np.stack([IMAGE] * count), ["x"], shuffle=False).map(operation, "x")
    return [row for (row,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def places(parts, whole):
    """Where the parts lie in the whole image."""
    found = set()
    for part in parts:
        height, width = part.shape[:2]
        spots = [(i, j) for i in range(whole.shape[0] - height + 1) for j in range(whole.shape[1] - width + 1)
                 if (whole[i : i + height, j : j + width] == part).all()]
        assert spots, part.shape
        found |= set(spots[:1]) if len(spots) == 1 else set()
    return found


@pytest.mark.parametrize("way", [called, drawn, mapped])
@pytest.mark.parametrize("mode", MODES, ids=MODES.values())
@pytest.mark.parametrize(("padding", "needed", "size", "margins"), [
    ((1, 2, 3, 0), False, (9, 13), ((2, 0), (1, 3))),                    # left, top, right, bottom
    ((2, 3), False, (10, 12), ((3, 3), (2, 2))),
    (1, False, (4, 12), ((1, 1), (1, 1))),
    (None, True, (10, 9), ((2, 2), (0, 0))),                             # what is missing comes at both sides
    ((0, 1, 2, 0), True, (10, 15), ((2, 1), (2, 4))),
])
def test_parts_lie_anywhere_in_the_image_with_its_margins(way, mode, padding, needed, size, margins):
    operation = vision.RandomCrop(size, padding, needed, 7, mode)
    fill = {"constant_values": 7} if mode is Border.CONSTANT else {}
    whole = np.pad(IMAGE, (*margins, (0, 0)), MODES[mode], **fill)
    found = places(way(operation, 60), whole)
    down, across = whole.shape[0] - size[0], whole.shape[1] - size[1]
    assert {i for i, _ in found} >= {0, down}
    assert {j for _, j in found} >= {0, across}


@pytest.mark.parametrize("way", [called, drawn, mapped])
def test_an_image_without_room_is_refused(way):
    for size in ((9, 5), (5, 12)):
        with pytest.raises((RuntimeError, ValueError), match="RandomCrop"):
            way(vision.RandomCrop(size), 1)


def test_the_shape_of_parts_is_drawn_evenly_in_its_logarithm():
    operation = vision.RandomResizedCrop(4, (0.01, 0.04), (0.25, 4.0))
    parts = np.array([operation.part(1000, 1000) for _ in range(400)])
    shapes, areas = parts[:, 3] / parts[:, 2], parts[:, 2] * parts[:, 3] / 1e6
    assert abs((shapes < 1).mean() - 0.5) < 0.1                          # evenly: 20 %
    assert (shapes > 0.249).all()
    assert (shapes < 4.02).all()
    assert abs((areas < 0.025).mean() - 0.5) < 0.1
    for axis, length in ((0, 1000), (1, 1000)):
        room = parts[:, axis] / (length - parts[:, axis + 2])
        assert abs(room.mean() - 0.5) < 0.06
        assert room.max() <= 1


@pytest.mark.parametrize("way", [called, drawn, mapped])
@pytest.mark.parametrize("attempts", [1, 3, 13])
def test_so_many_parts_are_tried_before_the_middle_is_taken(way, attempts, monkeypatch):
    tried = []
    monkeypatch.setattr(vision.RandomResizedCrop, "_drawn", lambda self, *args: tried.append(args))
    operation = vision.RandomResizedCrop((5, 9), ratio=(2.0, 2.0), max_attempts=attempts)
    found, = way(operation, 1)
    middle = vision.Resize((5, 9))(Image.fromarray(IMAGE[1:7]) if way is drawn else np.ascontiguousarray(IMAGE[1:7]))
    assert len(tried) == attempts
    np.testing.assert_array_equal(found, np.asarray(middle))             # 11 x 6 of 11 x 8


def test_a_part_of_the_wanted_size_is_not_scaled_and_one_channel_stays_one():
    image = IMAGE[:, :, :1]
    operation = vision.RandomResizedCrop((8, 11), (1.0, 1.0), (1.375, 1.375))
    data = ds.NumpySlicesDataset(np.stack([image] * 3), ["x"], shuffle=False).map(operation, "x")
    for row, in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
        np.testing.assert_array_equal(row, image)


def test_images_of_a_batch_have_one_part():
    batch = np.stack([IMAGE, IMAGE, IMAGE[::-1]])
    found = vision.RandomResizedCrop((3, 4), (0.2, 0.4))(batch)
    assert found.shape == (3, 3, 4, 3)
    np.testing.assert_array_equal(found[0], found[1])
    assert (found[2] != found[0]).any()
    more = np.stack([batch, batch + 1])
    np.testing.assert_array_equal(vision.RandomResizedCrop((8, 11), (1.0, 1.0), (1.375, 1.375))(more), more)


@pytest.mark.parametrize("way", [called, mapped])
@pytest.mark.parametrize("size", [5, (5, 9)])
def test_a_random_interpolation_is_one_of_three(way, size):
    found = {part.tobytes() for part in way(vision.RandomResize(size), 60)}
    wanted = {vision.Resize(size, inter)(IMAGE).tobytes() for inter in (Inter.NEAREST, Inter.BILINEAR, Inter.BICUBIC)}
    assert found == wanted
    assert len(wanted) == 3


def test_boxes_are_scaled_by_a_random_interpolation_too():
    boxes = np.array([[1, 2, 3, 4]], np.float32)
    pairs = [vision.RandomResizeWithBBox((16, 33))(IMAGE, boxes) for _ in range(60)]
    assert {image.tobytes() for image, _ in pairs} == {
        vision.Resize((16, 33), inter)(IMAGE).tobytes() for inter in (Inter.NEAREST, Inter.BILINEAR, Inter.BICUBIC)}
    assert {str(box.tolist()) for _, box in pairs} == {"[[3.0, 4.0, 9.0, 8.0]]"}


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_a_hole_is_centred_at_a_pixel_of_the_image(length):
    image = np.ones((6, 9, 3), np.uint8)
    found = [vision.CutOut(length)(image)[..., 0] == 0 for _ in range(300)]
    extents = {(int(hole.any(1).sum()), int(hole.any(0).sum())) for hole in found}
    assert (length, length) in extents
    assert max(extents) == (length, length)
    seen = sum([hole.astype(int) for hole in found])
    assert (seen > 0).all()                                              # every pixel is lost at times
    before = {(int(np.flatnonzero(h.any(1))[0]), int(np.flatnonzero(h.any(0))[0])) for h in found}
    assert max(i for i, _ in before) == 5 - length // 2
    assert max(j for _, j in before) == 8 - length // 2
    planes = vision.CutOut(length, is_hwc=False)(np.ones((3, 6, 9), np.uint8))
    assert planes.shape == (3, 6, 9)
    assert (planes == planes[:1]).all()
    assert (planes == 0).any()


def test_several_holes_are_cut_one_by_one():
    image = np.ones((40, 60, 3), np.uint8)
    sizes = [int((vision.CutOut(1, 5)(image)[..., 0] == 0).sum()) for _ in range(20)]
    assert max(sizes) == 5
