"""Videos: their frames, their sound, and when each frame is shown. Needs the package `av` (PyAV)."""

from __future__ import annotations

import io
import math
import os
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.transforms.base import TensorOperation

UNITS = ["pts", "sec"]
NEAREST_EXACT = (
    0x10 | 0x40000
)  # swscale: nearest chroma, exact rounding, the same on every processor

Clip = tuple[np.ndarray, np.ndarray, dict[str, Any]]


def read_video(
    filename: str, start_pts: Any = 0, end_pts: Any = None, pts_unit: str = "pts"
) -> Clip:
    """Frames, sound and rates of a video file, or of the part from `start_pts` to `end_pts`, both included.

    Args:
        filename: A file in any container and codec that FFmpeg reads: MP4, MOV, AVI, WMV, H264, H265, MKV ...
        start_pts: Time of the first frame.
        end_pts: Time of the last frame; None: to the end.
        pts_unit: Unit of these times: 'pts', the units of the stream, or 'sec'.

    Returns:
        Frames, uint8 (T, H, W, 3), RGB; sound, (C, L), in the type of the stream, the same share of the whole as the
        frames are; {'video_fps': float, 'audio_fps': int} for the streams that there are.

    Raises:
        TypeError: An argument has a wrong type.
        ValueError: There is no such file, `pts_unit` is unknown, or the times are not in order.
        RuntimeError: The file is no video that can be decoded.
        ImportError: The package `av` is missing.
    """
    check.string("read_video", "filename", filename)
    for name, value in (("start_pts", start_pts), ("end_pts", end_pts)):
        check.optional(check.instance, "read_video", name, value, (float, Fraction, int))
    check.option("read_video", "pts_unit", check.string("read_video", "pts_unit", pts_unit), UNITS)
    check.instance("read_video", "start_pts", start_pts, (float, Fraction, int))
    if not start_pts >= 0:
        raise check.fail(ValueError, "read_video", "start_pts", "at least 0", start_pts)
    if end_pts is not None and not end_pts >= start_pts:
        raise check.fail(ValueError, "read_video", "end_pts", f"at least {start_pts}", end_pts)
    path = check.file("read_video", "filename", filename)
    return _decoded("read_video", path, start_pts, end_pts, pts_unit)


def read_video_timestamps(filename: str, pts_unit: str = "pts") -> tuple[list[Any], float | None]:
    """When each frame of a video file is shown, and the frames per second; an empty list and None without frames.

    Args:
        filename: As for `read_video`.
        pts_unit: 'pts': integers in the units of the stream; 'sec': floats.

    Raises:
        TypeError: An argument has a wrong type.
        RuntimeError: There is no such file, it is no video, or `pts_unit` is unknown.
        ImportError: The package `av` is missing.
    """
    owner = "read_video_timestamps"
    check.string(owner, "filename", filename)
    if check.string(owner, "pts_unit", pts_unit) not in UNITS:
        raise check.fail(PipelineError, owner, "pts_unit", f"one of {UNITS}", pts_unit)
    if not os.path.isfile(filename):
        raise check.fail(PipelineError, owner, "filename", "a file that exists", filename)
    with _Opened(owner, filename) as opened:
        stream = opened.video
        if stream is None:
            return [], None
        times = opened.times()
        if pts_unit == "sec":
            return [float(time * stream.time_base) for time in times], opened.rate
        return times, opened.rate


