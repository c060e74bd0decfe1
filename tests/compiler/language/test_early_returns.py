"""Early returns, `break` and `continue` under `if` on tensors: graph mode against torch on the same text."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor
from mindspore.compiler.program import Program
from mindspore.ir import graphs_in

SEQUENTIAL = """\
    if x[{k}] > 0:
        if s > {k}:
            return s * {k} + x[0]
        s = s + 1
    else:
        s = s - 0.5
"""


def program_shapes_differ(x, s):
    if s > 0:
        if x[0] > 0:
            return x[:2]
        x = x + 1
    else:
        x = x * 2
    if s > 1:
        if x[1] > 0:
            return x.sum()
        x = x - s
    else:
        x = x * s
    return x


def program_kinds_differ(x, s):
    if s > 0:
        if x[0] > 0:
            return "first", x
        x = x + 1
    else:
        x = x * 2
    if x[1] > 0:
        if s > -1:
            return None
        s = s + 1
    else:
        s = s - 1
    return x * s


def program_a_name_of_one_branch(x, s):
    if s > 0:
        if x[0] > 0:
            return x
        y = x + 1
    else:
        y = x[:1]
        if x[1] > 0:
            return x * 3
        y = y + x
    return y * 2


def program_names_of_a_branch_that_returned(x, s):
    if s > 0:
        if x[0] > 0:
            x = x[:1]
            return x * 2
        x = x + 1
    else:
        x = x - 1
    return x[2] * s


def program_for(x, s):
    for i in range(4):
        if x[i % 3] > 0:
            if s > 1:
                break
            s = s + 0.5
        else:
            if s < -1:
                continue
            s = s - 0.5
        x = x + s * 0.3
        if x[1] > s:
            if x[2] < 0:
                return x * 10
            x = x * 0.5
        else:
            x = x * 0.7
    else:
        x = x + 100
    return x + s


def program_while(x, s):
    k = 0
    while x.sum() < 6:
        k = k + 1
        if x[0] > 0:
            if s > 1.5:
                break
            s = s + 0.5
        else:
            if s < -1:
                s = s * -1
                x = x + 1
                continue
            s = s - 0.5
        x = x + 0.8
        if x[1] > s:
            if x[2] > 2.0:
                return x * 10
            x = x + 0.5
        else:
            x = x + 0.7
    return x + s * k


def program_finally(x, s):
    y = x
    try:
        if s > 0:
            if x[0] > 0:
                y = x * 5
                return y
            y = x + 1
        else:
            y = x * 2
        y = y + 1
    finally:
        x = y - 7
    return y * x


def program_caught(x, s):
    try:
        if s > 0:
            if x[0] > 0:
                return x
            if x[1] > 0:
                raise ValueError("positive")
            x = x + 1
        else:
            x = x - 1
    except ValueError:
        return x * 50
    return x * 2


def program_function_that_sees_names(x, s):
    def g(v):
        return v * y

    y = x
    if s > 0:
        if x[0] > 0:
            y = y * 3
            return g(x)
        y = y + 1
    else:
        y = y - 1
    return g(x)


def program_returned_function(x, s):
    def make():
        y = x
        if s > 0:
            if x[0] > 0:
                y = y * 3
                return lambda v: v + y
            y = y + 1
        else:
            y = y - 1
        return lambda v: v - y

    return make()(x)


def program_lists(x, s):
    found = [x]
    if s > 0:
        found.append(x * 2)
        if x[0] > 0:
            return found[0] + found[1]
    else:
        found.append(x * 4)
        found.append(x)
    return sum(found, x)


def program_first_pass_is_known_to_come(x, s):
    k, found = 0, {}
    while k < 2:
        k += 1
        found.setdefault("y", x * k)
        if s > k:
            break
        if x[0] > 0:
            return x * 5 + k
    return found["y"] + k


def program_match(x, s):
    match (x, s):
        case (a, b) if b > 0:
            if a[0] > 0:
                return a * 2
            x = a + 1
        case (a, b) if b < -1:
            if a[1] > 0:
                return a * 4
            x = a + 5
        case _:
            x = x - 9
    return x * s


def program_one_branch_lives(x, s):
    if s < 50:
        found = [x + 1]
        double = lambda v: v * 2 + found[0]  # noqa: E731  # a function that sees what the branch made
    else:
        raise ValueError("large")
    return double(x)


def inputs():
    rng = np.random.default_rng(3)
    return [((rng.normal(size=3) * 2).astype(np.float32), np.float32(rng.normal() * 2)) for _ in range(25)]


def observed(fn, x, s, tensor, gradient):
    """The result and the gradient of its sum, both as arrays, None and texts."""
    out = fn(tensor(x), tensor(s))
    parts = out if isinstance(out, tuple) else (out,)
    plain = [np.asarray(v.detach().numpy() if isinstance(v, torch.Tensor) else v.asnumpy())
             if isinstance(v, (torch.Tensor, Tensor)) else v for v in parts]
    return plain, gradient(fn, x, s) if isinstance(out, (torch.Tensor, Tensor)) else ()


def torch_gradient(fn, x, s):
    given = torch.tensor(x, requires_grad=True), torch.tensor(s, requires_grad=True)
    slopes = torch.autograd.grad(fn(*given).sum(), given, allow_unused=True)
    return [np.zeros_like(v) if g is None else g.numpy() for g, v in zip(slopes, (x, s), strict=True)]


def graph_gradient(fn, x, s):
    slopes = ms.grad(lambda x, s: fn(x, s).sum(), (0, 1))(Tensor(x), Tensor(s))
    return [g.asnumpy() for g in slopes]


def test_graphs_leave_where_torch_does(program):
    graph = ms.jit(program, fullgraph=True)
    for x, s in inputs():
        wanted, slopes = observed(program, x, s, torch.tensor, torch_gradient)
        found, graph_slopes = observed(graph, x, s, Tensor, graph_gradient)
        for one, two in zip([*found, *graph_slopes], [*wanted, *slopes], strict=True):
            if isinstance(two, np.ndarray):
                assert one.shape == two.shape
                np.testing.assert_allclose(one, two, rtol=1e-5, atol=1e-5)
            else:
                assert one == two


@pytest.fixture
def written(tmp_path):
    """`written(text)`: the function `program(x, s)` with that body."""
    def load(body):
        file = tmp_path / f"program_{len(body)}.py"
        file.write_text(f"def program(x, s):\n{body}")
        spec = importlib.util.spec_from_file_location(file.stem, file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.program
    return load


def sequential(count):
    return "".join(SEQUENTIAL.format(k=k) for k in range(count)) + "    return s\n"


def nested(count):
    """Each early return stands in the branch that the one before does not leave."""
    body = ""
    for k in range(count):
        inner = SEQUENTIAL.format(k=k).splitlines(keepends=True)
        body += "".join("    " * k + line for line in inner[:4])
    for k in reversed(range(count)):
        body += "    " * k + "    else:\n" + "    " * k + "        s = s - 0.5\n"
    return body + "    return s\n"


def nodes(fn, count):
    graph = Program("program", fn, (Tensor(np.ones(count, np.float32)), Tensor(1.0)), {}).graph
    return sum(len(g.nodes) for g in graphs_in(graph))


@pytest.mark.parametrize("body", [sequential, nested])
def test_early_returns_take_a_number_of_nodes_that_is_linear(body, written):
    sizes = [nodes(written(body(count)), 20) for count in (5, 10, 20)]
    assert sizes[2] <= 20 * 100
    assert sizes[2] - sizes[1] == 2 * (sizes[1] - sizes[0])


@pytest.mark.parametrize("body", [sequential, nested])
def test_twenty_early_returns_give_what_torch_gives(body, written):
    fn = written(body(20))
    graph = ms.jit(fn, fullgraph=True)
    rng = np.random.default_rng(5)
    for _ in range(5):
        x, s = rng.normal(size=20).astype(np.float32) + 1, np.float32(rng.normal() * 5)
        np.testing.assert_allclose(graph(Tensor(x), Tensor(s)).asnumpy(), fn(torch.tensor(x), torch.tensor(s)),
                                   rtol=1e-6)
        for one, two in zip(graph_gradient(graph, x, s), torch_gradient(fn, x, s), strict=True):
            np.testing.assert_allclose(one, two, rtol=1e-5)


def test_a_loop_that_many_conditions_leave_stays_small(written):
    body = "    for row in (x * 1, x * 2):\n" + "".join(
        f"        if x[{k}] > 0:\n            if s > {k}:\n                {'break' if k % 2 else 'return s'}\n"
        f"            s = s + 1\n        else:\n            s = s - row[{k}]\n" for k in range(10)) + "    return s\n"
    assert nodes(written(body), 10) <= 2 * 10 * 50
