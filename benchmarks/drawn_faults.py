"""Draw faults at random places of the sources and see whether the tests notice, which nobody wrote for them.

Each seed draws another set. The likely test files (with `--all` the whole suite) are loaded once. A copy of that
process runs their tests with a probe at each place, which tells which tests reach it; then for each fault another copy
exchanges the code of one function and runs the quickest of the tests that reach it. So a fault costs no more than its
tests. What stays unnoticed meets these tests again in a new process that loads the changed file, for what happens while
modules are loaded or in other processes.

What is found goes to `--out`, one line a fault, and a later run goes on there. A row that has "equal": "reason" was
judged to change nothing that a program can see; it is left out of the share that is noticed.
"""
from __future__ import annotations

import argparse
import contextlib
import gc
import json
import linecache
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import mutation
import pytest
from drawing import Drawn, changed, drawn, likely, written

NOT = "not slow and not nets and not compat and not nightly and not dist"
MOST = 8.0                  # seconds of the processor for a test while places are probed; it protects the run


def codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a module and of all functions in it, in order."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from codes(inner)


def exchange(path: str, text: str) -> None:
    """Give the functions of a loaded module the code of another text of its file."""
    before, after = (compile(t, path, "exec", dont_inherit=True) for t in (Path(path).read_text(), text))
    new = {(c.co_qualname, n): c for c, n in _numbered(after)}
    old = {c: new.get((c.co_qualname, n)) for c, n in _numbered(before)}
    for function in gc.get_objects():
        if type(function) is FunctionType and function.__code__.co_filename == path:
            code = old.get(function.__code__)
            if code is not None and code != function.__code__:
                with contextlib.suppress(ValueError):        # other free variables: the new process will tell
                    function.__code__ = code
    linecache.cache[path] = (len(text), None, text.splitlines(True), path)      # where the compiler reads it


def _numbered(code: CodeType) -> Iterator[tuple[CodeType, int]]:
    """Code with its number among those of the same name, such as lambdas."""
    seen: Counter[str] = Counter()
    for one in codes(code):
        yield one, seen[one.co_qualname]
        seen[one.co_qualname] += 1


