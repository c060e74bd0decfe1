from __future__ import annotations

import math

import numpy as np
import pytest

from mindspore.dataset import audio

RNG = np.random.default_rng(4)

SIGNAL = np.random.default_rng(2).uniform(-1, 1, (2, 60)).astype(np.float32)
POWER = np.random.default_rng(3).uniform(1e-6, 2, (2, 3, 4, 5))


def test_decibels_of_power_and_magnitude():
    got = audio.AmplitudeToDB(audio.ScaleType.MAGNITUDE, 0.5, 1e-9, 200.0)(POWER)
    np.testing.assert_allclose(got, 20 * np.log10(POWER / 0.5))
    got = audio.AmplitudeToDB(audio.ScaleType.POWER, 1.0, 0.1, 200.0)(POWER)
    np.testing.assert_allclose(got, 10 * np.log10(np.maximum(POWER, 0.1)))


def test_decibels_reach_no_further_down_than_top_db():
    got = audio.AmplitudeToDB(top_db=3.0)(POWER)
    wanted = 10 * np.log10(POWER)
    wanted = np.maximum(wanted, wanted.max((1, 2, 3), keepdims=True) - 3)
    np.testing.assert_allclose(got, wanted)


def test_amplitude_undoes_decibels():
    level = audio.AmplitudeToDB(top_db=200.0)(POWER)
    np.testing.assert_allclose(audio.DBToAmplitude(1.0, 1.0)(level), POWER)


def test_gains():
    np.testing.assert_allclose(audio.Gain(-6.0)(SIGNAL), SIGNAL * 10**-0.3, rtol=1e-6)
    np.testing.assert_allclose(audio.Vol(2.0)(SIGNAL), np.clip(SIGNAL * 2, -1, 1))
    power = audio.Vol(4.0, audio.GainType.POWER)(SIGNAL)
    np.testing.assert_allclose(power, np.clip(SIGNAL * 2, -1, 1), rtol=1e-6)
    with pytest.raises(ValueError, match="gain"):
        audio.Vol(0.0, audio.GainType.POWER)


def test_contrast_keeps_silence_and_the_extremes():
    got = audio.Contrast(100.0)(np.array([0.0, 1.0, -1.0]))
    np.testing.assert_allclose(got, [0, 1, -1], atol=1e-12)


def test_dc_shift_limits():
    np.testing.assert_allclose(audio.DCShift(0.5)(np.array([0.2, 0.9])), [0.7, 1.0])
    limited = audio.DCShift(0.5, 0.05)(np.array([0.2, 0.9]))
    np.testing.assert_allclose(limited, [0.7, 0.55])  # observed: MindSpore 2.10, CPU


def test_companding_is_finest_around_silence():
    numbers = audio.MuLawEncoding()(SIGNAL)
    assert numbers.dtype == np.int32
    back = audio.MuLawDecoding()(numbers)
    assert np.abs(back - SIGNAL).max() < 0.03
    assert audio.MuLawEncoding()(np.array([-1.0, 0.0, 1.0])).tolist() == [0, 128, 255]
    with pytest.raises(RuntimeError, match="quantization_channels"):
        audio.MuLawDecoding(1)(numbers)


@pytest.mark.parametrize("shape", list(audio.FadeShape))
def test_fades_rise_and_fall(shape):
    got = audio.Fade(20, 30, shape)(np.ones(60))
    assert got[0] == pytest.approx(0, abs=1e-12)
    assert got[-1] == pytest.approx(0, abs=1e-12)
    assert (np.diff(got[:20]) > 0).all()
    assert (np.diff(got[30:]) < 0).all()
    assert (got[20:30] == 1).all()


def test_a_fade_longer_than_the_signal_is_refused():
    with pytest.raises(RuntimeError, match="fade_in_len"):
        audio.Fade(61)(SIGNAL)


@pytest.mark.parametrize("density", list(audio.DensityFunction))
def test_dither_rounds_to_steps_of_sixteen_bits(density):
    got = audio.Dither(density)(SIGNAL.astype(np.float64))
    assert np.allclose(got * 2**15, np.rint(got * 2**15))
    assert np.abs(got - SIGNAL).max() < 6 * 2.0**-15


def test_overdrive_bends_at_the_limits():
    quiet = np.full(3, 1e-9)
    np.testing.assert_allclose(audio.Overdrive(0.0, 0.0)(quiet)[0], quiet[0] * 1.25)
    assert np.abs(audio.Overdrive(100.0)(SIGNAL)).max() <= 1


def echoed(signal, delays, decay):
    result = signal.copy()
    for i, delay in enumerate(delays):
        if delay <= i:
            result[i] += result[i - delay] * decay
    return result


def test_phaser_adds_an_echo_with_a_moving_delay():
    transform = audio.Phaser(1000, 0.5, 1.0, 5.0, 0.5, 2.0, False)
    delays = transform._delays(60)
    assert delays.min() >= 1
    assert delays.max() <= 5
    got = transform(SIGNAL[0].astype(np.float64))
    np.testing.assert_allclose(got, np.clip(echoed(SIGNAL[0] * 0.5, delays, 0.5), -1, 1), rtol=1e-6)


