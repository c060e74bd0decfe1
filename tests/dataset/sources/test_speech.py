from __future__ import annotations

import os
import struct
import wave
from pathlib import Path

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset.sources.recordings import read_sph, read_wav

SAMPLES = np.array([-32767, -2, 0, 1, 100, 32767])


def write_wav(path, samples=SAMPLES, rate=8000, width=2, channels=1):
    path.parent.mkdir(parents=True, exist_ok=True)
    values = np.asarray(samples)
    if width == 1:
        values = values + 128
    data = values.astype("<i4").reshape(-1, 1).view(np.uint8)[:, :width].tobytes()
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(data)


def sphere(samples, order="10", coding="pcm", width=2):
    header = (
        f"NIST_1A\n   1024\nsample_n_bytes -i {width}\nchannel_count -i 1\nsample_byte_format -s2 {order}\n"
        f"sample_rate -i 16000\nsample_coding -s3 {coding}\nend_head\n"
    )
    kind = ">i2" if order == "10" else "<i2"
    return header.encode().ljust(1024) + np.asarray(samples).astype(kind).tobytes()


def table(dataset):
    """The rows without the waveforms, and the waveforms."""
    rows = list(dataset.create_tuple_iterator(output_numpy=True, num_epochs=1))
    return [[v.tolist() for v in row[1:]] for row in rows], [row[0] for row in rows]


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_samples_of_any_width_have_full_scale_one(tmp_path, width):
    most = 2 ** (8 * width - 1) - 1
    write_wav(tmp_path / "a.wav", [most, -most, 0, 1], width=width, channels=2)
    waveform, rate = read_wav("test", str(tmp_path / "a.wav"))
    assert rate == 8000
    assert waveform.dtype == np.float32
    np.testing.assert_array_equal(waveform, np.float32([[1, 0], [-1, 1 / most]]))


@pytest.mark.parametrize("bits", [40, 48, 56, 128, 32768])
def test_numbers_of_other_widths_are_refused(tmp_path, bits):
    file, wide = tmp_path / "a.wav", bits // 8
    form = struct.pack("<HHIIHH", 1, 1, 8000, 8000 * wide, wide % 2**16, bits)
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", 2 * wide) + bytes(2 * wide)
    file.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)
    with pytest.raises(RuntimeError, match=rf"a\.wav' must have numbers of 1, .* but they have {wide}"):
        read_wav("test", str(file))


@pytest.mark.parametrize("content", [b"", b"hello", b"RIFF....WAVEfmt ", None])
def test_files_that_are_no_waves_are_refused(tmp_path, content):
    path = tmp_path / "1_0.wav"
    write_wav(path)
    path.write_bytes(path.read_bytes()[:-5] if content is None else content)
    with pytest.raises(RuntimeError, match=r"1_0\.wav"):
        table(ds.YesNoDataset(str(tmp_path)))


@pytest.mark.parametrize("order", ["01", "10"])
def test_parts_of_sphere_files_are_read_in_either_byte_order(tmp_path, order):
    path = tmp_path / "a.sph"
    path.write_bytes(sphere(np.arange(1600), order))
    waveform, rate = read_sph("test", str(path), 0.01, 0.02)
    assert rate == 16000
    np.testing.assert_array_equal(waveform, np.arange(160, 320, dtype=np.float32)[None] / 32767)


@pytest.mark.parametrize(
    ("content", "end"),
    [(b"hello", 0.1), (sphere([1, 2, 3]), 0.1), (sphere([1] * 1600, coding="ulaw"), 0.01)],
)
def test_sphere_files_that_do_not_fit_are_refused(tmp_path, content, end):
    (tmp_path / "a.sph").write_bytes(content)
    with pytest.raises(RuntimeError, match=r"a\.sph"):
        read_sph("test", str(tmp_path / "a.sph"), 0.0, end)


def test_yes_and_no_are_in_the_names(tmp_path):
    write_wav(tmp_path / "0_1_0_1_1_1_0_0.wav")
    values, waves = table(ds.YesNoDataset(str(tmp_path)))
    assert values == [[8000, [0, 1, 0, 1, 1, 1, 0, 0]]]
    np.testing.assert_allclose(waves[0], SAMPLES[None] / 32767, rtol=1e-6)
    write_wav(tmp_path / "a_b.wav")
    with pytest.raises(RuntimeError, match=r"a_b\.wav"):
        table(ds.YesNoDataset(str(tmp_path)))


