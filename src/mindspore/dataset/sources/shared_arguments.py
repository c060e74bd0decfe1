"""What arguments mean that most sources take: explained here once, and added to the docstring of each."""

from __future__ import annotations

import inspect
import re

_ROWS = {
    "num_samples": "Most rows to give; None or 0: all.",
    "num_shards": "Give only one of so many shares, which are equally large.",
    "shard_id": "Which of the shares, from 0 on; needed with `num_shards`.",
    "decode": "Give images as uint8 (H, W, 3) instead of the bytes of their files.",
    "decrypt": "A function from the path of a file to its decrypted bytes.",
    "extra_metadata": "Add the column `_meta-filename`, which has to be renamed to be given.",
}
BY_NUMBER = _ROWS | {
    "num_parallel_workers": "Threads that read, where reading waits for files; None: the number in `config`.",
    "shuffle": "Give the rows in a random order, as by default; False: in their own.",
    "sampler": "A sampler, or numbers of rows: which, in which order; excludes `shuffle`, `num_samples` and shares.",
    "cache": "A DatasetCache that keeps the rows for later passes.",
}
IN_TURN = _ROWS | {
    "num_parallel_workers": "How many files are read in turns; None: the number in `config`.",
    "shuffle": "True or Shuffle.GLOBAL: mix files and rows; Shuffle.FILES: only the files; Shuffle.INFILE: only the "
    "rows of each file; False: neither.",
    "cache": "Must be None: rows that have no numbers cannot be kept.",
}
_SECTION = re.compile(r"^Args:\n((?:(?: {4}.*)?\n?)*)", re.MULTILINE)
_ENTRY = re.compile(r"^ {4}([\w, ]+):", re.MULTILINE)


def completed(doc: str, names: list[str], shared: dict[str, str]) -> str:
    """A docstring that explains also those of the named arguments that are shared."""
    doc = inspect.cleandoc(doc)
    found = _SECTION.search(doc)
    known = set(re.findall(r"\w+", " ".join(_ENTRY.findall(found[1])))) if found else set()
    entries = "".join([f"\n    {name}: {shared[name]}" for name in names if name in shared and name not in known])
    if not entries:
        return doc
    if found:
        end = found.start() + len(found[0].rstrip())
        return doc[:end] + entries + doc[end:]
    head, blank, rest = doc.partition("\n\nExamples:")
    return f"{head}\n\nArgs:{entries}{blank}{rest}"
