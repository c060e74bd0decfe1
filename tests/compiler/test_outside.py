# ruff: noqa  # programs as users write them
"""What a program reads of the objects around it may change between two calls: it sees the present.

A program is a function that gives a function of a tensor and a change: what the first computes before
and after the second must be the same in both modes, and where nothing changed nothing may be compiled again.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import types

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

LIST, DICT, TUPLE, FACTOR = [1, 2], {"k": 2, "n": {"z": [3]}, "other": 1}, (1, 2), 2


def helper(x):
    return x * 2


class Config:
    rate = 0.5

    def __init__(self):
        self.k, self.items, self.sub, self.t = 2, [1], None, Tensor(2.0)


class Slots:
    __slots__ = ("k",)

    def __init__(self):
        self.k = 2


class Net(nn.Cell):
    scale = 1

    def __init__(self, body, **attributes):
        super().__init__()
        self.body = body
        for name, value in attributes.items():
            setattr(self, name, value)

    def construct(self, x):
        return self.body(self, x)


def put(owner, key, value):
    return lambda: owner.__setitem__(key, value)


def put_attribute(owner, name, value):
    return lambda: setattr(owner, name, value)


def program_global_list():
    return lambda x: x * sum(LIST), lambda: LIST.append(7)


def program_global_list_element():
    return lambda x: x * LIST[0], put(LIST, 0, 10)


def program_global_dict_element():
    return lambda x: x * DICT["k"], put(DICT, "k", 10)


def program_global_dict_nested():
    return lambda x: x * sum(DICT["n"]["z"]), lambda: DICT["n"]["z"].append(5)


def program_global_dict_new_key():
    return lambda x: x * 5 if "new" in DICT else x, put(DICT, "new", 1)


def program_global_dict_get():
    return lambda x: x * DICT.get("fresh", 3), put(DICT, "fresh", 1)


def program_global_dict_loop():
    return lambda x: x * sum(v for v in DICT.values() if isinstance(v, int)), put(DICT, "loop", 4)


def program_global_tuple():
    def change():
        global TUPLE
        TUPLE = (*TUPLE, 5)
    return lambda x: x * sum(TUPLE), change


def program_global_number():
    def change():
        global FACTOR
        FACTOR += 7
    return lambda x: x * FACTOR, change


def program_global_function_defined_again():
    def change():
        global helper

        def helper(x):
            return x * 200
    return lambda x: helper(x), change


def program_object_attribute():
    config = Config()
    return lambda x: x * config.k, put_attribute(config, "k", 20)


def program_object_list():
    config = Config()
    return lambda x: x * len(config.items), lambda: config.items.append(4)


def program_object_none_becomes_list():
    config = Config()
    return lambda x: x if config.sub is None else x * len(config.sub), put_attribute(config, "sub", [1, 2])


def program_object_tensor():
    config = Config()
    return lambda x: x * config.t, put_attribute(config, "t", Tensor(5.0))


def program_object_tensor_of_another_shape():
    config = Config()
    return lambda x: x * config.t, put_attribute(config, "t", Tensor([5.0, 6.0, 7.0]))


def program_object_attribute_hides_that_of_the_class():
    config = Config()
    return lambda x: x * config.rate, put_attribute(config, "rate", 3)


def program_class_attribute():
    class Own(Config):
        rate = 2
    own = Own()
    return lambda x: x * own.rate + Own.rate, put_attribute(Own, "rate", 20)


def program_slots():
    slots = Slots()
    return lambda x: x * slots.k, put_attribute(slots, "k", 9)


def program_namespace():
    space = types.SimpleNamespace(a=1, b=[1])

    def change():
        space.a, space.b = 8, [1, 2, 3]
    return lambda x: x * space.a + len(space.b), change


def program_dataclass():
    @dataclasses.dataclass
    class Data:
        a: int = 1
        b: list = dataclasses.field(default_factory=lambda: [1])
    data = Data()
    return lambda x: x * data.a + data.b[0], put(data.b, 0, 7)


def program_dict_with_attributes():
    class Easy(dict):
        def __getattr__(self, name):
            return self[name]
    easy = Easy(lr=2)
    return lambda x: x * easy.lr, put(easy, "lr", 7)


def program_property():
    external = [1]

    class Own:
        @property
        def k(self):
            return 2 + len(external)
    own = Own()
    return lambda x: x * own.k, lambda: external.append(3)


def program_closure_number():
    k = 2

    def change():
        nonlocal k
        k = 7
    return lambda x: x * k, change


def program_closure_list():
    k = [2]
    return lambda x: x * k[0], put(k, 0, 7)


def program_closure_function():
    k = ops.relu

    def change():
        nonlocal k
        k = ops.tanh
    return lambda x: k(x), change


def program_closure_cell():
    k = nn.ReLU()

    def change():
        nonlocal k
        k = nn.Tanh()
    return lambda x: k(x), change


def program_list_of_functions():
    k = [ops.relu]
    return lambda x: k[0](x), put(k, 0, ops.tanh)


def program_dict_of_tensors():
    k = {"a": Tensor(1.0)}
    return lambda x: k["a"] * x, put(k, "a", Tensor(5.0))


def program_tensor_changed_in_place():
    k = Tensor([1.0, 1.0, 1.0])
    return lambda x: k * x, put(k, 0, 5.0)


def program_array_element():
    k = np.ones(3, np.float32)
    return lambda x: x * Tensor(k), put(k, 0, 5.0)


def program_set():
    k = {1, 2}
    return lambda x: x * sum(sorted(k)), lambda: k.add(9)


def program_deque():
    k = collections.deque([1, 2], maxlen=2)
    return lambda x: x * sum(k), lambda: k.append(9)


def program_partial():
    d = {"a": 1}
    p = functools.partial(lambda x, d: x * d["a"], d=d)
    return lambda x: p(x), put(d, "a", 5)


def program_default_argument():
    d = [1]

    def f(x, items=d):
        return x * sum(items)
    return f, lambda: d.append(4)


def program_bound_method():
    class Own:
        def __init__(self):
            self.k = 2

        def run(self, x):
            return x * self.k
    own = Own()
    return own.run, put_attribute(own, "k", 5)


def program_objects_in_a_list():
    configs = [Config(), Config()]
    return lambda x: x * sum(c.k for c in configs), put_attribute(configs[1], "k", 9)


def program_keys_in_their_order():
    d = {"a": 1, "b": 2}

    def change():
        d["a"] = d.pop("a")
    return lambda x: x + sum(i * v for i, v in enumerate(d.values())), change


def program_true_is_not_one():
    d = [1]
    return lambda x: x + len(repr(d)), put(d, 0, True)


def program_cell_list():
    net = Net(lambda self, x: x * sum(self.l), l=[1, 2])
    return net, lambda: net.l.append(9)


def program_cell_dict():
    net = Net(lambda self, x: x * self.d["a"][0], d={"a": [1]})
    return net, lambda: net.d["a"].insert(0, 9)


def program_cell_object():
    net = Net(lambda self, x: x * self.c.k, c=Config())
    return net, lambda: setattr(net.c, "k", 11)


def program_cell_list_of_cells():
    net = Net(lambda self, x: sum([c(x) for c in self.cs]), cs=nn.CellList([nn.ReLU()]))
    return net, lambda: net.cs.append(nn.Tanh())


def program_cell_class_attribute():
    class Own(Net):
        scale = 2
    net = Own(lambda self, x: x * self.scale)
    return net, put_attribute(Own, "scale", 5)


def program_cell_array():
    net = Net(lambda self, x: x * float(self.a[0]), a=np.array([2.0]))
    return net, lambda: net.a.__setitem__(0, 3)


def program_cell_parameter_replaced():
    net = Net(lambda self, x: x * self.w, w=Parameter(Tensor(2.0), name="w"))
    return net, lambda: setattr(net, "w", Parameter(Tensor(5.0), name="w"))


X = [1.0, -2.0, 4.0]


def test_the_present_counts(program):
    fn, change = program()
    compiled = ms.jit(fn.construct if isinstance(fn, nn.Cell) else fn, fullgraph=True)
    x = Tensor(np.array(X, np.float32))
    for step in (lambda: None, change, lambda: None):
        step()
        expected = fn(x)
        np.testing.assert_allclose(compiled(x).asnumpy(), expected.asnumpy(), rtol=1e-6)
    assert compiled.cache.compiled <= 2


@pytest.mark.parametrize(("made", "reason"), [
    (program_closure_list, "element 0 of a list changed from 2 to 7"),
    (program_object_attribute, "attribute 'k' of Config changed from 2 to 20"),
    (program_class_attribute, "attribute 'rate' of the class Own changed from 2 to 20"),
    (program_set, "content of a set changed from frozenset({1, 2}) to {1, 2, 9}"),
    (program_array_element, "content of an array of shape (3,) changed"),
    (program_closure_number, "name 'k' changed from 2 to 7"),
    (program_global_function_defined_again, "name 'helper' changed from the function 'helper' to the function "
     "'program_global_function_defined_again.<locals>.change.<locals>.helper'"),
])  # fmt: skip
def test_the_reason_names_what_changed(made, reason):
    fn, change = made()
    compiled = ms.jit(fn)
    compiled(Tensor(1.0))
    change()
    compiled(Tensor(1.0))
    (latest, *_) = next(iter(compiled.cache.programs.values()))
    assert latest.record.reason.startswith(reason[:60])