def test_sentences_of_arctic(tmp_path):
    folder = tmp_path / "cmu_us_bdl_arctic"
    (folder / "etc").mkdir(parents=True)
    (folder / "etc" / "txt.done.data").write_text(
        '( arctic_a0001 "Dog; \'x\'." )\n( arctic_b0539 "Two." )\n'
    )
    for name in ("arctic_a0001", "arctic_b0539"):
        write_wav(folder / "wav" / f"{name}.wav", rate=16000)
    dataset = ds.CMUArcticDataset(str(tmp_path), "bdl", shuffle=False)
    assert table(dataset)[0] == [[16000, "Dog; 'x'.", "a0001"], [16000, "Two.", "b0539"]]
    assert dataset.get_dataset_size() == 2
    write_wav(folder / "wav" / "arctic_a0001.wav", rate=8000)
    with pytest.raises(RuntimeError, match="16000 Hz"):
        table(dataset)


def test_parts_of_gtzan(tmp_path):
    for number in (0, 12, 54, 99):
        write_wav(tmp_path / "jazz" / f"jazz.{number:05d}.wav", [number])
    found = {}
    for usage in ("train", "valid", "test", "all"):
        try:
            values, waves = table(ds.GTZANDataset(str(tmp_path), usage, shuffle=False))
        except RuntimeError:
            found[usage] = []
            continue
        assert all(value == [8000, "jazz"] for value in values)
        found[usage] = [round(w[0, 0] * 32767) for w in waves]
    assert found["all"] == [0, 12, 54, 99]
    parts = [number for usage in ("train", "valid", "test") for number in found[usage]]
    assert sorted(parts) == [n for n in found["all"] if n in parts]
    assert len(parts) >= 2


def test_chapters_of_libritts(tmp_path):
    for part, number in (("dev-clean", 1), ("test-other", 2)):
        folder = tmp_path / part / "12" / "34"
        name = f"12_34_00000{number}_000000"
        write_wav(folder / f"{name}.wav", rate=24000)
        (folder / "12_34.trans.tsv").write_text(f"{name}\ta {number}\tA {number}.\n")
    values, _ = table(ds.LibriTTSDataset(str(tmp_path), shuffle=False))
    assert values == [
        [24000, "a 1", "A 1.", 12, 34, "12_34_000001_000000"],
        [24000, "a 2", "A 2.", 12, 34, "12_34_000002_000000"],
    ]
    assert len(table(ds.LibriTTSDataset(str(tmp_path), "test-other"))[0]) == 1
    (folder / "12_34.trans.tsv").write_text("12_34_000002_000000\tno second text\n")
    with pytest.raises(RuntimeError, match=r"trans\.tsv"):
        table(ds.LibriTTSDataset(str(tmp_path)))


def test_passages_of_lj_speech(tmp_path):
    write_wav(tmp_path / "wavs" / "w.wav")
    (tmp_path / "metadata.csv").write_text('w|"A, b"|C d\n')
    values, _ = table(ds.LJSpeechDataset(str(tmp_path)))
    assert values == [[8000, '"A, b"', "C d"]]
    (tmp_path / "metadata.csv").write_text("w|A\n")
    with pytest.raises(RuntimeError, match=r"metadata\.csv"):
        table(ds.LJSpeechDataset(str(tmp_path)))
    (tmp_path / "metadata.csv").write_text("other|A|B\n")
    with pytest.raises(RuntimeError, match=r"other\.wav"):
        table(ds.LJSpeechDataset(str(tmp_path)))


def test_words_of_speech_commands_by_part(tmp_path):
    for name in ("cat/a_nohash_0", "cat/a_nohash_12", "dog/b_nohash_1", "_background_noise_/hum"):
        write_wav(tmp_path / f"{name}.wav")
    (tmp_path / "testing_list.txt").write_text("cat/a_nohash_12.wav\n")
    (tmp_path / "validation_list.txt").write_text("dog/b_nohash_1.wav\n")
    read = {
        usage: table(ds.SpeechCommandsDataset(str(tmp_path), usage, shuffle=False))[0]
        for usage in ("train", "test", "valid", "all")
    }
    assert read["train"] == [[8000, "cat", "a", 0]]
    assert read["test"] == [[8000, "cat", "a", 12]]
    assert read["valid"] == [[8000, "dog", "b", 1]]
    assert len(read["all"]) == 3
    write_wav(tmp_path / "cat" / "odd.wav")
    with pytest.raises(RuntimeError, match=r"odd\.wav"):
        table(ds.SpeechCommandsDataset(str(tmp_path)))


