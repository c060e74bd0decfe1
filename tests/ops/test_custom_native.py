"""Libraries that a compiler makes of C++: what killed programs leave goes with the next one."""
from __future__ import annotations

import shutil
import tempfile

import killed
import pytest

from mindspore.ops import custom_native

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no compiler")


def test_a_killed_compilation_leaves_nothing(tmp_path, monkeypatch):
    source, made, temporary = tmp_path / "a.cc", tmp_path / "made", tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    source.write_text('extern "C" int one() { return 1; }\n')
    killer = tmp_path / "killer"
    killer.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\n: > "$2"\nkill -9 $PPID\n')
    killer.chmod(0o755)
    monkeypatch.setenv("CXX", str(killer))
    assert killed.at_call(lambda: custom_native.compiled([source], folder=made), tmp_path, 10**6)  # by the compiler
    assert [path.suffix for path in made.iterdir()] == [".anyspore-part"]
    monkeypatch.delenv("CXX")
    library = custom_native.compiled([source], folder=made)
    assert list(made.iterdir()) == [library]
    assert list(temporary.iterdir()) == []