class VideoDecoder:
    """The frames of a video file by their numbers.

    Args:
        source: Path of the file.

    Raises:
        TypeError: `source` is no str.
        ValueError: There is no such file, or it may not be read.
        RuntimeError: It is no video.
        ImportError: The package `av` is missing.
    """

    def __init__(self, source: str):
        check.string(self, "source", source)
        self._path = check.file(self, "source", source)
        with _Opened(self, self._path) as opened:
            stream = opened.video
            if stream is None:
                raise check.fail(
                    PipelineError, self, "source", "a file with a video stream", source
                )
            frames = stream.frames or len(opened.times())
            self._metadata = {
                "width": stream.width,
                "height": stream.height,
                "duration_seconds": opened.seconds(frames),
                "num_frames": frames,
                "average_fps": opened.rate,
            }

    @property
    def metadata(self) -> dict[str, Any]:
        """Width and height in pixels, duration in seconds, number of frames, frames per second."""
        return dict(self._metadata)

    def get_frames_at(self, indices: list[int]) -> np.ndarray:
        """The frames with these numbers, in this order: uint8 (T, H, W, 3), RGB.

        Raises:
            TypeError: `indices` is no list of ints.
            ValueError: A number is not that of a frame.
        """
        check.instance("get_frames_at", "indices", indices, list)
        count = self._metadata["num_frames"]
        for index in indices:
            check.integer("get_frames_at", "indices", index)
            if not 0 <= index < count:
                raise check.fail(
                    ValueError, "get_frames_at", "indices", f"numbers from 0 to {count - 1}", index
                )
        wanted = set(indices)
        found: dict[int, np.ndarray] = {}
        with _Opened(self, self._path) as opened:
            for number, frame in enumerate(opened.frames() if wanted else ()):
                if number in wanted:
                    found[number] = _pixels(frame)
                    if len(found) == len(wanted):
                        break
        missing = sorted(wanted - set(found))
        if missing:
            raise PipelineError(
                f"For 'get_frames_at', the frames {missing} of '{self._path}' cannot be decoded: the file ends before."
            )
        shape = (0, self._metadata["height"], self._metadata["width"], 3)
        return opened.stacked([found[i] for i in indices]) if indices else np.zeros(shape, np.uint8)


