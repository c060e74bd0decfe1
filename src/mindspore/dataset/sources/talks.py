"""Talks in NIST SPHERE files with their transcripts."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.sources.recordings import read_sph
from mindspore.dataset.sources.signatures import ROWS
from mindspore.dataset.sources.speech import Entry, RecordingsDataset, _names, inside


class TedliumDataset(
    RecordingsDataset, takes=f"dataset_dir, release, usage=None, extensions=None, {ROWS}"
):
    r"""TED-LIUM (Rousseau et al. 2012; Hernandez et al. 2018): talks in NIST SPHERE files, cut by their transcripts.

    Columns: `waveform`, `sample_rate` int32, `transcript`, `talk_id`, `speaker_id`, `identifier`.

    Args:
        dataset_dir: Folder of `train`, `test`, `dev` (of release 3: `data`), each with folders `stm` and
            `sph`.
        release: 'release1', 'release2' or 'release3'.
        usage: 'train', 'test', 'dev' or 'all' (default); of release 3 only 'all'.
        extensions: Ending of the recordings: '.sph' (default).

    Examples:
        >>> folder = Path(tempfile.mkdtemp()) / "dev"
        >>> (folder / "stm").mkdir(parents=True)
        >>> (folder / "sph").mkdir()
        >>> _ = (folder / "stm" / "A.stm").write_text("A 1 A 0.0 0.001 <o> some words\n")
        >>> head = "NIST_1A\n   1024\nsample_rate -i 16000\nchannel_count -i 1\nsample_n_bytes -i 2\n"
        >>> head += "sample_count -i 16\nsample_coding -s3 pcm\nsample_byte_format -s2 01\nend_head\n"
        >>> _ = (folder / "sph" / "A.sph").write_bytes(head.encode().ljust(1024) + bytes(32))
        >>> data = dataset.TedliumDataset(str(folder.parent), "release1", "dev")
        >>> row = next(data.create_dict_iterator(output_numpy=True))
        >>> row["waveform"].shape, str(row["transcript"])
        ((1, 16), 'some words')
    """

    columns = (
        ("transcript", None),
        ("talk_id", None),
        ("speaker_id", None),
        ("identifier", None),
    )
    options = {
        "release": ("release1", "release2", "release3"),
        "usage": ("all", "train", "test", "dev"),
        "extensions": (".sph",),
    }
    release: str
    extensions: str

    def verify(self) -> None:
        if self.release == "release3" and self.usage != "all":
            raise check.fail(ValueError, self, "usage", "'all' for release 3", self.usage)

    def entries(self) -> list[Entry]:
        parts = ["train", "test", "dev"] if self.usage == "all" else [self.usage]
        found: list[tuple[int, str, Entry]] = []
        for part in ["data"] if self.release == "release3" else parts:
            folder = os.path.join(self.dataset_dir, part)
            transcripts = os.path.join(folder, "stm")
            if not os.path.isdir(transcripts):
                raise self._wrong(folder, "contain the folder stm", "folder")
            for name in _names(transcripts, ".stm"):
                lines = self._lines(os.path.join(transcripts, name))
                found += [
                    (i, name, self._entry(folder, name, line)) for i, line in enumerate(lines)
                ]
        found.sort(key=lambda entry: entry[:2])  # the first lines of all talks, then the second ...
        return self._some([entry for *_, entry in found], "transcripts")

    def _entry(self, folder: str, name: str, line: str) -> Entry:
        """Of a line: talk, channel, speaker, begin and end in s, identifier, words (NIST STM format)."""
        try:
            talk, _, speaker, begin, end, identifier, *words = line.split(" ", 6)
            place = inside(self, folder, "sph", talk + self.extensions), float(begin), float(end)
        except ValueError:
            raise self._wrong(
                os.path.join(folder, "stm", name),
                f"have lines of talk, channel, speaker, begin, end, identifier and words, not {line!r}",
            ) from None
        return place, "".join(words), talk, speaker, identifier

    def read(self, place: Any) -> tuple[np.ndarray, int]:
        return read_sph(type(self).__name__, *place)