def in_copy(work: Callable[[], Any], limit: float) -> Any:
    """What a function gives in a copy of this process; None if that takes too long or ends."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        os.close(reading)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        try:
            with os.fdopen(writing, "w") as file:
                file.write(json.dumps(work()))
        finally:
            os._exit(0)
    os.close(writing)
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(child, signal.SIGKILL))
    signal.setitimer(signal.ITIMER_REAL, limit)
    with os.fdopen(reading) as file:
        found = file.read()
    signal.setitimer(signal.ITIMER_REAL, 0)
    os.waitpid(child, 0)
    return json.loads(found) if found else None


class Trial:
    """A session of pytest that tries faults in place of running its tests once."""

    def __init__(self, faults: list[Drawn], copy: Path, out: Path, args: argparse.Namespace):
        self.faults, self.copy, self.out, self.args = faults, copy, out, args
        self.failed = ""
        self.times: Counter[str] = Counter()
        self.outcomes: dict[str, str] = {}
        self.hits: dict[int, list[str]] = defaultdict(list)
        self.now = ""

    def path(self, fault: Drawn) -> str:
        """The file of a fault in the copy."""
        return str(self.copy / "src" / "mindspore" / fault.file)

    # ------------------------------------------------------------ hooks of pytest

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Remember which test failed, and what each takes."""
        self.times[report.nodeid] += report.duration
        if report.failed and not self.failed:
            self.failed = report.nodeid
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[report.nodeid] = report.outcome

    def pytest_runtestloop(self, session: Any) -> bool:
        """Probe, then try."""
        items = self.few(session.items)
        print(f"{len(items)} of {len(session.items)} tests are probed", flush=True)
        lanes = [items[k :: self.args.lanes] for k in range(self.args.lanes)]
        parts = self.in_lanes([lambda lane=lane: self.probed(lane) for lane in lanes])
        reached: dict[int, list[str]] = defaultdict(list)
        times: dict[str, float] = {}
        by_name = {item.nodeid: item for item in items}
        outcomes: dict[str, str] = {}
        for part in filter(None, parts):
            times |= part["times"]
            outcomes |= part["outcomes"]
            for number, tests in part["hits"].items():
                reached[int(number)] += tests
        failed = sorted({t for tests in reached.values() for t in tests if outcomes.get(t) != "passed"})
        doubtful = [by_name[t] for t in failed]              # a probe itself may be what a test does not stand
        outcomes |= in_copy(lambda: self.without_probes(doubtful), 600 + 10 * len(doubtful)) or {}
        reached = {n: [t for t in tests if outcomes.get(t) == "passed"] for n, tests in reached.items()}
        print(f"{sum(map(bool, reached.values()))} of {len(self.faults)} faults are reached", flush=True)
        shares = [range(k, len(self.faults), self.args.lanes) for k in range(self.args.lanes)]
        self.in_lanes([lambda share=share: [self.tried(n, reached.get(n, []), times, by_name) for n in share]
                       for share in shares])
        return True

    def in_lanes(self, works: list[Callable[[], Any]]) -> list[Any]:
        """What functions give that run at the same time, each in a copy of this process."""
        if len(works) == 1:
            return [works[0]()] if self.args.inline else [in_copy(works[0], 36_000)]
        reading, found = [], []
        for work in works:
            ends = os.pipe()
            if not os.fork():
                with os.fdopen(ends[1], "w") as file:
                    file.write(json.dumps(in_copy(work, 36_000)))
                os._exit(0)
            os.close(ends[1])
            reading.append(ends[0])
        for end in reading:
            with os.fdopen(end) as file:
                found.append(json.loads(file.read() or "null"))
        return found

    # ------------------------------------------------------------ which tests

    def few(self, items: list[Any]) -> list[Any]:
        """The tests without most cases of parametrised ones: those named like a fault, and some at random."""
        words = {name.strip("_").lower() for fault in self.faults for name in (*fault.names, Path(fault.file).stem)}
        shown = self.args.cases
        groups: dict[str, list[Any]] = defaultdict(list)
        for item in items:
            if not any(item.get_closest_marker(name) for name in ("slow", "nets", "compat", "nightly", "dist")):
                groups[item.nodeid.partition("[")[0]].append(item)
        rng, chosen = random.Random(self.args.seed), set()
        for group in groups.values():
            near = [i for i in group if words & set(re.split(r"[^a-z0-9]+", i.nodeid.partition("[")[2].lower()))]
            chosen |= set(near[:shown] + rng.sample(group, min(shown, len(group))))
        return [item for item in items if item in chosen]

    # ------------------------------------------------------------ in copies of the process

    def run(self, items: list[Any], first: bool) -> None:
        """Run tests, until one fails if `first`."""
        for at, item in enumerate(items):
            following = items[at + 1] if at + 1 < len(items) else None
            self.now = item.nodeid
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if first and self.failed:
                return

    def probed(self, items: list[Any]) -> dict[str, Any]:
        """The tests that reach each place, and what they take."""
        by_file: dict[str, list[tuple[int, Drawn]]] = defaultdict(list)
        for number, fault in enumerate(self.faults):
            if not fault.probe:
                continue
            by_file[self.path(fault)].append((number, fault))
        vars(sys)["modules"]["reach_probe"] = self          # for the probes, which import it
        for path, some in by_file.items():
            exchange(path, with_probes(Path(path).read_text(), some))
        signal.signal(signal.SIGPROF, _too_long)
        for at, item in enumerate(items):
            following = items[at + 1] if at + 1 < len(items) else None
            self.now = item.nodeid
            signal.setitimer(signal.ITIMER_PROF, MOST)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            signal.setitimer(signal.ITIMER_PROF, 0)
        return {"hits": self.hits, "times": self.times, "outcomes": self.outcomes}

    def without_probes(self, items: list[Any]) -> dict[str, str]:
        """What some tests say of the sources as they are."""
        self.run(items, first=False)
        return self.outcomes

    def hit(self, number: int) -> None:
        """A probe was reached."""
        if self.now not in self.hits[number]:
            self.hits[number].append(self.now)

    def tried(self, number: int, tests: list[str], times: dict[str, float], by_name: dict[str, Any]) -> None:
        """Try one fault and write what was found."""
        fault, began = self.faults[number], time.monotonic()
        chosen = sorted(quickest(tests, times, self.args.tests, self.args.seconds))
        row: dict[str, Any] = {"fault": fault.key(), "tests": len(chosen), "state": "unreached", "by": ""}
        if chosen:
            limit = 60 + 10 * sum([times.get(test, 0.0) for test in chosen])
            found = in_copy(lambda: self.with_fault(fault, [by_name[test] for test in chosen]), limit)
            row |= {"state": "hung" if found is None else "failed" if found else "passed", "by": found or ""}
            if row["state"] == "passed" and self.args.confirm:
                row |= dict(zip(("state", "by"), in_new_process(fault, chosen), strict=True))
        elif self.args.confirm:            # it may be reached while modules are loaded, or by other processes
            state, by = in_new_process(fault, self.args.where or likely([fault], 3))
            row |= {"state": "unreached" if state == "passed" else state, "by": by}
        row["seconds"] = round(time.monotonic() - began, 1)
        with self.out.open("a") as file:
            file.write(json.dumps(row) + "\n")

    def with_fault(self, fault: Drawn, items: list[Any]) -> str:
        """The first test that fails with the fault, or nothing."""
        exchange(self.path(fault), changed(fault))
        self.failed = ""
        self.run(items, first=True)
        return self.failed


def _too_long(*_: Any) -> None:
    raise TimeoutError("a test takes too long to be probed with")


def with_probes(text: str, faults: list[tuple[int, Drawn]]) -> str:
    """The text of a file with a probe before the statement of each fault."""
    lines = text.splitlines(True)
    for number, fault in sorted(faults, key=lambda pair: -pair[1].probe):
        line = lines[fault.probe - 1]
        indent = line[: len(line) - len(line.lstrip())]
        lines.insert(fault.probe - 1, f"{indent}__import__('reach_probe').hit({number})\n")
    return "".join(lines)


