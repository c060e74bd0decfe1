"""Primitives: operators as classes with their constructor's arguments."""
from __future__ import annotations

import copy
import inspect
import pickle

import pytest
import torch

import mindspore
from mindspore import Tensor, ops
from mindspore.ops import bodies, signatures


def matrix():
    return Tensor([[1.0, 5.0, 2.0], [4.0, 3.0, 6.0]])


def test_a_primitive_computes_with_its_attributes():
    assert ops.ReduceSum(keep_dims=True)(matrix(), 1).shape == (2, 1)
    assert ops.ReduceSum(True)(matrix(), (0, 1)).shape == (1, 1)
    assert ops.ReduceSum()(matrix()).shape == ()


def test_a_flag_of_a_primitive_must_be_a_bool():
    # observed: MindSpore 2.10, CPU: TypeError, of some when they are made, of the others when they are called
    found = []
    for name, kind in inspect.getmembers(ops.operations, inspect.isclass):
        if kind.__module__ == "mindspore.core.absent":
            continue
        derived = inspect.signature(kind).parameters.values() if "__signature__" in vars(kind) else ()
        for p in derived:
            if isinstance(p.default, bool) and (name, p.name) not in bodies._LOOSE:
                with pytest.raises(TypeError, match=f"'{p.name}'|required positional"):
                    kind(**{p.name: 3})
                found.append(name)
    assert len(set(found)) > 60
    with pytest.raises(TypeError, match="For 'ReduceSum', the 'keep_dims' must be a bool, but got 1 with type 'int'"):
        ops.ReduceSum(keep_dims=1)


def test_a_primitive_shows_its_name_and_attributes():
    assert repr(ops.ReduceSum()) == "Prim[ReduceSum]<keep_dims=False, skip_mode=False>"
    assert repr(ops.ReLU()) == "Prim[ReLU]"
    assert str(ops.MatMul(transpose_b=True)) == "Prim[MatMul]<transpose_a=False, transpose_b=True>"


def test_attributes_are_readable_and_can_be_changed():
    product = ops.MatMul(True)
    assert product.transpose_a is True
    assert product.attrs == {"transpose_a": True, "transpose_b": False}
    product.transpose_a = False
    product.add_prim_attr("transpose_b", True)
    assert product(matrix(), matrix()).shape == (2, 2)


def test_attributes_beside_the_constructor_can_be_added_and_removed():
    p = ops.ReLU().add_prim_attr("stage", 3)
    assert p.stage == 3
    assert "stage" not in p.del_prim_attr("stage").attrs
    assert not hasattr(p, "stage")


def test_call_inputs_may_be_tuples_lists_numbers_or_constant_tensors():
    x = matrix()
    for axis in (1, (1,), [1], Tensor(1), Tensor([1])):
        assert ops.ReduceSum()(x, axis).shape == (2,)
    for shape in ((3, 2), [3, 2], Tensor([3, 2])):
        assert ops.Reshape()(x, shape).shape == (3, 2)


def test_an_operator_of_many_tensors_takes_one_tuple():
    x = matrix()
    assert ops.AddN()([x, x, x]).asnumpy().tolist() == (3 * x).asnumpy().tolist()
    with pytest.raises(TypeError, match="must be a tuple or a list of tensors"):
        ops.AddN()(x)


@pytest.mark.parametrize(("name", "wanted"), [
    ("ReduceSum", "(keep_dims=False, skip_mode=False)"),
    ("MatMul", "(transpose_a=False, transpose_b=False)"),
    ("LpNorm", "(axis, p=2, keep_dims=False, epsilon=1e-12)"),
    ("Cast", "()"),
])
def test_the_constructor_has_the_documented_signature(name, wanted):
    assert str(inspect.signature(getattr(ops, name))) == wanted


def test_a_required_argument_is_missed_by_name():
    with pytest.raises(TypeError, match="axis"):
        ops.LpNorm()


def test_a_dtype_as_default_is_the_dtype():
    assert inspect.signature(ops.Argmax).parameters["output_type"].default is mindspore.int32


@pytest.mark.parametrize("make", [lambda: ops.MatMul(True), lambda: ops.Argmax(0), lambda: ops.Cast()])
def test_a_primitive_survives_copying_and_pickling(make):
    for twin in (copy.deepcopy(make()), pickle.loads(pickle.dumps(make()))):
        assert type(twin) is type(make())
        assert twin.attrs == make().attrs


def test_a_primitive_by_name_is_the_registered_one():
    assert ops.Primitive("Add")(matrix(), 1.0).asnumpy()[0, 0] == 2.0
    with pytest.raises(NotImplementedError, match="'nothing' has no kernel"):
        ops.Primitive("nothing")(matrix())


def test_a_strategy_is_recorded_and_checked():
    p = ops.MatMul().shard(((1, 2), (2, 1)))
    assert p.in_strategy == ((1, 2), (2, 1))
    with pytest.raises(TypeError, match="in_strategy"):
        ops.MatMul().shard([1, 2])
    with pytest.raises(ValueError, match="needs an 'in_strategy'"):
        ops.MatMul().shard(None, ((1, 2),))


