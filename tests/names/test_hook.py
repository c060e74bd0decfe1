"""The import hook, on a small package with a table of its own."""

from __future__ import annotations

import importlib
import inspect
import pickle
import sys

import pytest


def run(text: str, demo: str) -> dict:
    """The names after running a program in which DEMO is replaced by the package."""
    names: dict = {}
    exec(text.replace("DEMO", demo), names)
    return names


def test_an_identity_row_is_the_module_itself(demo):
    names = run(
        "import DEMO.common.dtype as a, DEMO.dtype as b\nfrom DEMO.common import dtype as c", demo
    )
    assert names["a"] is names["b"] is names["c"]


def test_every_form_of_import_gives_the_same_object(demo):
    names = run(
        """
import DEMO as ms
import DEMO.nn.layer.basic
import DEMO.nn.layer.basic as basic
from DEMO.nn.layer.basic import Dense as one
from DEMO.nn.layer import *
two = Dense
three = DEMO.nn.layer.basic.Dense
four = ms.nn.Dense
""",
        demo,
    )
    assert names["one"] is names["two"] is names["three"] is names["four"] is names["basic"].Dense


def test_attributes_lead_to_rows_without_an_import(demo):
    package = importlib.import_module(demo)
    assert package.common.dtype.int32 == "i32"
    assert package.train.callback.LossMonitor.__name__ == "LossMonitor"
    assert package.nn.layer.basic.Dense is package.nn.basic.Dense


def test_the_root_offers_the_names_of_its_row(demo):
    package = importlib.import_module(demo)
    assert package.float32 == "f32"
    assert package.Layer is package.nn.Dense


def test_a_row_adds_names_to_a_package_with_a_file(demo):
    names = run("from DEMO.nn import Monitor, Dense\nfrom DEMO.callbacks import LossMonitor", demo)
    assert names["Monitor"] is names["LossMonitor"]


def test_a_package_with_its_own_getattr_keeps_it(demo):
    lazy = importlib.import_module(f"{demo}.nn.lazy")
    assert (lazy.own, lazy.int32, lazy.deep.x) == (1, "i32", 1)
    with pytest.raises(AttributeError, match=f"module '{demo}.nn.lazy' has no attribute 'nothing'"):
        lazy.nothing  # noqa: B018  # looking it up is the test


def test_a_function_that_is_a_module_elsewhere_is_both_before_anyone_imports_the_module(demo):
    common = importlib.import_module(f"{demo}.common")
    common.seed.set_seed(common.seed(5))
    assert importlib.import_module(f"{demo}.common.seed") is common.seed
    assert importlib.import_module(f"{demo}.seeds").state == 5


def test_a_path_can_be_a_module_and_a_function(demo):
    package = importlib.import_module(demo)
    names = run("from DEMO.common.seed import set_seed", demo)
    names["set_seed"](7)
    package.common.seed.set_seed(package.common.seed(3) + 1)
    assert package.seeds.state == 4
    assert str(inspect.signature(package.common.seed)) == "(scale: int = 2)"
    assert not callable(package.common)


def test_a_pickle_written_under_another_path_loads(demo):
    dense = importlib.import_module(f"{demo}.nn").Dense
    written = pickle.dumps(dense(), protocol=0)
    moved = written.replace(f"{demo}.nn.basic".encode(), f"{demo}.nn.layer.basic".encode())
    assert moved != written
    assert type(pickle.loads(moved)) is dense


def test_star_without_all_takes_the_names_of_the_module_itself(demo):
    names = run("from DEMO.train.callback import *", demo)
    assert {n for n in names if not n.startswith("_")} == {"Callback", "LossMonitor"}


def test_a_folder_without_code_hides_no_row(demo, tmp_path):
    (tmp_path / demo / "nn" / "layer" / "__pycache__").mkdir(parents=True)
    layer = importlib.import_module(f"{demo}.nn.layer")
    assert layer.Dense is importlib.import_module(f"{demo}.nn").Dense