@pytest.mark.parametrize("interpolation", list(audio.Interpolation))
def test_flanger_without_feedback_is_its_limit(interpolation):
    options = {"interpolation": interpolation, "modulation": audio.Modulation.TRIANGULAR}
    plain = audio.Flanger(1000, 1.0, 5.0, 0.0, speed=3.0, **options)(SIGNAL)
    nearly = audio.Flanger(1000, 1.0, 5.0, 1e-6, speed=3.0, **options)(SIGNAL)
    np.testing.assert_allclose(plain, nearly, atol=1e-6)


def test_flanger_of_more_than_four_channels_is_refused():
    with pytest.raises(RuntimeError, match="4 channels"):
        audio.Flanger(1000)(np.zeros((5, 9), np.float32))


@pytest.mark.parametrize("name", ["FrequencyMasking", "TimeMasking"])
def test_masks_cover_their_range(name):
    got = getattr(audio, name)(False, 2, 1, 9.0)(POWER)
    axis = 2 if name == "FrequencyMasking" else 3
    covered = (got == 9.0).all((0, 1, 5 - axis))
    assert covered.tolist() == [False, True, True] + [False] * (POWER.shape[axis] - 3)


def test_independent_masks_differ_and_stay_in_range():
    spectrum = np.ones((40, 3, 8, 9))
    got = audio.MaskAlongAxisIID(4, 0.0, 1)(spectrum)
    widths = (got == 0).all(-1).sum(-1)
    assert set(np.unique(widths)) == {0, 1, 2, 3}
    assert ((got == 0).any(-1) == (got == 0).all(-1)).all()
    with pytest.raises(RuntimeError, match="widest"):
        audio.MaskAlongAxisIID(9, 0.0, 1)(spectrum)


def test_a_mask_beyond_the_axis_is_refused():
    with pytest.raises(RuntimeError, match="lie within"):
        audio.MaskAlongAxis(3, 3, 0.0, 2)(POWER)


@pytest.mark.parametrize("modulation", list(audio.Modulation))
@pytest.mark.parametrize(("delay", "depth", "phase"), [(1.0, 5.0, 25.0), (3.5, 2.0, 0.0), (0.0, 7.3, 60.0)])
def test_a_flanger_reads_between_two_samples(modulation, delay, depth, phase):
    sound, rate, speed, width = RNG.uniform(-0.5, 0.5, (3, 60)), 1000, 3.0, 60.0
    got = audio.Flanger(rate, delay, depth, 0.0, width, speed, phase, modulation)(sound)
    longest, period = int((delay + depth) / 1000 * rate + 0.5), int(rate / speed)
    shortest = math.floor(delay / 1000 * rate + 0.5)
    wanted = np.zeros_like(sound)
    for channel, row in enumerate(sound):
        for n in range(60):
            at = (int(channel * period * phase / 100 + 0.5) + n) % period
            at = (at + int(0.75 * period + 0.5)) % period / period             # the part of a wave that is over
            if modulation is audio.Modulation.SINUSOIDAL:
                wave = (math.sin(2 * math.pi * at) + 1) / 2
            else:                                                            # up in the first quarter, down in two
                wave = np.interp(at, [0, 0.25, 0.75, 1], [0.5, 1, 0, 0.5])
            late = shortest + wave * (longest - shortest)
            times = [n - math.floor(late), n - math.floor(late) - 1]
            before, after = [row[t] if t >= 0 else 0.0 for t in times]
            echo = before + (after - before) * (late - math.floor(late))
            wanted[channel, n] = (row[n] + echo * width / 100) / (1 + width / 100)
    np.testing.assert_allclose(got, wanted, atol=1e-9)


@pytest.mark.parametrize("regen", [60.0, -60.0])
def test_what_is_fed_back_makes_the_echo_weaker_by_its_size(regen):
    sound = np.zeros((1, 40))
    sound[0, 0] = 0.5
    got = audio.Flanger(1000, 5.0, 0.0, regen, 100.0, 1.0)(sound)[0]
    np.testing.assert_allclose(got[[0, 5]], [0.25, 0.25 * 0.4], atol=1e-9)
    assert got[11] == pytest.approx(0.25 * 0.4 * regen / 100, rel=1e-6)


@pytest.mark.parametrize("shaped", [False, True])
def test_noise_of_one_step_is_added_before_rounding(shaped):
    sound = RNG.uniform(-0.9, 0.9, (2, 21))
    noise = np.concatenate([np.bartlett(22)])[:-1]
    wanted = np.rint(sound * (2**15 - 2) + noise) / 2**15
    if shaped:                                         # each sample takes the error of the one before
        wanted = np.column_stack([wanted[:, 0], wanted[:, 1:] + (wanted - sound)[:, :-1]])
    np.testing.assert_allclose(audio.Dither(noise_shaping=shaped)(sound), wanted, atol=1e-12)
