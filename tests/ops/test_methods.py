"""The public names of `mindspore.ops` and the methods of tensors: each defined once."""
from __future__ import annotations

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.ir import Node
from mindspore.ops import functions, methods, primitives

MODULES = [importlib.import_module(f"mindspore.ops.{m.name}")
           for m in pkgutil.iter_modules(ops.__path__)]
OF_COMPOSITE = importlib.import_module("mindspore.ops._composite")     # what `ops.composite` alone means by its names
COMPOSED = [m for m in MODULES if m not in (functions, primitives, methods, OF_COMPOSITE)]


def test_no_name_is_defined_twice():
    homes = {}
    for module in (*COMPOSED, functions, primitives):
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            kind = (name, inspect.isclass(value))            # `identity` is a primitive and a function
            assert homes.setdefault(kind, value) is value, f"{name} in {module.__name__}"


def test_no_method_is_defined_twice():
    homes = dict.fromkeys(methods.derived(), "the registry")
    for module in COMPOSED:
        for name in getattr(module, "METHODS", {}):
            assert name not in homes, f"'{name}' in {module.__name__} and {homes[name]}"
            homes[name] = module.__name__


def test_no_module_hides_a_function():
    names = {m.__name__.rpartition(".")[2] for m in MODULES} & set(ops.__all__)
    assert [n for n in names if not callable(getattr(ops, n))] == []


def test_tensors_have_the_same_methods_while_compiling():
    own = set(Tensor.__dict__) | {"H"}
    missing = [n for m in COMPOSED for n in getattr(m, "METHODS", {})
               if n not in own and not hasattr(Node, n)]
    assert missing == []


@pytest.mark.parametrize("name", ["abs", "sum", "matmul", "exp", "astype", "reshape", "max", "add"])
def test_a_method_is_the_same_in_both_modes(name):
    x = Tensor([[1.0, -2.0], [3.0, 4.0]])
    arguments = {"matmul": (x,), "astype": ("int32",), "reshape": (4,), "add": (x,)}.get(name, ())

    def call(a):
        return getattr(a, name)(*arguments)

    assert ms.jit(call)(x).asnumpy().tolist() == call(x).asnumpy().tolist()


def test_the_class_comes_with_its_methods():
    assert ms.Tensor is Tensor
    assert ms.common.tensor.Tensor is Tensor
    assert (Tensor([1.0]) + 1).abs().asnumpy() == 2.0


def test_the_public_list_is_complete():
    assert {"Add", "add", "grad", "Primitive", "sum", "shape", "AssignAdd"} <= set(ops.__all__)


@pytest.mark.usefixtures("both_modes")
def test_methods_under_the_names_of_several_generations():
    x = Tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
    assert x.clip(xmin=0, xmax=3).tolist() == x.clip(0, 3).tolist() == [[1, 0, 3], [3, 3, 0]]
    assert x.clip(0, 3, dtype=ms.int8).dtype == ms.int8
    assert x.transpose(dim0=0, dim1=1).tolist() == x.transpose(0, dim1=1).tolist() == x.T.tolist()
    assert x.narrow(axis=1, start=1, length=2).tolist() == [[-2, 3], [5, -6]]
    assert [p.tolist() for p in x.split(axis=0, output_num=2)] == [[[1, -2, 3]], [[4, 5, -6]]]
    assert ops.Stack(1)(x[0], x[1]).tolist() == ops.Stack(1)((x[0], x[1])).tolist() == x.T.tolist()
    assert ops.Stack()([x]).shape == (1, 2, 3)
    for wrong in (lambda: x.transpose(0, 1, dim0=1), lambda: x.transpose(dim0=0), lambda: x.clip(xmin=0, min=1),
                  lambda: ops.Stack()(x)):
        with pytest.raises(TypeError):
            wrong()


@pytest.mark.usefixtures("both_modes")
def test_uniform_numbers_like_a_tensor():
    ms.set_seed(0)
    x = Tensor(np.zeros((50, 40)), ms.float16)
    found = x.uniform(2.0, 6.0)
    assert (found.shape, found.dtype, x.sum()) == ((50, 40), ms.float16, 0)
    assert 2 <= found.asnumpy().min() < 2.1
    assert abs(found.asnumpy().astype(np.float64).mean() - 4) < 0.1
    for wrong, error in ((lambda: Tensor([1]).uniform(), TypeError), (lambda: x.uniform(2, 1), ValueError),
                         (lambda: x.uniform("a"), TypeError), (lambda: x.uniform(generator=1), TypeError)):
        with pytest.raises(error):
            wrong()
