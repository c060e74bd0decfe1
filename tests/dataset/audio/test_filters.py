from __future__ import annotations

import numpy as np
import pytest

from mindspore.dataset import audio

RATE = 16000
NOISE = np.random.default_rng(1).uniform(-0.3, 0.3, (2, 200))


def response(transform, frequency, rate=RATE):
    """Magnitude of a filter at a frequency, from its impulse response."""
    impulse = np.zeros(8000)
    impulse[0] = 1e-3  # far from the limits
    at = np.exp(-2j * np.pi * frequency / rate * np.arange(len(impulse)))
    return abs(transform(impulse) @ at) * 1e3


def difference_equation(b, a, signal):
    result = np.zeros_like(signal)
    for n in range(len(signal)):
        past = sum(b[k] * signal[n - k] for k in range(len(b)) if n >= k)
        past -= sum(a[k] * result[n - k] for k in range(1, len(a)) if n >= k)
        result[n] = past / a[0]
    return result


def test_lfilter_solves_its_difference_equation():
    a, b = [2.0, -0.4, 0.3], [0.4, 0.5, 0.1]
    np.testing.assert_allclose(
        audio.LFilter(a, b)(NOISE)[1], difference_equation(b, a, NOISE[1]), atol=1e-12
    )


def test_biquad_divides_by_its_first_coefficient():
    got = audio.Biquad(0.1, 0.2, 0.3, 2.0, 0.1, -0.4)(NOISE)
    wanted = difference_equation([0.1, 0.2, 0.3], [2.0, 0.1, -0.4], NOISE[0])
    np.testing.assert_allclose(got[0], wanted, atol=1e-12)


def test_filtfilt_of_an_even_signal_is_even():
    signal = np.exp(-((np.arange(401) - 200) ** 2) / 200.0)
    result = audio.Filtfilt([1.0, -0.5], [0.25, 0.25])(signal)
    np.testing.assert_allclose(result, result[::-1], atol=1e-9)


def test_clamp_limits_to_one():
    loud = np.full((1, 9), 0.9)
    assert audio.LFilter([1.0, 0.0], [3.0, 0.0])(loud).max() == 1
    assert audio.LFilter([1.0, 0.0], [3.0, 0.0], clamp=False)(loud).max() == pytest.approx(2.7)


@pytest.mark.parametrize(
    ("transform", "frequency", "gain"),
    [
        (audio.LowpassBiquad(RATE, 1000.0), 0, 1),
        (audio.LowpassBiquad(RATE, 1000.0), 8000, 0),
        (audio.LowpassBiquad(RATE, 1000.0, 0.5), 1000, 0.5),
        (audio.HighpassBiquad(RATE, 1000.0), 8000, 1),
        (audio.HighpassBiquad(RATE, 1000.0, 0.9), 1000, 0.9),
        (audio.BandpassBiquad(RATE, 1000.0), 1000, 1),
        (audio.BandpassBiquad(RATE, 1000.0, 0.5, True), 1000, 0.5),
        (audio.BandrejectBiquad(RATE, 1000.0), 1000, 0),
        (audio.AllpassBiquad(RATE, 1000.0), 3000, 1),
        (audio.EqualizerBiquad(RATE, 1000.0, 6.0), 1000, 10 ** (6 / 20)),
        (audio.BassBiquad(RATE, -6.0), 0, 10 ** (-6 / 20)),
        (audio.BassBiquad(RATE, -6.0), 8000, 1),
        (audio.TrebleBiquad(RATE, 6.0), 8000, 10 ** (6 / 20)),
        (audio.TrebleBiquad(RATE, 6.0), 0, 1),
    ],
)
def test_gain_at_a_frequency(transform, frequency, gain):
    assert response(transform, frequency) == pytest.approx(gain, abs=1e-6)


def test_band_passes_its_middle_best():
    transform = audio.BandBiquad(RATE, 2000.0, 1)
    assert response(transform, 2000) > max(response(transform, 500), response(transform, 6000))


@pytest.mark.parametrize("rate", [44100, 48000, 88200, 96000])
def test_records_play_one_kilohertz_unchanged(rate):
    transform = audio.RiaaBiquad(rate)
    assert response(transform, 1000, rate) == pytest.approx(1, abs=1e-3)
    assert response(transform, 50, rate) == pytest.approx(10 ** (17 / 20), rel=0.03)  # the standard


