"""Private names that programs import; numbers observed: MindSpore 2.10."""
from __future__ import annotations

import importlib
import inspect
import pickle

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore._extends import cell_attr_register
from mindspore.common.api import _no_grad, _pynative_executor, cells_compile_cache
from mindspore.common.initializer import random_normal
from mindspore.common.parameter import _is_parameter_generated
from mindspore.common.seed import _get_graph_seed
from mindspore.core import context


@pytest.fixture
def _no_seed(monkeypatch):
    monkeypatch.setattr(ms.core.seed, "_seed", None)


@pytest.mark.usefixtures("_no_seed")
def test_seeds_of_operators_follow_each_other_under_a_global_seed():
    assert _get_graph_seed(0, "Dropout") == _get_graph_seed(None, "Dropout") == (0, 0)
    assert _get_graph_seed(3, "Dropout") == (0, 3)
    ms.set_seed(7)
    found = [_get_graph_seed(0, "A")[1] for _ in range(6)]
    assert found == [0, 533697028, 1067394056, 1601091084, 2134788112, 521001493]
    assert _get_graph_seed(None, "B") == (7, 0)
    with pytest.raises(TypeError, match="'seed' must be int"):
        _get_graph_seed("a", "A")


def test_the_arguments_of_a_cell_are_noted():
    class All(nn.Cell):
        @cell_attr_register
        def __init__(self, a, b=2):
            super().__init__()
            self.a = a

    class Some(nn.Cell):
        @cell_attr_register(attrs=["b"])
        def __init__(self, a, b=2):
            super().__init__()

    assert All(1)._cell_init_args == "Alldict_values([1])"
    assert (All(1).a, Some(1, 3)._cell_init_args) == (1, "Some[3]")


def test_no_gradient_goes_through_a_block_without():
    def f(x):
        with _no_grad():
            y = x * x
        return y + x

    assert ms.grad(f)(Tensor([2.0])).tolist() == [1.0]
    with pytest.raises(NotImplementedError, match="stop_gradient"):
        ms.jit(f, fullgraph=True)(Tensor([2.0]))


def test_no_gradient_goes_through_a_function_without():
    @_no_grad()
    def square(x):
        return x * x

    def f(x):
        return square(x) + square(2 * x) + x

    assert ms.grad(f)(Tensor([3.0])).tolist() == [1.0]


def test_a_gradient_that_would_be_zero_is_refused():
    def f(x):
        with _no_grad():
            return ms.grad(ops.square)(x)

    x = Tensor([3.0])
    for _ in range(2):
        with pytest.raises(RuntimeError, match="In no_grad context"):
            f(x)
        assert ms.grad(ops.square)(x).tolist() == [6.0]


def test_cells_that_were_compiled_are_listed():
    net = nn.Dense(2, 2)
    net.compile(ops.ones((1, 2)))
    assert cells_compile_cache[id(net)] == {"train"}
    _pynative_executor.sync()


def test_a_network_is_only_compiled_where_the_context_says_so():
    class Assigning(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([1.0]), name="w")

        def construct(self, x):
            ops.assign(self.w, x)
            return self.w * 2

    net = Assigning()
    before = context.get_context("mode")
    context.set_context(mode=0, precompile_only=True)
    try:
        assert net(Tensor([5.0])) is None
        assert net.w.tolist() == [1.0]
        context.set_context(precompile_only=False)
        assert net(Tensor([5.0])).tolist() == [10.0]
    finally:
        context.set_context(mode=before, precompile_only=False)


def test_names_that_parameters_got_are_told_from_given_ones():
    assert _is_parameter_generated(Parameter(Tensor(1.0)).name)
    assert not _is_parameter_generated("weight")


def test_a_tensor_is_filled_with_normal_numbers_by_seed():
    x, y = [Tensor(np.zeros((50, 40), np.float32)) for _ in range(2)]
    assert random_normal(5.0, 0.1, (50, 40), 1, 2, x)
    random_normal(5.0, 0.1, (50, 40), 1, 2, y)
    assert bool((x == y).all())
    assert abs(x.asnumpy().mean() - 5) < 0.01
    assert abs(x.asnumpy().std() - 0.1) < 0.01
    with pytest.raises(ValueError, match="'sigma'"):
        random_normal(0, -1, (50, 40), 1, 2, x)


def test_integer_types_of_quantised_values_know_their_bits():
    from mindspore.common.dtype import QuantDtype

    assert ms.QuantDtype is QuantDtype
    assert [QuantDtype[n].value for n in ("INT1", "INT16", "UINT1", "UINT16")] == [0, 15, 100, 115]
    assert (QuantDtype.INT8.num_bits, QuantDtype.UINT4.num_bits) == (8, 4)
    assert QuantDtype.switch_signed(QuantDtype.INT8) is QuantDtype.UINT8
    assert QuantDtype.is_signed(QuantDtype.INT2)
    assert not QuantDtype.is_signed(QuantDtype.UINT2)


def test_a_tensor_shares_its_memory_with_another_library():
    import torch

    x = Tensor([1.0, 2.0])
    other = torch.utils.dlpack.from_dlpack(ms.utils.to_dlpack(x))
    other[0] = 5
    assert x.tolist() == [5.0, 2.0]
    with pytest.raises(TypeError, match="capsule"):
        ms.utils.from_dlpack(3)


