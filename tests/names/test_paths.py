"""The tables of public paths, held against the package."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import mindspore
from mindspore._names import rows
from mindspore._names.hook import Table

ROWS = rows()
FOLDER = Path(mindspore.__file__).parent
TABLE = Table("mindspore", str(FOLDER), ROWS)


def fresh(code: str) -> str:
    """What a program prints in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.mark.parametrize("path", ROWS)
def test_every_row_imports_and_finds_its_names(path):
    module = importlib.import_module(path)
    named, whole = TABLE.view(path)
    missing = [
        public
        for public, (home, _) in named.items()
        if public != "__call__" and TABLE.exists(home) and not hasattr(module, public)
    ]
    assert missing == []
    for home in filter(TABLE.exists, whole):
        assert set(importlib.import_module(home).__all__) <= set(dir(module))


def test_every_row_has_a_parent():
    parents = {path.rpartition(".")[0] for path in ROWS} - {""}
    assert [p for p in sorted(parents) if p not in ROWS and not TABLE.exists(p)] == []


def test_only_a_view_has_paths_below_it():
    assert [p for p, row in ROWS.items() if isinstance(row, str) and p in TABLE.children] == []


def test_an_identity_row_has_no_file_of_its_own():
    rows_only = Table("mindspore", str(FOLDER), {})
    assert [p for p, row in ROWS.items() if isinstance(row, str) and rows_only.exists(p)] == []


def test_importing_loads_no_module_that_takes_longer_than_itself():
    """But for what Python has loaded before its first statement."""
    code = ("import sys; before = {*sys.modules}; import mindspore;"
            "print([m for m in ('typing', 're', 'functools', 'inspect', 'torch') if m in {*sys.modules} - before])")
    assert fresh(code) == "[]"


def test_importing_loads_neither_torch_nor_numpy():
    code = "import sys, mindspore; dir(mindspore); print([m in sys.modules for m in ('torch', 'numpy')])"
    assert fresh(code) == "[False, False]"


def test_importing_takes_milliseconds():
    code = """
import sys, time
before = time.process_time()
import mindspore
print(time.process_time() - before)
"""
    assert min(float(fresh(code)) for _ in range(5)) < 0.05


def test_a_name_loads_only_what_it_needs():
    code = "import sys, mindspore as ms; ms.GRAPH_MODE, ms.set_seed; print('torch' in sys.modules)"
    assert fresh(code) == "False"


def test_the_version_is_the_one_that_scripts_compare_with():
    assert mindspore.__version__ == "2.10.0"
    assert mindspore.version.__version__ == "2.10.0"
    assert mindspore.__anyspore_version__ == importlib.metadata.version("anyspore")


def test_the_seed_module_works_by_attribute_and_by_import():
    import numpy as np

    import mindspore as ms
    from mindspore.common.seed import set_seed

    ms.common.seed.set_seed(1)
    first = np.random.rand()
    set_seed(1)
    assert np.random.rand() == first
    assert ms.set_seed is set_seed
    assert ms.get_seed() == ms.common.get_seed() == 1


def test_dtypes_are_the_same_under_every_path():
    import mindspore as ms
    from mindspore import dtype as one
    from mindspore.common import dtype as two

    assert one is two
    assert ms.float32 is one.float32 is ms.common.float32 is ms.float
    assert ms.bool is ms.bool_
    assert ms.int is ms.int32


def test_a_path_that_earlier_releases_call_is_called(capsys):
    mindspore.run_check()
    assert "MindSpore" in capsys.readouterr().out
    assert callable(importlib.import_module("mindspore.run_check"))
    assert importlib.import_module("mindspore.common.mutable")([1]) == [1]


def test_an_unknown_name_is_an_error_about_the_public_path():
    with pytest.raises(AttributeError, match="module 'mindspore' has no attribute 'Tensr'"):
        mindspore.Tensr  # noqa: B018  # looking it up is the test
    with pytest.raises(ImportError, match="cannot import name 'flaot32' from 'mindspore'"):
        exec("from mindspore import flaot32")


@pytest.mark.parametrize("package", ["ops", "nn", "numpy", "dataset", "dataset.vision", "dataset.text", "train", "amp"])
def test_a_package_offers_nothing_that_it_only_imports(package):
    offered = {name: value for name, value in vars(importlib.import_module(f"mindspore.{package}")).items()
               if not name.startswith("_") and name != "annotations"}
    homes = {name: getattr(value, "__module__", None) or getattr(value, "__name__", "mindspore")
             for name, value in offered.items()}
    assert [name for name, home in homes.items() if home.partition(".")[0] != "mindspore"] == []
