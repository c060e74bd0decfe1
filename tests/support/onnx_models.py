"""Networks written as ONNX models and run by ONNX Runtime."""
from __future__ import annotations

from collections import Counter

import numpy as np
import torch
from export_networks import tensor

import mindspore

__all__ = ["exported", "kinds", "run", "run_message", "same", "session", "tensor", "written"]


def kinds(graph):
    """How many nodes of each kind a graph has, with those inside."""
    found = Counter()
    for node in graph.node:
        found[node.op_type] += 1
        for attribute in node.attribute:
            if attribute.HasField("g"):
                found += kinds(attribute.g)
    return found


def exported(path, net, *inputs, **options):
    """The checked model of a network."""
    import onnx
    file = str(path / "net.onnx")
    mindspore.onnx.export(net, *inputs, file_name=file, **options)
    onnx.checker.check_model(file, full_check=True)
    return onnx.load(file)


def _options():
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    return options


def session(path):
    """ONNX Runtime with the model in a folder."""
    import onnxruntime
    return onnxruntime.InferenceSession(str(path / "net.onnx"), _options())


def run_message(model, fed):
    """What ONNX Runtime computes with a model in memory."""
    import onnxruntime
    return onnxruntime.InferenceSession(model.SerializeToString(), _options()).run(None, fed)


def run(path, *inputs):
    """What ONNX Runtime computes with the model in a folder."""
    it = session(path)
    return it.run(None, {i.name: x.asnumpy() for i, x in zip(it.get_inputs(), inputs, strict=True)})


def same(path, net, *inputs, others=(), **options):
    """Export a network, and compare what ONNX Runtime computes with what it computes itself; the model."""
    model = exported(path, net, *inputs, **options)
    net.set_train(False)
    for given in (inputs, *others):
        wanted = net(*given)
        wanted = wanted if isinstance(wanted, (tuple, list)) else [wanted]
        found = run(path, *given)
        for mine, theirs in zip(found, wanted, strict=True):
            assert mine.dtype == theirs.asnumpy().dtype
            np.testing.assert_allclose(mine, theirs.asnumpy(), rtol=1e-4, atol=1e-4)
    return model


def written(op, inputs, attrs):
    """A model of one operator, and what it is fed."""
    from operator_samples import avals

    from mindspore.ir import Aval, Graph, Node
    from mindspore.operators.exported import Exported
    from mindspore.train.exporting import onnx_file
    from mindspore.train.exporting.onnx_graph import Writing
    from mindspore.train.exporting.onnx_opset import model_message
    params = [Node(None, (), {}, a) for a, x in zip(avals(inputs), inputs, strict=True)
              if isinstance(x, torch.Tensor)]
    given = iter(params)
    found = op.infer(*avals(inputs), **attrs)
    node = Node(op, tuple([next(given) if isinstance(x, torch.Tensor) else x for x in inputs]), attrs, found)
    items = (node,) if type(found) is Aval else node.with_items()
    graph = Graph(op.name, params, list(dict.fromkeys([node, *items])), list(items))
    g = Exported()
    g.given = [g.value(p.aval) for p in params]
    g.outs = Writing(g).own(g, Writing(g).graph(graph, g.given))
    wanted = onnx_file.used(g, g.outs)
    stored = {n: (v, g.avals[n].dtype) for n, v in g.constants.items() if n in wanted}
    message = onnx_file.graph_message(g, op.name, None, None, onnx_file.Weights(stored, "").messages())
    fed = dict(zip(g.given, [x.numpy() for x in inputs if isinstance(x, torch.Tensor)], strict=True))
    return model_message(message, 18, {}), fed
