from __future__ import annotations

import numpy as np
import pytest

from mindspore.dataset import audio

SIGNAL = np.random.default_rng(4).uniform(-1, 1, (2, 200))


def tone(frequency, rate, samples=4000):
    return np.sin(2 * np.pi * frequency / rate * np.arange(samples))


def loudest(signal, rate):
    """Frequency of the highest peak."""
    window = np.hanning(len(signal))
    return np.abs(np.fft.rfft(signal * window)).argmax() * rate / len(signal)


def test_spectrogram_is_the_transform_of_windowed_frames():
    got = audio.Spectrogram(32, 24, 8, window=audio.WindowType.HAMMING, center=False)(SIGNAL)
    n = np.arange(24)
    window = np.pad(0.54 - 0.46 * np.cos(2 * np.pi * n / 24), 4)
    wave = np.exp(-2j * np.pi / 32 * np.outer(np.arange(17), np.arange(32)))
    for frame in (0, 5, 21):
        part = SIGNAL[1, frame * 8 : frame * 8 + 32] * window
        np.testing.assert_allclose(got[1, :, frame], np.abs(wave @ part) ** 2, atol=1e-10)
    assert got.shape == (2, 17, 22)


def test_normalized_spectra_have_the_energy_of_the_window_taken_out():
    options = {"window": audio.WindowType.KAISER}
    plain, scaled = (
        audio.Spectrogram(32, **options),
        audio.Spectrogram(32, normalized=True, **options),
    )
    ratio = plain(SIGNAL) / scaled(SIGNAL)
    window = np.kaiser(33, 12)[:-1]
    np.testing.assert_allclose(ratio, (window**2).sum())


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("onesided", [False, True])
def test_inverse_spectrogram_undoes_spectrogram(normalized, onesided):
    options = {"hop_length": 8, "normalized": normalized, "onesided": onesided}
    spectra = audio.Spectrogram(32, power=0.0, **options)(SIGNAL)
    back = audio.InverseSpectrogram(200, 32, **options)(spectra)
    np.testing.assert_allclose(back, SIGNAL, atol=1e-10)


def test_complex_numbers_have_magnitude_and_angle():
    pairs = np.array([[3.0, 4.0], [0.0, -2.0]])
    magnitude, angle = audio.Magphase(2.0)(pairs)
    np.testing.assert_allclose(magnitude, [25, 4])
    np.testing.assert_allclose(angle, np.arctan2([4, -2], [3, 0]))
    np.testing.assert_allclose(audio.ComplexNorm()(pairs), [5, 2])
    np.testing.assert_allclose(audio.Angle()(pairs), angle)
    with pytest.raises(RuntimeError, match="shape"):
        audio.Angle()(np.zeros(3))


def test_centroid_of_a_tone_is_its_frequency():
    got = audio.SpectralCentroid(8000, 256)(tone(1000, 8000))
    assert got.shape == (1, 32)
    np.testing.assert_allclose(got[0, 2:-2], 1000, atol=20)


def test_stretched_spectra_last_longer_at_the_same_pitch():
    signal = tone(1000, 8000)
    spectra = audio.Spectrogram(256, hop_length=64, power=0.0)(signal)
    slower = audio.TimeStretch(64, 129, 0.5)(spectra)
    assert slower.shape[1] == 2 * spectra.shape[1]
    result = audio.InverseSpectrogram(7800, 256, hop_length=64)(slower)
    assert loudest(result, 8000) == pytest.approx(1000, abs=2)
    advance = np.linspace(0, 64 * np.pi, 129)[:, None]
    np.testing.assert_allclose(audio.PhaseVocoder(0.5, advance)(spectra), slower)


def test_stretching_by_one_changes_nothing():
    spectra = audio.Spectrogram(32, power=0.0)(SIGNAL)
    assert audio.TimeStretch(16, 17)(spectra) is spectra


@pytest.mark.parametrize("method", list(audio.ResampleMethod))
def test_resampling_keeps_a_tone(method):
    got = audio.Resample(8000, 11025, method, 32)(tone(440, 8000))
    assert len(got) == 5513
    np.testing.assert_allclose(got[200:-200], tone(440, 11025, 5513)[200:-200], atol=5e-3)


def test_resampling_to_the_same_rate_is_nothing():
    samples = np.arange(5, dtype=np.int16)
    assert audio.Resample(8000, 8000)(samples) is samples


def test_pitch_goes_up_by_an_octave():
    got = audio.PitchShift(8000, 12)(tone(500, 8000))
    assert len(got) == 4000
    assert loudest(got, 8000) == pytest.approx(1000, abs=4)


def test_griffin_lim_comes_closer_with_every_iteration():
    spectrogram = audio.Spectrogram(64, hop_length=16, power=1.0)
    wanted = spectrogram(tone(900, 8000, 800))
    errors = []
    for iterations in (1, 10, 100):
        transform = audio.GriffinLim(64, iterations, hop_length=16, power=1.0, rand_init=False)
        errors.append(np.linalg.norm(spectrogram(transform(wanted)) - wanted))
    assert errors[2] < errors[1] < errors[0]
    assert errors[2] < 0.15 * np.linalg.norm(wanted)


@pytest.mark.parametrize(
    ("transform", "value"),
    [
        (audio.Spectrogram(32, 1), SIGNAL),
        (audio.Spectrogram(300, center=False), SIGNAL),
        (audio.InverseSpectrogram(n_fft=40), np.zeros((17, 4, 2))),
        (audio.GriffinLim(40, 2), np.ones((17, 4))),
        (audio.PhaseVocoder(1.3, np.zeros((8, 1))), np.zeros((9, 4, 2))),
        (audio.PhaseVocoder(1.3, np.zeros((9, 1), np.float32)), np.zeros((9, 4, 2))),
        (audio.SpectralCentroid(0, 32), SIGNAL),
        (audio.PitchShift(0, 2, n_fft=32), SIGNAL),
        (audio.Resample(0.5, 2.0), SIGNAL),
    ],
)
def test_inputs_that_do_not_fit_are_refused(transform, value):
    with pytest.raises(RuntimeError, match=f"^For '{type(transform).__name__}'"):
        transform(value)


def test_windows_longer_than_the_frame_are_refused():
    with pytest.raises(ValueError, match="win_length"):
        audio.Spectrogram(32, 33)
    with pytest.raises(RuntimeError, match="momentum"):
        audio.GriffinLim(momentum=1.0)
    with pytest.raises(TypeError, match="window"):
        audio.Spectrogram(32, window="hann")


@pytest.mark.parametrize(("old", "new"), [(3, 7), (7, 3), (4, 6)])
def test_a_long_signal_is_computed_in_pieces(monkeypatch, old, new):
    sound = np.random.default_rng(3).standard_normal((2, 50))
    whole = audio.Resample(old, new)(sound)
    monkeypatch.setattr("mindspore.dataset.audio.resample.PIECE", 8)
    np.testing.assert_array_equal(audio.Resample(old, new)(sound), whole)
    assert whole.shape == (2, -(-50 * new // old))
