"""Rules of the repository that a program can check."""

from __future__ import annotations

import ast
import re
import statistics
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from mindspore._names import rows

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
BESIDE = [file for folder in ("tests", "benchmarks", "examples") for file in sorted((ROOT / folder).rglob("*.py"))]
CODE = [*SOURCES, *BESIDE, *sorted(ROOT.glob("*.py"))]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def committed(*options: str) -> list[Path]:
    """The files that git tracks, as far as they are here."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *options], cwd=ROOT, capture_output=True, text=True, check=False
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


def test_files_are_short():
    """400 lines at most; those of the front end have 150 in the median."""
    lengths = {file: len(file.read_text().splitlines()) for file in CODE}
    assert not {relative(file) for file, n in lengths.items() if n > 400}
    assert statistics.median([n for file, n in lengths.items() if "frontend" in file.parts and file in SOURCES]) <= 150


def test_committed_text_names_no_folder_of_a_machine():
    pattern = re.compile(r"(?<![\w.<>)\]}/])/(work|tmp|root|home|opt|mnt|Users)(/|(?=[\s\"'`]))")
    found = {
        relative(file): match.group()
        for file in committed()
        if (match := pattern.search(text_of(file)))
    }
    assert found == {}


def test_what_programs_leave_behind_is_not_committed():
    assert [relative(file) for file in committed("--cached", "--ignored", "--exclude-standard")] == []
    assert not [relative(file) for file in committed() if relative(file).startswith("data/")]


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


def caught(text: str) -> Iterable[int]:
    """The lines that catch or suppress every exception."""
    if "Exception" not in text and "except:" not in text:
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ExceptHandler):
            kinds = [node.type or ast.Name("BaseException")]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress"):
            kinds = node.args
        else:
            continue
        names = {one.id for kind in kinds for one in ast.walk(kind) if isinstance(one, ast.Name)}
        if names & {"Exception", "BaseException"}:
            yield node.lineno


def silenced(text: str) -> Iterable[int]:
    """The lines that silence a checker and say nothing behind its rules; the layout is no matter of reasons."""
    order = re.compile(r"# *(?:ruff: *)?(?:no" + r"qa|(?:type|pyright): *ignore|pragma: *no *cover)"
                       r"(?:: *[A-Z]+\d+(?:, *[A-Z]+\d+)*|\[[\w, -]+\])?(.*)")
    for n, line in enumerate(text.splitlines(), 1):
        if (found := order.search(line)) and not re.search(r"\w", found[1]):
            yield n


def skipped(text: str) -> Iterable[int]:
    """The lines that skip a test, or expect it to fail, and give no reason in the call."""
    if not re.search(r"\b(skip|skipif|xfail|importorskip)\b", text):
        return
    everything = list(ast.walk(ast.parse(text)))
    calls = {id(node.func): node for node in everything if isinstance(node, ast.Call)}
    for node in everything:
        if not isinstance(node, ast.Attribute) or ast.unparse(node.value) not in ("pytest", "pytest.mark"):
            continue
        if node.attr not in ("skip", "skipif", "xfail", "importorskip"):
            continue
        call = calls.get(id(node))
        first = node.attr == "skip" or ast.unparse(node) == "pytest.xfail"       # it is the first argument
        if not call or not ({k.arg for k in call.keywords} & {"reason", "msg"} or (first and call.args)):
            yield node.lineno


RULES = [caught, silenced, skipped]


def unexplained(rule: Callable[[str], Iterable[int]], text: str) -> list[int]:
    """What a rule finds, without the lines that have a comment of their own or stand below one.

    Programs as users write them, which no checker looks at, are data.
    """
    if text.startswith("# ruff: no" + "qa"):
        return []
    lines = text.splitlines()
    beside = rule is not silenced
    return [n for n in rule(text) if not lines[n - 2].lstrip().startswith("# ") and not (
        beside and " # " in lines[n - 1])]


@pytest.mark.parametrize("rule", RULES)
def test_what_is_caught_silenced_or_skipped_has_its_reason_beside_it(rule):
    found = {relative(file): lines for file in CODE if (lines := unexplained(rule, file.read_text()))}
    assert found == {}


@pytest.mark.parametrize(("rule", "text", "lines"), [
    (caught, "try: f()\nexcept Exception: g()\nexcept BaseException: raise  # raised again", [2]),
    (caught, "try:\n    f()\nexcept (KeyError, Exception):\n    g()", [3]),
    (caught, "# of the user's function\nwith suppress(Exception): f()\nwith suppress(KeyError): f()", []),
    (caught, "try: f()\nexcept: g()", [2]),
    (silenced, "f()  # no" + "qa: B018\ng()  # no" + "qa: B018, E711 - why\nh()  # no" + "qa", [1, 3]),
    (silenced, "\nf()  # ty" + "pe: ignore[misc]\ng()  # py" + "right: ignore[a]  # why", [2]),
    (silenced, "f()\n# why\ng()  # ty" + "pe: ignore", []),
    (skipped, "pytest.skip()\npytest.skip('why')", [1]),
    (skipped, "pytest.importorskip('av')\npytest.importorskip('av', reason='why')", [1]),
    (skipped, "x = pytest.mark.skip\ny = pytest.mark.skipif(z, reason='why')\nw = pytest.mark.xfail(z)", [1, 3]),
])  # fmt: skip
def test_missing_reasons_are_found(rule, text, lines):
    assert unexplained(rule, text) == lines


def is_file(path: str) -> bool:
    """Whether an import path is a file of its own."""
    base = ROOT / "src" / Path(*path.split("."))
    return base.with_suffix(".py").is_file() or (base / "__init__.py").is_file()


def test_every_module_belongs_to_a_layer():
    """What the contract of the layers does not list could import anything."""
    layers, data, _, names, _ = PROJECT["tool"]["importlinter"]["contracts"]
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
    code = "import sys; sys.path.insert(0, 'src'); from importlinter.cli import lint_imports_command as lint; lint()"
    finished = subprocess.run(
        [sys.executable, "-c", code, "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert finished.returncode == 0, finished.stdout + finished.stderr
