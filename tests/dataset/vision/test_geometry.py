from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

import mindspore.dataset as ds
from mindspore.dataset import vision
from mindspore.dataset.vision import Border, Inter

RNG = np.random.default_rng(0)
IMAGE = RNG.integers(0, 256, (12, 16, 3), np.uint8)
PICTURE = Image.fromarray(IMAGE)
RAMP = np.tile(np.arange(16, dtype=np.float32)[None, :, None], (12, 1, 1)) * 10


def test_scaling_a_ramp_gives_a_ramp():
    half = vision.Resize((6, 8))(RAMP)
    np.testing.assert_allclose(half[0, 1:-1, 0], np.arange(8)[1:-1] * 20 + 5, rtol=1e-5)


def test_one_number_is_the_length_of_the_shorter_side():
    assert vision.Resize(6)(IMAGE).shape == (6, 8, 3)
    assert vision.Resize(6)(PICTURE).size == (8, 6)
    assert vision.Resize((5, 7), Inter.NEAREST)(IMAGE[..., 0]).shape == (5, 7)
    assert vision.Resize((5, 7))(IMAGE[..., :1]).shape == (5, 7, 1)


def test_pictures_stay_pictures_and_arrays_stay_arrays():
    for transform in (vision.Resize(6), vision.CenterCrop(6), vision.Pad(2), vision.RandomCrop(6)):
        assert isinstance(transform(PICTURE), Image.Image)
        assert isinstance(transform(IMAGE), np.ndarray)


def test_crops_are_parts():
    assert (vision.Crop((1, 2), (4, 5))(IMAGE) == IMAGE[1:5, 2:7]).all()
    assert (vision.CenterCrop((4, 6))(IMAGE) == IMAGE[4:8, 5:11]).all()
    assert (np.asarray(vision.CenterCrop(4)(PICTURE)) == IMAGE[4:8, 6:10]).all()
    larger = vision.CenterCrop((14, 16))(IMAGE)
    assert (larger[1:13] == IMAGE).all()
    assert not larger[[0, 13]].any()
    with pytest.raises(RuntimeError, match="must lie within the image"):
        vision.Crop((8, 0), 6)(IMAGE)


@pytest.mark.parametrize(
    ("border", "numpy_mode"),
    [(Border.EDGE, "edge"), (Border.REFLECT, "reflect"), (Border.SYMMETRIC, "symmetric")],
)
def test_margins_are_filled_as_asked(border, numpy_mode):
    wanted = np.pad(IMAGE, ((2, 4), (1, 3), (0, 0)), numpy_mode)
    assert (vision.Pad((1, 2, 3, 4), padding_mode=border)(IMAGE) == wanted).all()
    assert (np.asarray(vision.Pad((1, 2, 3, 4), padding_mode=border)(PICTURE)) == wanted).all()


def test_a_colour_fills_margins_by_channel():
    padded = vision.Pad(1, (1, 2, 3))(IMAGE)
    assert padded[0, 0].tolist() == [1, 2, 3]
    assert (padded[1:-1, 1:-1] == IMAGE).all()


def test_flips_mirror():
    assert (vision.HorizontalFlip()(IMAGE) == IMAGE[:, ::-1]).all()
    assert (vision.VerticalFlip()(IMAGE) == IMAGE[::-1]).all()
    assert (vision.RandomHorizontalFlip(1.0)(IMAGE) == IMAGE[:, ::-1]).all()
    assert (vision.RandomVerticalFlip(0.0)(IMAGE) == IMAGE).all()


def test_quarter_turns_are_exact_and_expansion_holds_all():
    square = IMAGE[:, :12]
    assert (vision.Rotate(90)(square) == np.rot90(square)).all()
    assert (vision.Rotate(90, expand=True)(IMAGE) == np.rot90(IMAGE)).all()


