"""The listing of generated source: the user's lines beside it, made when it is read."""
from __future__ import annotations

import gc
import linecache

from mindspore import Tensor, ops
from mindspore.compiler.program import Program


def net(x):
    y = ops.exp(x)
    return ops.sin(y)


def made():
    return Program("net", net, (Tensor([1.0, 2.0]),), {}).executable


def test_python_reads_lines_with_the_user_s_lines_beside_them():
    executable = made()
    lines = linecache.getlines(executable.file)
    assert len(lines) == len(executable.source.splitlines())
    assert "in net: y = ops.exp(x)" in lines[1]
    assert linecache.getline(executable.file, 3) == lines[2]
    assert "".join(lines) == executable.annotated()


def test_the_lines_are_made_when_they_are_read():
    executable = made()
    assert "shown" not in vars(executable.listing)
    linecache.getline(executable.file, 1)
    assert "shown" in vars(executable.listing)


def test_the_listing_goes_with_the_executable():
    executable = made()
    file = executable.file
    assert file in linecache.cache
    del executable
    gc.collect()
    assert file not in linecache.cache
