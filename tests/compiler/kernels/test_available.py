"""Kernels are generated where the package llvmlite is there, and new enough."""
from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from mindspore.compiler.kernels import native


@pytest.mark.parametrize(("package", "says"), [
    (None, "'llvmlite' is not installed"),
    (SimpleNamespace(llvm_version_info=(20, 1, 8), get_host_cpu_features=dict), "LLVM 20.1.8, and 22"),
    (SimpleNamespace(llvm_version_info=(22, 1, 0), get_host_cpu_features=lambda: {"avx2": True}), None),
])
def test_kernels_need_a_version_of_llvm(monkeypatch, package, says):
    told = []
    monkeypatch.setattr(native.log, "info", lambda text, *values: told.append(text % values))
    for name in ("llvmlite", "llvmlite.binding"):
        monkeypatch.setitem(sys.modules, name, None if package is None else SimpleNamespace(binding=package))
    assert native.available.__wrapped__() is (says is None)
    assert len(told) == (says is not None)
    assert says is None or (says in told[0] and "torch's are used" in told[0])
