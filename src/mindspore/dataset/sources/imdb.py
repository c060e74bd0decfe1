"""Reviews of films."""

from __future__ import annotations

import numpy as np

from mindspore.core.plain_files import regular
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.sources.listed import Files, ListedDataset, numbers_of
from mindspore.dataset.sources.signatures import ROWS

_LABELS = {"pos": 1, "neg": 0}


class IMDBDataset(ListedDataset, takes=f"dataset_dir, usage=None, {ROWS}"):
    """Reviews of films and whether they are friendly (Maas et al. 2011). Columns: `text`, `label` (int32).

    Args:
        dataset_dir: The folder, with folders `train/pos`, `train/neg`, `test/pos`, `test/neg` of text files.
        usage: 'train', 'test' or 'all', the default.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id: Which rows, in which order; default:
            all, shuffled.

    Examples:
        >>> folder = Path(tempfile.mkdtemp()) / "train" / "pos"
        >>> folder.mkdir(parents=True)
        >>> (folder.parent / "neg").mkdir()
        >>> _ = (folder / "0_9.txt").write_text("What a film!")
        >>> data = dataset.IMDBDataset(str(folder.parents[1]), "train")
        >>> text, label = next(data.create_tuple_iterator(output_numpy=True))
        >>> str(text), int(label)
        ('What a film!', 1)
    """

    names = ("text", "label")
    options = {"usage": ("all", "train", "test")}

    def find(self) -> list[Files | np.ndarray]:
        self.classes = dict(sorted(_LABELS.items()))
        found = [
            (path, label)
            for usage in (("train", "test") if self.usage == "all" else (self.usage,))
            for name, label in _LABELS.items()
            for path in self.entries(self.inside(usage, name), ".txt")
        ]
        return [
            Files([path for path, _ in found], _text),
            numbers_of((n for _, n in found), np.int32),
        ]


def _text(source: IMDBDataset, path: str) -> np.ndarray:
    """A review as it stands in its file, ends of lines and all."""
    try:
        with open(path, encoding="utf-8", newline="", opener=regular) as file:
            return np.array(file.read())
    except (OSError, UnicodeDecodeError) as error:
        raise PipelineError(f"For 'IMDBDataset', '{path}' cannot be read: {error}.") from None
