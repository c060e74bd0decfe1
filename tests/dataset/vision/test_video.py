from __future__ import annotations

import sys
from fractions import Fraction

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset import vision

av = pytest.importorskip("av", reason="needs the extra 'video'")

RNG = np.random.default_rng(0)
FRAMES = RNG.integers(0, 256, (5, 16, 24, 3), np.uint8)
SOUND = RNG.integers(-999, 999, (2, 4000)).astype(np.int16)
EMPTY = np.zeros((1, 0), np.float32)


def write(path, frames=None, pixels="rgb24", sound=None, codec="rawvideo", size=(16, 24)):
    """A video of ten frames per second that keeps every value, with sound of 8000 samples per second."""
    with av.open(str(path), "w") as file:
        pictures = noise = None
        if frames is not None:
            pictures = file.add_stream(codec, rate=10)
            pictures.pix_fmt, (pictures.height, pictures.width) = pixels, size
        if sound is not None:
            layout = "mono" if len(sound) == 1 else "stereo"
            noise = file.add_stream("pcm_s16le", rate=8000, layout=layout)
        for frame in frames if frames is not None else ():
            file.mux(pictures.encode(av.VideoFrame.from_ndarray(frame, format=pixels)))
        if pictures is not None:
            file.mux(pictures.encode())
        if noise is not None:
            packed = np.ascontiguousarray(sound.T.reshape(1, -1))
            piece = av.AudioFrame.from_ndarray(packed, format="s16", layout=layout)
            piece.sample_rate = 8000
            file.mux(noise.encode(piece))
            file.mux(noise.encode())
    return str(path)


@pytest.fixture
def clip(tmp_path):
    return write(tmp_path / "clip.mov", FRAMES, sound=SOUND)


def test_frames_and_sound_come_as_they_were_written(clip):
    frames, sound, rates = vision.read_video(clip)
    np.testing.assert_array_equal(frames, FRAMES)
    np.testing.assert_array_equal(sound, SOUND)
    assert rates == {"video_fps": 10.0, "audio_fps": 8000}
    assert sound.dtype == np.int16


@pytest.mark.parametrize(
    ("start", "end", "unit", "first", "last"),  # observed: MindSpore 2.10
    [
        (0.1, 0.3, "sec", 1, 3),
        (Fraction(1, 10), None, "sec", 1, 4),
        (0.20001, 0.39999, "sec", 2, 4),  # to the nearest unit of the stream, 10240 a second
        (0.29991, 0.40009, "sec", 3, 4),
        (1024, 2048, "pts", 1, 2),
        (1024.7, 2048.2, "pts", 2, 2),
        (1023.5, 2047.4, "pts", 1, 1),
        (0, float("inf"), "sec", 0, 4),
    ],
)
def test_a_part_has_the_frames_from_start_to_end_and_their_sound(
    clip, start, end, unit, first, last
):
    frames, sound, _ = vision.read_video(clip, start, end, unit)
    np.testing.assert_array_equal(frames, FRAMES[first : last + 1])
    np.testing.assert_array_equal(sound, SOUND[:, 800 * first : 800 * (last + 1)])


def test_a_part_without_frames_is_empty(clip):
    frames, sound, _ = vision.read_video(clip, 0.15, 0.15, "sec")
    assert frames.shape == (0, 16, 24, 3)
    assert sound.shape == (2, 0)


def test_colours_are_those_of_the_original(tmp_path):
    # observed: MindSpore 2.10
    colours = {
        (16, 128, 128): (0, 0, 0),
        (235, 128, 128): (253, 253, 253),
        (81, 90, 240): (252, 0, 0),
        (145, 54, 34): (0, 254, 0),
        (41, 240, 110): (0, 0, 253),
        (100, 100, 200): (211, 49, 40),
        (200, 30, 77): (131, 255, 15),
        (128, 128, 128): (129, 129, 129),
    }
    planes = np.zeros((len(colours), 24, 16), np.uint8)
    for plane, (y, u, v) in zip(planes, colours, strict=True):
        plane[:16], plane[16:20], plane[20:] = y, u, v
    path = write(tmp_path / "colours.avi", planes, "yuv420p", size=(16, 16))
    frames, sound, rates = vision.read_video(path)
    expected = np.array(list(colours.values()), np.uint8)[:, None, None]
    np.testing.assert_array_equal(frames, np.broadcast_to(expected, frames.shape))
    np.testing.assert_array_equal(sound, EMPTY)
    assert rates == {"video_fps": 10.0}


def test_a_file_may_have_sound_only(tmp_path):
    path = write(tmp_path / "sound.mov", sound=SOUND[:1])
    frames, sound, rates = vision.read_video(path, 0.1, 0.2, "sec")
    assert frames.shape == (0, 1, 1, 3)
    np.testing.assert_array_equal(sound, SOUND[:1])
    assert rates == {"audio_fps": 8000}
    assert vision.read_video_timestamps(path) == ([], None)
    with pytest.raises(RuntimeError, match="a video stream"):
        vision.VideoDecoder(path)


