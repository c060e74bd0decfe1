"""Names that have another home here, and rows of names that cannot be here: they hide nothing."""
import importlib

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, amp, dataset, nn
from mindspore._names import hook, rows
from mindspore._names.remaining import REMAINING
from mindspore.experimental import optim
from mindspore.ops.composite import multitype_ops


@pytest.mark.parametrize("path", REMAINING)
def test_every_row_leads_to_something(path):
    named, whole = hook.Table("mindspore", "", REMAINING).view(path)
    module = importlib.import_module(path)
    for name in named:
        assert getattr(module, name) is not None
    for home in whole:
        assert all(hasattr(module, name) for name in importlib.import_module(home).__all__)


def test_absent_names_hide_none_that_are_here():
    """A name that a row calls absent is in none of the modules that the path takes whole."""
    table, hidden = rows(), []
    for path in REMAINING:
        named, whole = hook.Table("mindspore", "", table).view(path)
        absent = {name for name, (home, _) in named.items() if home == "mindspore.core.absent"}
        for home in whole:
            hidden += [(path, n) for n in absent.intersection(hook.public_names(importlib.import_module(home)))]
    assert hidden == []


def test_a_global_normalisation_alone_is_that_of_the_batch():
    x = np.random.rand(4, 3).astype(np.float32)
    y = nn.GlobalBatchNorm(3, device_num_each_group=2).set_train()(Tensor(x)).asnumpy()
    np.testing.assert_allclose(y, (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-5), rtol=1e-3, atol=1e-4)
    with pytest.raises(ValueError, match="device_num_each_group"):
        nn.GlobalBatchNorm(3, device_num_each_group=0)


@pytest.mark.usefixtures("both_modes")
def test_the_cosine_of_vectors():
    cell = nn.layer.CosineSimilarity(dim=1)
    x, y = np.random.rand(3, 4).astype(np.float32), np.random.rand(3, 4).astype(np.float32)
    expected = (x * y).sum(1) / np.sqrt((x * x).sum(1) * (y * y).sum(1))
    np.testing.assert_allclose(cell(Tensor(x), Tensor(y)).asnumpy(), expected, rtol=1e-5)


def test_an_array_of_tensors():
    array = nn.TensorArray(ms.int32, (2,), dynamic_size=False, size=2)
    array.write(1, Tensor([3, 4], ms.int32))
    assert (array.stack().tolist(), array.read(1).tolist(), array.size()) == ([[0, 0], [3, 4]], [3, 4], 2)
    array.clear()
    assert array.stack().tolist() == [[0, 0], [0, 0]]
    for wrong, error in ((lambda: array.write(2, Tensor([1, 2], ms.int32)), IndexError),
                         (lambda: array.write(0, Tensor([1.0, 2.0])), TypeError),
                         (lambda: array.write(0, Tensor([1], ms.int32)), ValueError),
                         (lambda: array.read(5), IndexError)):
        with pytest.raises(error):
            wrong()
    array.close()
    with pytest.raises(ValueError, match="closed"):
        array.size()
    grown = nn.reinforcement.TensorArray(ms.float32, ())
    assert grown.stack().shape == (0,)
    grown.write(3, Tensor(1.0))
    assert grown.stack().tolist() == [0, 0, 0, 1]


def test_schedulers_that_step_together_multiply_their_factors():
    optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], lr=0.8)
    both = optim.lr_scheduler.ChainedScheduler(
        [optim.lr_scheduler.ExponentialLR(optimizer, 0.5), nn.StepLR(optimizer, 2, 0.1)])
    seen = []
    for _ in range(3):
        both.step()
        seen.append(float(both.get_last_lr()[0]))
    np.testing.assert_allclose(seen, [0.4, 0.02, 0.01], rtol=1e-6)
    other = optim.SGD([Parameter(Tensor([1.0]), name="v")], lr=0.8)
    with pytest.raises(ValueError, match="same optimizer"):
        optim.lr_scheduler.ChainedScheduler([nn.StepLR(optimizer, 2), nn.StepLR(other, 2)])


def test_scales_of_gradients_and_their_inverse():
    given = (Tensor([1.0, 2.0]), [Tensor([4.0])])
    scaled = amp._grad_scale_map(Tensor(8.0), given)
    assert (scaled[0].tolist(), scaled[1][0].tolist()) == ([8, 16], [32])
    back = amp._grad_unscale_map(Tensor(8.0), scaled)
    assert (back[0].tolist(), back[1][0].tolist()) == ([1, 2], [4])


def test_hooks_print_what_goes_through_a_map(capsys):
    try:
        dataset.config.set_debug_mode(True, [dataset.debug.PrintMetaDataHook(), dataset.debug.PrintDataHook()])
        source = dataset.NumpySlicesDataset(np.array([[0, 1]], np.int32), shuffle=False).map(lambda x: x + 1)
        (row,) = [r[0] for r in source.create_tuple_iterator(output_numpy=True, num_epochs=1)]
    finally:
        dataset.config.set_debug_mode(False)
    assert row.tolist() == [1, 2]
    out = capsys.readouterr().out
    head = "[Dataset debugger] Print the [{}] of the operation [<lambda>]."
    meta = "The dtype is [int32]. The shape is [(2,)]."
    assert out.splitlines() == [                                                   # as 2.10 prints it
        head.format("INPUT"), f"Column 0. {meta}", head.format("INPUT"), "Column 0. The data is [[0 1]].",
        head.format("OUTPUT"), f"Column 0. {meta}", head.format("OUTPUT"), "Column 0. The data is [[1 2]]."]


def test_operators_of_graphs_as_functions():
    assert multitype_ops.mod(Tensor([5, -5]), Tensor([3, 3])).tolist() == [2, 1]
    assert multitype_ops.getitem(Tensor([1, 2, 3]), 1).tolist() == 2
    assert multitype_ops.setitem(Tensor([1, 2, 3]), 1, 9).tolist() == [1, 9, 3]
