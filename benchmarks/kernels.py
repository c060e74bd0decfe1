"""Generated kernels against torch's own, forward and backward, on one thread or several.

    python benchmarks/kernels.py [--threads 1] [--rounds 15]

In turns in one process; the median of the rounds, and the ratio torch / generated.  Both make new results.
"""
from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import results
import torch

import mindspore.ops  # the operators
from mindspore.compiler.kernels import available, generated
from mindspore.core.dtype import from_torch
from mindspore.operators.loops import Element
from mindspore.operators.registry import REGISTRY

assert mindspore.ops
F = torch.nn.functional


def draw(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


def kernel(*steps: tuple[str, dict[str, Any], list[int]], inputs: list[torch.Tensor], outs: list[int]) -> Any:
    """One kernel of operators on the values so far: inputs first, then the results of each step."""
    values = [Element("input", (), tuple(x.shape), from_torch(x.dtype), i) for i, x in enumerate(inputs)]
    for name, attrs, places in steps:
        op = REGISTRY[name]
        found = op.loop_rule(*[values[k] for k in places], **{**op.attrs, **attrs})
        values += found if isinstance(found, tuple) else (found,)
    return generated([values[k] for k in outs])


def gelu_then_sum(d: torch.Tensor, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    dx = torch.ops.aten.gelu_backward(d, x, approximate="tanh")
    return dx, dx.sum(0)


def normalised(x: torch.Tensor, r: torch.Tensor, g: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, ...]:
    y = x + r
    return y, *torch.native_layer_norm(y, g.shape, g, b, 1e-5)


def entropy_back(d: torch.Tensor, logp: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    back = torch.ops.aten.nll_loss_backward(d, logp, labels, None, 1, -100, torch.tensor(float(len(labels))))
    return torch.ops.aten._log_softmax_backward_data(back, logp, 1, torch.float32)


def cases(rows: int, columns: int) -> dict[str, tuple[Callable[..., Any], Any, list[torch.Tensor]]]:
    """What torch computes, the kernel, and the inputs."""
    x, d, g, b = draw(rows, columns), draw(rows, columns) * 0.5, draw(columns), draw(columns) * 2
    labels = torch.arange(rows) % columns
    logp, soft = x.log_softmax(1), x.softmax(1)
    one = torch.tensor(1.0)
    tanh = {"approximate": "tanh"}
    return {
        "gelu": (lambda x: F.gelu(x, approximate="tanh"), kernel(("GeLU", tanh, [0]), inputs=[x], outs=[1]), [x]),
        "gelu backward and bias": (gelu_then_sum, kernel(
            ("GeluGrad", tanh, [0, 1]), ("SumTo", {"shape": (columns,)}, [2]), inputs=[d, x], outs=[2, 3]), [d, x]),
        "residual, layer norm": (normalised, kernel(
            ("Add", {}, [0, 1]), ("LayerNorm", {}, [4, 2, 3]), inputs=[x, d, g, b], outs=[4, 5, 6, 7]), [x, d, g, b]),
        "softmax": (lambda x: torch.softmax(x, -1), kernel(("Softmax", {}, [0]), inputs=[x], outs=[1]), [x]),
        "softmax backward": (
            lambda d, y: torch.ops.aten._softmax_backward_data(d, y, -1, torch.float32),
            kernel(("SoftmaxGrad", {}, [0, 1]), inputs=[d, soft], outs=[2]), [d, soft]),
        "cross entropy backward": (entropy_back, kernel(
            ("SparseCrossEntropyGrad", {}, [0, 1, 2]), inputs=[one, logp, labels], outs=[3]), [one, logp, labels]),
    }


def measured(run: Callable[..., Any], inputs: list[torch.Tensor]) -> float:
    """Microseconds of a call, over about 20 ms of them."""
    start = time.perf_counter()
    run(*inputs)
    count = max(1, int(0.02 / max(time.perf_counter() - start, 1e-7)))
    start = time.perf_counter()
    for _ in range(count):
        run(*inputs)
    return (time.perf_counter() - start) / count * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--write", action="store_true", help="into RESULTS.md")
    args = parser.parse_args()
    if not available():
        parser.exit(1, "llvmlite is not installed: pip install 'llvmlite>=0.48'\n")
    torch.set_num_threads(args.threads)
    table = ["| kernel | generated us | torch us | ratio |", "|---|---|---|---|"]
    for extents in ((4096, 1024), (64, 512), (32, 120)):
        for name, (torch_runs, ours, inputs) in cases(*extents).items():
            times: dict[str, list[float]] = {"torch": [], "ours": []}
            for _ in range(args.rounds):
                times["torch"].append(measured(torch_runs, inputs))
                times["ours"].append(measured(ours, inputs))
            theirs, own = [statistics.median(times[k]) for k in ("torch", "ours")]
            table.append(f"| {name} {extents[0]}x{extents[1]} | {own:.1f} | {theirs:.1f} | {theirs / own:.2f} |")
            print(table[-1], flush=True)
    if args.write:
        results.write(f"Generated kernels, {args.threads} threads",
                      f"python benchmarks/kernels.py --threads {args.threads}", table)


if __name__ == "__main__":
    main()