def test_dir_lists_the_names_and_the_paths_below(demo):
    package = importlib.import_module(demo)
    assert {"float32", "common", "train", "LossMonitor", "Layer"} <= set(dir(package))
    assert {"float32", "int32", "Callback", "dtype", "seed"} <= set(dir(package.common))
    assert {"Dense", "Monitor", "layer"} <= set(dir(package.nn))


def test_what_is_not_there_is_not_listed(demo):
    package = importlib.import_module(demo)
    assert not {"Later", "future", "future_view"} & set(dir(package))
    assert "Later" not in dir(package.common)


@pytest.mark.parametrize("path", ["future", "future_view", "nothing", "train.nothing"])
def test_a_path_without_a_home_is_no_module(demo, path):
    with pytest.raises(ModuleNotFoundError, match=f"No module named '{demo}.{path}'"):
        importlib.import_module(f"{demo}.{path}")
    assert importlib.util.find_spec(f"{demo}.{path}") is None


@pytest.mark.parametrize("path", ["Later", "nothing", "common.Later", "train.old.Absent", "future"])
def test_a_name_without_a_home_is_an_error_about_the_public_path(demo, path):
    *parents, name = path.split(".")
    module = importlib.import_module(".".join([demo, *parents]))
    with pytest.raises(AttributeError, match=f"'{module.__name__}' has no attribute '{name}'"):
        getattr(module, name)
    with pytest.raises(ImportError, match=f"cannot import name '{name}' from '{module.__name__}'"):
        run(f"from {module.__name__} import {name}", demo)


def test_a_home_that_cannot_be_loaded_says_why(demo):
    broken = importlib.import_module(f"{demo}.train.broken")
    with pytest.raises(ModuleNotFoundError, match="absent_dependency"):
        broken.anything  # noqa: B018  # looking it up is the test


def test_nothing_is_loaded_before_it_is_used(demo):
    package = importlib.import_module(demo)
    dir(package)
    importlib.import_module(f"{demo}.train.callback")
    assert f"{demo}.callbacks" not in sys.modules
    package.train.callback.Callback  # noqa: B018  # the first use
    assert f"{demo}.callbacks" in sys.modules
    assert f"{demo}.nn" not in sys.modules


def test_a_package_without_a_row_has_the_rows_below_it(demo):
    package = importlib.import_module(demo)
    assert package.plain.below.int32 == "i32"
    assert "below" in dir(package.plain)


def test_a_view_has_nothing_but_what_its_sources_offer(demo):
    package = importlib.import_module(demo)
    assert not hasattr(package.common, "hidden")                 # not in the `__all__` of its source
    assert not hasattr(package.train.callback, "OrderedDict")    # only imported there
    assert package.common.seed.__all__ == ["set_seed"]           # what makes a path callable is no name


def test_a_folder_of_data_is_no_module(demo, tmp_path):
    (tmp_path / demo / "data").mkdir()
    assert not hasattr(importlib.import_module(demo), "data")


def test_a_package_whose_name_only_begins_alike_is_left_alone(demo, tmp_path):
    (tmp_path / f"{demo}_more").mkdir()
    (tmp_path / f"{demo}_more" / "__init__.py").write_text("")
    other = importlib.import_module(f"{demo}_more")
    assert not hasattr(other, "float32")
    assert "__getattr__" not in vars(other)


def test_importing_a_row_changes_no_name_that_the_package_uses(demo):
    holder = importlib.import_module(f"{demo}.holder")
    kind = holder.kind
    assert importlib.import_module(f"{demo}.holder.system").int32 == "i32"
    assert importlib.import_module(f"{demo}.holder.kind").int32 == "i32"
    assert (holder.system, holder.kind) == (sys, kind)
    assert holder.real.x == 2
    again = importlib.reload(importlib.import_module(f"{demo}.holder.real"))
    assert holder.real is again
