"""Import hook that serves the tables: paths without a file, and more names for packages that have one.

A row of the table is *identity* (a string: the path is that module) or a *view* (a list of sources:
the names are fetched at first use). A source is `module:names`; the names are `*` (what the
module's `__all__` lists, or its own names), `name`, or `public=name` where the public spelling differs. The public
name `__call__` makes the view callable, for a path that is a module in one generation and a
function in another. A row for a path that has a file adds its names to that module.

Nothing is imported before it is asked for; what is not part of the package is not listed.
"""

from __future__ import annotations

import builtins
import importlib
import os
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

TYPE_CHECKING = False  # what checkers take for true; these modules would take as long to load as the rest
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

Rows = dict[str, str | list[str]]
MISSING = object()


class Table:
    """The rows under one root package, and what they mean."""

    def __init__(self, root: str, folder: str, rows: Rows):
        self.root, self.folder, self.rows = root, folder, rows
        self.children: dict[str, set[str]] = {}
        for path in rows:
            parent, _, name = path.rpartition(".")
            self.children.setdefault(parent, set()).add(name)
        self._views: dict[str, tuple[dict[str, tuple[str, str]], list[str]]] = {}

    def view(self, path: str) -> tuple[dict[str, tuple[str, str]], list[str]]:
        """Named entries (public name to module and name) and modules taken whole, of one row."""
        if path not in self._views:
            self._views[path] = self._view(path)
        return self._views[path]

    def _view(self, path: str) -> tuple[dict[str, tuple[str, str]], list[str]]:
        named: dict[str, tuple[str, str]] = {}
        whole: list[str] = []
        row = self.rows.get(path, [])
        for source in row if isinstance(row, list) else []:
            module, _, names = source.partition(":")
            for name in names.split():
                public, _, real = name.partition("=")
                if name == "*":
                    whole.append(module)
                else:
                    named[public] = module, real or public
        return named, whole

    def exists(self, path: str) -> bool:
        """Whether `path` can be imported, without importing anything."""
        if not path.startswith(self.root + "."):
            return True
        *folders, name = path.split(".")[1:]
        folder = os.path.join(self.folder, *folders)
        try:  # a listing, because some file systems ignore case
            files = os.listdir(folder)
        except OSError:
            files = []
        if f"{name}.py" in files:
            return True
        package = os.path.join(folder, name, "__init__.py")
        return (name in files and os.path.isfile(package)) or self.serves(path)

    def serves(self, path: str) -> bool:
        """Whether `path` is a row of which at least one source is part of the package."""
        row = self.rows.get(path)
        if isinstance(row, str):
            return self.exists(row)
        return row is not None and (not row or any(self.exists(s.partition(":")[0]) for s in row))

    def attribute(self, path: str, name: str) -> Any:
        """The object that `path.name` means; AttributeError when it means nothing."""
        named, whole = self.view(path)
        if name in named and not self.is_function(f"{path}.{name}"):
            module, real = named[name]
            if self.exists(module):
                found = getattr(importlib.import_module(module), real, MISSING)
                if found is not MISSING:
                    return found
        elif not name.startswith("__"):
            if self.exists(f"{path}.{name}"):
                return importlib.import_module(f"{path}.{name}")
            for module in filter(self.exists, whole):
                if name in public_names(importlib.import_module(module)):
                    return getattr(importlib.import_module(module), name)
        raise AttributeError(f"module '{path}' has no attribute '{name}'")

    def starred(self, module: ModuleType) -> list[str]:
        """What `import *` takes from a package whose file lists nothing: what it made, and its row; never Python's."""
        path, made = module.__name__, [n for n, value in vars(module).items() if callable(value)]
        own = [n for n in made if getattr(vars(module)[n], "__module__", "").startswith(f"{path}.")]
        return sorted({n for n in [*own, *self.listed(path)] if not (n.startswith("_") or hasattr(builtins, n))})

    def is_function(self, path: str) -> bool:
        """Whether `path` is a view that can be called: the function and the module are one object."""
        return not isinstance(self.rows.get(path, ""), str) and "__call__" in self.view(path)[0]

    def listed(self, path: str) -> Iterator[str]:
        """The public names of a row, as far as their homes are part of the package."""
        named, whole = self.view(path)
        yield from (n for n, (m, _) in named.items() if n != "__call__" and self.exists(m))
        for module in filter(self.exists, whole):
            yield from public_names(importlib.import_module(module))

    def submodules(self, path: str) -> Iterator[str]:
        """The rows directly below a path, as far as they are served."""
        return (n for n in self.children.get(path, ()) if self.serves(f"{path}.{n}"))

    def attributes(
        self, module: ModuleType
    ) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
        """`__getattr__` and `__dir__` for a module that has a file."""
        path, own = module.__name__, module.__dict__.get("__getattr__")

        def get(name: str) -> Any:
            if own is not None:
                try:
                    return own(name)
                except AttributeError:
                    pass  # not one of its own: a name of the table, perhaps
            if name == "__all__" and hasattr(module, "__path__"):
                return self.starred(module)
            value = self.attribute(path, name)
            if hasattr(module, "__path__") or not hasattr(builtins, name):      # code of a file means Python's own
                setattr(module, name, value)
            return value

        def names() -> list[str]:
            return sorted({*module.__dict__, *self.listed(path), *self.submodules(path)})

        return get, names


