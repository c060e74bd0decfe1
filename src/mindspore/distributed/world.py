"""The processes that work together: their meeting point, and torch's process groups.

This file is the only one that talks to torch.distributed's set-up; a process that was started alone never loads it.
"""
from __future__ import annotations

import atexit
import hashlib
import os
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from mindspore.core import context, log
from mindspore.core.launched import ALONE, Launch, launch

BACKENDS = {"CPU": "gloo", "GPU": "nccl", "Ascend": "hccl"}
MEETING = 300                   # seconds to wait for the others; MS_TOPO_TIMEOUT changes it
ANSWER = 1800                   # seconds to wait for a collective; HCCL_EXEC_TIMEOUT changes it
FAREWELL = 6                    # seconds to wait for the others before leaving; a job that fails ends in 10


class World:
    """What `init` made.

    Attributes:
        started: How this process was started.
        rank: Its number.
        hosts: The machine of each process.
        store: The meeting point of torch.distributed; None for a process alone.
        groups: The process group of torch and the ranks in it, by name.
    """

    def __init__(self, started: Launch = ALONE, rank: int = 0, store: Any = None, hosts: tuple[str, ...] = ("",)):
        self.started, self.rank, self.store, self.hosts = started, rank, store, hosts
        self.groups: dict[str, tuple[Any, list[int]]] = {}
        self.size = started.size


world = World()
made_before: dict[str, int] = {}       # how often a group of a name was made


def seconds(name: str, default: float) -> float:
    """A time in seconds that an environment variable may change."""
    text = os.environ.get(name, "")
    try:
        found = float(text) if text else default
    except ValueError:
        found = -1.0
    if found <= 0:
        raise RuntimeError(f"The environment variable {name} must be a positive number of seconds, but it is {text!r}.")
    return found


def join() -> World:
    """Meet the other processes; those that were started alone meet nobody.

    A process with the role of the scheduler stays here until all workers have left, and then ends.

    Raises:
        RuntimeError: The start is described wrongly, or the others did not come in time.
    """
    global world
    started = launch()
    if started.role == "server":                # it works with no other server, and workers find it by themselves
        world = World()
        return world
    if started.size == 1 and not started.scheduler:
        world = World(started)
        return world
    import torch.distributed as dist  # takes a while to load, and is not part of every torch

    wait = timedelta(seconds=seconds("MS_TOPO_TIMEOUT", MEETING))
    if started.role == "scheduler":
        schedule(dist, started, wait)
    host = started.rank == 0 and not started.scheduler and not started.hosted
    where = f"{started.address}:{started.port}"
    try:
        plain = dist.TCPStore(started.address, started.port, None, host, timeout=wait, wait_for_workers=False)
    except (RuntimeError, ValueError) as error:         # DistNetworkError and DistStoreError are RuntimeErrors
        raise RuntimeError(f"For 'init', the processes cannot meet at {where}: {first_line(error)} "
                           + ("Another program may use the port: choose another one."
                              if host else "Is the process of rank 0 running there?")) from None
    store = dist.PrefixStore(f"attempt{started.attempt}", plain)
    rank = store.add("ranks", 1) - 1 if started.rank is None else started.rank
    try:
        hosts = _gathered(store, rank, started.size, wait)
        _place(started, rank, hosts)
        backend = BACKENDS[context.target_in_use()]
        dist.init_process_group(backend, store=dist.PrefixStore("torch", store), rank=rank, world_size=started.size,
                                timeout=timedelta(seconds=seconds("HCCL_EXEC_TIMEOUT", ANSWER)))
    except (RuntimeError, ValueError) as error:
        raise RuntimeError(f"For 'init', process {rank} of {started.size} could not connect with the others at "
                           f"{where}: {first_line(error)}") from None
    world = World(started, rank, store, hosts)
    atexit.register(_at_exit)
    return world


def first_line(error: Exception) -> str:
    """What an error of torch says, without its stack."""
    return str(error).split("\n")[0].rstrip(".") + "."


def schedule(dist: Any, started: Launch, wait: timedelta) -> None:
    """Be the meeting point until all workers have left; the process ends with it.

    Raises:
        RuntimeError: With parameter servers, one of the others has failed.
    """
    plain = dist.TCPStore(started.address, started.port, None, True, timeout=wait, wait_for_workers=False)
    met, served = dist.PrefixStore("attempt0", plain), dist.PrefixStore("servers", plain)
    while met.add("left", 0) < started.size and served.add("left", 0) < started.size:
        if served.check(["failed"]):
            time.sleep(1.0)                      # the others read it, too
            raise RuntimeError(served.get("failed").decode())
        time.sleep(0.2)
    time.sleep(1.0 if served.add("left", 0) else 0.0)        # servers and `leave` ask a last time
    raise SystemExit(0)


