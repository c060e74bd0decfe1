"""Rules of the repository that a program can check."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from mindspore._names import rows

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
CODE = [*SOURCES, *sorted((ROOT / "tests").rglob("*.py")), *sorted((ROOT / "examples").rglob("*.py"))]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def committed() -> list[Path]:
    """The files that git tracks, as far as they are here."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def text_of(file: Path) -> str:
    """The text of a file; empty for a binary one."""
    data = file.read_bytes()
    return "" if b"\0" in data else data.decode(errors="replace")


def relative(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def test_no_source_file_is_longer_than_800_lines():
    lengths = {relative(file): len(file.read_text().splitlines()) for file in CODE}
    assert {name: n for name, n in lengths.items() if n > 800} == {}


def test_committed_text_names_no_folder_of_a_machine():
    pattern = re.compile(r"(?<![\w.<>)\]}/])/(work|tmp|root|home|opt|mnt|Users)(/|(?=[\s\"'`]))")
    found = {
        relative(file): match.group()
        for file in committed()
        if (match := pattern.search(text_of(file)))
    }
    assert found == {}


def test_sources_promise_nothing():
    words = re.compile("|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "not implemented " + "yet"]))
    assert [relative(file) for file in SOURCES if words.search(file.read_text())] == []


def test_sources_import_from_where_the_code_lives():
    foreign = set(rows()) - {"mindspore"}
    found = []
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            else:
                continue
            found += [f"{relative(file)}: {name}" for name in names if name in foreign and not is_file(name)]
    assert found == []


def is_file(path: str) -> bool:
    """Whether an import path is a file of its own."""
    base = ROOT / "src" / Path(*path.split("."))
    return base.with_suffix(".py").is_file() or (base / "__init__.py").is_file()


def test_every_module_belongs_to_a_layer():
    """What the contract of the layers does not list could import anything."""
    layers, data, _, names = PROJECT["tool"]["importlinter"]["contracts"]
    listed = re.findall(r"mindspore[\w.]*", " ".join(layers["layers"]))
    listed += data["source_modules"] + names["source_modules"]
    modules = [module_of(file) for file in SOURCES]
    packages = {"mindspore", *(m.rpartition(".")[0] for m in listed)}
    assert [m for m in modules if m not in packages
            and not any(m == one or m.startswith(one + ".") for one in listed)] == []


def module_of(file: Path) -> str:
    """The import path of a source file."""
    return ".".join(file.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")


def test_every_folder_of_the_sources_is_a_package():
    folders = {parent for file in SOURCES for parent in file.parents if ROOT / "src" in parent.parents}
    assert [relative(f) for f in sorted(folders) if not (f / "__init__.py").is_file()] == []


def test_every_dependency_is_pinned():
    project = PROJECT["project"]
    wanted = [*project["dependencies"]]
    for extra in project["optional-dependencies"]:
        wanted += project["optional-dependencies"][extra]
    pins = {normal(line.split("==")[0]) for line in pinned()}
    assert {normal(re.split(r"[<>=!~\[; ]", w)[0]) for w in wanted} - pins == set()
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in pinned())


def pinned() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_style_is_kept():
    finished = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "--quiet", "."],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert finished.returncode == 0, finished.stdout + finished.stderr


@pytest.mark.slow
def test_the_layers_are_kept():
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    finished = subprocess.run(
        [sys.executable, "-c", code, "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert finished.returncode == 0, finished.stdout + finished.stderr
