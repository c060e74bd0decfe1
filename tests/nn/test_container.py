"""SequentialCell, CellList, CellDict.  Names and errors were observed on MindSpore 2.10."""
from __future__ import annotations

from collections import OrderedDict

import numpy as np
import pytest

from mindspore import Tensor, nn


def dense(bias=False):
    return nn.Dense(2, 2, has_bias=bias)


def names(cell):
    return [p.name for p in cell.get_parameters()]


@pytest.mark.usefixtures("both_modes")
def test_a_sequence_applies_its_cells_in_order():
    x = Tensor(np.random.randn(3, 2).astype(np.float32))
    a, b = dense(), dense()
    y = nn.SequentialCell(a, nn.ReLU(), b)(x).asnumpy()
    expected = np.maximum(x.asnumpy() @ a.weight.asnumpy().T, 0) @ b.weight.asnumpy().T
    np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-6)


def test_the_places_are_the_names():
    assert names(nn.SequentialCell(dense(), nn.ReLU(), nn.SequentialCell(dense()))) == [
        "0.weight", "2.0.weight"]
    assert names(nn.SequentialCell([dense(), dense()])) == ["0.weight", "1.weight"]
    assert names(nn.SequentialCell(OrderedDict(x=dense(), y=dense()))) == ["x.weight", "y.weight"]
    assert names(nn.CellList([dense(), dense()])) == ["0.weight", "1.weight"]
    assert names(nn.CellDict({"a": dense(), "b": dense()})) == ["a.weight", "b.weight"]


def test_an_empty_sequence_returns_its_input():
    x = Tensor(1.0)
    empty = nn.SequentialCell()
    assert len(empty) == 0
    assert not empty
    assert float(empty(x)) == 1.0


@pytest.mark.parametrize("wrong", [None, (dense(), dense()), {"a": dense()}, [3]])
def test_a_sequence_takes_cells_a_list_or_an_ordered_dict(wrong):
    with pytest.raises(TypeError):
        nn.SequentialCell(wrong)


def test_deleting_renumbers_and_renames():
    net = nn.SequentialCell(dense(), dense(), dense())
    kept = net[2]
    del net[1]
    assert names(net) == ["0.weight", "1.weight"]
    assert net[1] is kept
    cells = nn.CellList([dense(), dense(), dense()])
    del cells[0:2]
    assert names(cells) == ["0.weight"]


def test_a_slice_keeps_the_names_of_a_sequence_and_renames_a_list():
    net = nn.SequentialCell(dense(), dense(), dense())
    assert type(net[1:]) is nn.SequentialCell
    assert names(net[1:]) == ["1.weight", "2.weight"]
    assert names(net) == ["0.weight", "1.weight", "2.weight"]
    assert names(nn.CellList([dense(), dense()])[1:]) == ["0.weight"]


def test_cells_added_later_are_named_after_the_container():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.l = nn.CellList([dense()])
            self.q = nn.SequentialCell(dense())
            self.d = nn.CellDict({"k": dense()})
            self.l.append(dense())
            self.q.append(dense())
            self.d["z"] = dense()

    assert names(Net()) == ["l.0.weight", "l.1.weight", "q.0.weight", "q.1.weight", "d.k.weight",
                            "d.z.weight"]


def test_lists_insert_extend_and_iterate():
    cells = nn.CellList([dense(), dense()])
    cells.insert(1, dense(bias=True))
    cells.extend([dense()])
    cells += [dense()]
    assert names(cells) == ["0.weight", "1.weight", "1.bias", "2.weight", "3.weight", "4.weight"]
    assert [type(c) for c in cells] == [nn.Dense] * 5
    cells[0] = dense(bias=True)
    assert names(cells)[:2] == ["0.weight", "0.bias"]


@pytest.mark.parametrize("wrong", [3, dense(), (dense(),)])
def test_a_list_takes_a_list(wrong):
    with pytest.raises(TypeError):
        nn.CellList(wrong)


def test_indices_are_checked():
    net = nn.SequentialCell(dense())
    assert net[-1] is net[0]
    with pytest.raises(IndexError):
        net[1]
    with pytest.raises(TypeError):
        net["0"]
    with pytest.raises(TypeError):
        net.append(3)
    assert getattr(net, "0") is net[0]


def test_a_dictionary_behaves_like_one():
    cells = nn.CellDict({"a": dense()})
    cells["z"] = dense()
    first = cells.pop("a")
    cells.update({"k": dense()})
    assert isinstance(first, nn.Dense)
    assert list(cells) == list(cells.keys()) == ["z", "k"]
    assert "z" in cells
    assert [name for name, _ in cells.items()] == ["z", "k"]
    del cells["z"]
    assert names(cells) == ["k.weight"]
    cells.clear()
    assert len(cells) == 0


@pytest.mark.parametrize(("key", "error"), [(1, TypeError), ("a.b", KeyError), ("", KeyError),
                                            ("keys", KeyError)])
def test_a_dictionary_checks_its_keys(key, error):
    with pytest.raises(error):
        nn.CellDict({key: dense()})


def test_containers_that_compute_nothing_say_so():
    with pytest.raises(NotImplementedError, match="call its items"):
        nn.CellList([dense()]).construct(Tensor(1.0))
    with pytest.raises(NotImplementedError, match="call its items"):
        nn.CellDict().construct(Tensor(1.0))


def test_set_grad_reaches_the_items():
    net = nn.SequentialCell(dense(), nn.CellList([dense()]))
    net.set_grad()
    assert net[0].requires_grad
    assert net[1][0].requires_grad


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("sort", [nn.CellList, lambda cells: nn.SequentialCell(*cells)], ids=["list", "sequence"])
def test_a_tensor_chooses_a_cell(sort):
    class Switch(nn.Cell):
        def __init__(self):
            super().__init__()
            self.cells_of = sort([nn.ReLU(), nn.Tanh(), nn.Sigmoid()])

        def construct(self, x, i):
            return self.cells_of[i](x)

    switch, x = Switch(), Tensor(np.array([1.0, -2.0], np.float32))
    assert switch(x, Tensor(0)).asnumpy().tolist() == [1, 0]
    np.testing.assert_allclose(switch(x, Tensor(1)).asnumpy(), np.tanh(x.asnumpy()), rtol=1e-6)
    np.testing.assert_allclose(switch(x, Tensor(-1)).asnumpy(), 1 / (1 + np.exp(-x.asnumpy())), rtol=1e-6)
    with pytest.raises(IndexError):
        switch(x, Tensor(3))
