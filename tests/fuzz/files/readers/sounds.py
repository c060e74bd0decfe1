"""Recordings."""

from __future__ import annotations

import wave

import numpy as np
from chunks import chunks_changed

from mindspore import dataset as ds
from mindspore.dataset import audio
from mindspore.dataset.errors import PipelineError
from readers import equal, plain, reader, rows

TONE = np.round(np.sin(np.arange(160) / 5) * 9000).astype("<i2").tobytes()


def recorded(file, rate=16000, width=2, channels=1):
    file.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(file), "wb") as stream:
        stream.setnchannels(channels)
        stream.setsampwidth(width)
        stream.setframerate(rate)
        stream.writeframes(TONE[: 60 * width * channels])


def _yes_no(folder):
    recorded(folder / "0_1.wav")
    recorded(folder / "1_1_0.wav", 8000, 1)
    recorded(folder / "1_0_0.wav", 8000, 3)
    recorded(folder / "1_0_1.wav", 8000, 2, 2)


@reader(_yes_no, PipelineError, structure=chunks_changed)
def yes_no(folder):
    return rows(ds.YesNoDataset(str(folder), shuffle=False))


def _flac(folder):
    import av

    with av.open(str(folder / "a.flac"), "w") as container:
        stream = container.add_stream("flac", 16000, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.frombuffer(TONE, "<i2")[None], "s16", "mono")
        frame.sample_rate = 16000
        for packet in (*stream.encode(frame), *stream.encode(None)):
            container.mux(packet)


@reader(_flac, PipelineError, same=equal)
def flac(folder):
    return plain(list(audio.read_audio(str(folder / "a.flac"))))


def _arctic(folder):
    recorded(folder / "cmu_us_aew_arctic/wav/arctic_a0001.wav")
    (folder / "cmu_us_aew_arctic/etc").mkdir()
    (folder / "cmu_us_aew_arctic/etc/txt.done.data").write_text('( arctic_a0001 "A text." )\n' * 2)


@reader(_arctic, PipelineError)
def cmu_arctic(folder):
    return rows(ds.CMUArcticDataset(str(folder), shuffle=False))


def _lj(folder):
    recorded(folder / "wavs/LJ1.wav")
    (folder / "metadata.csv").write_text("LJ1|One 1|one one\nLJ1|x|y\n")


@reader(_lj, PipelineError)
def lj_speech(folder):
    return rows(ds.LJSpeechDataset(str(folder), shuffle=False))


def _libri(folder):
    recorded(folder / "dev-clean/12/34/12_34_0_1.wav", 24000)
    (folder / "dev-clean/12/34/12_34.trans.tsv").write_text("12_34_0_1\tOne 1\tone one\n")


@reader(_libri, PipelineError)
def libri_tts(folder):
    return rows(ds.LibriTTSDataset(str(folder), "dev-clean", shuffle=False))


def _commands(folder):
    recorded(folder / "yes/a1_nohash_0.wav")
    recorded(folder / "no/b1_nohash_1.wav")
    (folder / "testing_list.txt").write_text("yes/a1_nohash_0.wav\n")


@reader(_commands, PipelineError, structure=chunks_changed)
def speech_commands(folder):
    return rows(ds.SpeechCommandsDataset(str(folder), "test", shuffle=False))


def _talks(folder):
    header = "NIST_1A\n   1024\nchannel_count -i 1\nsample_rate -i 100\nsample_n_bytes -i 2\n"
    header += "sample_byte_format -s2 01\n"
    header += "sample_sig_bits -i 16\nsample_coding -s3 pcm\nend_head\n"
    for name in ("sph", "stm"):
        (folder / "test" / name).mkdir(parents=True)
    (folder / "test/sph/T.sph").write_bytes(header.encode().ljust(1024) + TONE)
    (folder / "test/stm/T.stm").write_text("T 1 S 0.1 0.5 <o,f0> so it is\nT 1 S 0.5 1.2 <o> yes\n")


@reader(_talks, PipelineError)
def tedlium(folder):
    return rows(ds.TedliumDataset(str(folder), "release1", "test", shuffle=False))
