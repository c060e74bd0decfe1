# ruff: noqa  # programs as users write them
"""Results whose shape depends on elements: both modes do the same, and one program serves all sizes."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, jit, nn, ops

X = np.random.default_rng(3).standard_normal((6, 5)).astype(np.float32)
SHIFTS = (0.0, 0.3, -0.4, 0.9, -2.0)


def test_both_modes_agree(program, agree):
    agree(program, fullgraph="plain" not in program.__name__)


def test_one_compiled_function_serves_all_sizes(program, same):
    compiled = jit(program)
    for shift in SHIFTS:
        same(compiled(Tensor(X + np.float32(shift))), program(Tensor(X + np.float32(shift))))
    limit = 4 if "branch" in program.__name__ else 5 if "each_size" in program.__name__ else 2
    assert compiled.cache.compiled <= limit
    assert bool(compiled.cache.uncompiled) == ("plain" in program.__name__)


# ---------------------------------------------------------------------- sources of unknown sizes

def program_mask(x=X):
    return x[x > 0]


def program_mask_of_rows(x=X):
    return x[x[:, 0] > 0]


def program_mask_beside_other_parts(x=X):
    return x[1:, x[0] > 0], x[x[:, 0] > 0, 1:3], x[..., x[1] > 0]


def program_two_masks(x=X):
    return x[x[:, 0] > 0][:, x[0] > 0]


def program_masked_select(x=X):
    return ops.masked_select(x, x > 0), x.masked_select(x < 0)


def program_nonzero(x=X):
    return ops.nonzero(x > 0), x.gt(0).nonzero(), ops.argwhere(x > 0)


def program_nonzero_as_tuple(x=X):
    i, j = ops.nonzero(x > 0, as_tuple=True)
    return x[i, j], i + j


def program_unique(x=X):
    values, places = ops.unique((x * 2).astype(ms.int32))
    return values, places, values[places]


def program_unique_consecutive(x=X):
    v, i, c = ops.unique_consecutive((x * 2).astype(ms.int32).reshape(-1), True, True)
    return v, i, c, c.sum()


def program_bincount(x=X):
    b = ops.bincount((ops.abs(x) * 3).astype(ms.int32).reshape(-1))
    return b, b.shape


def program_a_computed_bound_of_a_slice(x=X):
    n = (x > 0).sum()
    return x.reshape(-1)[:n], x.reshape(-1)[n:], ops.arange(n), ops.zeros((int(n),)), x.reshape(-1)[-n:]


def program_a_computed_number_of_elements(x=X):
    k = (x[0] > 0).sum() + 1
    return ops.topk(x.reshape(-1), k)


# ---------------------------------------------------------------------- what is done with them

def program_arithmetic_and_reductions(x=X):
    y = x[x > 0]
    return y.sum(), y.mean() + 1, y * 2 + 1, y - y, y ** 2, y.std()


def program_shapes_as_values(x=X):
    y = x[x > 0]
    n = y.shape[0]
    return n, len(y), y.size, n + 1, n * 2, 3 - n, n / 2, y.shape, x.size - n, -n


def program_scaling_by_a_size(x=X):
    y = x[x > 0]
    return y.sum() / (y.shape[0] + 1), y * y.shape[0]


def program_new_tensors_of_a_size(x=X):
    y = x[x > 0]
    n = y.shape[0]
    return ops.zeros(n), ops.ones((n, 2)), ops.full((2, n), 3.0), ops.arange(n) * y, ops.zeros_like(y)


def program_rearranged(x=X):
    y = x[x > 0]
    n = y.shape[0]
    return (y.reshape(-1, 1), y.reshape(1, n), ops.concat((y, y)), ops.stack([y, y]), ops.tile(y, (2,)),
            y.expand_dims(0), ops.flip(y, (0,)), ops.concat((x.reshape(-1), y)),
            y.view(-1, 1).broadcast_to((-1, 3)))


def program_slices(x=X):
    y = x[x > -3]
    return y[:2], y[1:-1], y[::2], y[-2:], y[3], y[-1], y[::-1]


def program_second_mask(x=X):
    y = x[x > 0]
    z = y[y < 1]
    return z, y.shape[0] - z.shape[0], z * 2


def program_matrices(x=X):
    y = x[x[:, 0] > 0]
    return ops.matmul(y, x.T), y @ ops.ones((5, 2)), y.T @ y, y.T


def program_pairs(x=X):
    y = x[x > 0]
    d = y.expand_dims(1) - y.expand_dims(0)
    return d, ops.relu(d), d.sum(1), ops.softmax(d, -1)


def program_chosen_rows(x=X):
    i = ops.nonzero(x[:, 0] > 0).squeeze(-1)
    return x[i], ops.gather(x, i, 0), x.index_select(0, i)


def program_gather_nd(x=X):
    i = ops.argwhere(x > 0)
    return ops.gather_nd(x, i)


def program_written_back(x=X):
    mask = x > 0
    out = ops.zeros_like(x)
    out[mask] = x[mask] * 2
    return out


def program_containers(x=X):
    found = {"up": x[x > 0], "down": x[x < 0]}
    parts = [found["up"], found["down"]]
    return ops.cat(parts), found, sum([p.shape[0] for p in parts])


def program_several_masks(x=X):
    s = 0.0
    for k in range(4):
        s = s + x[x > k * 0.2].sum()
    return s


def program_branch_on_a_size(x=X):
    y = x[x > 0]
    if y.shape[0] > 15:
        return y[:3]
    return y * 2


def program_branch_on_several_sizes(x=X):
    y = x[x > 0]
    if len(y) % 2 == 0 and y.shape[0] > 4:
        y = y + 1
    return y.sum() if y.size else x.sum()


def program_behind_a_condition_on_a_tensor(x=X):
    if x.sum() > 0:
        y = x[x > 0].sum()
    else:
        y = x[x < 0].sum() * 2
    return y


def program_effect_once_branch(x=X):
    print("first", x.shape)
    y = x[x > 0]
    print("sum", (y * 0).sum())
    if y.shape[0] > 15:
        print("many")
    return y.shape[0]


def program_each_size_in_a_text(x=X):
    return f"{x[x > 0].shape[0]} elements"


def program_each_size_loops_over_a_size(x=X):
    y = x[x > 0]
    s = ops.zeros((), ms.float32)
    for i in range(y.shape[0]):
        s = s + y[i] * i
    return s


def program_loop_on_a_tensor_plain(x=X):
    s, i = ops.zeros((), ms.float32), ops.zeros((), ms.int32)
    while i < 3:
        s = s + x[x > i].sum()
        i += 1
    return s


def program_gradient_inside(x=X):
    def loss(x):
        y = x[x[:, 0] > 0]
        return (ops.softmax(y) * y).mean() * y.shape[0] + y.sum()
    return ops.value_and_grad(loss)(x)


def program_second_derivative(x=X):
    def loss(x):
        return (x[x > 0] ** 3).sum()
    return ops.grad(lambda x: ops.grad(loss)(x).sum())(x)


def program_losses(x=X):
    y = x[x[:, 1] > -5]
    return (ops.mse_loss(y, y + 1), ops.cross_entropy(y, ops.zeros(y.shape[0], ms.int32)),
            ops.one_hot(ops.zeros(y.shape[0], ms.int32), 3), ops.log_softmax(y))


def program_a_function_of_a_selection(x=X):
    def centre(v):
        return v[v > 0].sum() / 2
    return ops.stack([centre(x[i]) for i in range(4)])


def program_random_numbers_before_a_size(x=X):
    y = ops.dropout(x, 0.5)
    return (y[y != 0] * 0).sum()


# ---------------------------------------------------------------------- further properties

def test_random_numbers_are_drawn_once_where_a_run_begins_again():
    def draw(x):
        noise = ops.rand(3)
        y = x[x > 0]
        return noise + (1 if y.shape[0] > 2 else 0)

    compiled = jit(draw)
    compiled(Tensor([1.0, 1.0, 1.0]))
    ms.set_seed(5)
    first = compiled(Tensor([1.0, -1.0, -1.0]))
    after = ops.rand(1)
    ms.set_seed(5)
    np.testing.assert_array_equal(first.asnumpy(), draw(Tensor([1.0, -1.0, -1.0])).asnumpy())
    np.testing.assert_array_equal(after.asnumpy(), ops.rand(1).asnumpy())
    assert compiled.cache.compiled == 2


def test_parameters_are_written_once_where_a_run_begins_again():
    class Count(nn.Cell):
        def __init__(self):
            super().__init__()
            self.total = ms.Parameter(Tensor(np.zeros(2, np.float32)), name="total")

        def construct(self, x):
            self.total = self.total + 1
            y = x[x > 0]
            if y.shape[0] > 2:
                self.total = self.total * 2
            return self.total + 0

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = Count()
        found = [net(Tensor(v)).asnumpy()[0] for v in ([1.0] * 3, [-1.0] * 3, [1.0] * 3)]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert found == [2, 3, 8]


def test_a_gradient_flows_through_a_compiled_function_with_unknown_sizes(same):
    def loss(x):
        y = x[x > 0]
        return (y * y).sum() / (y.shape[0] + 1)

    compiled = jit(loss)
    for shift in SHIFTS:
        x = Tensor(X + np.float32(shift))
        same(ms.grad(compiled)(x), ms.grad(loss)(x))
    assert compiled.cache.compiled == 1


def test_sizes_that_differ_in_every_run_end_in_running_the_function_as_it_is():
    @jit
    def spell(x):
        return f"{x[x > 0].shape[0]}"

    x = np.arange(30, dtype=np.float32)
    assert [spell(Tensor(x - k)) for k in range(20)] == [str(29 - k) for k in range(20)]
    assert spell.cache.compiled == 9
    assert list(spell.cache.uncompiled.values()) == ["a size that only the run tells differs too often"]


def test_errors_of_sizes_are_those_of_pynative_mode():
    def add(x):
        return x[x > 0] + x[x < 0]

    x = Tensor([1.0, 2.0, -1.0, -2.0, -3.0])
    with pytest.raises(ValueError) as wanted:
        add(x)
    with pytest.raises(ValueError) as found:
        jit(add)(x)
    assert type(found.value) is type(wanted.value)


def test_faults_before_a_size_have_the_class_and_words_of_pynative_mode():
    def count(x):
        n = (x.max() > 0).astype(ms.int32)
        return x[n:]

    empty = Tensor(np.zeros((0, 2), np.float32))
    with pytest.raises(ValueError) as wanted:
        count(empty)
    with pytest.raises(ValueError) as found:
        jit(count)(empty)
    assert str(found.value) == str(wanted.value)


def test_the_memory_layout_is_asked_for_in_python():
    assert jit(lambda x: x.T.stride())(Tensor(X)) == Tensor(X).T.stride()
