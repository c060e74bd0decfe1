"""The import graph of the sources, with the imports inside of functions: no circles, no arrows that run back up."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src"
FRONT_END = "mindspore.compiler.frontend"
PACKAGES = ("objects", "values", "calls", "control", "syntax")                    # the lowest first


@cache
def modules() -> dict[str, Path]:
    """The modules of the sources, by their full names."""
    found = {}
    for file in SOURCE.rglob("*.py"):
        parts = file.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def executed(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree, without those that only a type checker looks at."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")):
            yield node
            yield from executed(node)


def imported(module: str, file: Path) -> Iterator[str]:
    """The modules of the sources that a module imports, wherever the import stands in it.

    What only a type checker imports is no import.
    """
    package = module.split(".") if file.name == "__init__.py" else module.split(".")[:-1]
    for node in executed(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from [alias.name for alias in node.names if alias.name in modules()]
        elif isinstance(node, ast.ImportFrom):
            base = package[:len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{name}.{alias.name}"
                yield from [n for n in (inner if inner in modules() else name,) if n in modules()]


@cache
def graph() -> dict[str, set[str]]:
    return {module: {name for name in imported(module, file) if name != module} for module, file in modules().items()}


def circles(arrows: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that reach each other, by the algorithm of Tarjan (1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in arrows[module]:
            if other not in index:
                visit(other)
            if other in stack:
                low[module] = min(low[module], low[other])
        if low[module] == index[module]:
            at = stack.index(module)
            group = sorted(stack[at:])
            del stack[at:]
            if len(group) > 1:
                found.append(group)

    for module in arrows:
        if module not in index:
            visit(module)
    return found


def test_circles_are_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}) == [["b", "c"]]


def test_the_graph_sees_imports_inside_of_functions():
    assert "mindspore.compiler.frontend" in graph()["mindspore.ops.linearised"]


def test_modules_import_each_other_in_no_circle():
    assert circles(graph()) == []


def test_packages_of_the_front_end_import_only_from_those_below():
    up = []
    for module, others in graph().items():
        if module.startswith(FRONT_END + "."):
            inside = [n.removeprefix(FRONT_END + ".").partition(".")[0] for n in others if n.startswith(FRONT_END)]
            package = module.removeprefix(FRONT_END + ".").partition(".")[0]
            up += [f"{module} -> {other}" for other in inside if other not in PACKAGES[:PACKAGES.index(package) + 1]]
    assert up == []
