"""What kernels may say: words, types, names, and the errors for what they may not."""
# ruff: noqa: B007, F821, F841, RET504  # the words of kernels are no names of Python's, and some kernels are wrong
# pyright: reportUndefinedVariable=false
from __future__ import annotations

import math

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.user.errors import KernelCallError, KernelLanguageError
from mindspore.ops import kernel

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")
SCALE = 3.0


@kernel
def doubled(x):
    y = output_tensor(x.shape, x.dtype)
    for i in vectorize(x.shape[0]):
        y[i] = x[i] + x[i]
    return y


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16, ms.float32, ms.float64, ms.int8, ms.int16, ms.int32,
                                   ms.int64, ms.uint8])
@pytest.mark.parametrize("length", [0, 1, 15, 16, 33])
def test_all_types_and_lengths(dtype, length):
    x = Tensor(np.arange(length) % 50, dtype)
    out = doubled(x)
    assert (out.dtype, out.shape) == (dtype, (length,))
    assert out.astype(ms.float64).tolist() == [2.0 * (i % 50) for i in range(length)]


@kernel
def chosen(mask, x):
    y = output_tensor(x.shape, x.dtype)
    found = output_tensor(x.shape, "bool")
    for i in range(x.shape[0]):
        found[i] = not mask[i] or x[i] > 1.0
        y[i] = x[i] if mask[i] and x[i] > 0.0 else 0.0
    return y, found


def test_bools_are_read_and_written():
    mask, x = np.arange(40) % 3 == 0, np.linspace(-2, 2, 40, dtype=np.float32)
    y, found = chosen(Tensor(mask), Tensor(x))
    assert y.tolist() == np.where(mask & (x > 0), x, 0).tolist()
    assert found.tolist() == (~mask | (x > 1)).tolist()