def _gathered(store: Any, rank: int, size: int, wait: timedelta) -> tuple[str, ...]:
    """The machine of every process; says which did not come."""
    import socket  # only programs of several processes need it

    store.set(f"host/{rank}", os.environ.get("MS_WORKER_IP") or socket.gethostname())
    store.add("came", 1)
    keys = [f"host/{other}" for other in range(size)]
    end = time.monotonic() + wait.total_seconds()
    while not store.check(keys):
        if time.monotonic() > end or store.check(["gave up"]):
            absent = [r for r in range(size) if not store.check(keys[r:r + 1])]
            _give_up(store)
            raise RuntimeError(f"the processes {absent} did not come within {wait.total_seconds():g} s "
                               "(MS_TOPO_TIMEOUT changes the time)")
        time.sleep(0.02)
    return tuple([store.get(key).decode() for key in keys])


def _give_up(store: Any) -> None:
    """Tell those who came; one of them is the meeting point, which would otherwise be gone before the others know."""
    store.set("gave up", "1")
    store.add("came", -1)
    end = time.monotonic() + FAREWELL
    while store.add("came", 0) > 0 and time.monotonic() < end:
        time.sleep(0.02)


def _place(started: Launch, rank: int, hosts: tuple[str, ...]) -> None:
    """Give every process of a machine a device of its own, or its share of the CPU, unless the program chose."""
    local = hosts[:rank].count(hosts[rank]) if started.local_rank is None else started.local_rank
    if context.target_in_use() != "CPU":
        if "device_id" not in context.state.given:
            context.set_context(device_id=local)
        return
    import torch  # part of every process of several

    beside = hosts.count(hosts[rank])
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
    share = max(1, len(cores) // beside)
    if os.environ.get("MS_BIND_CORE") == "1" and hasattr(os, "sched_setaffinity") and len(cores) >= beside:
        os.sched_setaffinity(0, cores[local * share:(local + 1) * share])
    if "OMP_NUM_THREADS" not in os.environ and not context.state.runtime_num_threads:
        torch.set_num_threads(share)         # all of them on all cores would wait for each other


def whole() -> Any:
    """The group of all processes, as torch knows it; None for a process alone."""
    if world.store is None:
        return None
    import torch.distributed as dist  # loaded by `join`

    return dist.group.WORLD


def made(name: str, ranks: list[int]) -> Any:
    """A group of torch that only its processes make; None for a process alone."""
    if world.store is None:
        return None
    import torch.distributed as dist  # loaded by `join`

    made_before[name] = made_before.get(name, 0) + 1
    with _named(dist.distributed_c10d, f"{name} {ranks} {made_before[name]}"):
        return dist.new_group(ranks, use_local_synchronization=True, group_desc=name)


@contextmanager
def _named(module: Any, name: str) -> Generator[None]:
    """Let torch call the next group by a name that all its processes give it.

    By itself torch counts the groups that a process has made: processes that have made others would never meet.
    """
    plain = getattr(module, "_hash_ranks_to_str", None)
    if plain is None:                   # an earlier torch, which names a group by its processes
        yield
        return
    module._hash_ranks_to_str = lambda ranks: hashlib.sha256(name.encode()).hexdigest()
    try:
        yield
    finally:
        module._hash_ranks_to_str = plain


def unmade(group: Any) -> None:
    """Take a group of torch apart."""
    if group is not None:
        import torch.distributed as dist  # loaded by `join`

        dist.destroy_process_group(group)


def leave(together: bool = True) -> None:
    """Leave all groups.

    Args:
        together: Whether to wait (not for ever) for the others, as ends well: a process that goes first takes away its
            end of connections that the others still use, and the first one their meeting point.
    """
    global world
    old, world = world, World()
    made_before.clear()
    if old.store is None:
        return
    import torch.distributed as dist  # loaded by `join`

    atexit.unregister(_at_exit)
    if together:
        _farewell(old)
    if dist.is_initialized():
        dist.destroy_process_group()


def _farewell(old: World) -> None:
    try:
        gone = old.store.add("left", 1)
        end = time.monotonic() + FAREWELL
        while gone < old.size and time.monotonic() < end:
            time.sleep(0.01)
            gone = old.store.add("left", 0)
        if old.rank == 0 and not old.started.hosted and not old.started.scheduler:
            time.sleep(0.1)         # the others ask a last time
    except RuntimeError as error:       # the meeting point is gone already
        log.debug("leaving the other processes: %s", error)


def _at_exit() -> None:
    """The end of a program that did not call `release`; after an error nobody is waited for."""
    leave(together=getattr(sys, "last_type", None) is None)
