"""What a program reads of a place outside of it: only that counts, and tensors there are inputs."""

from __future__ import annotations

import pytest

import mindspore as ms
from mindspore import Tensor


class Config:
    def __init__(self):
        self.k, self.items, self.t = 2, [1], Tensor(2.0)


def test_other_elements_do_not_count():
    state = {"k": 2, "step": 0}
    compiled = ms.jit(lambda x: x * state["k"])
    for state["step"] in range(5):
        compiled(Tensor(1.0))
    assert compiled.cache.compiled == 1


def test_equal_constants_count_as_the_same():
    config = Config()
    compiled = ms.jit(lambda x: x * config.k + sum(config.items))
    for _ in range(3):
        config.k, config.items[0] = float("2.5"), int("1000")
        assert float(compiled(Tensor(2.0))) == 1005
    assert compiled.cache.compiled == 1


def test_a_tensor_attribute_of_an_object_may_be_exchanged():
    config = Config()
    compiled = ms.jit(lambda x: x * config.t)
    for k in range(4):
        config.t = Tensor(float(k))
        assert float(compiled(Tensor(2.0))) == 2 * k
    assert compiled.cache.compiled == 1


def test_tensors_that_a_program_keeps_in_containers_are_read_anew():
    state, history = {"h": Tensor(1.0)}, [Tensor(1.0), 0]

    @ms.jit(fullgraph=True)
    def step(x):
        state["h"] = state["h"] * 2 + x
        history[0] = history[0] + state["h"]
        return state["h"]
    assert [float(step(Tensor(1.0))) for _ in range(4)] == [3, 7, 15, 31]
    assert float(history[0]) == 57
    state["h"] = Tensor(0.0)
    assert float(step(Tensor(1.0))) == 1
    assert step.cache.compiled == 1


def test_one_tensor_in_two_places_that_part():
    one = Tensor(1.0)
    places = {"a": one, "b": one}
    compiled = ms.jit(lambda x: x * places["a"] + places["b"])
    assert float(compiled(Tensor(2.0))) == 3
    places["b"] = Tensor(10.0)
    assert float(compiled(Tensor(2.0))) == 12
    places["a"] = one = Tensor(4.0)
    assert float(compiled(Tensor(2.0))) == 18


def test_a_tensor_with_a_name_and_a_place():
    one = Tensor(1.0)
    places = [one]
    compiled = ms.jit(lambda x: x * places[0] + one)
    assert float(compiled(Tensor(2.0))) == 3
    places[0] = Tensor(5.0)
    assert float(compiled(Tensor(2.0))) == 11
    one = Tensor(7.0)
    assert float(compiled(Tensor(2.0))) == 17


def test_an_iterator_from_outside_continues_where_it_stopped():
    items = iter([1, 2, 3])
    compiled = ms.jit(lambda x: x * next(items))
    assert [float(compiled(Tensor(1.0))) for _ in range(3)] == [1, 2, 3]
    with pytest.raises(ms.core.errors.GraphSyntaxError, match="Make the iterator inside"):
        ms.jit(lambda x: x * next(items), fullgraph=True)(Tensor(1.0))