@kernel
def divided(x, y):
    q = output_tensor(x.shape, x.dtype)
    r = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        q[i] = x[i] // y[i]
        r[i] = x[i] % y[i]
    return q, r


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.int8, np.float32, np.float64])
def test_division_rounds_down_as_in_python(dtype):
    pairs = np.array([(a, b) for a in (-7, -1, 0, 1, 5, 7) for b in (-3, -1, 1, 2, 7)], dtype)
    q, r = divided(Tensor(pairs[:, 0].copy()), Tensor(pairs[:, 1].copy()))
    assert q.asnumpy().tolist() == (pairs[:, 0] // pairs[:, 1]).tolist()
    assert r.asnumpy().tolist() == (pairs[:, 0] % pairs[:, 1]).tolist()


def test_whole_numbers_divided_by_zero_give_zero_as_in_numpy():
    lowest = np.iinfo(np.int32).min
    q, _ = divided(Tensor(np.array([5, lowest], np.int32)), Tensor(np.array([0, -1], np.int32)))
    assert q.tolist() == [0, lowest]


@kernel
def casts(x):
    y = output_tensor(x.shape, "int32")
    z = output_tensor(x.shape, "float16")
    for i in range(x.shape[0]):
        y[i] = int32(x[i])
        z[i] = float16(x[i]) + float16(int8(x[i]))
    return y, z


def test_casts_cut_and_are_written_out():
    x = np.array([-2.7, 0.4, 3.9], np.float32)
    y, z = casts(Tensor(x))
    assert y.tolist() == [-2, 0, 3]
    wanted = x.astype(np.float16) + x.astype(np.int8).astype(np.float16)
    np.testing.assert_allclose(z.asnumpy(), wanted, rtol=1e-3)


@kernel
def scaled(x, factor):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        y[i] = factor * x[i] * SCALE + math.pi
    return y


@kernel
def of_three(x):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        y[i] = x[i] * SCALE + math.pi
    return y


def test_numbers_around_the_function_and_among_the_arguments_are_constants():
    assert scaled(Tensor([1.0]), 2).tolist() == pytest.approx([6 + math.pi])
    assert scaled(Tensor([1.0]), 0.5).tolist() == pytest.approx([1.5 + math.pi])


def test_a_number_that_changes_makes_another_kernel():
    global SCALE
    before = SCALE
    runs = [scaled, ms.jit(lambda x, n: scaled(x, n)), ms.jit(lambda x, n: ops.Custom(of_three, func_type="hybrid")(x))]
    for run in runs:
        assert run(Tensor([1.0]), 1).tolist() == pytest.approx([SCALE + math.pi])
    SCALE = 4.0
    try:
        for run in runs:
            assert run(Tensor([1.0]), 1).tolist() == pytest.approx([4 + math.pi])
    finally:
        SCALE = before


def test_new_shapes_use_the_same_code():
    doubled(Tensor([1.0]))
    made = doubled.kernels.of([("float32", 1)])
    count = len(made.forward.codes)
    for n in (2, 3, 100):
        doubled(Tensor(np.ones(n, np.float32)))
    assert len(made.forward.codes) == count == 1


@kernel
def two(x, y):
    z = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        z[i] = x[i] * y[i]
    return z


def test_an_index_that_sizes_put_outside_is_an_error():
    assert two(Tensor([1.0, 2.0]), Tensor([3.0, 4.0, 5.0])).tolist() == [3.0, 8.0]
    with pytest.raises(KernelCallError, match=r"looked outside of 'y'[\s\S]*test_language.py\", line \d+, in two"):
        two(Tensor([1.0, 2.0, 3.0]), Tensor([3.0, 4.0]))


@kernel
def picked(x, index):
    z = output_tensor(index.shape, x.dtype)
    for i in range(index.shape[0]):
        z[i] = x[index[i]]
    return z


@pytest.mark.parametrize("bad", [-1, 3])
def test_an_index_from_data_is_checked(bad):
    assert picked(Tensor([1.0, 2.0, 3.0]), Tensor([2, 0], ms.int32)).tolist() == [3.0, 1.0]
    with pytest.raises(KernelCallError, match="looked outside of 'x'"):
        picked(Tensor([1.0, 2.0, 3.0]), Tensor([0, bad], ms.int32))


@kernel
def guarded(x):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        y[i] = sqrt(x[i]) if x[i] > 0.0 else 0.0
        if isfinite(x[i]) and x[i] != 0.0:
            y[i] += 1.0 / x[i] * x[i]
    return y


def test_a_side_that_is_not_taken_has_no_part_in_the_derivative():
    x = Tensor(np.array([0.0, 4.0, math.inf, -1.0, 0.25], np.float32))
    assert guarded(x).tolist() == [0.0, 3.0, math.inf, 1.0, 1.5]
    assert ms.grad(lambda x: guarded(x).sum())(x).tolist() == [0.0, 0.25, 0.0, 0.0, 1.0]


@kernel
def last(x):
    y = output_tensor((1,), x.dtype)
    y[0] = x[-1]
    return y


def test_a_known_negative_index_counts_from_the_end():
    assert last(Tensor([1.0, 5.0])).tolist() == [5.0]
    with pytest.raises(KernelCallError):
        last(Tensor(np.zeros(0, np.float32)))


@pytest.mark.parametrize(("args", "message"), [
    ((Tensor([1.0]),), r"'two' takes 2 arguments \(x, y\), but got 1"),
    ((Tensor([1.0]), [1.0]), "argument 1 of 'two' must be a tensor or a number"),
    ((Tensor([1.0]), np.ones(1)), "Make it a Tensor"),
    ((Tensor([1.0]), Tensor([1 + 2j])), "the 'y' of 'two' must be a tensor of one of the types"),
])
def test_what_is_wrong_with_a_call(args, message):
    with pytest.raises(KernelCallError, match=message):
        two(*args)


def not_while(x):
    y = output_tensor(x.shape, x.dtype)
    while True:
        pass
    return y


def not_break(x):
    y = output_tensor(x.shape, x.dtype)
    for i in range(3):
        break
    return y


def not_tensors(x):
    y = x + 1
    return y


def not_mixed(x):
    y = output_tensor(x.shape, "int32")
    for i in range(x.shape[0]):
        y[i] = x[i]
    return y


def not_meeting(x):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        y[i] = x[i] + float64(x[i])
    return y


def not_an_input(x):
    x[0] = 1.0
    return x


def not_returned(x):
    y = output_tensor(x.shape, x.dtype)
    z = output_tensor(x.shape, x.dtype)
    return y


def not_defined(x):
    y = output_tensor(x.shape, x.dtype)
    y[0] = nothing(x[0])
    return y


def not_a_rank(x):
    y = output_tensor(x.shape, x.dtype)
    y[0, 0] = 1.0
    return y


def not_bound(x):
    y = output_tensor(x.shape, x.dtype)
    for i in range(x.shape[0]):
        s = x[i]
    y[0] = s
    return y


def not_a_function(x):
    y = output_tensor(x.shape, x.dtype)
    y[0] = len(x)
    return y


def not_from_data(x):
    y = output_tensor((int(x[0]),), x.dtype)
    return y


def not_an_index(x):
    y = output_tensor(x.shape, x.dtype)
    y[x[0]] = 1.0
    return y


@pytest.mark.parametrize(("function", "message"), [
    (not_while, "'while' is not in the language"), (not_break, "'break' is not"),
    (not_tensors, "used by their elements"), (not_mixed, r"float32 does not become int32|Types must agree"),
    (not_meeting, "cast one of them"), (not_an_input, "input 'x' cannot be changed"),
    (not_returned, "must return each tensor"), (not_defined, "'nothing' is not defined"),
    (not_a_rank, "'y' has 1 axes, but there are 2"), (not_bound, "'s' is set in a loop"),
    (not_a_function, "'len' cannot be called"), (not_from_data, "must follow from shapes"),
    (not_an_index, "must be a whole number"),
], ids=lambda v: getattr(v, "__name__", ""))
def test_what_the_language_does_not_have(function, message):
    with pytest.raises(KernelLanguageError, match=message) as caught:
        kernel(function)(Tensor([1.0, 2.0]))
    text = str(caught.value)
    assert 'test_language.py", line' in text
    assert f"in {function.__name__}" in text


def test_a_gradient_that_needs_values_of_a_loop_of_unknown_length_says_so():
    def powers(x, n):
        y = output_tensor((1,), x.dtype)
        p = 1.0
        for _ in range(n[0]):
            p = p * x[0]
        y[0] = p
        return y

    op = kernel(powers)
    count = Tensor([3], ms.int32)
    assert op(Tensor([2.0]), count).tolist() == [8.0]
    with pytest.raises(KernelLanguageError, match="length depends on data"):
        ms.grad(lambda x: op(x, count).sum())(Tensor([2.0]))


def test_options_are_kept_and_checked():
    marked = kernel(reg_info=({"op_name": "two"},), compile_attrs={"a": 1})(two.function)
    assert (marked.reg_info, marked.compile_attrs) == (({"op_name": "two"},), {"a": 1})
    assert marked(Tensor([2.0]), Tensor([3.0])).tolist() == [6.0]
    with pytest.raises(TypeError, match="compile_attrs"):
        kernel(two.function, compile_attrs=3)
    with pytest.raises(TypeError, match="'fn' must be a Python function"):
        kernel(3)
    from mindspore.ops import ms_hybrid
    from mindspore.ops.operations import ms_kernel
    assert ops.ms_kernel is ms_kernel is ms_hybrid is kernel


@pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["pynative", "graph"])
def test_vmap_takes_slices(run):
    x, y = Tensor(np.arange(6.0).reshape(2, 3)), Tensor(np.ones(3))
    out = run(ms.vmap(lambda a: two(a, y), in_axes=0))(x)
    assert out.tolist() == x.tolist()


