"""Programs of several processes that compute one network together: what they must agree on, and the graph of each.

The processes call the same programs in the same order.  What goes into a program is the same in all of them: a batch is
gathered from their shares, or every process brings the whole of it (`dataset_strategy`).  So are its results.
"""
from __future__ import annotations

import contextlib
import math
import weakref
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch

from mindspore.core import context, log, seed
from mindspore.core.context import ParallelMode
from mindspore.core.parallel_modes import need_init
from mindspore.distributed import collectives, create_group, get_group_size, get_rank
from mindspore.distributed.groups import HCCL_WORLD_COMM_GROUP as WORLD
from mindspore.distributed.groups import has_group
from mindspore.formats.strategy import StrategyFile
from mindspore.ir import Graph, Node

from . import cost_settings, machines, report, strategies
from .choices import Choice, choices, kind_of
from .costs import Machine
from .holding import within
from .layout import placement_like
from .noted import Wanted, fits, refused, strategies_of
from .placement import Mesh, mesh_of, meshes_of
from .schedules import KINDS
from .search import Found, searched
from .search_options import allowed, limiting
from .splitting import Splitter
from .staging import Stage, staged
from .storing import SMALLEST, Spreading, Stored, Storing, storing_of

MODES = (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL)
LARGE = 10_000                    # operators of a graph for which few meshes are tried
FIRST, SOMETIMES = 3, 64          # calls whose inputs are compared: so many at first, then each of so many

_agreed: dict[int, weakref.ref[Any]] = {}                # tensors that all processes have alike, by id
laid: list[str] = []                                     # names of parameters that lie in pieces
_seeded: list[int] = []                                  # versions of the seed that they have alike
_explained: list[int] = []                               # devices for which a program is planned without processes


def active() -> bool:
    """Whether programs are split: the context says so, and there are several processes.

    Raises:
        RuntimeError: There are, but they have not met.
    """
    if context.parallel.parallel_mode not in MODES:
        return False
    need_init(f"the mode {context.parallel.parallel_mode}", get_group_size())
    return get_group_size() > 1


@contextlib.contextmanager
def without_processes(devices: int) -> Iterator[None]:
    """Programs that are compiled meanwhile carry what they say of their tensors, as if devices were to share them."""
    _explained.append(devices)
    try:
        yield
    finally:
        _explained.pop()


def noting() -> bool:
    """Whether programs carry how their tensors are to lie: they are split, or their plan is explained."""
    return bool(_explained) or active()


def stages() -> int:
    """The number of stages of a pipeline; 1 without.

    Raises:
        ValueError: The processes cannot be shared out to so many stages.
    """
    count = context.parallel.pipeline_stages
    if count > 1 and get_group_size() % count:
        raise ValueError(f"The number of processes, {get_group_size()}, must be a multiple of pipeline_stages={count}.")
    return count


