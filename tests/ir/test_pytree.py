"""Nested containers taken apart and put together: forms and errors as those of 2.10's `utils._pytree`."""
from collections import OrderedDict, namedtuple

import pytest

from mindspore import Tensor
from mindspore.utils import _pytree

Point = namedtuple("Point", "x y")  # a class of an older program
TREE = {"b": 1, "a": (2, None, [3]), "c": Point(4, 5)}


def test_leaves_stand_in_the_order_of_keys():
    leaves, form = _pytree.tree_flatten(TREE)
    assert leaves == [2, None, 3, 1, 4, 5]
    assert (form.num_leaves, form.num_nodes) == (6, 10)
    assert _pytree.tree_unflatten(form, range(6)) == {"a": (0, 1, [2]), "b": 3, "c": Point(4, 5)}
    assert form.unflatten(leaves) == TREE
    with pytest.raises(ValueError, match="leaves"):
        _pytree.tree_unflatten(form, [1])


def test_what_is_a_leaf():
    ordered = OrderedDict(z=1, a=2)
    assert _pytree.tree_leaves(None) == [None]
    assert _pytree.tree_leaves(ordered) == [ordered]
    assert _pytree.tree_leaves([1, [2, 3]], is_leaf=lambda x: x == [2, 3]) == [1, [2, 3]]
    x = Tensor(2)
    assert _pytree.tree_leaves({"b": 1, "a": x}, tensors_only_leaf=True) == [x]


def test_forms_are_compared_and_mapped():
    assert _pytree.tree_structure([1, 2]) == _pytree.tree_structure([3, 4]) != _pytree.tree_structure((3, 4))
    assert len({_pytree.tree_structure([1]), _pytree.tree_structure([2])}) == 1
    assert _pytree.tree_map(lambda a, b: a + b, {"a": 1, "b": [2]}, {"a": 10, "b": [20]}) == {"a": 11, "b": [22]}
    for other in ({"a": 1}, {"a": 1, "b": 2}, [1]):
        with pytest.raises(TypeError, match="Structure mismatch"):
            _pytree.tree_map(lambda a, b: a + b, {"a": 1, "b": [2]}, other)


def test_classes_of_the_program():
    @_pytree.register_pytree_node_class
    class Pair:
        def __init__(self, left, right):
            self.left, self.right = left, right

        def tree_flatten(self):
            return (self.left,), self.right

        @classmethod
        def tree_unflatten(cls, about, parts):
            return cls(parts[0], about)

    (made,) = _pytree.tree_map(lambda x: x * 2, [Pair(3, "kept")])
    assert (made.left, made.right) == (6, "kept")
    assert "Pair" in repr(_pytree.tree_structure(made))