def test_an_affine_shift_moves_pixels():
    moved = vision.Affine(0, (0.25, 0.0), 1.0, 0)(IMAGE)
    assert (moved[:, 4:] == IMAGE[:, :-4]).all()
    assert not moved[:, :4].any()


def test_a_perspective_that_moves_nothing_changes_nothing():
    corners = [[0, 0], [15, 0], [15, 11], [0, 11]]
    assert (vision.Perspective(corners, corners, Inter.NEAREST)(IMAGE) == IMAGE).all()


def test_random_crops_are_parts_of_the_padded_image():
    padded = np.pad(IMAGE, ((2, 2), (2, 2), (0, 0)))
    windows = {padded[i : i + 12, j : j + 16].tobytes() for i in range(5) for j in range(5)}
    crops = {vision.RandomCrop((12, 16), 2)(IMAGE).tobytes() for _ in range(60)}
    assert crops <= windows
    assert len(crops) > 10
    with pytest.raises(RuntimeError, match="pad_if_needed"):
        vision.RandomCrop(20)(IMAGE)


def test_random_parts_have_the_wanted_area_and_shape():
    transform = vision.RandomResizedCrop(8, (0.2, 0.5), (0.5, 2.0))
    for _ in range(100):
        top, left, height, width = transform.part(100, 100)
        assert 0.18 <= height * width / 1e4 <= 0.53
        assert 0.48 <= width / height <= 2.1
        assert top + height <= 100
        assert left + width <= 100
    assert transform(IMAGE).shape == (8, 8, 3)


def test_stacks_of_images_transform_as_single_ones():
    images = RNG.integers(0, 256, (70, 12, 16, 3), np.uint8)
    chain = [
        vision.Resize((6, 8)),
        vision.CenterCrop(5),
        vision.HorizontalFlip(),
        vision.Normalize([1.0] * 3, [2.0] * 3),
        vision.HWC2CHW(),
    ]
    data = ds.NumpySlicesDataset({"x": images}, shuffle=False).map(chain, "x")
    found = [x for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    for image, result in zip(images, found, strict=True):
        for transform in chain:
            image = transform(image)
        np.testing.assert_array_equal(result, image)


def test_random_stacks_draw_for_every_image():
    images = np.tile(IMAGE, (200, 1, 1, 1))
    data = ds.NumpySlicesDataset({"x": images}, shuffle=False).map(
        [vision.RandomHorizontalFlip(), vision.RandomCrop(11)], "x"
    )
    kinds = {x.tobytes() for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)}
    assert len(kinds) == 2 * 2 * 6


def test_patches_cover_the_image():
    patches = vision.SlicePatches(2, 2)(IMAGE)
    assert (patches[3] == IMAGE[6:, 8:]).all()
    assert len(patches) == 4


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: vision.Resize(0), ValueError),
        (lambda: vision.Resize("5"), TypeError),
        (lambda: vision.Resize((3, 3, 3)), TypeError),
        (lambda: vision.Resize(3, "linear"), TypeError),
        (lambda: vision.Pad(-1), ValueError),
        (lambda: vision.RandomHorizontalFlip(1.5), ValueError),
        (lambda: vision.RandomResizedCrop(3, (1.0, 0.5)), ValueError),
        (lambda: vision.Rotate("a"), TypeError),
    ],
)
def test_wrong_arguments_are_refused_at_once(make, error):
    with pytest.raises(error, match=r"^For '"):
        make()


def test_batches_of_images_are_scaled_and_turned_one_by_one():
    batch = np.stack([IMAGE, IMAGE[::-1]])
    for transform in (vision.Resize(6), vision.Rotate(30), vision.CenterCrop(5)):
        results = transform(batch)
        for image, result in zip(batch, results, strict=True):
            assert (result == transform(image)).all()