def mesh() -> tuple[Any, ...]:
    """The stages and the mesh over which programs are split; () if they are not."""
    if not active():
        return ()
    shape = mesh_of(get_group_size() // stages()).shape
    return (f"{stages()} stages", context.parallel.pipeline_scheduler, *shape) if stages() > 1 else shape


# ---------------------------------------------------------------------- what goes in

def same_inputs(name: str, tensors: Iterable[torch.Tensor], call: int) -> None:
    """Compare what the processes bring, now and then.

    Raises:
        RuntimeError: They bring different tensors.
    """
    if call >= FIRST and call % SOMETIMES:
        return
    if not alike(digest_of(tensors)):
        raise RuntimeError(
            f"The processes call '{name}' with different tensors, but with parallel_mode="
            f"{context.parallel.parallel_mode!r} they compute it together. Give all of them the whole batch, and say "
            "so by set_auto_parallel_context(dataset_strategy='full_batch'), or train by Model or TrainOneStepCell, "
            "which gather the shares of the processes.")


def digest_of(tensors: Iterable[torch.Tensor]) -> int:
    """A number for the shapes, the types and the bits of some tensors."""
    digest = 0
    for x in tensors:
        digest = zlib.crc32(repr((tuple(x.shape), x.dtype)).encode(), digest)
        digest = zlib.crc32(x.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
                            if x.numel() else b"", digest)
    return digest


def alike(number: int, group: str = WORLD) -> bool:
    """Whether all processes of a group have the same number; all of them call this together."""
    x = torch.tensor([number, -number], dtype=torch.int64)
    low = collectives.reduced_over(x, "min", group)
    return low.tolist() == x.tolist() and collectives.reduced_over(x, "max", group).tolist() == x.tolist()


def agree(tensors: Sequence[Any]) -> None:
    """Give the parameters of all processes the values of the first one, each of them once, and the random streams."""
    for t in tensors:
        known = _agreed.get(id(t))
        if known is None or known() is not t:              # tensors compare by elements, so a set is none
            _remember(t)
            if getattr(t, "stored", None) is not None:     # a copy of what lies in pieces
                continue
            with torch.no_grad():
                t._data.copy_(collectives.sent_to_all(t._data, 0, WORLD))
    if seed.version() not in _seeded:
        _seeded.append(seed.version())
        number = torch.tensor([seed.get_seed() if seed.get_seed() is not None else torch.initial_seed() % 2 ** 32])
        torch.manual_seed(int(collectives.sent_to_all(number, 0, WORLD)))


def _remember(t: Any) -> None:
    key = id(t)
    _agreed[key] = weakref.ref(t, lambda _: _agreed.pop(key, None))


# ---------------------------------------------------------------------- the graph of this process

def split(graph: Graph, name: str, captured: Sequence[Any] = (), replaced: Mapping[int, int] | None = None) -> Graph:
    """The part of a program that this process computes.

    Args:
        captured: The tensors of the last parameters of the graph; those that the plan stores in pieces have the piece
            of this process afterwards.
        replaced: By number of a result, the place among `captured` of the parameter that it is for.

    Raises:
        ValueError: A strategy of the program does not fit the operator or the number of processes.
        RuntimeError: The processes compile different programs.
    """
    size = get_group_size() // stages()
    stage, device = divmod(get_rank(), size)
    replaced = dict(replaced or {})
    shapes = [tuple(p.aval.shape) for p in graph.params[len(graph.params) - len(captured):]]
    owners: dict[int, int] = {}
    if stages() > 1:
        _compare(name, graph, WORLD, [n.op.name for n in graph.nodes])
        graph, owners = _staged(graph, captured, replaced, stage, lambda to: to * size + device)
        replaced = {k: at for k, at in replaced.items() if owners.get(at, stage) == stage}
    group = group_of(range(stage * size, (stage + 1) * size)) if size > 1 else WORLD
    nodes = graph.params[len(graph.params) - len(captured):]
    parameters = {id(n): p for k, (n, p) in enumerate(zip(nodes, captured, strict=True))
                  if hasattr(p, "requires_grad") and owners.get(k, stage) == stage}
    found, storing = within(graph, budget(), lambda room: planned(
        graph, lambda: storing_of(graph, captured, replaced, spreading(size)), parameters,
        grids_for(graph, size, captured), room))
    grid = found.plan.mesh
    log.info("%s", report.told(name, found))
    report.remember(name, graph, found, machine())
    if size > 1:
        _compare(name, graph, group, [(n.op.name, found.plan.chosen[id(n)].labels) for n in graph.nodes
                                      if id(n) in found.plan.chosen])
    strategies.save_plan(graph, found.plan, parameters, stage)
    for k, (node, tensor) in enumerate(zip(nodes, captured, strict=True)):
        placement = found.plan.stored.get(id(node), grid.whole)
        if (placement != grid.whole or k in owners) and tensor.stored is None:
            laid.append(tensor.name)
            owner = owners.get(k, -1)
            tensor.lay(Stored(grid, placement, shapes[k], owner, owner in (-1, stage)), device)
    if replaced:
        strategies.save_groups(found.plan, device, stage * size)
    splitter = Splitter(found.plan, device, lambda line: group_of([stage * size + d for d in line]))
    splitter.again = storing.spread if spreading(size).again else set()
    return splitter.split(graph)


def _staged(graph: Graph, captured: Sequence[Any], replaced: Mapping[int, int], stage: int,
            peer: Callable[[int], int]) -> tuple[Graph, dict[int, int]]:
    """The graph of this stage, and by place among `captured` the stages that have parameters."""
    kind = context.parallel.pipeline_scheduler
    if kind not in KINDS:
        raise ValueError(f"The 'pipeline_scheduler' {kind!r} cuts sequences, which this version does not do: choose "
                         f"one of {', '.join(KINDS)}.")
    nodes = graph.params[len(graph.params) - len(captured):]
    known = {id(n): t.stored.owner for n, t in zip(nodes, captured, strict=True)
             if getattr(t, "stored", None) is not None and t.stored.owner >= 0}
    found = staged(graph, stages(), {k: id(nodes[at]) for k, at in replaced.items()}, known)
    made, _ = Stage(graph, found, stage, peer, kind).made()
    return made, {k: found.home[id(n)] for k, n in enumerate(nodes) if id(n) in found.home}


def planned(graph: Graph, storing: Callable[[], Storing], parameters: Mapping[int, Any],
            grids: Sequence[Mesh], most: float | None = None) -> tuple[Found, Storing]:
    """The best plan for a graph over one of several meshes, as strategies of the program and of files allow.

    Args:
        most: The bytes that a device can hold; None for any number.

    Raises:
        ValueError: Strategies fit no mesh.
    """
    noted = strategies_of(graph, grids[0].size * (stages() if get_group_size() > 1 else 1))
    given = strategies.load_plan() or StrategyFile()
    names = strategies.names_of(graph) if given.strategies else {}
    best: tuple[Found, Storing] | None = None
    wrong: ValueError | None = None
    for grid in grids:
        lies = storing()
        try:
            strategies.lay_as(lies, given.layouts, parameters, grid)
            lay_as_planned(lies, parameters, graph, grid)
            found = searched(graph, grid, machine(), limits(grid, given, names, noted), lies, most)
        except ValueError as error:       # of strategies for another mesh; the last one has the most possibilities
            wrong = error
            continue
        if best is None or found.seconds < best[0].seconds:
            best = found, lies
    if best is None:
        assert wrong is not None
        raise wrong
    return best


def machine() -> Machine:
    """What plans are weighed by: the machine of the environment; only movements for sharding propagation."""
    only_moves = (context.parallel.parallel_mode == ParallelMode.AUTO_PARALLEL
                  and context.parallel.search_mode == "sharding_propagation")
    return Machine(flops=math.inf, memory=math.inf, start=0.0) if only_moves else machines.given()


def budget() -> float | None:
    """The bytes that a process can hold, if `set_cost_model_context(device_memory_capacity=...)` says so."""
    given = cost_settings.settings["device_memory_capacity"]
    return None if given == cost_settings.DEFAULTS["device_memory_capacity"] else given


def limits(grid: Mesh, given: StrategyFile, names: Mapping[int, str],
           noted: Mapping[int, Wanted]) -> Callable[[Node], Sequence[Choice] | None]:
    """The ways to compute each node; None where the program says nothing of it."""
    known: dict[Any, Sequence[Choice]] = {}

    def found(node: Node) -> Sequence[Choice] | None:
        wanted, strategy = noted.get(id(node)), given.strategies.get(names.get(id(node), ""))
        if wanted is None and strategy is None and not limiting():
            return None
        key = kind_of(node), repr(wanted), repr(strategy)
        if key not in known:
            known[key] = ways(node, grid, wanted, strategy)
        return known[key]
    return found


def grids_for(graph: Graph, size: int, captured: Sequence[Any]) -> list[Mesh]:
    """The meshes that are tried: that of parameters that lie in pieces, or all of one and two axes.

    Of large graphs only two are tried; three and more axes are, where strategies of the program want them.
    """
    laid_on = [t.stored.mesh for t in captured if getattr(t, "stored", None) is not None]
    if laid_on:
        return laid_on[:1]
    found = meshes_of(size)
    if len(graph.nodes) > LARGE:
        found = [found[0], *found[1:][len(found) // 2 - 1:][:1]]
    cut = [n for n in graph.nodes if n.origin.notes.get("in_strategy") is not None]
    prime = mesh_of(size)
    return [*found, prime] if cut and prime not in found else found


def _compare(name: str, graph: Graph, group: str, what: Any) -> None:
    if not alike(zlib.crc32(repr(what).encode()), group):
        raise RuntimeError(f"The processes compile different programs for '{name}'. Do they run the same script, with "
                           "the same shapes, and do all of them call the same functions in the same order?")


def lay_as_planned(storing: Storing, parameters: Mapping[int, Any], graph: Graph, grid: Mesh) -> None:
    """Let parameters lie as the `parameter_plan` of `shard` says.

    Raises:
        ValueError: A strategy does not fit the parameter or the number of processes.
    """
    for node in graph.params:
        parameter = parameters.get(id(node))
        strategy = getattr(parameter, "planned", None)
        if strategy is None or id(node) not in storing.free:
            continue
        placement = placement_like(strategy, node.aval.shape, grid)
        if placement is None:
            raise ValueError(f"For 'shard', the strategy {strategy} for the parameter '{parameters[id(node)].name}' of "
                             f"the shape {tuple(node.aval.shape)} is not possible over {grid.size} processes.")
        storing.free.discard(id(node))
        storing.fixed[id(node)] = placement


def spreading(size: int) -> Spreading:
    """What the context asks of a parallel optimizer.

    Args:
        size: The number of processes of a stage.

    Raises:
        ValueError: The processes of a stage are no multiple of the pieces that it asks for.
    """
    given = context.parallel.parallel_optimizer_config
    asked = bool(context.parallel.enable_parallel_optimizer)
    most = given.get("optimizer_weight_shard_size", context.parallel.optimizer_weight_shard_size)
    if asked and most > 0 and size % most:
        raise ValueError(f"The 'optimizer_weight_shard_size' {most} must divide the number of processes that share "
                         f"parameters, {size}. Choose one of {[n for n in range(1, size + 1) if not size % n]}, or -1.")
    return Spreading(asked, given.get("parallel_optimizer_threshold", SMALLEST // 1024) * 1024, most,
                     given.get("optimizer_level") == "level3")


def look_at_whole(name: str, graph: Graph, captured: Iterable[Any]) -> None:
    """A program that is not split takes whole parameters only, and strategies of its operators do nothing.

    Raises:
        RuntimeError: A parameter lies in pieces.
    """
    mode = context.parallel.parallel_mode
    for t in captured if laid else ():
        if getattr(t, "stored", None) is not None:
            raise RuntimeError(
                f"'{name}' is compiled with parallel_mode={mode!r}, but each process has a piece of the parameter "
                f"'{t.name}', of the mode that a program before was compiled in. Set that mode again; or save the "
                "parameters by 'save_checkpoint', which puts them together, and load them into a new network.")
    if get_group_size() > 1 and any([n.origin.notes.get("in_strategy") is not None for n in graph.nodes]):
        log.warn_once("'%s' has operators with strategies (`shard`), but with parallel_mode=%r each process computes "
                      "whole operators: set 'semi_auto_parallel'. Results are the same without them.", name, mode)


def whole(parameter: Any) -> torch.Tensor:
    """What a parameter holds, put together from the pieces of all processes, which call this together."""
    stored = parameter.stored
    if stored is None:
        return parameter._data
    size = stored.mesh.size
    first = max(stored.owner, 0) * size if stored.owner >= 0 else get_rank() // size * size
    found = parameter._data
    if stored.here:
        found = stored.whole(found, get_rank() % size, lambda line: group_of([first + d for d in line]))
    if stored.owner >= 0:
        found = found if stored.here else found.new_empty(stored.shape)
        found = collectives.sent_to_all(found.contiguous(), first, WORLD)
    return found


def group_of(devices: Sequence[int]) -> str:
    """The name of the group of some processes, made if there is none."""
    if len(devices) == get_group_size():
        return WORLD
    name = "devices " + " ".join(map(str, devices))
    if not has_group(name):
        create_group(name, list(devices))
    return name


def ways(node: Node, grid: Mesh, wanted: Wanted | None,
         given: tuple[int, Sequence[Sequence[int]]] | None = None) -> list[Choice]:
    """The ways to compute a node that the program allows by `shard`, or a strategy file."""
    every = choices(node, grid)
    if wanted is None:
        return allowed(node, every if given is None else strategies.fitting(node, every, given[1], grid), grid)
    found = [c for c in every if fits(c, node, wanted, grid)]
    if not found:
        raise refused(node, every, wanted, grid)
    return found
