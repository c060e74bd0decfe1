"""Every operator as a MindIR file of its own, and what its kernel computes. Run by file name, it reads them."""
from __future__ import annotations

import json
import os
import sys

import numpy as np


def write(folder, only=()):
    """Write every operator (of `only`) that has a form, by its first sample; why the others have none."""
    import torch
    from operator_samples import as_tuple, avals, drawn

    from mindspore.ir import Aval, Graph, Node
    from mindspore.operators.exported import Exported
    from mindspore.operators.registry import REGISTRY
    from mindspore.train.exporting.mindir_graph import File, Function, Writing
    from mindspore.train.exporting.mindir_message import message_of

    without = {}
    for op in REGISTRY.values():
        if not op.samples or op.effect or (only and op.name not in only):
            continue
        torch.manual_seed(0)
        inputs, attrs = drawn(op.samples[0], torch.float32)
        kinds = avals(inputs)
        tensors = [x for x in inputs if isinstance(x, torch.Tensor)]
        params = [Node(None, (), {}, a) for a, x in zip(kinds, inputs, strict=True) if isinstance(x, torch.Tensor)]
        given = iter(params)
        found = op.infer(*kinds, **attrs)
        node = Node(op, tuple([next(given) if isinstance(x, torch.Tensor) else x for x in inputs]), attrs, found)
        items = (node,) if type(found) is Aval else node.with_items()
        graph = Graph(op.name, params, list(dict.fromkeys([node, *items])), list(items))
        file, g = File(op.name), Exported()
        names = [g.value(p.aval) for p in params]
        try:
            outs = Writing(file, g).graph(graph, names)
            whole = outs[0] if len(outs) == 1 else g.add("MakeTuple", *outs)
            if not any(whole in n.outputs for n in g.nodes):
                raise NotImplementedError("it is its input")
        except (RuntimeError, NotImplementedError) as error:
            without[op.name] = str(error)
            continue
        message = message_of(file, Function(op.name, g, names, whole), {n: f"{op.name}:{n}" for n in names}, {})
        with open(f"{folder}/{op.name}.mindir", "wb") as out:
            out.write(message.SerializeToString())
        wanted = as_tuple(op.kernel(*inputs, **attrs))
        np.savez(f"{folder}/{op.name}.npz", *[t.numpy() for t in (*tensors, *wanted)], count=len(tensors))
    return without


def differences(folder):
    """Run every file: the largest difference from what was written beside it, or the first words of an error."""
    import mindspore as ms
    from mindspore import Tensor, nn

    found = {}
    for name in sorted(f[:-7] for f in os.listdir(folder) if f.endswith(".mindir")):
        with np.load(f"{folder}/{name}.npz") as arrays:
            count = int(arrays["count"])
            values = [arrays[f"arr_{k}"] for k in range(len(arrays.files) - 1)]
        try:
            outs = nn.GraphCell(ms.load(f"{folder}/{name}.mindir"))(*[Tensor(x) for x in values[:count]])
        except Exception as error:  # whatever the system under test says of the file is the answer
            found[name] = f"{type(error).__name__}: {error}"[:300]
            continue
        outs = [o.asnumpy() for o in (outs if isinstance(outs, tuple) else (outs,))]
        found[name] = max([distance(a, b) for a, b in zip(outs, values[count:], strict=True)])
    return found


def distance(a, b):
    """How far two arrays are apart, relative to the values above 1."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return f"{a.dtype}{a.shape} in place of {b.dtype}{b.shape}"
    a, b = a.astype(np.complex128), b.astype(np.complex128)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    return float((np.where(same, 0, np.abs(a - b)) / np.maximum(np.abs(b), 1)).max(initial=0))


if __name__ == "__main__":
    print("DIFFERENCES", json.dumps(differences(sys.argv[1])))