def test_talks_of_tedlium(tmp_path):
    for folder in ("stm", "sph"):
        (tmp_path / "dev" / folder).mkdir(parents=True)
    lines = "talk 1 spk 0.00 0.03 <o,f0> hello there .\ntalk 1 spk 0.03 0.05 <o,f0> more\n"
    (tmp_path / "dev" / "stm" / "talk.stm").write_text(lines)
    (tmp_path / "dev" / "sph" / "talk.sph").write_bytes(sphere(np.arange(1600)))
    values, waves = table(ds.TedliumDataset(str(tmp_path), "release1", "dev", shuffle=False))
    assert values[0] == [16000, "hello there .", "talk", "spk", "<o,f0>"]
    assert values[1][1] == "more"
    np.testing.assert_array_equal(waves[1][0], np.arange(480, 800, dtype=np.float32) / 32767)
    with pytest.raises(RuntimeError, match="stm"):
        table(ds.TedliumDataset(str(tmp_path), "release1"))
    with pytest.raises(ValueError, match="usage"):
        ds.TedliumDataset(str(tmp_path), "release3", "dev")


@pytest.mark.parametrize(
    "make",
    [
        lambda folder: ds.CMUArcticDataset(folder, "nobody"),
        lambda folder: ds.GTZANDataset(folder, "some"),
        lambda folder: ds.LibriTTSDataset(folder + "/none"),
        lambda folder: ds.SpeechCommandsDataset(folder, "some"),
        lambda folder: ds.TedliumDataset(folder, "release9"),
    ],
)
def test_wrong_arguments_are_refused(tmp_path, make):
    with pytest.raises(ValueError, match=r"^For '"):
        make(str(tmp_path))


@pytest.mark.parametrize(
    "make",
    [
        ds.CMUArcticDataset,
        ds.GTZANDataset,
        ds.LibriTTSDataset,
        ds.LJSpeechDataset,
        ds.SpeechCommandsDataset,
        lambda folder: ds.TedliumDataset(folder, "release1"),
        ds.YesNoDataset,
    ],
)
def test_folders_without_recordings_are_refused(tmp_path, make):
    with pytest.raises(RuntimeError, match="must"):
        table(make(str(tmp_path)))


def pcm(path):
    """The samples of a file with a header of 44 bytes."""
    return np.frombuffer(Path(path).read_bytes()[44:], "<i2").astype(np.float32) / np.float32(32767)


@pytest.mark.parametrize(
    ("make", "files"),
    [
        (
            lambda data: ds.CMUArcticDataset(data + "/testCMUArcticData", shuffle=False),
            "testCMUArcticData/cmu_us_aew_arctic/wav",
        ),
        (
            lambda data: ds.GTZANDataset(data + "/testGTZANData", shuffle=False),
            "testGTZANData/blues",
        ),
        (
            lambda data: ds.LibriTTSDataset(data + "/testLibriTTSData", shuffle=False),
            "testLibriTTSData/train-clean-100/2506/11267",
        ),
        (
            lambda data: ds.LJSpeechDataset(data + "/testLJSpeechData", shuffle=False),
            "testLJSpeechData/wavs",
        ),
        (lambda data: ds.YesNoDataset(data + "/testYesNoData", shuffle=False), "testYesNoData"),
    ],
)
def test_real_recordings_are_read(reference, make, files):
    data = os.path.join(reference, "data", "dataset")
    _, waves = table(make(data))
    paths = sorted(p for p in Path(data, files).iterdir() if p.suffix == ".wav")
    assert len(paths) == len(waves) == 3
    for path, samples in zip(paths, waves, strict=True):
        np.testing.assert_allclose(samples[0], pcm(path), rtol=1e-6)


def test_real_commands_and_talks_are_read(reference):
    data = os.path.join(reference, "data", "dataset")
    folder = os.path.join(data, "testSpeechCommandsData")
    sizes = [
        ds.SpeechCommandsDataset(folder, u).get_dataset_size() for u in ("train", "valid", "test")
    ]
    assert sizes == [1, 1, 1]
    folder = os.path.join(data, "testTedliumData")
    values, waves = table(
        ds.TedliumDataset(folder + "/TEDLIUM_release3", "release3", shuffle=False)
    )
    assert [v[1][-6:-1] for v in values] == [
        "test3",
        "test4",
        "test3",
        "test4",
        "test3",
        "test4",
        "test4",
    ]
    assert [w.shape[1] for w in waves] == [160, 160, 800, 160, 320, 320, 320]
    raw = Path(folder, "TEDLIUM_release3", "data", "sph", "test3.sph").read_bytes()[1024:]
    np.testing.assert_allclose(
        waves[2][0], np.frombuffer(raw, ">i2")[320:1120] / np.float32(32767), rtol=1e-6
    )
