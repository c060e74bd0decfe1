"""Draw faults at random places of the sources and see whether the tests notice, which nobody wrote for them.

Each seed gives another set. First every place gets a probe, and one run of the likely test files (with `--all` of the
whole suite) tells which tests reach it; then each fault is put in alone and meets the quickest of those tests. What is
found goes to `--out`, one line a fault, and a later run goes on there. A line that ends with "equal": "reason" was
judged to change nothing that a program can see; `--report` leaves it out of the count.
"""
from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import mutation

ROOT = mutation.ROOT
SOURCES = ROOT / "src" / "mindspore"
PROBE = '''"""Writes down which test reached which place."""
import os
seen = set()
def hit(number):
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    if test and (number, test) not in seen:
        seen.add((number, test))
        with open({path!r}, "a") as file:
            file.write(f"{{number}}\\t{{test}}\\n")
    return True
'''
FLIPS: dict[type, str] = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
                          ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in", ast.Add: "-",
                          ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "//",
                          ast.And: "or", ast.Or: "and", ast.BitAnd: "|", ast.BitOr: "&"}
TESTS, SECONDS = 40, 20.0      # that a fault meets: so many, and such as take so long together
TALK = re.compile(r"^\s*(log\.|raise\b|warnings\.|assert\b|print\()")  # lines that only say something


class Drawn(NamedTuple):
    """A fault: where it begins and ends in the text of its file, and what comes there."""

    file: str
    line: int
    start: int
    end: int
    old: str
    new: str
    names: tuple[str, ...]     # of the functions and classes around it
    probe: int                 # the line before which a probe can stand

    def key(self) -> str:
        """What names it in results."""
        return f"{self.file}:{self.line}: {self.old!r} -> {self.new!r}"


