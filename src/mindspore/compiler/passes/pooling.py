"""The maximum of rectified elements as the rectified maximum: the same numbers from a fraction of the elements."""
from __future__ import annotations

from mindspore.ir import ITEM, Node
from mindspore.operators.piecewise import relu
from mindspore.operators.pooling import max_pool

from .patterns import Apply, New, Rewriting, Uses, tensor

pool_first = Rewriting()


def _places_are_unused(pool: Node, uses: Uses) -> bool:
    return not uses.get(id(pool.items[1]))


@pool_first.rule(Apply(ITEM, Apply(max_pool, Apply(relu, tensor("x"), once=True, name="rectified"),
                                   where=_places_are_unused, name="pool"), where=lambda node, _: node.attrs["i"] == 0))
def rectified_later(new: New, x: Node, rectified: Node, pool: Node) -> Node:
    """max_pool(relu(x)) => relu(max_pool(x))

    The derivatives are the same, too: where the maximum is not positive, both are zero wherever it was found.
    """
    maxima = new(max_pool, (x, *pool.inputs[1:]), pool.attrs, pool.aval, pool).items[0]
    return new(relu, (maxima,), {}, maxima.aval, rectified)