@pytest.mark.parametrize("rate", [44100, 48000])
def test_emphasis_of_compact_discs_is_undone(rate):
    transform = audio.DeemphBiquad(rate)
    assert response(transform, 0, rate) == pytest.approx(1, abs=1e-6)
    assert response(transform, 16000, rate) == pytest.approx(
        10 ** (-9.04 / 20), rel=0.02
    )  # 50/15 us


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_filters_keep_the_type_of_floats(dtype):
    assert audio.LowpassBiquad(RATE, 900.0)(NOISE.astype(dtype)).dtype == dtype


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: audio.LowpassBiquad("a", 1.0), TypeError),
        (lambda: audio.LowpassBiquad(0, 1.0), ValueError),
        (lambda: audio.LowpassBiquad(RATE, 1.0, 1.5), ValueError),
        (lambda: audio.Biquad(1.0, 1.0, 1.0, 0.0, 1.0, 1.0), ValueError),
        (lambda: audio.DeemphBiquad(16000), ValueError),
        (lambda: audio.LFilter("a", [1.0]), TypeError),
        (lambda: audio.LFilter([1.0, 2.0], [1.0]), ValueError),
        (lambda: audio.BandBiquad(RATE, 1.0, noise=1), TypeError),
    ],
)
def test_wrong_arguments_are_refused(make, error):
    with pytest.raises(error, match=r"^For '"):
        make()


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (np.zeros((2, 5), np.int16), RuntimeError),
        (np.array(["a"]), RuntimeError),
        (np.zeros((2, 0)), RuntimeError),
        (np.array(1.0), RuntimeError),
        (np.zeros(4, np.complex64), TypeError),
        ([0.1, 0.2], TypeError),
    ],
)
def test_wrong_signals_are_refused(value, error):
    with pytest.raises(error, match=r"^For 'LowpassBiquad'"):
        audio.LowpassBiquad(RATE, 900.0)(value)


def test_a_recursion_without_a_first_coefficient_is_refused():
    with pytest.raises(RuntimeError, match="a_coeffs"):
        audio.LFilter([0.0, 1.0], [1.0, 1.0])(NOISE)


@pytest.mark.parametrize(("frequency", "quality"), [(1000.0, 0.5), (3000.0, 0.2)])
def test_a_band_is_scaled_for_tones_or_for_noise(frequency, quality):
    impulse = np.zeros(8000)
    impulse[0] = 1e-3
    found = audio.BandBiquad(RATE, frequency, quality, True)(impulse) * 1e3
    assert (found ** 2).sum() == pytest.approx(1)                 # the power of white noise stays
    tones = [response(audio.BandBiquad(RATE, frequency, quality), f) for f in np.linspace(1, RATE / 2 - 1, 2000)]
    assert max(tones) == pytest.approx(1, rel=1e-3)               # the loudest tone stays


TRANSFORMS = [
    audio.AllpassBiquad(RATE, 200.0), audio.BassBiquad(RATE, 5.0), audio.Biquad(1, 0.5, 0.2, 1, 0.1, 0.3),
    audio.Contrast(), audio.DCShift(0.3, 0.05), audio.DBToAmplitude(1.0, 0.5), audio.Dither(), audio.Fade(3, 4),
    audio.Filtfilt([1.0, 0.2], [1.0, 0.3]), audio.Flanger(RATE), audio.Gain(), audio.LFilter([1.0, 0.3], [1.0, 0.2]),
    audio.MuLawEncoding(), audio.Overdrive(), audio.Phaser(RATE), audio.Vol(0.5), audio.Resample(4, 6),
    audio.AmplitudeToDB(), audio.ComputeDeltas(), audio.SlidingWindowCmn(), audio.MaskAlongAxis(0, 1, 5.0, 1),
    audio.MaskAlongAxisIID(1, 5.0, 2), audio.TimeMasking(False, 2, 1, 5.0), audio.FrequencyMasking(True, 1, 0, 5.0)]


@pytest.mark.parametrize("transform", TRANSFORMS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_a_transform_is_given_stays_and_may_lie_anyhow(transform, dtype):
    sound = np.random.default_rng(3).uniform(0.1, 0.9, (2, 20)).astype(dtype)
    before, turned = sound.copy(), np.asfortranarray(sound)
    found = transform(sound)
    np.testing.assert_array_equal(sound, before)
    assert not np.shares_memory(found, sound)
    if not transform.random:
        np.testing.assert_allclose(transform(turned), found, rtol=1e-6 if dtype is np.float32 else 1e-14)
