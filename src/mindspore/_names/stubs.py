"""Stub files for editors and type checkers, made from the tables when a wheel is built."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator

from mindspore._names.hook import Table


def stubs(table: Table) -> dict[str, str]:
    """The text of one stub for every served path without a file, by file name below the root."""
    found = {"__init__.pyi": _root(table)}
    for path in table.rows:
        if path == table.root or not table.serves(path) or _has_file(table, path):
            continue
        parts = path.split(".")[1:]
        parts += ["__init__"] if path in table.children else []
        found["/".join(parts) + ".pyi"] = "\n".join(_imports(table, path)) + "\n"
    return found


def _root(table: Table) -> str:
    files = {m.name for m in pkgutil.iter_modules([table.folder]) if not m.name.startswith("_")}
    named, _ = table.view(table.root)
    modules = sorted({*files, *table.submodules(table.root)} - set(named))
    lines = [f"from {table.root} import {name} as {name}" for name in modules]
    lines += ["__version__: str", "__anyspore_version__: str"]
    return "\n".join([*lines, *_imports(table, table.root)]) + "\n"


def _has_file(table: Table, path: str) -> bool:
    return Table(table.root, table.folder, {}).exists(path)


def _imports(table: Table, path: str) -> Iterator[str]:
    row = table.rows[path]
    if isinstance(row, str):
        yield f"from {row} import *"
    named, whole = table.view(path)
    for module in filter(table.exists, whole):
        yield f"from {module} import *"
    for public, (module, real) in named.items():
        if table.exists(module) and not public.startswith("__"):
            yield f"from {module} import {real} as {public}"
