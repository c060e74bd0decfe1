"""Tensors that a program writes to files."""
from __future__ import annotations

import re

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

pytestmark = pytest.mark.usefixtures("both_modes")


def written(folder):
    found = sorted(folder.rglob("*.npy"), key=lambda p: int(re.findall(r"_(\d+)\.npy", p.name)[0]))
    return [(re.sub(r"_\d+\.npy", "", p.relative_to(folder).as_posix()), np.load(p)) for p in found]


def test_tensors_are_written_when_the_program_gets_there(tmp_path):
    @ms.jit(fullgraph=True)
    def program(x):
        for _ in range(x.astype(ms.int32)):
            ops.tensordump(f"{tmp_path}/deeper/x", x)
            x = x * 2
        return x

    program(Tensor(2.0))
    program(Tensor(1.0))
    assert [(n, v.tolist()) for n, v in written(tmp_path)] == [
        ("deeper/x_float32", 2.0), ("deeper/x_float32", 4.0), ("deeper/x_float32", 1.0)]


def test_the_name_tells_the_type_and_bfloat16_is_written_as_float32(tmp_path):
    dump = ops.TensorDump()
    dump(f"{tmp_path}/a.npy", Tensor([1, 2], ms.bfloat16))
    dump(f"{tmp_path}/a.npy", Tensor([True]))
    dump(f"{tmp_path}/b", Tensor([1 + 2j], ms.complex64).conj())
    (first, one), (second, two), (third, three) = written(tmp_path)
    assert (first, second, third) == ("a_bfloat16", "a_bool", "b_complex64")
    assert (one.dtype, one.tolist(), two.tolist(), three.tolist()) == (np.float32, [1.0, 2.0], [True], [1 - 2j])


def test_in_is_told_apart_where_programs_are_cut(tmp_path):
    ops.tensordump(f"{tmp_path}/x", Tensor([1.0]), "in")
    assert [n for n, _ in written(tmp_path)] == ["x_float32"]
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel")
    try:
        ops.tensordump(f"{tmp_path}/x", Tensor([1.0]), "in")
        ops.tensordump(f"{tmp_path}/x", Tensor([1.0]), "out")
    finally:
        ms.reset_auto_parallel_context()
    assert [n for n, _ in written(tmp_path)] == ["x_float32", "x_in_float32", "x_float32"]


@pytest.mark.parametrize(("arguments", "error"), [
    ((3, Tensor([1.0])), TypeError), (("x", 3.0), TypeError), (("", Tensor([1.0])), ValueError),
    (("x", Tensor([1.0]), "all"), ValueError)])
def test_wrong_arguments_are_refused(arguments, error):
    with pytest.raises(error, match="For 'tensordump'"):
        ops.tensordump(*arguments)


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        ops.tensordump(f"{tmp_path}/file/x", Tensor([1.0]))
