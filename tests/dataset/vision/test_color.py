from __future__ import annotations

import colorsys

import numpy as np
import pytest

pytest.importorskip("cv2")

from PIL import Image, ImageOps

from mindspore.dataset import vision

RNG = np.random.default_rng(1)
IMAGE = RNG.integers(0, 256, (12, 16, 3), np.uint8)
PICTURE = Image.fromarray(IMAGE)


def close(got, wanted, levels=1):
    assert np.abs(np.asarray(got, np.int64) - np.asarray(wanted, np.int64)).max() <= levels


def test_brightness_multiplies_levels():
    close(vision.AdjustBrightness(0.5)(IMAGE), IMAGE * 0.5)
    close(vision.AdjustBrightness(2.0)(IMAGE), np.clip(IMAGE * 2.0, 0, 255))


def test_contrast_and_saturation_of_zero_are_grey():
    grey = IMAGE @ [0.299, 0.587, 0.114]
    close(vision.AdjustContrast(0.0)(IMAGE), np.full(IMAGE.shape, grey.mean()))
    close(vision.AdjustSaturation(0.0)(IMAGE), np.repeat(grey[..., None], 3, -1))


@pytest.mark.parametrize("name", ["AdjustBrightness", "AdjustContrast", "AdjustSaturation"])
def test_arrays_and_pictures_agree(name):
    transform = getattr(vision, name)(1.6)
    close(transform(IMAGE), transform(PICTURE))


@pytest.mark.parametrize("factor", [-0.3, 0.0, 0.25])
def test_hues_turn_around(factor):
    turned = vision.AdjustHue(factor)(IMAGE)
    for pixel, result in zip(IMAGE.reshape(-1, 3)[:40], turned.reshape(-1, 3), strict=False):
        hue, saturation, value = colorsys.rgb_to_hsv(*(pixel / 255))
        wanted = np.array(colorsys.hsv_to_rgb((hue + factor) % 1, saturation, value)) * 255
        # a hue has 256 levels, of six colour levels each: half of one is lost in rounding it, one in the factor
        assert np.abs(result - wanted).max() <= 1.5 * 6 + 1


def test_hsv_and_back_is_the_identity_and_agrees_with_colorsys():
    values = IMAGE / 255.0
    hsv = vision.RgbToHsv(True)(values)
    np.testing.assert_allclose(hsv[0, 0], colorsys.rgb_to_hsv(*values[0, 0]), atol=1e-12)
    np.testing.assert_allclose(vision.HsvToRgb(True)(hsv), values, atol=1e-12)