def public_names(module: ModuleType) -> list[str]:
    """What a module offers: its `__all__`, or the names made in it or below it, without underscore."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return list(listed)
    here = module.__name__
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and not isinstance(value, ModuleType)
        and f"{getattr(value, '__module__', here)}.".startswith(here + ".")
    ]


class View(ModuleType):
    """A module whose names live elsewhere and are fetched at first use."""

    def __init__(self, path: str, table: Table):
        super().__init__(path)
        self.__dict__["__table__"] = table

    def __getattr__(self, name: str) -> Any:
        table: Table = self.__dict__["__table__"]
        if name == "__all__":
            return sorted(set(table.listed(self.__name__)))
        value = table.attribute(self.__name__, name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        table: Table = self.__dict__["__table__"]
        return sorted({*self.__dict__, *self.__all__, *table.submodules(self.__name__)})


class CallableView(View):
    """A view that is a function, too."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__wrapped__(*args, **kwargs)

    @property
    def __wrapped__(self) -> Any:  # where inspect.signature looks
        return self.__dict__["__table__"].attribute(self.__name__, "__call__")


class Package(ModuleType):
    """A package with a file, whose own names stay what they are when a row of the same name is imported.

    The import machinery binds every imported module to its parent: `mindspore.dataset.vision.transforms`
    is a row, and a name that the code of `mindspore.dataset.vision` uses for another module.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.__dict__ and isinstance(value, ModuleType) and not has_file(self, name):
            return
        super().__setattr__(name, value)


def has_file(package: ModuleType, name: str) -> bool:
    """Whether a name below a package is a module with a file of its own there, not a row."""
    spec = getattr(sys.modules.get(f"{package.__name__}.{name}"), "__spec__", None)
    return spec is None or (spec.name == f"{package.__name__}.{name}" and spec.has_location)


class PackageLoader(SourceFileLoader):
    """Loads a file and gives the module the names that the table adds."""

    table: Table

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        extend(module, self.table)


class Finder:
    """Answers for the paths under one root package.

    It stands first in `sys.meta_path` because it has to see packages that have a file, too; for
    anything outside the root it costs one string comparison. It does not derive from the classes
    of `importlib.abc`, whose import alone takes 30 ms.
    """

    def __init__(self, table: Table):
        self.table = table
        self.prefix = table.root + "."

    def find_spec(self, path: str, parents: Any = None, target: Any = None) -> ModuleSpec | None:
        if not path.startswith(self.prefix):
            return None
        spec = PathFinder.find_spec(path, parents, target)
        if spec is None or spec.origin is None:  # a folder without code hides no row
            if self.table.serves(path):
                return ModuleSpec(path, self, is_package=True)  # pyright: ignore[reportArgumentType]  # `self` loads
        elif type(spec.loader) is SourceFileLoader and (
            spec.submodule_search_locations is not None or path in self.table.rows
        ):
            spec.loader = PackageLoader(spec.loader.name, spec.loader.path)
            spec.loader.table = self.table
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        if isinstance(self.table.rows[spec.name], str):
            return None
        return (CallableView if self.table.is_function(spec.name) else View)(spec.name, self.table)

    def exec_module(self, module: ModuleType) -> None:
        real = self.table.rows[module.__name__]
        if isinstance(real, str):  # the import machinery takes what sys.modules holds
            sys.modules[module.__name__] = importlib.import_module(real)


def extend(module: ModuleType, table: Table) -> None:
    """Give a module that has a file the names, the sub-modules and the `dir()` of its row."""
    module.__dict__["__getattr__"], module.__dict__["__dir__"] = table.attributes(module)
    module.__class__ = Package


def install(module: ModuleType, folder: str, rows: Rows) -> None:
    """Serve `rows` below the root package `module`, whose files are in `folder`."""
    table = Table(module.__name__, folder, rows)
    sys.meta_path.insert(0, Finder(table))
    extend(module, table)