class Places(ast.NodeVisitor):
    """Everything in a file that a fault can change."""

    def __init__(self, file: str, text: str):
        self.file, self.text = file, text
        self.starts = [0]
        for line in text.splitlines(True):
            self.starts.append(self.starts[-1] + len(line))
        self.lines = text.splitlines(True)
        self.names: list[str] = []
        self.probe = 0
        self.found: list[Drawn] = []
        self.visit(ast.parse(text))

    def at(self, line: int, column: int) -> int:
        """The place of a line and a column of bytes in the text."""
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def add(self, node: Any, old_end: int | None, new: str, start: int | None = None) -> None:
        """Enter a fault in place of a node, or of a part of the text."""
        begin = self.at(node.lineno, node.col_offset) if start is None else start
        end = self.at(node.end_lineno, node.end_col_offset) if old_end is None else old_end
        if self.names and self.probe and not TALK.match(self.lines[node.lineno - 1]):
            self.found.append(Drawn(self.file, node.lineno, begin, end, self.text[begin:end], new,
                                    tuple(self.names), self.probe))

    def source(self, node: Any) -> str:
        """The text of a node."""
        return self.text[self.at(node.lineno, node.col_offset) : self.at(node.end_lineno, node.end_col_offset)]

    def body_of(self, statements: list[ast.stmt], plain: bool = True) -> None:
        """Visit statements; before those of a plain body a probe can stand."""
        for statement in statements:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue
            if plain:
                decorators = getattr(statement, "decorator_list", [])
                self.probe = min([statement.lineno, *[d.lineno for d in decorators]])
            self.visit(statement)

    def visit_function(self, node: Any) -> None:
        self.names.append(node.name)
        self.body_of(node.body)
        self.names.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_function  # names that ast looks for

    def visit_ClassDef(self, node: ast.ClassDef) -> None:  # as above
        self.names.append(node.name)
        for statement in node.body:
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                self.visit(statement)
        self.names.pop()

    def visit_Module(self, node: ast.Module) -> None:  # as above
        for statement in node.body:
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                self.visit(statement)

    def visit_Raise(self, node: ast.Raise) -> None:  # as above
        """What an error says is no fault of this kind."""

    def visit_If(self, node: ast.If) -> None:  # as above
        self.add(node.test, None, f"not ({self.source(node.test)})")
        self.visit(node.test)
        self.blocks(node)

    def blocks(self, node: Any) -> None:
        """The bodies of a statement; those of an `elif` have a probe before the first condition."""
        before = self.probe
        self.body_of(node.body)
        self.probe = before
        rest = getattr(node, "orelse", [])
        chained = len(rest) == 1 and isinstance(rest[0], ast.If) and isinstance(node, ast.If)
        self.body_of(rest, plain=not (chained and self.lines[rest[0].lineno - 1].lstrip().startswith("elif")))
        self.probe = before

    def visit_For(self, node: ast.For) -> None:  # as above
        self.visit(node.iter)
        self.blocks(node)

    def visit_While(self, node: ast.While) -> None:  # as above
        self.visit(node.test)
        self.blocks(node)

    def visit_With(self, node: ast.With) -> None:  # as above
        self.blocks(node)

    def visit_Try(self, node: ast.Try) -> None:  # as above
        self.blocks(node)
        for handler in node.handlers:
            self.body_of(handler.body)
        self.body_of(node.finalbody)

    def visit_Compare(self, node: ast.Compare) -> None:  # as above
        self.between(node.left, node.comparators[0], node.ops[0], node)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:  # as above
        self.between(node.left, node.right, node.op, node)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:  # as above
        self.between(node.values[0], node.values[1], node.op, node)
        self.generic_visit(node)

    def between(self, left: Any, right: Any, operator: Any, node: Any) -> None:
        """Another operator between two operands."""
        begin = self.at(left.end_lineno, left.end_col_offset)
        end = self.at(right.lineno, right.col_offset)
        new, old = FLIPS.get(type(operator)), self.text[begin:end]
        sign = re.search(r"is not|not in|\bis\b|\bin\b|\band\b|\bor\b|//|[<>=!]=|[-+*/%<>&|]", old)
        if new and sign:
            self.add(node, begin + sign.end(), new, begin + sign.start())

    def visit_Constant(self, node: ast.Constant) -> None:  # as above
        if isinstance(node.value, bool):
            self.add(node, None, str(not node.value))
        elif isinstance(node.value, int):
            self.add(node, None, str(node.value + 1))
            if node.value > 0:
                self.add(node, None, str(node.value - 1))

    def visit_Call(self, node: ast.Call) -> None:  # as above
        parts = [*node.args, *node.keywords]
        if len(parts) > 1:
            begin = self.at(parts[-2].end_lineno, parts[-2].end_col_offset)
            if isinstance(parts[-1], ast.keyword) or len(parts) > 2:
                self.add(parts[-1], self.at(parts[-1].end_lineno, parts[-1].end_col_offset), "", begin)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:  # as above
        if node.value is not None and len(self.names) and not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:  # as above
        if isinstance(node.value, ast.Call):
            self.add(node, None, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:  # as above
        self.add(node, None, "pass")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:  # as above
        if isinstance(node.targets[0], (ast.Attribute, ast.Subscript)):
            self.add(node, None, "pass")
        self.visit(node.value)


def drawn(seed: int, count: int, only: str) -> list[Drawn]:
    """Faults at random places, the same for equal seeds and sources; a file weighs as many as it has lines."""
    places = []
    for path in sorted(SOURCES.rglob("*.py")):
        file = str(path.relative_to(SOURCES))
        if only in file and not file.startswith("_names/"):
            places += Places(file, path.read_text()).found
    rng = random.Random(seed)
    found: list[Drawn] = []
    while len(found) < count:
        one = rng.choice(places)
        if sum([other.file == one.file for other in found]) < 2 and _sound(one):
            found.append(one)
    return found


def _sound(fault: Drawn) -> bool:
    """Whether the file is Python with it."""
    try:
        ast.parse(changed(fault))
    except SyntaxError:
        return False
    return True


def changed(fault: Drawn) -> str:
    """The text of the file with the fault."""
    text = (SOURCES / fault.file).read_text()
    return text[: fault.start] + fault.new + text[fault.end :]


def likely(faults: list[Drawn], each: int) -> list[str]:
    """The test files that have most to do with the faults, by their names and the words in them."""
    words = {str(path.relative_to(ROOT)): (set(re.findall(r"\w+", path.read_text())), path)
             for path in sorted((ROOT / "tests").rglob("test_*.py")) if "oracle" not in path.parts}
    spread = Counter(word for found, _ in words.values() for word in found)
    chosen: set[str] = set()
    for fault in faults:
        stem, parts = Path(fault.file).stem.strip("_"), set(Path(fault.file).parts[:-1])
        scores = {}
        for name, (found, path) in words.items():
            shared = [n.strip("_") for n in (*fault.names, stem) if n.strip("_") in found]
            scores[name] = (sum([20 / spread[n] for n in shared]) + 4 * (stem in path.stem)
                            + len(parts & set(path.parts)) + len(parts & set(re.split(r"[_.]", path.name))))
        chosen |= set(sorted(scores, key=lambda name: -scores[name])[:each])
    return sorted(chosen)


def with_probes(text: str, faults: list[tuple[int, Drawn]]) -> str:
    """The text of a file with a probe before the statement of each fault."""
    lines = text.splitlines(True)
    for number, fault in sorted(faults, key=lambda pair: -pair[1].probe):
        line = lines[fault.probe - 1]
        indent = line[: len(line) - len(line.lstrip())]
        lines.insert(fault.probe - 1, f"{indent}__import__('reach_probe').hit({number})\n")
    return "".join(lines)


def reach(copy: Path, faults: list[Drawn], tests: list[str], out: Path) -> None:
    """Run tests with all probes; `out` gets the tests that reached each fault, and how long tests take."""
    by_file: dict[str, list[tuple[int, Drawn]]] = defaultdict(list)
    for number, fault in enumerate(faults):
        by_file[fault.file].append((number, fault))
    log = out.with_suffix(".hits")
    log.write_text("")
    (copy / "src" / "reach_probe.py").write_text(PROBE.format(path=str(log)))
    before = {file: (copy / "src" / "mindspore" / file).read_text() for file in by_file}
    for file, some in by_file.items():
        mutation.put(copy, file, with_probes(before[file], some))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", "--durations=0", "-vv",
               *tests]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    for file, text in before.items():
        mutation.put(copy, file, text)
    times: Counter[str] = Counter()
    for seconds, test in re.findall(r"^([\d.]+)s (?:call|setup|teardown) +(.*)$", done.stdout, re.M):
        times[test] += float(seconds)
    passed = set(re.findall(r"^(tests/.*?) (?:PASSED|<-)", done.stdout, re.M))
    found: dict[str, list[str]] = defaultdict(list)
    for line in log.read_text().splitlines():
        number, test = line.split("\t", 1)
        found[faults[int(number)].key()].append(test)
    out.write_text(json.dumps({"reached": found, "times": times, "passed": sorted(passed)}))
    print(f"{len(found)} of {len(faults)} faults are reached; {done.stdout.splitlines()[-1:]}", flush=True)


