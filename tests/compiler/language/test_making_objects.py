# ruff: noqa  # programs as users write them
"""How objects come to be inside of compiled functions, and what classes and functions hold."""

from __future__ import annotations

import abc
import dataclasses

import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops

V = [1.0, -2.0, 4.0]


# they keep an object that they make, which would be one for all runs
IN_PYTHON = "program_one_object_of_a_class program_metaclass_with_call".split()


def test_both_modes_agree(program, agree):
    agree(program, fullgraph=program.__name__ not in IN_PYTHON)


# ---------------------------------------------------------------------- __new__, metaclasses

class MutableCount:
    count = 0

    def __new__(cls, *args, **kwargs):
        cls.count += 1
        made = super().__new__(cls)
        made.number = cls.count
        return made


class MadeWith(MutableCount):
    def __init__(self, x, k=2):
        self.value = x * k * self.number


def program_new_with_effects(x=V):
    MutableCount.count = 0
    MadeWith.count = 10
    a, b = MadeWith(x), MadeWith(x, k=3)
    return a.value + b.value, MutableCount().number, MadeWith.count


class Only:
    one = None

    def __new__(cls):
        if cls.one is None:
            cls.one = super().__new__(cls)
            cls.one.k = 2.0
        return cls.one


def program_one_object_of_a_class(x=V):
    Only.one = None
    Only().k = 3.0
    return x * Only().k, Only() is Only()


class OneOfEach(type):
    known = {}

    def __call__(cls, *args, **kwargs):
        if cls not in cls.known:
            cls.known[cls] = super().__call__(*args, **kwargs)
        return cls.known[cls]


class Settings(metaclass=OneOfEach):
    def __init__(self, k=2.0):
        self.k, self.uses = k, 0

    def use(self):
        self.uses += 1
        return self.k * self.uses


def program_metaclass_with_call(x=V):
    OneOfEach.known.clear()
    return x * Settings().use() + Settings(7.0).use(), len(OneOfEach.known)


class Abstract(abc.ABC):
    def __init__(self, x):
        self.x = x if x.sum() > 0 else -x

    @abc.abstractmethod
    def run(self): ...


class Concrete(Abstract):
    def run(self):
        return self.x * 2


def program_abstract_base_with_condition(x=V):
    return Concrete(x).run()


def program_object_of_an_abstract_class(x=V):
    return Abstract(x)


# ---------------------------------------------------------------------- data classes

@dataclasses.dataclass
class Scaled:
    x: object
    k: dataclasses.InitVar[float] = 2.0
    notes: list = dataclasses.field(default_factory=list)
    y: object = dataclasses.field(init=False, default=None)

    def __post_init__(self, k):
        self.y = self.x * k if self.x.sum() > 0 else self.x - k
        self.notes.append(k)


@dataclasses.dataclass
class Twice(Scaled):
    def __post_init__(self, k):
        super().__post_init__(k * 2)
        MutableCount.count += 1


def program_post_init_with_condition(x=V):
    MutableCount.count = 0
    a, b = Scaled(x), Twice(x, k=3.0)
    return a.y + b.y, a.notes, b.notes, MutableCount.count


# ---------------------------------------------------------------------- attributes of classes and functions

def counted(function):
    def run(x):
        run.calls += 1
        run.last = x
        return function(x)
    run.calls = 0
    return run


@counted
def double(x):
    return x * 2


def program_function_that_counts_its_calls(x=V):
    double.calls = 0
    y = double(double(x))
    return y * double.calls, double.last


def program_function_attribute_in_branch(x=V):
    double.calls = 0
    if x.sum() > 0:
        x = double(x)
    return double.calls, x


class Best:
    value = Tensor(-100.0)


def test_attributes_of_classes_and_functions_have_their_values_after_every_call():
    @ms.jit(fullgraph=True)
    def best(x):
        if x.sum() > Best.value:
            Best.value = x.sum()
        return double(Best.value)

    double.calls = 0
    found = [float(best(Tensor(np.array(v, np.float32)))) for v in ([1, 2], [0, 1], [2, 3])]
    assert found == [6, 6, 10]
    assert float(Best.value) == 5
    assert double.calls == 3
    Best.value = Tensor(7.0)
    assert float(best(Tensor([1.0, 2.0]))) == 14


# ---------------------------------------------------------------------- tensors made inside

def program_constant_tensor_chosen_in_a_loop_that_changes_another(x=V):
    out = ops.zeros((8,))
    i, done = Tensor(0), Tensor(False)
    while i < 8 and not done:
        out[i] = x[0] * i
        if out[i] > 3:
            done = Tensor(True)
        i = i + 1
    return out, i, done


def program_tensor_function_of_tensors(x=V):
    return ms.tensor([x[0], x[1] * 2, 3.0]) * x


# ---------------------------------------------------------------------- lists of tensors beside tensors

def program_list_of_tensors_beside_a_tensor(x=V):
    return (x * 2, x) + x, [x.sum(), x[0], 2.0] * x, x - ((x, x), (x * 2, 1 + x))


def program_tensor_compared_with_a_sequence(x=V):
    return x == [1.0, -2.0, 4.0], x != (x, x), x == 1.0, x != None


def test_a_cell_that_a_program_makes_does_not_let_it_be_compiled_again():
    class Squeezed(nn.Cell):
        def construct(self, x):
            return nn.Flatten()(x) + nn.ReLU()(x).sum()

    class Drawn(nn.Cell):
        def construct(self, x):
            return nn.Dense(2, 2, weight_init="normal")(x)

    ms.set_context(mode=ms.GRAPH_MODE, jit_syntax_level=ms.STRICT)
    try:
        net, drawn = Squeezed(), Drawn()
        for n in (1.0, 2.0, -3.0):
            assert net(ms.Tensor([[n, 1.0]])).tolist() == [[n + max(n, 0) + 1, 1 + max(n, 0) + 1]]
        assert sum(len(held) for held in net._compiled.programs.values()) == 1
        ms.set_context(jit_syntax_level=ms.LAX)
        ms.set_seed(0)
        x = ms.Tensor([[1.0, 2.0]])
        assert len({tuple(drawn(x).flatten().tolist()) for _ in range(3)}) == 3      # parameters are made anew
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE, jit_syntax_level=ms.LAX)


def test_functions_over_containers_stay_compiled_beside_a_choice_of_objects():
    scale = ms.ops.MultitypeFuncGraph("scale")

    @scale.register("Tensor", "Tensor")
    def _scaled(by, x):
        return x * by

    class Step(nn.Cell):
        def __init__(self):
            super().__init__()
            self.over = ms.ops.HyperMap()
            self.weight = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
            self.optimizer = nn.SGD([self.weight], 1.0)

        def construct(self, x):
            grads = self.over(ms.ops.partial(scale, ms.Tensor(2.0)), (x,))
            if x.sum() > 0:
                done = False
            else:
                done = self.optimizer(grads)
            return ms.ops.depend(x, done)

    ms.set_context(mode=ms.GRAPH_MODE, jit_syntax_level=ms.STRICT)
    try:
        step = Step()
        step(ms.Tensor([1.0, 1.0]))
        step(ms.Tensor([-1.0, -1.0]))
        assert step.weight.tolist() == [3, 4]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE, jit_syntax_level=ms.LAX)