class DecodeVideo(TensorOperation):
    """The bytes of a video file as frames, uint8 (T, H, W, 3), and sound (C, L): two columns, as of `read_video`.

    Raises:
        TypeError: The input is no array.
        RuntimeError: It is not a vector of uint8, it is empty, or it is no video that can be decoded.
        ImportError: The package `av` is missing.
    """

    def checked(self, value: Any) -> np.ndarray:
        check.instance(self, "input", value, np.ndarray)
        if value.ndim != 1 or value.dtype != np.uint8 or not value.size:
            raise PipelineError(
                "For 'DecodeVideo', the input must be a vector of uint8, not empty, but got "
                f"{value.dtype}{list(value.shape)}."
            )
        return value

    def apply(self, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        frames, sound, _ = _decoded(self, io.BytesIO(value.tobytes()), 0, None, "pts")
        return frames, sound


def _av() -> Any:
    """The package that decodes videos, which not every program wants."""
    try:
        import av
    except ImportError:
        raise ImportError("Videos need the package 'av': pip install 'anyspore[video]'.") from None
    return av


class _Opened:
    """An open video, closed at the end of a `with`; errors of FFmpeg in it become PipelineError."""

    def __init__(self, owner: Any, source: Any):
        self._owner, self._source = check.name_of(owner), source
        self._name = f"file '{source}'" if isinstance(source, str) else "input"
        self._errors = _av().FFmpegError
        try:
            self._container = _av().open(source, metadata_errors="replace")
        except self._errors as error:
            raise self._failure(error) from None
        streams = self._container.streams
        for stream in (*streams.video, *streams.audio):
            if stream.codec_context is None:
                raise self._failure(f"its stream {stream.index} is of an unknown codec")
        self.video: Any = streams.video[0] if streams.video else None
        self.audio = streams.audio[0] if streams.audio else None

        if self.video is None and self.audio is None:
            raise self._failure("it has neither pictures nor sound")
        if self.video is not None:
            self._check_size()

    def _check_size(self) -> None:
        """Refuse frames that the file does not account for."""
        from mindspore.dataset.vision.codecs import check_size  # loads the image libraries

        length = self._container.size if self._container.size > 0 else 0
        try:
            check_size(self.video.width, self.video.height, length)
        except PipelineError as error:
            raise self._failure(error) from None

    def __enter__(self) -> _Opened:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        self._container.close()
        if error is not None and isinstance(error, self._errors):
            raise self._failure(error) from None

    def _failure(self, error: Any) -> PipelineError:
        return PipelineError(
            f"For '{self._owner}', the {self._name} must be a video that FFmpeg can decode, but: {error}."
        )

    def stacked(self, pictures: list[np.ndarray]) -> np.ndarray:
        """Frames along a new first axis.  PipelineError if a damaged file lets them differ in size."""
        sizes = {p.shape for p in pictures}
        if len(sizes) > 1:
            raise self._failure(f"its frames differ in size: {', '.join([f'{w} x {h}' for h, w, _ in sorted(sizes)])}")
        return np.stack(pictures)

    @property
    def rate(self) -> float:
        """Frames per second."""
        return float(self.video.guessed_rate or self.video.average_rate or 0)

    def seconds(self, frames: int) -> float:
        """How long the video is."""
        if self.video.duration is not None:
            return float(self.video.duration * self.video.time_base)
        if self._container.duration is not None:
            return self._container.duration / _av().time_base
        return frames / self.rate if self.rate else 0.0

    def frames(self) -> Iterator[Any]:
        """The frames of the video stream in the order in which they are shown."""
        self.video.thread_type = "AUTO"
        return self._container.decode(self.video)

    def everything(self) -> Iterator[Any]:
        """The frames of both streams, in the order of the file."""
        if self.video is not None:
            self.video.thread_type = "AUTO"
        return self._container.decode([s for s in (self.video, self.audio) if s is not None])

    def times(self) -> list[int]:
        """When each frame is shown, in units of the stream; without decoding where the file says it."""
        packets = [packet.pts for packet in self._container.demux(self.video) if packet.size]
        if None not in packets:
            return sorted(packets)
        with _Opened(self._owner, self._source) as again:
            return [again.time(i, frame) for i, frame in enumerate(again.frames())]

    def time(self, number: int, frame: Any) -> int:
        """When a frame is shown; by its number where the file does not say it."""
        if frame.pts is not None:
            return frame.pts
        return round(number / Fraction(self.video.guessed_rate) / self.video.time_base)


def _decoded(owner: Any, source: Any, start: Any, end: Any, unit: str) -> Clip:
    """What `read_video` gives."""
    pictures: list[np.ndarray] = []
    pieces: list[np.ndarray] = []
    meta: dict[str, Any] = {}
    first = count = 0
    empty = np.zeros((0, 1, 1, 3), np.uint8)
    with _Opened(owner, source) as opened:
        low, high = 0, math.inf
        if opened.audio is not None:
            meta["audio_fps"] = opened.audio.rate
        if opened.video is not None:
            meta["video_fps"] = opened.rate
            low, high = _range(start, end, opened.video.time_base if unit == "sec" else 1)
            empty = np.zeros((0, opened.video.height, opened.video.width, 3), np.uint8)
        for frame in opened.everything():
            if isinstance(frame, _av().AudioFrame):
                pieces.append(_samples(frame))
                continue
            if low <= opened.time(count, frame) <= high:
                first = first if pictures else count
                pictures.append(_pixels(frame))
            count += 1
    sound = np.concatenate(pieces, 1) if pieces else np.zeros((1, 0), np.float32)
    if count:  # the sound is cut by the numbers of the frames
        begin = round(first * sound.shape[1] / count)
        sound = sound[:, begin : begin + round(len(pictures) * sound.shape[1] / count)]
    return opened.stacked(pictures) if pictures else empty, sound, meta


def _range(start: Any, end: Any, unit: Any) -> tuple[float, float]:
    """First and last time in units of the stream, each rounded to the nearest, halves up."""
    low = math.floor(Fraction(start) / unit + Fraction(1, 2))
    if end is None or end == math.inf:
        return low, math.inf
    return low, math.floor(Fraction(end) / unit + Fraction(1, 2))


def _pixels(frame: Any) -> np.ndarray:
    return frame.to_ndarray(format="rgb24", interpolation=NEAREST_EXACT)


def _samples(frame: Any) -> np.ndarray:
    """The samples of a piece of sound, (C, L)."""
    array = frame.to_ndarray()
    return array if frame.format.is_planar else array.reshape(-1, len(frame.layout.channels)).T