def test_timestamps_are_times_of_frames(clip):
    assert vision.read_video_timestamps(clip) == ([0, 1024, 2048, 3072, 4096], 10.0)
    times, rate = vision.read_video_timestamps(clip, "sec")
    np.testing.assert_allclose(times, [0.0, 0.1, 0.2, 0.3, 0.4])
    assert rate == 10.0


@pytest.mark.skipif("libx264" not in av.codecs_available, reason="this PyAV has no H264 encoder")
def test_a_stream_without_times_is_numbered_by_its_rate(tmp_path):
    planes = np.full((5, 24, 16), 128, np.uint8)
    path = write(tmp_path / "plain.h264", planes, "yuv420p", codec="libx264", size=(16, 16))
    times, rate = vision.read_video_timestamps(path, "sec")
    assert rate == 10.0
    np.testing.assert_allclose(times, [0.0, 0.1, 0.2, 0.3, 0.4])


def test_a_decoder_gives_frames_by_number(clip):
    decoder = vision.VideoDecoder(clip)
    assert decoder.metadata == {
        "width": 24,
        "height": 16,
        "duration_seconds": 0.5,
        "num_frames": 5,
        "average_fps": 10.0,
    }
    np.testing.assert_array_equal(decoder.get_frames_at([3, 0, 3]), FRAMES[[3, 0, 3]])
    assert decoder.get_frames_at([]).shape == (0, 16, 24, 3)
    with pytest.raises(ValueError, match="from 0 to 4"):
        decoder.get_frames_at([5])
    with pytest.raises(TypeError, match="list"):
        decoder.get_frames_at((1,))
    with pytest.raises(TypeError, match="int"):
        decoder.get_frames_at([1.5])


def test_a_pipeline_decodes_the_bytes_of_videos(clip):
    data = ds.GeneratorDataset([(np.fromfile(clip, np.uint8),)], ["data"])
    data = data.map(vision.DecodeVideo(), ["data"], ["video", "audio"])
    (row,) = data.create_dict_iterator(num_epochs=1, output_numpy=True)
    np.testing.assert_array_equal(row["video"], FRAMES)
    np.testing.assert_array_equal(row["audio"], SOUND)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((3,), TypeError),
        (("clip", "a"), TypeError),
        (("clip", 0, "a"), TypeError),
        (("clip", 0, None, 3), TypeError),
        (("clip", 0, None, "ms"), ValueError),
        (("clip", -1), ValueError),
        (("clip", float("nan")), ValueError),
        (("clip", 3, 2), ValueError),
        (("missing",), ValueError),
        (("text",), RuntimeError),
    ],
)
def test_wrong_arguments_of_read_video_are_refused(clip, tmp_path, arguments, error):
    (tmp_path / "text").write_text("no video\n" * 9)
    paths = {"clip": clip, "missing": str(tmp_path / "none"), "text": str(tmp_path / "text")}
    with pytest.raises(error, match="For 'read_video'"):
        vision.read_video(paths.get(arguments[0], arguments[0]), *arguments[1:])


@pytest.mark.parametrize("arguments", [("none.mov",), ("clip.mov", "ms")])
def test_wrong_arguments_of_read_video_timestamps_are_refused(clip, tmp_path, arguments):
    with pytest.raises(RuntimeError, match="For 'read_video_timestamps'"):
        vision.read_video_timestamps(str(tmp_path / arguments[0]), *arguments[1:])


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (b"abc", TypeError),
        ([1, 2], TypeError),
        (np.zeros((2, 3), np.uint8), RuntimeError),
        (np.zeros(3, np.float32), RuntimeError),
        (np.zeros(0, np.uint8), RuntimeError),
        (np.zeros(10, np.uint8), RuntimeError),
    ],
)
def test_what_is_no_video_is_refused(value, error):
    with pytest.raises(error, match="For 'DecodeVideo'"):
        vision.DecodeVideo()(value)


def test_a_file_that_is_cut_off_is_refused_or_gives_what_is_there(clip):
    content = np.fromfile(clip, np.uint8)
    with pytest.raises(RuntimeError, match="a video that FFmpeg can decode"):
        vision.DecodeVideo()(
            content[: len(content) // 2]
        )  # the table of a MOV file is its last part


def test_without_the_package_the_error_says_what_to_install(clip, monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(ImportError, match=r"pip install 'anyspore\[video\]'"):
        vision.read_video(clip)


def test_frames_of_a_damaged_file_that_differ_in_size_are_told(clip, monkeypatch):
    from mindspore.dataset.vision import video

    sizes = iter([(16, 24), (8, 24), (16, 24)] * 2)
    monkeypatch.setattr(video, "_pixels", lambda frame: np.zeros((*next(sizes), 3), np.uint8))
    for call in (lambda: vision.read_video(clip, 0.1, 0.3, "sec"),
                 lambda: vision.VideoDecoder(clip).get_frames_at([1, 2, 3])):
        with pytest.raises(RuntimeError, match=r"clip.mov' .* but: its frames differ in size: 24 x 8, 24 x 16"):
            call()