def quickest(tests: list[str], times: dict[str, float]) -> Iterator[str]:
    """Tests that take little together: of each file in turn the quickest."""
    files: dict[str, list[str]] = defaultdict(list)
    for test in sorted(tests, key=lambda name: times.get(name, 0.0)):
        files[test.partition("::")[0]].append(test)
    total, count = 0.0, 0
    while any(files.values()):
        for left in files.values():
            if left:
                test = left.pop(0)
                total, count = total + times.get(test, 0.0), count + 1
                if count > 1 and (total > SECONDS or count > TESTS):
                    return
                yield test


def try_drawn(copy: Path, fault: Drawn, tests: list[str]) -> dict[str, Any]:
    """What the tests say of one fault."""
    began = time.monotonic()
    before = (copy / "src" / "mindspore" / fault.file).read_text()
    mutation.put(copy, fault.file, changed(fault))
    try:
        state, by = mutation.run_tests(copy, sorted(tests), mutation.LIMIT) if tests else ("unreached", "")
        if state == "none collected":  # the fault is noticed where tests are loaded
            state = "failed"
    finally:
        mutation.put(copy, fault.file, before)
    return {"state": state, "by": by, "tests": len(tests), "seconds": round(time.monotonic() - began, 1)}


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
    return lines + [f"{row['state']}: {row['fault']}" for row in rows
                    if row["state"] not in ("failed", "hung") and "equal" not in row]


def main() -> int:
    """Draw, find the tests, try."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", default="", help="a part of file names")
    parser.add_argument("--all", action="store_true", help="probe with the whole suite instead of likely files")
    parser.add_argument("--each", type=int, default=4, help="likely test files of a fault")
    parser.add_argument("--again", action="store_true", help="try again what was not noticed, with new probes")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="try no further fault after so many")
    parser.add_argument("--list", action="store_true", help="print the faults and the likely tests, try nothing")
    parser.add_argument("--report", action="store_true", help="print the results, try nothing")
    parser.add_argument("--out", type=Path, default=Path("drawn_faults.jsonl"))
    args = parser.parse_args()
    end = time.monotonic() + 60 * args.minutes
    rows = [json.loads(line) for line in args.out.read_text().splitlines()] if args.out.exists() else []
    if args.report:
        print("\n".join(report(rows)))
        return 0
    known = {row["fault"] for row in rows if not args.again or row["state"] in ("failed", "hung") or "equal" in row}
    faults = [fault for fault in drawn(args.seed, args.count, args.only) if fault.key() not in known]
    tests = ["tests"] if args.all else likely(faults, args.each)
    if args.list:
        print(*[fault.key() for fault in faults], *tests, sep="\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        copy = mutation.prepared(Path(folder))
        found = args.out.with_suffix(".reach")
        if not found.exists() or args.again:
            reach(copy, faults, tests, found)
        known_reach = json.loads(found.read_text())
        for fault in faults:
            if time.monotonic() > end:
                break
            tests = [t for t in known_reach["reached"].get(fault.key(), []) if t in known_reach["passed"]]
            row = {"fault": fault.key(), **try_drawn(copy, fault, list(quickest(tests, known_reach["times"])))}
            rows = [other for other in rows if other["fault"] != row["fault"]] + [row]
            args.out.write_text("".join(json.dumps(one) + "\n" for one in rows))
            print(f"{row['state']:9} {row['seconds']:6} {row['fault'][:150]}  {row['by']}", flush=True)
    print("\n".join(report(rows)))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
