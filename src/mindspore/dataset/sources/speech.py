"""Recordings with what is said, sung or played in them."""

from __future__ import annotations

import functools
import os
import re
from typing import Any

import numpy as np

from mindspore.core.errors import shortened
from mindspore.core.plain_files import regular
from mindspore.dataset.block import Column
from mindspore.dataset.errors import PipelineError, telling
from mindspore.dataset.sources.gtzan_parts import PARTS
from mindspore.dataset.sources.listed import inside
from mindspore.dataset.sources.mappable import MappableDataset
from mindspore.dataset.sources.recordings import read_recording
from mindspore.dataset.sources.signatures import ROWS, Taking

Entry = tuple[Any, ...]  # a file (or a part of one) and the values of the other columns


class RecordingsDataset(Taking, MappableDataset):
    """Recordings in files. A subclass defines `entries`, and `columns` after `waveform` and `sample_rate`.

    Columns: `waveform` float32 (channels, samples), full scale 1; `sample_rate`; and more.

    Args:
        num_parallel_workers: Threads that read.
    """

    rows_at_once = 8
    threads_help = True
    dataset_dir: str
    usage: str
    name: str
    columns: tuple[tuple[str, Any], ...] = ()  # name and type, None for text
    rate_type: Any = np.int32
    _read_last = ""  # the file that `entries` reads
    rate: int | None = None  # the only sample rate that there may be

    def entries(self) -> list[Entry]:
        """The rows, in their order."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'entries' is not defined.")

    def column_names(self) -> list[str]:
        return ["waveform", "sample_rate", *[name for name, _ in self.columns]]

    def size(self) -> int:
        return len(self._found)

    def row_bytes(self) -> int:
        return 2**18

    def fetch(self, numbers: np.ndarray) -> list[Column]:
        rows = [self._row(self._found[i]) for i in numbers.tolist()]
        return [list(column) for column in zip(*rows, strict=True)]

    def read(self, place: Any) -> tuple[np.ndarray, int]:
        """Waveform and sample rate of what an entry names."""
        return read_recording(type(self).__name__, place)

    def _row(self, entry: Entry) -> list[np.ndarray]:
        place = entry[0] if isinstance(entry[0], str) else entry[0][0]
        with telling(self, lambda: f"the file '{place}'"):
            return self._values(entry)

    def _values(self, entry: Entry) -> list[np.ndarray]:
        waveform, rate = self.read(entry[0])
        if self.rate is not None and rate != self.rate:
            raise self._wrong(entry[0], f"have a sample rate of {self.rate} Hz, but has {rate}")
        kinds = [kind for _, kind in self.columns]
        values = [np.array(v, kind) for v, kind in zip(entry[1:], kinds, strict=True)]
        return [waveform, np.array(rate, self.rate_type), *values]

    @functools.cached_property
    def _found(self) -> list[Entry]:
        with telling(self, lambda: f"the file '{self._read_last}'"):
            return self.entries()

    def _inside(self, *parts: str) -> str:
        """A path in the folder of the source; names that lists give may not lead out of it."""
        return inside(self, self.dataset_dir, *parts)

    def _some(self, entries: list[Entry], wanted: str) -> list[Entry]:
        if not entries:
            raise self._wrong(self.dataset_dir, f"contain {wanted}, but has none", "folder")
        return entries

    def _wrong(self, path: str, wanted: str, kind: str = "file") -> PipelineError:
        return PipelineError(f"For '{type(self).__name__}', the {kind} '{path}' must {shortened(wanted)}.")

    def _lines(self, path: str) -> list[str]:
        """The lines of a text file that are not empty."""
        self._read_last = path
        try:
            with open(path, encoding="utf-8", opener=regular) as stream:
                return [line for line in stream.read().splitlines() if line.strip()]
        except (OSError, UnicodeDecodeError) as error:
            raise self._wrong(path, f"be a text that can be read: {error}") from None


def _names(folder: str, ending: str = "", folders: bool = False) -> list[str]:
    """Names of the files in a folder with an ending, or of the folders in it, in order."""
    if not os.path.isdir(folder):
        return []
    with os.scandir(folder) as found:
        return sorted(
            item.name
            for item in found
            if item.name.endswith(ending) and (item.is_dir() if folders else item.is_file())
        )


class CMUArcticDataset(RecordingsDataset, takes=f"dataset_dir, name=None, {ROWS}"):
    r"""CMU Arctic (Kominek & Black 2003): sentences read by `name`, default 'aew'.

    Columns: `waveform`, `sample_rate` uint32, `transcript`, `utterance_id`.

    Args:
        dataset_dir: Folder of folders such as `cmu_us_aew_arctic`, with `etc/txt.done.data` and `wav`.
        name: The speaker: 'aew' (default), 'ahw', 'aup', 'awb', 'axb', 'bdl', 'clb', 'eey', 'fem', 'gka',
            'jmk', 'ksp', 'ljm', 'lnh', 'rms', 'rxr', 'slp' or 'slt'.

    Examples:
        >>> from scipy.io import wavfile
        >>> folder = Path(tempfile.mkdtemp()) / "cmu_us_aew_arctic"
        >>> (folder / "etc").mkdir(parents=True)
        >>> (folder / "wav").mkdir()
        >>> _ = (folder / "etc" / "txt.done.data").write_text('( arctic_a0001 "Some words." )\n')
        >>> wavfile.write(folder / "wav" / "arctic_a0001.wav", 16000, np.zeros(8, np.int16))
        >>> row = next(dataset.CMUArcticDataset(str(folder.parent)).create_dict_iterator(output_numpy=True))
        >>> row["waveform"].shape, int(row["sample_rate"]), str(row["transcript"])
        ((1, 8), 16000, 'Some words.')
    """

    columns = (("transcript", None), ("utterance_id", None))
    rate_type, rate = np.uint32, 16000
    _line = re.compile(r'\(\s*(\S+)\s+"(.*)"\s*\)')
    options = {"name": (
        "aew", "ahw", "aup", "awb", "axb", "bdl", "clb", "eey", "fem", "gka", "jmk", "ksp", "ljm", "lnh", "rms", "rxr",
        "slp", "slt",
    )}  # fmt: skip

    def entries(self) -> list[Entry]:
        folder = os.path.join(self.dataset_dir, f"cmu_us_{self.name}_arctic")
        labels = os.path.join(folder, "etc", "txt.done.data")
        found = []
        for line in self._lines(labels):
            match = self._line.fullmatch(line.strip())
            if match is None:
                raise self._wrong(
                    labels, f'have lines such as ( arctic_a0001 "Text." ), not {line!r}'
                )
            name, text = match.groups()
            path = inside(self, folder, "wav", f"{name}.wav")
            found.append((path, text, name.removeprefix("arctic_")))
        return self._some(found, "sentences")


class GTZANDataset(RecordingsDataset, takes=f"dataset_dir, usage=None, {ROWS}"):
    """GTZAN (Tzanetakis & Cook 2002): music of ten genres; `usage` is 'train', 'valid', 'test' or 'all' (default).

    Columns: `waveform`, `sample_rate` uint32, `label` (the genre).

    Args:
        dataset_dir: Folder of the folders of the genres.
        usage: 'train', 'valid', 'test' or 'all' (default).

    Examples:
        >>> from scipy.io import wavfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "blues").mkdir()
        >>> wavfile.write(folder / "blues" / "blues.00000.wav", 22050, np.zeros(8, np.int16))
        >>> row = next(dataset.GTZANDataset(str(folder)).create_dict_iterator(output_numpy=True))
        >>> row["waveform"].shape, int(row["sample_rate"]), str(row["label"])
        ((1, 8), 22050, 'blues')
    """

    columns = (("label", None),)
    rate_type = np.uint32
    options = {"usage": ("all", "train", "valid", "test")}

    def entries(self) -> list[Entry]:
        found = [
            (os.path.join(self.dataset_dir, genre, name), genre)
            for genre in _names(self.dataset_dir, folders=True)
            for name in _names(os.path.join(self.dataset_dir, genre), ".wav")
            if self.usage == "all" or name in _part(self.usage, genre)
        ]
        return self._some(found, f"recordings of usage '{self.usage}' in folders by genre")


def _part(usage: str, genre: str) -> set[str]:
    """The files of a genre that belong to a part."""
    numbers: set[str] = set()
    for span in PARTS[usage].get(genre, "").split():
        first, _, last = span.partition("-")
        numbers |= {f"{genre}.{i:05d}.wav" for i in range(int(first), int(last or first) + 1)}
    return numbers


class LibriTTSDataset(RecordingsDataset, takes=f"dataset_dir, usage=None, {ROWS}"):
    r"""LibriTTS (Zen et al. 2019): books read aloud; `usage` is a part such as 'dev-clean', or 'all' (default).

    Columns: `waveform`, `sample_rate` uint32, `original_text`, `normalized_text`, `speaker_id` uint32, `chapter_id`
    uint32, `utterance_id`.

    Args:
        dataset_dir: Folder of folders such as `dev-clean`.
        usage: 'dev-clean', 'dev-other', 'test-clean', 'test-other', 'train-clean-100', 'train-clean-360',
            'train-other-500' or 'all' (default).

    Examples:
        >>> from scipy.io import wavfile
        >>> folder = Path(tempfile.mkdtemp()) / "dev-clean" / "84" / "121"
        >>> folder.mkdir(parents=True)
        >>> _ = (folder / "84_121.trans.tsv").write_text("84_121_0_0\tMr. A\tMister A\n")
        >>> wavfile.write(folder / "84_121_0_0.wav", 24000, np.zeros(8, np.int16))
        >>> data = dataset.LibriTTSDataset(str(folder.parents[2]), "dev-clean")
        >>> row = next(data.create_dict_iterator(output_numpy=True))
        >>> row["waveform"].shape, str(row["normalized_text"]), int(row["speaker_id"])
        ((1, 8), 'Mister A', 84)
    """

    columns = (
        ("original_text", None),
        ("normalized_text", None),
        ("speaker_id", np.uint32),
        ("chapter_id", np.uint32),
        ("utterance_id", None),
    )
    rate_type, rate = np.uint32, 24000
    _parts = (
        "dev-clean", "dev-other", "test-clean", "test-other", "train-clean-100", "train-clean-360", "train-other-500",
    )  # fmt: skip
    options = {"usage": ("all", *_parts)}

    def entries(self) -> list[Entry]:
        found: list[Entry] = []
        for part in self._parts if self.usage == "all" else [self.usage]:
            base = os.path.join(self.dataset_dir, part)
            for speaker in _names(base, folders=True):
                for chapter in _names(os.path.join(base, speaker), folders=True):
                    found += self._chapter(os.path.join(base, speaker, chapter))
        return self._some(found, f"chapters of usage '{self.usage}'")

    def _chapter(self, folder: str) -> list[Entry]:
        found: list[Entry] = []
        for table in _names(folder, ".trans.tsv"):
            path = os.path.join(folder, table)
            for line in self._lines(path):
                name, *texts = line.split("\t")
                speaker, _, rest = name.partition("_")
                chapter = rest.partition("_")[0]
                if len(texts) != 2 or not (speaker.isdecimal() and chapter.isdecimal()):
                    raise self._wrong(path, f"have lines of a name and two texts, not {line!r}")
                wav = inside(self, folder, f"{name}.wav")
                found.append((wav, *texts, int(speaker), int(chapter), name))
        return found


class LJSpeechDataset(RecordingsDataset, takes=f"dataset_dir, {ROWS}"):
    r"""LJ Speech (Ito & Johnson 2017): passages of books, and `metadata.csv`.

    Columns: `waveform`, `sample_rate` int32, `transcription`, `normalized_transcription`.

    Args:
        dataset_dir: Folder of `metadata.csv` and `wavs`.

    Examples:
        >>> from scipy.io import wavfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "wavs").mkdir()
        >>> _ = (folder / "metadata.csv").write_text("LJ001-0001|Mr. A|Mister A\n")
        >>> wavfile.write(folder / "wavs" / "LJ001-0001.wav", 22050, np.zeros(8, np.int16))
        >>> row = next(dataset.LJSpeechDataset(str(folder)).create_dict_iterator(output_numpy=True))
        >>> row["waveform"].shape, str(row["transcription"]), str(row["normalized_transcription"])
        ((1, 8), 'Mr. A', 'Mister A')
    """

    columns = (("transcription", None), ("normalized_transcription", None))

    def entries(self) -> list[Entry]:
        table = os.path.join(self.dataset_dir, "metadata.csv")
        found = []
        for line in self._lines(table):
            name, *texts = line.split("|")
            if len(texts) < 2:
                raise self._wrong(table, f"have lines of a name and two texts, not {line!r}")
            found.append((self._inside("wavs", f"{name}.wav"), *texts[:2]))
        return self._some(found, "lines in metadata.csv")


class SpeechCommandsDataset(RecordingsDataset, takes=f"dataset_dir, usage=None, {ROWS}"):
    """Speech Commands (Warden 2018): single words; `usage` is 'train', 'test', 'valid' or 'all' (default).

    Columns: `waveform`, `sample_rate` int32, `label` (the word), `speaker_id`, `utterance_number` int32.

    Args:
        dataset_dir: Folder of the folders of the words, of `testing_list.txt` and `validation_list.txt`.
        usage: 'train', 'test', 'valid' or 'all' (default).

    Examples:
        >>> from scipy.io import wavfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "cat").mkdir()
        >>> wavfile.write(folder / "cat" / "00b01445_nohash_0.wav", 16000, np.zeros(8, np.int16))
        >>> row = next(dataset.SpeechCommandsDataset(str(folder)).create_dict_iterator(output_numpy=True))
        >>> row["waveform"].shape, str(row["label"]), str(row["speaker_id"]), int(row["utterance_number"])
        ((1, 8), 'cat', '00b01445', 0)
    """

    columns = (("label", None), ("speaker_id", None), ("utterance_number", np.int32))
    _lists = {"test": "testing_list.txt", "valid": "validation_list.txt"}
    _name = re.compile(r"(.+)_nohash_(\d+)\.wav")
    options = {"usage": ("all", "train", "test", "valid")}

    def entries(self) -> list[Entry]:
        if self.usage in self._lists:
            return [self._entry(name) for name in self._listed(self.usage)]
        everything = [
            f"{word}/{name}"
            for word in _names(self.dataset_dir, folders=True)
            if word != "_background_noise_"
            for name in _names(os.path.join(self.dataset_dir, word), ".wav")
        ]
        others: set[str] = set()
        if self.usage == "train":
            others = {name for usage in self._lists for name in self._listed(usage)}
        found = [self._entry(name) for name in everything if name not in others]
        return self._some(found, f"recordings of usage '{self.usage}' in folders by word")

    def _listed(self, usage: str) -> list[str]:
        path = os.path.join(self.dataset_dir, self._lists[usage])
        return [line.strip() for line in self._lines(path)] if os.path.isfile(path) else []

    def _entry(self, name: str) -> Entry:
        word, _, file = name.partition("/")
        path = self._inside(word, file)
        match = self._name.fullmatch(file)
        if match is None:
            raise self._wrong(path, "be named as <speaker>_nohash_<number>.wav")
        return path, word, match[1], int(match[2])


class YesNoDataset(RecordingsDataset, takes=f"dataset_dir, {ROWS}"):
    """YesNo (OpenSLR 1): eight times the Hebrew word for yes (1) or no (0), as the file is named.

    Columns: `waveform`, `sample_rate` int32, `label` int32 (up to 8).

    Args:
        dataset_dir: Folder of the recordings.

    Examples:
        >>> from scipy.io import wavfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> wavfile.write(folder / "0_1_0_0_1_1_1_0.wav", 8000, np.zeros(8, np.int16))
        >>> row = next(dataset.YesNoDataset(str(folder)).create_dict_iterator(output_numpy=True))
        >>> row["waveform"].shape, int(row["sample_rate"]), row["label"].tolist()
        ((1, 8), 8000, [0, 1, 0, 0, 1, 1, 1, 0])
    """

    columns = (("label", np.int32),)

    def entries(self) -> list[Entry]:
        found = []
        for name in _names(self.dataset_dir, ".wav"):
            path, digits = os.path.join(self.dataset_dir, name), name[:-4].split("_")
            if not all(digit.isdecimal() for digit in digits):
                raise self._wrong(path, "be named by its words, such as 0_1_0_0_1_1_1_0.wav")
            found.append((path, [int(digit) for digit in digits[:8]]))
        return self._some(found, "files that end in .wav")