def test_what_is_no_image_is_refused():
    vector = np.arange(10, dtype=np.uint8)
    for transform in (
        vision.Resize(6),
        vision.Pad(1),
        vision.Crop((0, 0), 2),
        vision.HorizontalFlip(),
    ):
        with pytest.raises(RuntimeError, match="axes"):
            transform(vector)
        with pytest.raises(TypeError, match="array of numbers"):
            transform("text")
    with pytest.raises(RuntimeError, match="1 or 3 channels"):
        vision.Pad(1)(IMAGE.transpose(2, 0, 1))
    with pytest.raises(RuntimeError, match="cannot transform int32"):
        vision.Rotate(30, Inter.BILINEAR)(IMAGE.astype(np.int32))


def test_images_given_together_are_cropped_alike():
    first, second = vision.RandomCrop(5)(IMAGE, IMAGE + 1)
    assert (second == first + 1).all()
    with pytest.raises(RuntimeError, match="one size"):
        vision.RandomCrop(5)(IMAGE, IMAGE[1:])


def test_columns_of_a_pipeline_are_cropped_alike():
    rows = ds.NumpySlicesDataset({"a": IMAGE[None], "b": IMAGE[None]}, shuffle=False)
    rows = rows.map(vision.RandomCrop(5), ["a", "b"])
    (row,) = rows.create_dict_iterator(num_epochs=1, output_numpy=True)
    assert (row["a"] == row["b"]).all()
    assert row["a"].shape == (5, 5, 3)


def test_one_number_makes_a_square_of_a_part():
    assert vision.ResizedCrop(1, 2, 6, 8, 7)(IMAGE).shape == (7, 7, 3)


def test_parts_that_fit_just_so_are_taken_and_those_without_extent_are_not():
    whole = vision.RandomResizedCrop(3, (1.0, 1.0), (1.0, 1.0))
    assert {whole.part(9, 9) for _ in range(20)} == {(0, 0, 9, 9)}
    assert whole._drawn(9, 9, 0.3, 0.3, 0.99, 0.99) == (0, 0, 9, 9)
    assert whole._drawn(4, 9, 0.0, 0.0, 0.0, 0.0) is None            # 6 rows of 4
    assert whole._drawn(9, 4, 0.0, 0.0, 0.0, 0.0) is None
    wide = vision.RandomResizedCrop(3, (1.0, 1.0), (2.25, 2.25))
    assert wide._drawn(4, 9, 0.0, 0.0, 0.5, 0.5) == (0, 0, 4, 9)
    least = vision.RandomResizedCrop(3, (0.0, 1e-6), (1.0, 1.0))
    assert least._drawn(9, 9, 0.0, 0.0, 0.0, 0.0) is None
    assert least.part(9, 7) == (1, 0, 7, 7)                          # after all attempts the middle
    part = vision.RandomResizedCrop(3, (0.25, 0.25), (1.0, 1.0))
    assert part._drawn(8, 8, 0.0, 0.0, 0.999, 0.0) == (4, 0, 4, 4)
    assert part._drawn(8, 8, 0.0, 0.0, 0.0, 0.999) == (0, 4, 4, 4)


@pytest.mark.parametrize(("extent", "ratio", "wanted"), [
    ((8, 20), (1.0, 1.5), (0, 4, 8, 12)), ((20, 8), (0.5, 1.5), (2, 0, 16, 8)), ((9, 12), (0.5, 2.0), (0, 0, 9, 12)),
    ((1, 20), (0.01, 0.02), (0, 9, 1, 1)), ((20, 1), (3.0, 4.0), (9, 0, 1, 1))])
def test_the_middle_is_the_largest_part_of_an_allowed_shape(extent, ratio, wanted):
    assert vision.RandomResizedCrop(3, (0.5, 1.0), ratio)._middle(*extent) == wanted


@pytest.mark.parametrize("name", ["translate", "shear"])
@pytest.mark.parametrize("count", [1, 3, 5])
def test_ranges_of_a_map_are_two_or_four_numbers(name, count):
    with pytest.raises(TypeError, match=name):
        vision.RandomAffine(10, **{name: (0.0,) * count})
