"""How much of what the machine can compute a training uses."""
from __future__ import annotations

import time
from typing import Any

from mindspore.core import check, context, log
from mindspore.distributed import get_group_size
from mindspore.ir import COND, Graph, Node
from mindspore.ir.origin import REVERSE
from mindspore.profiler.roofline import peak

from .callback import Callback

_MEASURED = 1            # the `computility` that represents the peak of this machine


class FlopsUtilizationCollector(Callback):
    """Print how much of the peak of the machine the steps of a compiled training use.

    Counted are the floating-point operations of products, convolutions and their derivatives, as the cost rules of the
    operators give them. MFU, the utilisation by the model, leaves out what is computed again to save memory; HFU, that
    of the hardware, does not (Chowdhery et al., PaLM, 2022).

    Args:
        data_size: Steps between two lines.
        computility: The peak of a device, in floating-point operations per second. Default: that of a product of large
            matrices, measured here at the first line.
        full_flops: Whether the operations of all devices are told, besides those of this one.
        enable_ma_collector: Whether the lines go to the log, too.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a number is not positive; in a training, if it is not compiled, or for sizes that change.

    Examples:
        >>> import contextlib, io
        >>> mindspore.set_context(mode=mindspore.GRAPH_MODE)
        >>> data = dataset.NumpySlicesDataset({"x": np.ones((64, 10), np.float32), "y": np.zeros(64, np.int32)})
        >>> net = nn.Dense(10, 5)
        >>> model = train.Model(net, nn.CrossEntropyLoss(), nn.SGD(net.trainable_params()))
        >>> collector, printed = train.FlopsUtilizationCollector(2, computility=1e9), io.StringIO()
        >>> with contextlib.redirect_stdout(printed):
        ...     model.train(1, data.batch(32), callbacks=collector)
        >>> printed.getvalue().split(",")[0]
        'Full model flops is 6400.0'
        >>> mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    """

    def __init__(self, data_size: int, computility: float = 1, full_flops: bool = True,
                 enable_ma_collector: bool = False):
        self.data_size = check.positive_int(self, "data_size", data_size)
        self.computility = check.number(self, "computility", computility)
        if computility <= 0:
            raise check.fail(ValueError, self, "computility", "a number above 0", computility)
        self.full_flops = check.boolean(self, "full_flops", full_flops)
        self.enable_ma_collector = check.boolean(self, "enable_ma_collector", enable_ma_collector)
        self._program: Any = None
        self._work, self._steps = (0.0, 0.0), 0

    def step_begin(self, run_context: Any) -> None:
        """Take the time, before the first of some steps."""
        if not self._steps:
            self._begun = time.perf_counter()

    def step_end(self, run_context: Any) -> None:
        """Count the operations of a program that is new, and print a line if it is the turn of one."""
        now = run_context.original_args()
        if now.mode != "train":
            return
        program = _program_of(now.train_network)
        if program is not self._program:
            self._program, self._work = program, flops(program.prepared or program.graph)
            self._tell_work()
        self._steps += now.batch_num if now.dataset_sink_mode else 1
        if self._steps >= self.data_size:
            seconds = (time.perf_counter() - self._begun) / self._steps
            self._steps = 0
            self._tell(seconds)

    def _tell_work(self) -> None:
        model, hardware = self._work
        shard = f"Shard model flops is {model}, Shard hardware flops is {hardware}."
        count = get_group_size()
        self._say(f"Full model flops is {model * count}, Full hardware flops is {hardware * count}, {shard}"
                  if self.full_flops else shard)

    def _tell(self, seconds: float) -> None:
        best = peak().flops if self.computility == _MEASURED else self.computility
        model, hardware = (work / seconds / best for work in self._work)
        self._say(f"Train per step time: {1e3 * seconds:.3f} ms mfu:{model:.2%} hfu:{hardware:.2%}")

    def _say(self, line: str) -> None:
        print(line, flush=True)
        if self.enable_ma_collector:
            log.info("%s", line)


def _program_of(network: Any) -> Any:
    """The program that a cell ran last."""
    cache = vars(network).get("_compiled")
    programs = [kept[-1] for kept in cache.programs.values() if kept] if cache is not None else []
    if context.get_context("mode") != context.GRAPH_MODE or not programs:
        raise ValueError("For 'FlopsUtilizationCollector', the training must be compiled: only support graph mode.")
    return programs[-1]


def flops(graph: Graph) -> tuple[float, float]:
    """The floating-point operations of a graph: all that have to be, and with what is computed again."""
    needed = again = 0.0
    reverse = False
    for node in graph.nodes:
        reverse = reverse or node.origin.phase == REVERSE
        work = _work(node)
        if reverse and node.origin.phase != REVERSE:      # of the forward pass, but after it
            again += work
        else:
            needed += work
    return needed, needed + again


def _work(node: Node) -> float:
    """The operations of a node. Of branches the longest counts; of a loop one pass."""
    inner = [flops(value)[1] for value in node.attrs.values() if isinstance(value, Graph)]
    if inner:
        return max(inner) if node.op is COND else sum(inner)
    rule = node.op.cost_rule if hasattr(node.op, "cost_rule") else None
    if rule is None:
        return 0.0
    found = rule(*[x.aval if isinstance(x, Node) else x for x in node.inputs], **node.attrs)
    if hasattr(found, "is_symbolic"):
        raise ValueError(f"For 'FlopsUtilizationCollector', the sizes of a program must be known, but '{node.op.name}' "
                         "has some that change from step to step.")
    return float(found)


__all__ = ["FlopsUtilizationCollector"]
