"""Damages files and watches their readers: whether they end by the documented error or the right content.

Usage: run.py [--cases N] [--seed N] [--keep FOLDER] [READER ...]
The cases are the numbers from the seed on, N of every reader; a case has the same damage at every run. What a crash
leaves is one case more that is wrong; the others follow.
"""

from __future__ import annotations

import argparse
import collections
import json
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).parent
CHILD = [sys.executable, str(HERE / "child.py")]
PATIENCE = 30       # seconds without a word: the process is taken for hung, and ended
START = 180         # seconds until the first word: libraries are loaded, and whole files written


def names() -> list[str]:
    """The readers."""
    done = subprocess.run([*CHILD, "--list"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def wrong(wanted: list[str]) -> list[dict]:
    """The cases among those that are wanted (as the child's arguments) that end as they should not."""
    found: list[dict] = []
    count = 0
    while wanted:
        ended, open_case, errors = _one_run(wanted, found)
        count += ended
        if open_case is None and errors is None:
            break
        if open_case is None:
            raise RuntimeError(f"the process ended before its first case: {errors}")
        found.append({**open_case, "wrong": f"The process ends or hangs: {errors}", "outcome": "crash"})
        wanted = _behind(wanted, open_case["case"])
    print(f"{count} cases, {len(found)} wrong", file=sys.stderr)
    return found


def _one_run(wanted, found):
    """How many cases a process ended, the case in which it ended itself, and its last words (None if it came through).

    What is wrong is appended to `found`.
    """
    ended, begun = 0, None
    with tempfile.TemporaryFile("w+") as words, subprocess.Popen(
            [*CHILD, *wanted], stdout=subprocess.PIPE, stderr=words, text=True) as process:
        lines: queue.SimpleQueue = queue.SimpleQueue()
        threading.Thread(target=_passed_on, args=(process.stdout, lines), daemon=True).start()
        while True:
            try:
                line = lines.get(timeout=PATIENCE if ended or begun else START)
            except queue.Empty:
                process.kill()
                return ended, begun, f"nothing for {PATIENCE} s"
            if line is None:
                break
            if line.startswith('{"case"'):
                told = json.loads(line)
                if "wrong" not in told:
                    begun = told
                    continue
                if told["wrong"]:
                    found.append({**begun, **told})
                ended, begun = ended + 1, None
        code = process.wait()
        words.seek(0)
        return ended, begun, None if code == 0 else f"code {code}: {words.read()[-2000:]}"


def _passed_on(stream, lines):
    for line in stream:
        lines.put(line)
    lines.put(None)


def _behind(wanted, case):
    """The arguments for the cases behind one that was the end of a process."""
    if case.startswith("@"):
        return wanted[wanted.index(case) + 1 :]
    name, number = case.split(":")
    at = next(i for i, one in enumerate(wanted) if one.startswith(f"{name}:"))
    last = wanted[at].split(":")[2]
    rest = [f"{name}:{int(number) + 1}:{last}"] if int(number) + 1 < int(last) else []
    return rest + wanted[at + 1 :]


def kept() -> list[str]:
    """The cases that were once wrong."""
    return [f"@{folder}" for folder in sorted((HERE / "found").glob("*/*")) if folder.is_dir()]


def keep(found: dict, folder: Path) -> None:
    """Write the files of a case, to be tried again."""
    for name, content in found["files"].items():
        file = folder / found["case"].replace(":", "/") / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(bytes.fromhex(content))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--kept", action="store_true", help="try the cases that were once wrong")
    parser.add_argument("readers", nargs="*")
    given = parser.parse_args()
    first = given.seed
    wanted = kept() if given.kept else [f"{n}:{first}:{first + given.cases}" for n in given.readers or names()]
    found = wrong(wanted)
    for one in found:
        print(json.dumps({"case": one["case"], "files": list(one["files"]), "wrong": one["wrong"][:700]}))
        if given.keep:
            keep(one, given.keep)
    counts = collections.Counter(one["case"].split(":")[0] for one in found)
    print(dict(counts), file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
