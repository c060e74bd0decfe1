"""What tests of summaries share."""
from __future__ import annotations

import pytest

import mindspore as ms
from mindspore import SummaryRecord
from mindspore.ir.runtime import runtime


@pytest.fixture(autouse=True)
def _none_open():
    yield
    assert SummaryRecord.count == 0
    assert runtime.summaries is None


@pytest.fixture(name="said")
def _said(monkeypatch):
    """The messages of the log."""
    said = []
    for name in ("warning", "error", "warn_once"):
        monkeypatch.setattr(f"mindspore.core.log.{name}", lambda text, *args, **_: said.append(text % args))
    return said


@pytest.fixture(name="graph_mode")
def _graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)