def test_tables_of_levels():
    assert (vision.Invert()(IMAGE) == 255 - IMAGE).all()
    assert (vision.Posterize(3)(IMAGE) == IMAGE // 32 * 32).all()
    assert (vision.Solarize(128)(IMAGE) == np.asarray(ImageOps.solarize(PICTURE, 128))).all()
    close(vision.AdjustGamma(2.0)(IMAGE), (IMAGE / 255.0) ** 2 * 255)
    close(vision.AutoContrast(10.0)(IMAGE), ImageOps.autocontrast(PICTURE, 10))


def test_statistics_and_layout():
    mean, std = [120.0, 110.0, 100.0], [70.0, 60.0, 50.0]
    wanted = (IMAGE - np.array(mean)) / std
    np.testing.assert_allclose(vision.Normalize(mean, std)(IMAGE), wanted, atol=1e-5)
    planes = IMAGE.transpose(2, 0, 1)
    np.testing.assert_allclose(
        vision.Normalize(mean, std, is_hwc=False)(planes), wanted.transpose(2, 0, 1), atol=1e-5
    )
    assert (vision.HWC2CHW()(IMAGE) == planes).all()
    np.testing.assert_allclose(vision.ToTensor()(PICTURE), planes / 255, atol=1e-6)
    np.testing.assert_allclose(vision.Rescale(2.0, 1.0)(IMAGE), IMAGE * 2.0 + 1)
    assert vision.ToTensor(np.float16)(IMAGE).dtype == np.float16
    with pytest.raises(RuntimeError, match="as many channels as 'mean'"):
        vision.Normalize([1.0, 2.0], [1.0, 1.0])(IMAGE)


def test_the_former_python_flavour_normalises_planes():
    from mindspore.dataset.vision import former_py

    planes = former_py.Normalize([0.5, 0.4, 0.3], [0.2] * 3)(vision.ToTensor()(IMAGE))
    np.testing.assert_allclose(planes[1], (IMAGE[..., 1] / 255 - 0.4) / 0.2, atol=1e-5)


def test_pictures_decode_from_what_was_encoded():
    png = vision.encode_png(IMAGE)
    assert (vision.Decode()(png) == IMAGE).all()
    assert (np.asarray(vision.Decode(to_pil=True)(png)) == IMAGE).all()
    smooth = np.tile(np.arange(0, 128, 8, dtype=np.uint8)[None, :, None], (12, 1, 3))
    close(vision.Decode()(vision.encode_jpeg(smooth, 100)), smooth, levels=3)
    assert vision.RandomCropDecodeResize(5)(png).shape == (5, 5, 3)
    with pytest.raises(RuntimeError, match="known format"):
        vision.Decode()(np.zeros(10, np.uint8))
    with pytest.raises(TypeError, match="vector of uint8"):
        vision.Decode()(IMAGE)


def test_files_hold_what_was_written(tmp_path):
    path = str(tmp_path / "x.png")
    vision.write_png(path, IMAGE)
    assert (vision.read_image(path) == IMAGE).all()
    assert vision.read_image(path, vision.ImageReadMode.GRAYSCALE).shape == (12, 16, 1)
    assert (vision.read_file(path) == np.fromfile(path, np.uint8)).all()
    with pytest.raises(RuntimeError, match="does not exist"):
        vision.read_image(str(tmp_path / "none.png"))


def test_random_colours_stay_within_their_ranges():
    fixed = vision.RandomColorAdjust(brightness=(0.5, 0.5))
    close(fixed(IMAGE), IMAGE * 0.5)
    results = {vision.RandomColorAdjust(0.4, 0.4, 0.4, 0.1)(IMAGE).tobytes() for _ in range(10)}
    assert len(results) == 10


@pytest.mark.parametrize("name", ["AutoAugment", "RandAugment", "TrivialAugmentWide"])
def test_augmentation_keeps_size_and_type(name):
    transform = getattr(vision, name)()
    for _ in range(40):
        result = transform(IMAGE)
        assert result.shape == IMAGE.shape
        assert result.dtype == np.uint8


def test_boxes_follow_the_image():
    boxes = np.array([[2, 3, 4, 5]], np.float32)
    _, flipped = vision.RandomHorizontalFlipWithBBox(1.0)(IMAGE, boxes)
    assert flipped.tolist() == [[10, 3, 4, 5]]
    _, scaled = vision.ResizeWithBBox((24, 32))(IMAGE, boxes)
    assert scaled.tolist() == [[4, 6, 8, 10]]
    image, cut = vision.RandomCropWithBBox((12, 16))(IMAGE, boxes)
    assert (image == IMAGE).all()
    assert cut.tolist() == boxes.tolist()
    with pytest.raises(RuntimeError, match="within the image"):
        vision.RandomVerticalFlipWithBBox(1.0)(IMAGE, boxes * 5)


def test_mixing_keeps_the_sum_of_the_labels():
    images, labels = np.stack([IMAGE] * 4), np.eye(4, dtype=np.float32)
    mixed, shares = vision.MixUpBatch(1.0)(images, labels)
    assert mixed.shape == images.shape
    np.testing.assert_allclose(shares.sum(1), 1, rtol=1e-6)
    cut, shares = vision.CutMixBatch(vision.ImageBatchFormat.NHWC)(images, labels)
    assert (cut == images).all()  # all images are equal
    np.testing.assert_allclose(shares.sum(1), 1, rtol=1e-6)


def test_the_gain_of_floats_goes_into_the_power_and_wide_integers_are_levels():
    values = np.array([[0.1, 0.25, 0.5]])
    bright = vision.AdjustGamma(0.7, 1.2)(values)  # observed: MindSpore 2.10
    assert bright.dtype == np.float32
    np.testing.assert_allclose(bright, (values * 1.2) ** 0.7, rtol=1e-6)
    levels = np.array([[50, 128]], np.int32)
    wanted = np.rint((levels / 255) ** 0.7 * 1.2 * 255)
    assert (vision.AdjustGamma(0.7, 1.2)(levels) == wanted).all()


def test_integers_are_rounded_and_cut_to_their_range():
    levels = np.array([[[1, 3, 255], [256, -300, 30000]]], np.int16)
    wanted = [[[1, 4, 357], [358, -420, 32767]]]  # observed: MindSpore 2.10
    assert vision.AdjustBrightness(1.4)(levels).tolist() == wanted


def test_a_cutoff_counts_whole_percents():
    ramp = np.arange(256, dtype=np.uint8).reshape(16, 16)
    assert (vision.AutoContrast(1.5)(ramp) == vision.AutoContrast(1)(ramp)).all()


@pytest.mark.parametrize("value", [5, "text", [[1, 2], [3, 4]], None, np.array(["a"])])
def test_an_input_that_is_no_image_is_a_wrong_type_and_an_error_of_the_pipeline(value):
    for error in (TypeError, RuntimeError):
        with pytest.raises(error, match="image"):
            vision.Invert()(value)


def test_levels_are_rounded_as_single_precision_rounds_them():
    level = np.full((1, 1, 3), 95, np.uint8)  # 95 * 1.3 is 123.5, in single precision a little less
    assert vision.AdjustBrightness(1.3)(level).max() == 123  # observed: MindSpore 2.10
    assert vision.AdjustBrightness(0.3)(level).max() == 29
    assert vision.AdjustGamma(0.8)(np.full((1, 1), 6, np.uint8)) == 12  # floor(255.999 * 0.0498)