def test_stage_device_and_recomputation_become_attributes():
    p = ops.ReLU().set_stage(1).set_device("CPU").recompute()
    assert (p.stage, p.primitive_target, p.attrs["recompute"]) == (1, "CPU", True)
    with pytest.raises(ValueError, match="device_target"):
        ops.ReLU().set_device("TPU")


def test_names_of_inputs_are_not_shown():
    p = ops.ReLU()
    p.init_prim_io_names(["x"], ["y"])
    assert p.input_names == ["x"]
    assert repr(p) == "Prim[ReLU]"


def test_a_primitive_of_the_user_keeps_its_constructor_arguments():
    class Scale(ops.PrimitiveWithInfer):
        @ops.prim_attr_register
        def __init__(self, factor, offset=1):
            self.total = factor + offset

        def __call__(self, x):
            return x * self.factor

    p = Scale(3)
    assert p.attrs == {"factor": 3, "offset": 1}
    assert p.total == 4
    assert p.name == "Scale"
    assert p(Tensor([2.0])).asnumpy()[0] == 6.0


@pytest.mark.parametrize("pool", [ops.MaxPool, ops.AvgPool])
def test_a_class_takes_its_arguments_under_their_earlier_names(pool):
    assert pool(ksize=3, strides=2).kernel_size == pool(kernel_size=3, strides=2).kernel_size
    assert pool(ksize=3, strides=2, padding="same").pad_mode == pool(3, 2, "same").pad_mode


def test_a_function_takes_its_arguments_under_their_earlier_names():
    x = matrix()
    assert ops.norm(x, axis=1, p=1).asnumpy().tolist() == ops.norm(x, 1, 1).asnumpy().tolist()
    assert ops.dot(x1=x, x2=x.T).shape == (2, 2)
    assert str(inspect.signature(ops.norm)).startswith("(A")


# ---------------------------------------------------------------------- compile-time functions

def test_a_compile_time_function_runs_as_python():
    @ops.constexpr
    def add(a, b=2):
        return a + b

    assert add(1) == 3
    assert add(1, b=4) == 5
    assert repr(add) == "Prim[add]<constexpr_prim=True>"


def test_a_compile_time_function_refuses_computed_tensors():
    @ops.constexpr
    def first(x):
        return x

    @mindspore.jit(fullgraph=True)
    def net(x):
        return first(x)

    with pytest.raises(ValueError, match="must be a constant"):
        net(Tensor([1.0]))


def test_get_instance_false_gives_something_to_instantiate():
    @ops.constexpr(get_instance=False)
    def one():
        return 1

    assert one()() == 1


# ---------------------------------------------------------------------- signatures

def test_a_signature_is_parsed_into_groups():
    form = signatures.parse("Pool(size=1, *, mode='a')(x, axis: dim=(1, 2))")
    assert form.name == "Pool"
    assert [str(p) for p in form.groups[0]] == ["size=1", "mode='a'"]
    assert form.groups[1][1].target == "dim"
    assert form.groups[1][1].default == "(1, 2)"


def test_parameters_are_matched_by_name_then_by_place():
    class Op:
        inputs, attrs, variadic, name = ["x", "index"], {"axis": 0, "mode": 1}, False, "Op"

    (params,) = signatures.parse("f(input, mode, indices, dim)").groups
    assert signatures.arguments(Op, params) == [
        "input", "indices", "mode=plain(mode)", "axis=plain(dim)"]
    with pytest.raises(ValueError, match="does not take"):
        signatures.arguments(Op, [*params, params[0]._replace(name="extra")])


def test_attribute_values_become_plain():
    assert signatures.plain([1, [2, 3]]) == (1, (2, 3))
    assert signatures.plain(Tensor([1, 2])) == (1, 2)
    assert signatures.plain(Tensor(3)) == 3
    assert signatures.plain(float) is mindspore.float32


def test_a_computed_integer_is_taken_as_an_attribute():
    @mindspore.jit(fullgraph=True)
    def net(x):
        return ops.reduce_sum(x, x.sum().astype("int32"))

    assert net(Tensor([[1.0, 2.0], [0.0, -2.0]])).asnumpy().tolist() == [3, -2]
    assert net(Tensor([[1.0, 2.0], [0.0, -3.0]])).asnumpy().tolist() == [1, -1]
    with pytest.raises(ValueError, match="'axis' must be in"):
        net(Tensor([[1.0, 2.0], [0.0, 3.0]]))


def test_a_computed_float_is_refused_as_an_attribute():
    @mindspore.jit(fullgraph=True)
    def net(x):
        return ops.reduce_sum(x, x.sum())

    with pytest.raises(ValueError, match="must be known while a graph is compiled"):
        net(Tensor([1.0, 2.0]))


def test_every_public_name_can_be_reached():
    missing = [n for n in ops.__all__ if getattr(ops, n, None) is None]
    assert missing == []


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = ops.nonsense


def test_classes_do_not_leave_the_module_that_pickle_looks_in():
    assert ops.MatMul.__module__ == "mindspore.ops.primitives"
    assert isinstance(ops.MatMul()(matrix(), matrix().T)._data, torch.Tensor)
