"""FLAC files: samples that FFmpeg's encoder wrote, and damage."""

from __future__ import annotations

import numpy as np
import pytest

from mindspore.dataset import audio

av = pytest.importorskip("av", reason="needs the extra 'audio'")


def written(path, samples, rate=8000, bits=16):
    """Encode integers (channels, samples)."""
    layout = {1: "mono", 2: "stereo"}[len(samples)]
    with av.open(str(path), "w") as container:
        stream = container.add_stream("flac", rate, layout=layout)
        kind = "s16" if bits == 16 else "s32"
        stream.format = kind
        if bits == 24:
            stream.codec_context.options = {"bits_per_raw_sample": "24"}
        dtype, shift = ("<i2", 0) if bits == 16 else ("<i4", 8)
        packed = np.ascontiguousarray((samples << shift).T.reshape(1, -1), dtype)
        frame = av.AudioFrame.from_ndarray(packed, kind, layout)
        frame.sample_rate = rate
        for packet in (*stream.encode(frame), *stream.encode(None)):
            container.mux(packet)
    return str(path)


@pytest.mark.parametrize("channels", [1, 2])
def test_samples_come_back(tmp_path, channels):
    samples = np.random.default_rng(3).integers(-(2**15), 2**15, (channels, 5000))
    path = written(tmp_path / "a.flac", samples)
    waveform, rate = audio.read_audio(path)
    assert (rate, waveform.dtype) == (8000, np.float32)
    np.testing.assert_array_equal(np.rint(waveform.astype(np.float64) * (2**15 - 1)), samples)


def test_samples_of_24_bits_come_back(tmp_path):
    samples = np.random.default_rng(4).integers(-(2**23), 2**23, (2, 3000))
    waveform, _ = audio.read_audio(written(tmp_path / "a.flac", samples, bits=24))
    np.testing.assert_allclose(waveform, samples / (2**23 - 1), atol=1e-7)


def test_a_wave_file_is_told_by_its_content(tmp_path):
    import wave

    path = tmp_path / "a.flac"
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(np.array([0, 2**15 - 1], "<i2").tobytes())
    waveform, rate = audio.read_audio(str(path))
    assert (waveform.tolist(), rate) == ([[0.0, 1.0]], 8000)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c[:30], "does not begin with the figures"),
        (lambda c: c[:-20], "samples|Invalid data"),
        (lambda c: c[:26] + bytes(15) + b"\1" + c[42:], "do not have the checksum"),
        (lambda c: c[:21] + bytes([c[21] | 15]) + b"\xff" * 4 + c[26:], "bytes cannot hold"),
        (lambda c: c[:-200] + bytes([c[-200] ^ 1]) + c[-199:], r"samples|Invalid data"),
        (lambda c: b"RIFF" + c[4:], "WAVE"),
    ],
)
def test_damaged_files_are_told(tmp_path, change, message):
    samples = np.random.default_rng(5).integers(-3000, 3000, (1, 9000))
    path = tmp_path / "a.flac"
    written(path, samples)
    content = path.read_bytes()
    path.write_bytes(change(content))
    with pytest.raises(RuntimeError, match=f"a.flac.*({message})"):
        audio.read_audio(str(path))


def test_files_that_are_missing_are_told(tmp_path):
    with pytest.raises(ValueError, match="'filename'"):
        audio.read_audio(str(tmp_path / "none.flac"))
    with pytest.raises(TypeError, match="'filename'"):
        audio.read_audio(3)
