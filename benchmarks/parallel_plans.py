"""Plans by hand and by another search, for `parallel.py`: as limits within which the rest is filled in at best."""
from __future__ import annotations

import math

from mindspore.ir import ITEM
from mindspore.parallel.choices import choices, is_tensor, kind_of
from mindspore.parallel.placement import REPLICATE, Shard

PRODUCTS = ("MatMul", "BatchedMatmul", "BatchMatMul", "Dense", "Convolution", "Attention")
ALL_PRODUCTS = (*PRODUCTS, "AttentionGrad", "ConvolutionInputGrad", "ConvolutionWeightGrad", "ConvolutionAffineGrad")
COLUMNS, ROWS = ("q", "k", "v", "f1", "gate"), ("o", "f2")


def limited(mesh, wanted):
    """Ways of nodes of which those only are left that `wanted` says; all of them where none would be left."""
    known = {}

    def ways(node):
        key = kind_of(node), node.origin.scope, node.origin.phase
        if key not in known:
            every = choices(node, mesh)
            test = wanted(node) if node.origin.phase == "forward" else None
            known[key] = [c for c in every if test(c)] or every if test else every
        return known[key]
    return ways


def data_parallel(graph, mesh):
    """Forward products take a part of the batch on every device, and whole weights."""
    def wanted(node):
        if node.op.name not in PRODUCTS or len([x for x in node.inputs if is_tensor(x)]) < 2:
            return None
        return lambda c: all(c.labels) and (c.inputs[1] == mesh.whole or node.op.name == "Attention") and all(
            [s == Shard(0) for s in c.inputs[0]])
    return limited(mesh, wanted)


def megatron(sequence):
    """Batches along the first axis; along the last one columns, then rows of weights, heads, words; or sequences."""
    def plan(graph, mesh):
        first = ("S0",) * (len(mesh.shape) - 1)

        def lies(c, k, last, out=False):
            states = (c.outs if out else c.inputs)[k]
            return tuple(map(str, states)) == (*first, last)

        def wanted(node):
            name, here = node.op.name, node.origin.scope[-1:]
            if name == "Dense" and here and here[0] in COLUMNS:
                return lambda c: lies(c, 0, "R") and lies(c, 0, "S2", True)
            if name == "Dense" and here and here[0] in ROWS:
                return lambda c: lies(c, 0, "S2") and lies(c, 0, "Psum", True)
            if name == "Dense" and here == ("head",):
                return lambda c: lies(c, 0, "R") and lies(c, 0, "S2", True)
            if name == "Attention":
                return lambda c: lies(c, 0, "S1") and lies(c, 1, "S1")
            if name in ("LayerNorm", "RmsNorm"):
                return lambda c: lies(c, 0, "S1" if sequence else "R")
            return None
        return limited(mesh, wanted)
    return plan


def recursive(graph, mesh):
    """The original's default search: halves of devices, products in reverse order, the least of its costs.

    Levels that cut all products alike are one axis of the mesh; None for a mesh of other axes.
    """
    sizes, cuts = {}, {}
    for _ in range(int(math.log2(mesh.size))):
        last = None
        for node in reversed([n for n in graph.nodes if n.op is not ITEM and n.origin.phase == "forward"]):
            if node.op.name == "Convolution":                 # of these it cuts the batch, unless told otherwise
                last = "i"
                cuts.setdefault(id(node), []).append(last)
            if node.op.name not in ("MatMul", "Dense", "BatchedMatmul"):
                continue
            w = node.inputs[1].aval.shape
            k, j = (w[1], w[0]) if node.op.name == "Dense" else w[-2:]
            i, j, k = sizes.setdefault(id(node), [math.prod(node.aval.shape) // j, j, k])
            costs = {"i": 0.1 * j * k / 2, "j": i * k / 2, "k": i * j / 2}
            if last is not None:
                costs = {a: c + 16 * i * j * (a != last) for a, c in costs.items()}
            last = min(costs, key=costs.get)
            sizes[id(node)]["ijk".index(last)] //= 2
            cuts.setdefault(id(node), []).append(last)
    levels = list(zip(*cuts.values(), strict=True))
    alike = sorted(dict.fromkeys(levels), key=levels.count)
    if len(mesh.shape) == 2 and mesh.shape[0] > mesh.shape[1]:
        alike = alike[::-1]
    if not levels or mesh.shape != tuple([2 ** levels.count(level) for level in alike]):
        return None
    along = {node: [level[k] for level in alike] for k, node in enumerate(cuts)}

    def fits(c, axis, kind, end):
        return {"i": c.inputs[0][axis] == Shard(0) and c.inputs[1][axis] == REPLICATE,
                "j": c.outs[0][axis] == Shard(end), "k": str(c.outs[0][axis]) == "Psum"}[kind]

    def wanted(node):
        if id(node) not in along:
            return None
        end = len(node.aval.shape) - 1
        return lambda c: all([fits(c, axis, kind, end) for axis, kind in enumerate(along[id(node)])])
    return limited(mesh, wanted)