def quickest(tests: list[str], times: dict[str, float], most: int, seconds: float) -> Iterator[str]:
    """Tests that take little together: of each file in turn the quickest, so many and for so long at most."""
    files: dict[str, list[str]] = defaultdict(list)
    for test in sorted(set(tests), key=lambda name: times.get(name, 0.0)):
        files[test.partition("::")[0]].append(test)
    total, count = 0.0, 0
    while any(files.values()):
        for left in files.values():
            if left:
                test = left.pop(0)
                total, count = total + times.get(test, 0.0), count + 1
                if count > 1 and (total > seconds or count > most):
                    return
                yield test


def in_new_process(fault: Drawn, tests: list[str]) -> tuple[str, str]:
    """What tests say in a new interpreter that loads the changed file, from a copy of its own."""
    with tempfile.TemporaryDirectory() as folder:
        copy = mutation.prepared(Path(folder))
        mutation.put(copy, fault.file, changed(fault))
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no", "-x"]
        with subprocess.Popen([*command, "-m", NOT, *tests], cwd=copy, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(copy / "src")},
                              start_new_session=True) as run:
            try:
                told, _ = run.communicate(timeout=2 * mutation.LIMIT)
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                return "hung", f"over {2 * mutation.LIMIT:.0f} s"
        if run.returncode in (0, 5):
            return "passed", ""
        words = [line.split()[1] for line in told.splitlines() if line.startswith(("FAILED ", "ERROR "))]
        return "failed", words[0] if words else f"exit code {run.returncode}"


def report(rows: list[dict[str, Any]]) -> list[str]:
    """The counts by area, then what was not noticed."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        area = row["fault"].partition("/")[0].partition(".py")[0]
        counts[area]["equal" if "equal" in row else row["state"]] += 1
    lines = ["| area | drawn | change nothing | noticed | not noticed |", "|---|---|---|---|---|"]
    total: Counter[str] = Counter()
    for area, states in [*sorted(counts.items()), ("all", total)]:
        total += states if area != "all" else Counter()
        seen = states["failed"] + states["hung"]
        lines.append(f"| {area} | {states.total()} | {states['equal']} | {seen} "
                     f"| {states.total() - states['equal'] - seen} |")
    return lines + [f"{row['state']} {row['tests']}: {row['fault']}" for row in rows
                    if row["state"] not in ("failed", "hung") and "equal" not in row]


def main() -> int:
    """Draw, find the tests, try."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", default="", help="a part of file names")
    parser.add_argument("--rows", help="rows of mutation/*.py by area, file or text, in place of drawn faults")
    parser.add_argument("--where", nargs="*", default=[], help="files and folders of tests, in place of likely ones")
    parser.add_argument("--all", action="store_true", help="the whole suite instead of likely files")
    parser.add_argument("--each", type=int, default=4, help="likely test files of a fault")
    parser.add_argument("--cases", type=int, default=8, help="of a parametrised test, besides those named like a fault")
    parser.add_argument("--tests", type=int, default=40, help="that a fault meets at most")
    parser.add_argument("--seconds", type=float, default=15.0, help="that these take together at most")
    parser.add_argument("--lanes", type=int, default=2, help="processes at the same time")
    parser.add_argument("--confirm", action="store_true",
                        help="what stays unnoticed meets its tests in a new process, unreached faults the likely ones")
    parser.add_argument("--again", action="store_true", help="try again what was not noticed")
    parser.add_argument("--inline", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--list", action="store_true", help="print the faults and the likely tests, try nothing")
    parser.add_argument("--report", action="store_true", help="print the results, try nothing")
    parser.add_argument("--out", type=Path, default=Path("drawn_faults.jsonl"))
    args = parser.parse_args()
    out = args.out.resolve()
    rows = {row["fault"]: row for row in map(json.loads, out.read_text().splitlines())} if out.exists() else {}
    if args.report:
        print("\n".join(report(list(rows.values()))))
        return 0
    known = {key for key, row in rows.items()
             if not args.again or row["state"] in ("failed", "hung") or "equal" in row}
    rows_by_hand = [r for r in mutation.table() if args.rows and any(args.rows in t for t in r[:3])]
    by_hand = [written(r.file, r.old, r.new) for r in rows_by_hand]
    faults = [f for f in by_hand if f is not None] if args.rows else drawn(args.seed, args.count, args.only)
    faults = [fault for fault in faults if fault.key() not in known]
    own = sorted({f"tests/{test}" for r in rows_by_hand for test in r.tests})
    tests = ["tests"] if args.all else args.where or own or likely(faults, args.each)
    if args.list:
        print(*[fault.key() for fault in faults], *tests, sep="\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        copy = mutation.prepared(Path(folder))
        os.chdir(copy)
        pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--tb=no", *tests],
                    plugins=[Trial(faults, copy, out, args)])
    rows = {row["fault"]: row for row in map(json.loads, out.read_text().splitlines())}
    print("\n".join(report(list(rows.values()))))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
