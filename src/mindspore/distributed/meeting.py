"""Where workers and parameter servers meet: the store that the scheduler keeps, by the variables of MS_ROLE.

`MS_ROLE` is MS_SCHED, MS_PSERVER or MS_WORKER; `MS_SCHED_HOST` and `MS_SCHED_PORT` say where the scheduler is,
`MS_WORKER_NUM` and `MS_SERVER_NUM` how many of the others there are.
"""
from __future__ import annotations

import os
import socket
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from mindspore.core import context, json_text, log
from mindspore.core.errors import shortened, show
from mindspore.core.launched import LOCAL, launch

from . import world
from .world import MEETING, seconds

ROLES = {"MS_SCHED": "scheduler", "MS_PSERVER": "server", "MS_WORKER": "worker"}


def role() -> str:
    """What this process is: "scheduler", "server", "worker", or "" without parameter servers."""
    if not context.parameter_server.enable_ps:
        return ""
    return ROLES.get(os.environ.get("MS_ROLE", ""), "")


def servers() -> int:
    """How many servers there are."""
    return int(os.environ["MS_SERVER_NUM"])


def workers() -> int:
    """How many workers there are."""
    return int(os.environ["MS_WORKER_NUM"])


def limit() -> float:
    """Seconds to wait for a process that should be there; MS_TOPO_TIMEOUT changes it."""
    return seconds("MS_TOPO_TIMEOUT", MEETING)


def store() -> Any:
    """The store of the scheduler.

    Raises:
        RuntimeError: Nobody keeps it.
    """
    import torch.distributed as dist  # takes a while to load, and is not part of every torch

    started = launch()
    try:
        plain = dist.TCPStore(started.address, started.port, None, False, timeout=timedelta(seconds=limit()),
                              wait_for_workers=False)
    except (RuntimeError, ValueError):
        raise RuntimeError(f"The scheduler cannot be reached at {started.address}:{started.port} (MS_SCHED_HOST, "
                           "MS_SCHED_PORT). Start a process of the same program with MS_ROLE=MS_SCHED.") from None
    return dist.PrefixStore("servers", plain)


def schedule() -> None:
    """Be the meeting point until all workers have left; the process ends with it.

    Raises:
        RuntimeError: A server or worker has failed.
    """
    import torch.distributed as dist  # takes a while to load, and is not part of every torch

    world.schedule(dist, launch(), timedelta(seconds=limit()))


def listen(here: Any) -> tuple[int, socket.socket]:
    """The number of this server, and the socket at which it waits.

    A server that is started anew takes the place of one that does not answer.

    Raises:
        RuntimeError: All servers are there already.
    """
    own = socket.create_server(("", 0))
    host = os.environ.get("MS_WORKER_IP") or (LOCAL if launch().address in (LOCAL, "localhost") else
                                              socket.gethostname())
    address = f"{host}:{own.getsockname()[1]}"
    number = here.add("servers", 1) - 1
    if number < servers():
        here.set(f"server/{number}", address)
        return number, own
    for k in range(servers()):
        old = here.get(f"server/{k}").decode()
        if not _answers(old) and here.compare_set(f"server/{k}", old, address).decode() == address:
            return k, own
    own.close()
    raise RuntimeError(f"There are {servers()} parameter servers already (MS_SERVER_NUM), and all of them answer.")


def _answers(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except OSError:
        return False
    return True


def connect(here: Any, number: int) -> socket.socket:
    """A connection to a server, which may have to come (again) first.

    Raises:
        RuntimeError: It does not come, or another process has failed.
    """
    end = time.monotonic() + limit()
    while time.monotonic() < end:
        look(here)
        if here.check([f"server/{number}"]):
            host, _, port = here.get(f"server/{number}").decode().rpartition(":")
            try:
                link = socket.create_connection((host, int(port)), timeout=5)
            except OSError:
                time.sleep(0.1)
                continue
            link.settimeout(None)
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return link
        time.sleep(0.05)
    raise RuntimeError(f"The parameter server {number} of {servers()} did not come within {limit():g} s "
                       "(MS_TOPO_TIMEOUT changes the time). Start a process of the same program with "
                       "MS_ROLE=MS_PSERVER: it takes the place of one that is lost.")


def failed(here: Any, message: str) -> None:
    """Tell all others that this process cannot continue, unless another one has said so."""
    try:
        here.compare_set("failed", "", message)
    except RuntimeError as error:
        log.debug("the scheduler had left before: %s", error)


def look(here: Any) -> None:
    """Look whether others are well.

    Raises:
        RuntimeError: Another process has failed, or the scheduler is lost.
    """
    try:
        message = here.get("failed").decode() if here.check(["failed"]) else ""
    except RuntimeError:
        message = "The scheduler was lost."
    if message:
        raise RuntimeError(message)


def folder() -> Path | None:
    """Where servers keep their state, by the JSON file of `config_file_path`; None without one.

    Raises:
        ValueError: The file does not say it.
    """
    path = context.parameter_server.config_file_path
    if not path:
        return None
    try:
        recovery = json_text.read(path)["recovery"]
        kind, where = recovery.get("storage_type", 1), recovery["storage_file_path"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"For 'set_ps_context', the 'config_file_path' {path!r} must be a JSON file such as "
                         '{"recovery": {"storage_type": 1, "storage_file_path": "/states"}}, but: '
                         f"{type(error).__name__}: {shortened(error)}.") from None
    if kind != 1 or not isinstance(where, str):
        raise ValueError(f"For 'set_ps_context', the 'storage_type' in {path!r} must be 1, files below "
                         f"'storage_file_path', but got {show(kind)} and {show(where)}.")
    return Path(where)
