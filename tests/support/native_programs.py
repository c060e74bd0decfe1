"""Native programs of single operators and of small graphs, beside torch's kernels in float64."""
from __future__ import annotations

import torch
from operator_samples import as_tuple

from mindspore.compiler.kernels.programs import NativeProgram, operands
from mindspore.core.dtype import from_torch
from mindspore.ir import Aval, Node
from mindspore.operators.registry import REGISTRY


def outside(x):
    """A node that stands for a tensor."""
    return Node("input", (), {}, Aval(tuple(x.shape), from_torch(x.dtype)))


def applied(name, inputs, **attrs):
    """A node of an operator on nodes."""
    op = REGISTRY[name]
    found = op.infer(*[x.aval if isinstance(x, Node) else x for x in inputs], **attrs)
    node = Node(op, tuple(inputs), attrs, found)
    if not isinstance(found, Aval):
        node.with_items()
    return node


def program_of(nodes, results):
    """The program of some nodes, and the nodes outside in the order of its inputs."""
    own = {id(n) for n in nodes} | {id(i) for n in nodes for i in n.items}
    inputs = list({id(x): x for n in nodes for x in operands(n) if id(x) not in own}.values())
    return NativeProgram([m for n in nodes for m in (n, *n.items)], inputs, results), inputs


def native(name, tensors, **attrs):
    """The results of a program of one operator on tensors."""
    nodes = [outside(x) if isinstance(x, torch.Tensor) else x for x in tensors]
    node = applied(name, nodes, **attrs)
    program, inputs = program_of([node], list(node.items or (node,)))
    by_node = {id(n): x for n, x in zip(nodes, tensors, strict=True)}
    return program(*[by_node[id(n)] for n in inputs])


def exact(name, tensors, **attrs):
    """What torch's kernel gives in float64."""
    wide = [x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for x in tensors]
    return as_tuple(REGISTRY[name].kernel(*wide, **attrs))
