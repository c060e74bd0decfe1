"""How this process was started: which of how many it is, and where they meet.

A launcher says so in environment variables; `LAUNCHERS` lists which. Programs that were started by hand, one process
for each device, set them themselves (RANK_ID, RANK_SIZE, and a rank table if there are several machines).
"""
from __future__ import annotations

import os
import zlib
from collections.abc import Mapping
from typing import NamedTuple

from . import json_text
from .errors import shortened

LOCAL = "127.0.0.1"
PORT = 8118                      # msrun's


class Names(NamedTuple):
    """The variables in which a launcher says what a process needs to know; "" where it says nothing."""

    launcher: str
    size: str
    rank: str
    local_rank: str = ""
    local_size: str = ""
    address: str = ""
    port: str = ""
    job: str = ""                # what all processes of one job have in common


# The first of them whose size is set counts.
LAUNCHERS = (
    Names("torchrun or msrun", "WORLD_SIZE", "RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"),
    Names("a scheduler", "MS_WORKER_NUM", "MS_NODE_ID", "", "", "MS_SCHED_HOST", "MS_SCHED_PORT"),
    Names("mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK",
          "OMPI_COMM_WORLD_LOCAL_SIZE", "MASTER_ADDR", "MASTER_PORT", "PMIX_NAMESPACE"),
    Names("mpiexec", "PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", "MASTER_ADDR", "MASTER_PORT"),
    Names("the shell", "RANK_SIZE", "RANK_ID", "DEVICE_ID", "", "MASTER_ADDR", "MASTER_PORT"),
)


class Launch(NamedTuple):
    """What one process knows of its start.

    Attributes:
        size: How many processes work together.
        rank: Which of them this is, from 0; None where the scheduler gives the numbers.
        local_rank: Which it is on its machine; None if nobody said it.
        local_size: How many are on its machine; None if nobody said it.
        address: Where they meet.
        port: The port there.
        attempt: How often the job was started anew.
        scheduler: Whether a process of its own, the scheduler, is the meeting point.
        hosted: Whether the launcher itself is the meeting point.
        role: "worker", "scheduler" for a process that only is the meeting point, or "server" for one that only keeps
            parameters.
    """

    size: int = 1
    rank: int | None = 0
    local_rank: int | None = 0
    local_size: int | None = 1
    address: str = LOCAL
    port: int = PORT
    attempt: int = 0
    scheduler: bool = False
    hosted: bool = False
    role: str = "worker"


ALONE = Launch()
ROLES = {"MS_WORKER": "worker", "MS_SCHED": "scheduler", "MS_PSERVER": "server"}


def launch(env: Mapping[str, str] | None = None) -> Launch:
    """How the environment variables say that this process was started; alone if they say nothing.

    Raises:
        RuntimeError: A variable is missing or is no number, or the rank table does not fit; the message names it.
    """
    env = os.environ if env is None else env
    role = _role(env)
    names = next((n for n in LAUNCHERS if env.get(n.size, "")), None)
    if names is None and env.get("RANK_ID") and env.get("RANK_TABLE_FILE"):        # the table says how many
        names, env = LAUNCHERS[-1], {**env, "RANK_SIZE": str(len(_table(env["RANK_TABLE_FILE"])))}
    if names is None and env.get("MS_ROLE"):
        raise RuntimeError(f"For 'init', this process is a {role} (MS_ROLE), but MS_WORKER_NUM, the number of workers, "
                           "is not set: set it, MS_SCHED_HOST and MS_SCHED_PORT for all processes, or start the "
                           "program by msrun.")
    if names is None or ((size := _number(env, names.size, at_least=1)) == 1 and "MS_ROLE" not in env):
        return ALONE
    scheduled = names.launcher == "a scheduler"
    if size == 1 and not scheduled:
        return ALONE
    rank = None if scheduled and (not env.get(names.rank) or role != "worker") else _number(env, names.rank, size)
    address, port = env.get(names.address, ""), names.port
    if names.launcher == "the shell" and env.get("RANK_TABLE_FILE"):
        hosts = _hosts(env["RANK_TABLE_FILE"], size)
        address = address or hosts[0]
        local = [r for r in range(size) if hosts[r] == hosts[rank or 0]]
        local_rank, local_size = local.index(rank or 0), len(local)
    else:
        local_rank = _number(env, names.local_rank) if env.get(names.local_rank) else None
        local_size = _number(env, names.local_size, at_least=1) if env.get(names.local_size) else None
    return Launch(
        size, rank, local_rank, local_size, address or LOCAL,
        _number(env, port) if env.get(port) else _port(env.get(names.job, "")),
        int(env.get("TORCHELASTIC_RESTART_COUNT", "0")), scheduled,
        env.get("TORCHELASTIC_USE_AGENT_STORE") == "True", role)


def _role(env: Mapping[str, str]) -> str:
    said = env.get("MS_ROLE") or "MS_WORKER"
    if said not in ROLES:
        raise RuntimeError(f"For 'init', the environment variable MS_ROLE must be one of {', '.join(ROLES)}, but it is "
                           f"{said!r}.")
    return ROLES[said]


def _number(env: Mapping[str, str], name: str, below: int | None = None, at_least: int = 0) -> int:
    text = env.get(name, "")
    if not text.isdecimal() or int(text) < at_least or (below is not None and int(text) >= below):
        span = f"from {at_least}" + (f" to {below - 1}" if below is not None else "")
        raise RuntimeError(
            f"For 'init', the environment variable {name} must be a whole number {span}, but it is "
            f"{text!r}. Start the processes by a launcher (msrun, torchrun, mpirun), or set it for each of them."
            if text else
            f"For 'init', several processes were asked for, but the environment variable {name} is not set: set it to "
            "the number of this process, or start the program by msrun, torchrun or mpirun.")
    return int(text)


def _port(job: str) -> int:
    """The port where the processes of a job meet: msrun's, or one of the job's own."""
    return 20000 + zlib.crc32(job.encode()) % 20000 if job else PORT


def _table(path: str) -> dict[int, str]:
    """The machine of each rank, from a rank table.

    The file is JSON: "server_list" holds one entry for each machine, with its "server_id" and its devices under
    "device", each with a "rank_id".
    """
    try:
        table = json_text.read(path)
        return {int(device["rank_id"]): str(server["server_id"])
                 for server in table["server_list"] for device in server["device"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RuntimeError(f"For 'init', the rank table '{path}' (RANK_TABLE_FILE) cannot be read: "
                           f"{type(error).__name__}: {shortened(error)}.") from None


def _hosts(path: str, size: int) -> list[str]:
    """The machines of so many ranks, in order."""
    found = _table(path)
    if sorted(found) != list(range(size)):
        raise RuntimeError(f"For 'init', the rank table '{path}' must name the ranks 0 to {size - 1} "
                           f"(RANK_SIZE={size}), but it names {sorted(found)}.")
    return [found[rank] for rank in range(size)]