def test_the_same_kernel_on_threads_gives_the_same_bits():
    x, y = [Tensor(np.random.default_rng(k).standard_normal(300_001).astype(np.float32)) for k in (0, 1)]
    np.testing.assert_array_equal(two(x, y).asnumpy(), x.asnumpy() * y.asnumpy())


def test_without_native_code_the_tree_runs_in_python(monkeypatch):
    from mindspore.compiler.kernels.user import compiled

    monkeypatch.setattr(compiled, "native", lambda: False)
    x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    assert two(x, y).tolist() == [3.0, 8.0]
    assert ms.grad(lambda x: two(x, y).sum())(x).tolist() == [3.0, 4.0]
    with pytest.raises(KernelCallError, match="looked outside of 'y'"):
        two(Tensor([1.0, 2.0, 3.0]), y)


def test_a_cell_of_another_float_type_computes_in_that_type(both_modes):
    class Squares(ms.nn.Cell):
        def construct(self, x):
            return two(x, x)

    x, net = Tensor([1.0, 2.0, 300.0]), Squares().to_float(ms.float16)
    assert net(x).tolist() == [1.0, 4.0, float("inf")]                # 90,000 is beyond float16
    assert ms.grad(lambda x: net(x).sum())(x).tolist() == [2.0, 4.0, 600.0]


def test_memory_that_is_filled_anyway_is_not_cleared_first():
    def first(x):
        y = output_tensor(x.shape, x.dtype)
        z = output_tensor(x.shape, x.dtype)
        for i in range(x.shape[0]):
            y[i] += x[i]
            if x[i] > 0.0:
                z[i] = x[i]
        for i in range(1, x.shape[0]):
            y[i] += y[i - 1]
        return y, z

    op = kernel(first)
    x = np.random.default_rng(1).standard_normal(100)
    y, z = op(Tensor(x))
    np.testing.assert_allclose(y.asnumpy(), np.cumsum(x))
    np.testing.assert_array_equal(z.asnumpy(), np.maximum(x, 0))
    tensors = op.kernels.of([("float64", 1)]).forward.program.outputs
    assert [t.filled for t in tensors] == [True, False]
