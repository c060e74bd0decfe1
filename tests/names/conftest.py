"""A small package with a table of its own, so that the hook is tested without the rest."""

from __future__ import annotations

import itertools
import sys

import pytest

from mindspore._names.hook import Finder, install

FILES = {
    "__init__.py": "",
    "dtype.py": "__all__ = ['float32', 'int32']\nfloat32, int32 = 'f32', 'i32'\nhidden = 0\n",
    "callbacks.py": "import os\nfrom collections import OrderedDict\nclass Callback: ...\n"
    "class LossMonitor(Callback): ...\n_private = 1\n",
    "seeds.py": "state = 0\ndef set_seed(n):\n    global state\n    state = n\n"
    "def draw(scale: int = 2): return scale\n",
    "broken.py": "import absent_dependency\n",
    "nn/__init__.py": "from .basic import Dense\n",
    "nn/basic.py": "class Dense: ...\nclass Flatten: ...\n",
    "nn/lazy/__init__.py": "def __getattr__(name):\n    if name == 'own': return 1\n"
    "    raise AttributeError(name)\n",
    "nn/lazy/deep.py": "x = 1\n",
    "plain/__init__.py": "",
    "holder/__init__.py": "import sys as system\nfrom collections import OrderedDict as kind\n",
    "holder/real.py": "x = 2\n",
}
ROWS = {
    "{0}": [
        "{0}.dtype:float32",
        "{0}.callbacks:LossMonitor",
        "{0}.nn:Layer=Dense",
        "{0}.later:Later",
        "{0}.seeds:draw",
    ],
    "{0}.draw": ["{0}.seeds:__call__=draw"],
    "{0}.plain.below": ["{0}.dtype:int32"],
    "{0}.common": ["{0}.dtype:*", "{0}.callbacks:Callback", "{0}.later:Later", "{0}.seeds:seed=draw"],
    "{0}.common.dtype": "{0}.dtype",
    "{0}.common.seed": ["{0}.seeds:set_seed __call__=draw"],
    "{0}.train": [],
    "{0}.train.callback": ["{0}.callbacks:*"],
    "{0}.train.old": ["{0}.callbacks:Absent LossMonitor"],
    "{0}.train.broken": ["{0}.broken:anything"],
    "{0}.nn": ["{0}.callbacks:Monitor=LossMonitor"],
    "{0}.nn.layer": ["{0}.nn.basic:*"],
    "{0}.nn.layer.basic": ["{0}.nn.basic:Dense"],
    "{0}.nn.lazy": ["{0}.dtype:int32"],
    "{0}.holder.system": "{0}.dtype",
    "{0}.holder.kind": ["{0}.dtype:int32"],
    "{0}.future": "{0}.later",
    "{0}.future_view": ["{0}.later:Later"],
}
numbers = itertools.count()


@pytest.fixture
def demo(tmp_path, monkeypatch):
    """Name of an importable package of `FILES`, with `ROWS` served below it."""
    name = f"demo{next(numbers)}"
    for path, text in FILES.items():
        file = tmp_path / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    rows = {
        path.format(name): row.format(name)
        if isinstance(row, str)
        else [s.format(name) for s in row]
        for path, row in ROWS.items()
    }
    module = __import__(name)
    install(module, str(tmp_path / name), rows)
    yield name
    sys.meta_path[:] = [
        f for f in sys.meta_path if not (isinstance(f, Finder) and f.table.root == name)
    ]
    for loaded in [m for m in sys.modules if m == name or m.startswith(name + ".")]:
        del sys.modules[loaded]
