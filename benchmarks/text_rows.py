"""Time text transforms in pipelines: thousand rows per second of lines of about 130 characters.

    python benchmarks/text_rows.py [--original PY] [--write]

The original runs the same code in a process of its own; each figure is the best of three rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROWS, ROUNDS = 4000, 3
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def words() -> list[str]:
    """Words of two to nine letters, the same in every run."""
    draw = random.Random(1)
    lengths = [draw.randint(2, 9) for _ in range(3000)]
    return sorted({"".join(draw.choices(LETTERS, k=length)) for length in lengths})


def write_lines(path: str) -> None:
    """A file of lines of twenty words and a few signs."""
    draw, known = random.Random(2), words()
    lines = [
        " ".join(draw.choices(known, k=20)) + f", {draw.choice(known).capitalize()}!"
        for _ in range(ROWS)
    ]
    Path(path).write_text("\n".join(lines), encoding="utf-8")


def cases() -> dict:
    """Names and operations."""
    from mindspore.dataset import text

    known = words()
    whole = text.Vocab.from_list([*known, "[UNK]"])
    pieces = {word[:4] for word in known} | {"##" + word[4:] for word in known if word[4:]}
    bert = text.BertTokenizer(
        text.Vocab.from_list([*sorted(pieces), "[UNK]", ",", "!"]), lower_case=True
    )
    return {
        "lines alone": [],
        "WhitespaceTokenizer": [text.WhitespaceTokenizer()],
        "WhitespaceTokenizer, Lookup": [text.WhitespaceTokenizer(), text.Lookup(whole, "[UNK]")],
        "WhitespaceTokenizer, Ngram": [text.WhitespaceTokenizer(), text.Ngram([2, 3])],
        "UnicodeCharTokenizer": [text.UnicodeCharTokenizer()],
        "UnicodeScriptTokenizer": [text.UnicodeScriptTokenizer()],
        "RegexTokenizer": [text.RegexTokenizer(r"\s+")],
        "BasicTokenizer, lower case": [text.BasicTokenizer(True)],
        "BertTokenizer, lower case": [bert],
        "CaseFold": [text.CaseFold()],
        "RegexReplace": [text.RegexReplace("[aeiou]+", "_")],
        "FilterWikipediaXML": [text.FilterWikipediaXML()],
    }


def rows_per_second(path: str) -> dict[str, float]:
    """Thousand rows per second of every case, with the package that imports as `mindspore`."""
    import mindspore.dataset as ds

    speeds = {}
    for name, operations in cases().items():
        data = ds.TextFileDataset(path, shuffle=False)
        data = data.map(operations, "text") if operations else data
        best = 0.0
        for _ in range(ROUNDS):
            start = time.perf_counter()
            count = sum(1 for _ in data.create_tuple_iterator(num_epochs=1, output_numpy=True))
            best = max(best, count / (time.perf_counter() - start) / 1e3)
        speeds[name] = best
    return speeds


def measured(python: str, path: str, ours: bool) -> dict[str, float]:
    """The speeds in a process of its own."""
    environment = dict(os.environ)
    if not ours:
        environment.pop("PYTHONPATH", None)
    command = [python, __file__, "--lines", path]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--original", metavar="PY", help="interpreter with the original")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--lines", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.lines:
        print(json.dumps(rows_per_second(args.lines)))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "lines.txt")
        write_lines(path)
        ours = measured(sys.executable, path, True)
        theirs = measured(args.original, path, False) if args.original else {}
    table = ["| transforms | k rows/s |" + (" original | ratio |" if theirs else "")]
    table.append("|---|---|" + ("---|---|" if theirs else ""))
    for name, speed in ours.items():
        peer = f" {theirs[name]:.1f} | {speed / theirs[name]:.2f} |" if theirs else ""
        table.append(f"| {name} | {speed:.1f} |{peer}")
    print("\n".join(table))
    if args.write:
        import results  # only here: the original's process has no need of it

        results.write("Text", "python benchmarks/text_rows.py", table)


if __name__ == "__main__":
    main()
