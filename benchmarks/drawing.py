"""Faults at random places of the sources, and the test files that have most to do with them."""
from __future__ import annotations

import ast
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src" / "mindspore"
FLIPS: dict[type, str] = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
                          ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in", ast.Add: "-",
                          ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "//",
                          ast.And: "or", ast.Or: "and", ast.BitAnd: "|", ast.BitOr: "&"}
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

    def at(self, line: Any, column: Any) -> int:
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


class Statements(Places):
    """Where statements of functions begin and end, with the functions around them and where a probe can stand."""

    def __init__(self, file: str, text: str):
        self.spans: list[tuple[int, int, tuple[str, ...], int]] = []
        super().__init__(file, text)

    def body_of(self, statements: list[ast.stmt], plain: bool = True) -> None:
        """Note the statements."""
        for statement in statements:
            if self.names:
                probe = min([s.lineno for s in ast.walk(statement) if isinstance(s, ast.stmt)]) if plain else self.probe
                self.spans.append((self.at(statement.lineno, statement.col_offset),
                                   self.at(statement.end_lineno, statement.end_col_offset), tuple(self.names), probe))
        super().body_of(statements, plain)


def written(file: str, old: str, new: str) -> Drawn | None:
    """A fault that somebody wrote, as a place; None if its text is not there once. One outside of functions has no
    place for a probe, nor has one in the arguments of a function."""
    text = (SOURCES / file).read_text()
    if text.count(old) != 1:
        return None
    start = text.index(old)
    first = start + len(old) - len(old.lstrip())
    around = [s for s in Statements(file, text).spans if s[0] <= first < s[1]]
    names, probe = min(around, key=lambda s: s[1] - s[0])[2:] if around else ((), 0)
    return Drawn(file, text.count("\n", 0, first) + 1, start, start + len(old), old, new, names, probe)


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