def test_a_name_that_cannot_be_here_imports_and_says_why_when_used():
    from mindspore._c_expression import init_exec_dataset

    with pytest.raises(NotImplementedError, match="data_sink"):
        init_exec_dataset("queue", 1, 1, [], [], [])


def test_classes_print_as_programs_know_them():
    assert str(type(Tensor(1))) == "<class 'mindspore.common.tensor.Tensor'>"
    assert str(Parameter) == "<class 'mindspore.common.parameter.Parameter'>"
    assert ms.common.tensor.Tensor is Tensor
    assert pickle.loads(pickle.dumps(Tensor([1.0]))).tolist() == [1]


def test_messages_of_checkpoints_tell_their_fields():
    from mindspore.train.node_strategy_pb2 import ParallelStrategyMap
    from mindspore.train.serialization import Checkpoint

    assert "value" in inspect.signature(Checkpoint).parameters
    assert next(iter(inspect.signature(ParallelStrategyMap).parameters)) == "current_stage"
    made = Checkpoint()
    made.value.add(tag="w")
    assert made.value[0].tag == "w"


def test_the_check_of_three_dimensions_takes_what_the_original_takes():
    from mindspore.nn.layer.conv import _check_input_3d

    _check_input_3d((1, 2, 3), prim_name="Conv1d")
    with pytest.raises(ValueError, match="For 'Conv1d', the dimension of the input must be 3d, but got 2"):
        _check_input_3d((1, 2), "Conv1d")


def test_one_instance_of_a_primitive_for_each_set_of_settings():
    from mindspore.ops._primitive_cache import _get_cache_prim

    keeping = _get_cache_prim(ops.ReduceSum)(True)
    assert keeping is _get_cache_prim(ops.ReduceSum)(True)
    assert keeping is not _get_cache_prim(ops.ReduceSum)(keep_dims=False)
    assert keeping(Tensor([[1.0, 2.0]]), 1).tolist() == [[3.0]]
    assert _get_cache_prim(ops.Tile)()(Tensor([1]), (3,)).tolist() == [1, 1, 1]
    assert _get_cache_prim(ops.MaxPool)([2, 2], [2, 2]) is not None            # a list is no key
    with pytest.raises(TypeError, match="keep_dims"):
        _get_cache_prim(ops.ReduceSum)(keep_dims=3)


@pytest.mark.parametrize(("path", "name"), [
    ("mindspore.train.data_sink", "data_sink"), ("mindspore.rewrite.api.symbol_tree", "SymbolTree"),
    ("mindspore.ops._grad_experimental.grad_base", "bprop_getters"),
    ("mindspore.ops.auto_generate.gen_ops_prim", "Add"), ("mindspore.ops.auto_generate.gen_ops_def", "add"),
    ("mindspore.ops.operations.spectral_ops", "BartlettWindow"),
    ("mindspore.ops.operations._quant_ops", "MinMaxUpdatePerLayer"),
    ("mindspore.ops.composite.multitype_ops.zeros_like_impl", "zeros_like"),
    ("mindspore.communication._comm_helper", "GlobalComm"),
    ("mindspore.common._register_for_tensor", "tensor_operator_registry"),
])
def test_private_modules_of_the_original(path, name):
    assert getattr(importlib.import_module(path), name) is not None


def test_a_module_that_is_a_function_too():
    from mindspore.train import data_sink
    from mindspore.train.data_sink import data_sink as same

    assert callable(data_sink)
    assert same is ms.data_sink


def test_names_of_python_that_a_module_offers_leave_its_own_code_alone():
    from mindspore.common import dtype

    offered = [getattr(dtype, name) for name in ("float", "int", "bool")]
    assert all(kind is not plain for kind, plain in zip(offered, (float, int, bool), strict=True))
    assert not {"float", "int", "bool"} & vars(dtype).keys()
    assert [ms.get_py_obj_dtype(x) for x in (2.0, 1, True)] == [ms.float64, ms.int64, ms.bool_]


def test_what_programs_patch_of_pending_tensors_is_the_tensor():
    from mindspore.common._stub_tensor import StubTensor
    from mindspore.common.sparse_tensor import RowTensorInner

    assert StubTensor is Tensor
    row = RowTensorInner(Tensor([1]), Tensor([[2.0, 3.0]]), (3, 2))
    assert (row.values.tolist(), tuple(row.dense_shape)) == ([[2.0, 3.0]], (3, 2))


def test_all_of_a_module_can_be_taken_from_the_context():
    found: dict = {}
    exec("from mindspore.context import *", found)
    assert found["get_context"] is ms.get_context
    assert set(context.__all__) <= set(found)


def test_values_below_a_prefix_are_taken_for_the_names_that_a_program_lists():
    from mindspore.train.serialization import _load_dismatch_prefix_params

    net = nn.Dense(2, 1)
    left = ["weight", "bias"]
    _load_dismatch_prefix_params(net, {"head.weight": Parameter(Tensor([[3.0, 4.0]]), name="head.weight")}, left, True)
    assert (net.weight.tolist(), left) == ([[3.0, 4.0]], ["bias"])
