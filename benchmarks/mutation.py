"""Put known faults into a copy of the sources, one at a time, and see whether the tests notice.

The faults are tables, `mutation/*.py`: file, source text, what replaces it, tests to run first. A fault whose own tests
stay silent meets the wider ones, the folder of each of its tests. Every test that noticed a fault must pass without
one, or the run says so and ends with 1. `--out` keeps what was found, one line a fault, and a later run goes on there.
`--minutes` and `--least` are for the night: how long it may take, and which share must be noticed, or it ends with 1.
"""
from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import zlib
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
TABLES = Path(__file__).with_name("mutation")
COPIED = ("src", "tests", "examples", "docs", "README.md", "CONTRIBUTING.md", "pyproject.toml")
LIMIT = 120.0             # seconds for the tests of one fault; a fault that makes them hang is noticed


class Fault(NamedTuple):
    """One row of a table."""

    area: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def key(self) -> str:
        """What names the row in results."""
        return f"{self.file}: {self.old!r} -> {self.new!r}"

    def number(self) -> int:
        """A number that looks random and stays when rows are added: for the order and for parts."""
        return zlib.crc32(self.key().encode())


def table() -> list[Fault]:
    """The rows of all tables."""
    found = []
    for path in sorted(TABLES.glob("*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found += [Fault(path.stem, file, old, new, tuple(tests.split()))
                  for file, tests, pairs in module.FAULTS for old, new in pairs]
    return found


def run_tests(copy: Path, tests: list[str], limit: float, more: tuple[str, ...] = ("-x",)) -> tuple[str, str]:
    """'passed', 'failed', 'hung' or 'none collected', with the first test that failed; in a process of its own."""
    log = copy / "out.txt"
    child = os.fork()          # torch is loaded once, here, and the package anew in each child
    if not child:
        os.setsid()
        _be_pytest(copy, tests, log, more)
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            words = [line.split()[1] for line in log.read_text(errors="replace").splitlines()
                     if line.startswith(("FAILED ", "ERROR ")) and len(line.split()) > 1]
            known = {0: "passed", 2: "none collected", 4: "none collected", 5: "none collected"}
            return known.get(code, "failed"), words[0] if words else f"exit code {code}"
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "hung", f"over {limit:.0f} s"


def _be_pytest(copy: Path, tests: list[str], log: Path, more: tuple[str, ...]) -> None:
    """Run the tests in this process and end it."""
    code = 1
    try:
        os.chdir(copy)
        out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        import pytest

        code = int(pytest.main(["-q", "-p", "no:cacheprovider", "--no-header", "--tb=no", *more, *tests]))
    finally:
        sys.stdout.flush()
        os._exit(code)


def put(copy: Path, file: str, text: str) -> None:
    """Write a source file of the copy, and forget its bytecode, which may have the same time and size."""
    path = copy / "src" / "mindspore" / file
    path.write_text(text)
    for old in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        old.unlink()


def try_fault(copy: Path, fault: Fault, wide: bool) -> dict[str, Any]:
    """What the tests say of one fault."""
    before = (copy / "src" / "mindspore" / fault.file).read_text()
    if before.count(fault.old) != 1:
        return {"state": "stale", "by": f"its text is there {before.count(fault.old)} times"}
    began = time.monotonic()
    put(copy, fault.file, before.replace(fault.old, fault.new))
    try:
        tests = [f"tests/{name}" for name in fault.tests]
        state, by = run_tests(copy, tests, LIMIT)
        if state == "passed" and wide:
            folders = sorted({str(Path(name).parent) if name.endswith(".py") else name for name in tests})
            state, by = run_tests(copy, [f for f in folders if f != "tests"] or tests, 5 * LIMIT)
    finally:
        put(copy, fault.file, before)
    return {"state": state, "by": by, "seconds": round(time.monotonic() - began, 1)}


def report(results: dict[str, dict[str, Any]], faults: list[Fault]) -> list[str]:
    """The lines of the result: a count for each area, then every fault that nothing noticed."""
    counts: dict[str, Counter[str]] = {}
    for fault in faults:
        if fault.key() in results:
            counts.setdefault(fault.area, Counter())[results[fault.key()]["state"]] += 1
    lines = ["| area | tried | noticed | not noticed |", "|---|---|---|---|"]
    rows = [(area, c.total(), c["failed"] + c["hung"]) for area, c in sorted(counts.items())]
    rows.append(("all", sum(r[1] for r in rows), sum(r[2] for r in rows)))
    lines += [f"| {area} | {tried} | {seen} | {tried - seen} |" for area, tried, seen in rows]
    left = [f for f in faults if results.get(f.key(), {}).get("state") not in (None, "failed", "hung")]
    if left:
        lines += ["", "| not noticed | source | fault |", "|---|---|---|"]
        lines += [f"| {f.file} | `{_one_line(f.old)}` | `{_one_line(f.new)}` |" for f in left]
    return lines


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main() -> int:
    """Try the faults, write what was found, check the tests that noticed without a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="a part of a file name, area or source text")
    parser.add_argument("--wide", action="store_true", help="the folders of the tests, too, where these are silent")
    parser.add_argument("--part", default="1/1", help="I/N: the I-th of N chunks, for several processes or nights")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="try no further fault after so many")
    parser.add_argument("--least", type=float, default=0.0, help="the share of faults that must be noticed")
    parser.add_argument("--out", default="mutation_results.jsonl")
    parser.add_argument("--again", action="store_true", help="try also what the results have already")
    parser.add_argument("--report", action="store_true", help="print the results and try nothing")
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    args = parser.parse_args()
    faults = table()
    out = Path(args.out).resolve()
    lines = out.read_text().splitlines() if out.exists() else []
    results = {row["fault"]: row for row in map(json.loads, lines)}
    number, parts = map(int, args.part.split("/"))
    chosen = [f for f in faults if not args.only or any(args.only in t for t in f[:3])]
    chosen = [f for f in chosen if f.number() % parts == number - 1 and (args.again or f.key() not in results)]
    chosen.sort(key=lambda f: f.number() // parts)         # areas take turns, for runs that are stopped
    wrong = [] if args.report else try_all(chosen, out, results, args.wide, time.monotonic() + 60 * args.minutes)
    result = report(results, faults)
    print("\n".join(result))
    if args.write:
        import results as sections

        sections.write("Faults put into the code", "python benchmarks/mutation.py --wide", result)
    if wrong:
        print("these fail without a fault, too, so what they noticed counts for nothing:", *wrong, sep="\n  ")
    tried = [results[f.key()]["state"] for f in faults if f.key() in results]
    share = sum([state in ("failed", "hung") for state in tried]) / max(len(tried), 1)
    print(f"{len(tried)} of {len(faults)} faults tried, {share:.1%} noticed")
    return bool(wrong) or share < args.least


def prepared(copy: Path) -> Path:
    """A folder with a copy of sources and tests, whose package is the one that children load."""
    os.environ["OMP_NUM_THREADS"] = "1"
    import pytest  # noqa: F401  # loaded here once instead of in every child
    import torch  # noqa: F401  # as above

    for name in COPIED:
        from_, to = ROOT / name, copy / name
        if from_.is_dir():
            shutil.copytree(from_, to)
        elif from_.exists():
            shutil.copy2(from_, to)
    os.environ["PYTHONPATH"] = str(copy / "src")
    sys.path.insert(0, str(copy / "src"))
    return copy


def try_all(chosen: list[Fault], out: Path, results: dict[str, dict[str, Any]], wide: bool,
            end: float = float("inf")) -> list[str]:
    """Try each, until it is late; the tests that noticed one and do not pass without."""
    with tempfile.TemporaryDirectory() as folder:
        copy = prepared(Path(folder))
        noticed: set[str] = set()
        for fault in chosen:
            if time.monotonic() > end:
                break
            found = try_fault(copy, fault, wide)
            results[fault.key()] = found
            with out.open("a") as file:
                file.write(json.dumps({"fault": fault.key(), "area": fault.area, **found}) + "\n")
            print(f"{found['state']:8} {found.get('seconds', 0):6} {fault.key()[:150]}  {found['by']}", flush=True)
            if found["state"] == "failed" and "::" in found["by"]:
                noticed.add(found["by"].partition("[")[0])
        return broken_without(copy, sorted(noticed))


def broken_without(copy: Path, tests: list[str]) -> list[str]:
    """Those that fail in the unchanged copy."""
    if not tests or run_tests(copy, tests, 30 * LIMIT)[0] == "passed":
        return []
    return [test for test in tests if run_tests(copy, [test], LIMIT)[0] != "passed"]


if __name__ == "__main__":
    sys.exit(main())
