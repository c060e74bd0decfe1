"""The cache of programs on disk, in a folder of the test's own."""

from __future__ import annotations

import pytest

import mindspore as ms
from mindspore.core import log


@pytest.fixture(autouse=True)
def cache(tmp_path):
    ms.set_context(mode=ms.GRAPH_MODE, enable_compile_cache=True, compile_cache_path=str(tmp_path / "cache"))
    yield tmp_path / "cache" / "rank_0" / "graph_cache"
    ms.context.reset_context()


@pytest.fixture
def warnings(monkeypatch):
    said = []
    monkeypatch.setattr(log, "warning", lambda text, *args: said.append(text % args))
    return said
