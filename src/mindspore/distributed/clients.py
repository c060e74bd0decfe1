"""A worker of parameter servers: it sends gradients and gets parameters, and keeps the rows of tables that it uses.

Parameters are shared out to the servers by size, tables by rows; all processes find the same shares.  A request to a
server that is lost waits until another one has taken its place, and is sent anew.
"""
from __future__ import annotations

import atexit
import socket
import sys
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from mindspore.core import log
from mindspore.core.launched import launch

from . import meeting
from .groups import get_group_size, get_rank
from .wire import Gone, receive, send


def owners(sizes: Mapping[str, int], servers: int) -> dict[str, int]:
    """The server of each parameter: the largest first, each to the server that has least."""
    load, found = [0] * servers, dict[str, int]()
    for name in sorted(sizes, key=lambda n: (-sizes[n], n)):
        k = load.index(min(load))
        found[name] = k
        load[k] += sizes[name]
    return found


def span(rows: int, server: int, servers: int) -> tuple[int, int]:
    """The first row of a table that a server has, and the first one behind."""
    each = -(-rows // servers)
    return min(server * each, rows), min((server + 1) * each, rows)


class Cache:
    """Rows of a table that a worker keeps: those used last.

    Args:
        name: The table.
        rows: How many it has.
        width: The length of a row.
        dtype: Its elements.
        room: How many the worker keeps.
    """

    def __init__(self, name: str, rows: int, width: int, dtype: torch.dtype, room: int):
        self.name, self.rows, self.room = name, rows, room
        self.values = torch.zeros((room, width), dtype=dtype)
        self.slot: OrderedDict[int, int] = OrderedDict()       # by index the place, those used last at the end
        self.free = list(range(room))[::-1]
        self.noted: list[tuple[torch.Tensor, torch.Tensor]] = []     # gradients of rows since the last step
        self.fetched = 0

    def places(self, ids: Sequence[int], fetch: Any) -> torch.Tensor:
        """The places of some rows, all different; those that are not here are fetched.

        Raises:
            ValueError: They are more than there is room for.
        """
        if len(ids) > self.room:
            raise ValueError(f"The table '{self.name}' is asked for {len(ids)} rows at once, but its "
                             f"'vocab_cache_size' is {self.room}: make it larger, or the batch smaller.")
        absent = [k for k in ids if k not in self.slot]
        for k in ids:
            if k in self.slot:
                self.slot.move_to_end(k)
        if absent:
            rows = fetch(absent)
            while len(self.free) < len(absent):
                self.free.append(self.slot.popitem(last=False)[1])
            for k in absent:
                self.slot[k] = self.free.pop()
            self.values[[self.slot[k] for k in absent]] = rows
            self.fetched += len(absent)
        return torch.tensor([self.slot[k] for k in ids], dtype=torch.int64)


class Client:
    """The connections of a worker to the servers."""

    def __init__(self):
        self.store = meeting.store()
        self.count = meeting.servers()
        self.rank = get_rank() if get_group_size() > 1 else (launch().rank or 0)
        if meeting.workers() > 1 and get_group_size() != meeting.workers():
            raise RuntimeError(f"There are {meeting.workers()} workers (MS_WORKER_NUM), but this process has not met "
                               "the others: call mindspore.communication.init() behind set_ps_context.")
        self.links: list[socket.socket | None] = [None] * self.count
        self.tables: dict[str, Cache] = {}
        self.done = -1
        self.place: Mapping[str, int] = {}            # the server of each parameter
        self.mean = True                              # whether gradients are averaged over workers
        atexit.register(self.leave)

    def ask(self, requests: Mapping[int, tuple[dict[str, Any], Sequence[torch.Tensor]]]) -> dict[
            int, tuple[dict[str, Any], list[torch.Tensor]]]:
        """The answers of servers, by number."""
        for k, (head, tensors) in requests.items():
            head["worker"] = self.rank
            self._sent(k, head, tensors)
        found: dict[int, tuple[dict[str, Any], list[torch.Tensor]]] = {}
        for k, (head, tensors) in requests.items():
            while k not in found:
                link = self.links[k]
                try:
                    if link is None:
                        raise Gone("it was not sent")
                    found[k] = receive(link)
                except Gone:
                    log.warning("The parameter server %d is lost; its place is waited for.", k)
                    self.links[k] = None
                    self._sent(k, head, tensors)
        return found

    def _sent(self, k: int, head: dict[str, Any], tensors: Sequence[torch.Tensor]) -> None:
        link = self.links[k]
        if link is None:
            link = self.links[k] = meeting.connect(self.store, k)
        try:
            send(link, head, tensors)
        except Gone:
            self.links[k] = None                      # `ask` connects again

    def values(self) -> dict[str, torch.Tensor]:
        """All parameters of the servers, and how many steps these have made."""
        found = self.ask({k: ({"kind": "values"}, ()) for k in range(self.count)})
        steps = {head["done"] for head, _ in found.values()}
        if len(steps) > 1:
            raise RuntimeError(f"The parameter servers have made different numbers of steps, {sorted(steps)}: their "
                               "states are of different runs. Remove them, and begin anew.")
        if self.done < 0:
            (self.done,) = steps
        return {name: t for head, tensors in found.values() for name, t in zip(head["names"], tensors, strict=True)}

    def rows(self, table: Cache, ids: torch.Tensor) -> torch.Tensor:
        """The rows of a table at indices of any shape."""
        wanted, places = ids.reshape(-1).to(torch.int64).unique(return_inverse=True)
        slots = table.places(wanted.tolist(), lambda absent: self.fetched(table, absent))
        return table.values[slots][places].reshape((*ids.shape, -1))

    def fetched(self, table: Cache, ids: Sequence[int]) -> torch.Tensor:
        """Rows, from the servers that have them."""
        wanted = torch.tensor(ids, dtype=torch.int64)
        parts = {k: self._mine(table, wanted, k) for k in range(self.count)}
        parts = {k: at for k, at in parts.items() if len(at)}
        got = self.ask({k: ({"kind": "rows", "table": table.name}, (wanted[at],)) for k, at in parts.items()})
        found = torch.empty((len(ids), table.values.shape[1]), dtype=table.values.dtype)
        for k, at in parts.items():
            found[at] = got[k][1][0]
        return found

    def _mine(self, table: Cache, ids: torch.Tensor, server: int) -> torch.Tensor:
        """Where indices are that a server has."""
        first, last = span(table.rows, server, self.count)
        return ((ids >= first) & (ids < last)).nonzero()[:, 0]

    def step(self, grads: Mapping[str, torch.Tensor], place: Mapping[str, int], mean: bool) -> dict[str, torch.Tensor]:
        """Let the servers make a step; the new values of the parameters.

        Args:
            grads: The gradients of this worker, by name.
            place: The server of each parameter.
            mean: Whether gradients are averaged over workers; otherwise they are summed.
        """
        self.done += 1
        requests: dict[int, tuple[dict[str, Any], list[torch.Tensor]]] = {}
        gradients = {name: _joined(t) for name, t in self.tables.items()}
        kept = {name: torch.tensor(sorted(t.slot), dtype=torch.int64) for name, t in self.tables.items()}
        for k in range(self.count):
            names = [n for n in grads if place[n] == k]
            tensors = [grads[n] for n in names]
            for name, t in self.tables.items():
                ids, rows = gradients[name]
                at = self._mine(t, ids, k)
                tensors += [ids[at], rows[at], kept[name][self._mine(t, kept[name], k)]]
            head = {"kind": "step", "step": self.done, "names": names, "tables": list(self.tables),
                    "mean": mean}
            requests[k] = head, tensors
        answers = self.ask(requests)
        found: dict[str, torch.Tensor] = {}
        for k, (head, _) in requests.items():
            got = answers[k][1]
            found.update(zip(head["names"], got, strict=False))
            for t, table in enumerate(self.tables.values()):
                ids, rows = got[len(head["names"]) + 2 * t:len(head["names"]) + 2 * t + 2]
                table.values[[table.slot[i] for i in ids.tolist()]] = rows
        for table in self.tables.values():
            table.noted.clear()
        return found

    def leave(self) -> None:
        """Say good-bye to the servers and the scheduler; after an error, tell them."""
        if getattr(sys, "last_type", None) is not None:
            meeting.failed(self.store, f"The worker {self.rank} ended with an error.")
            return
        for link in self.links:
            if link is not None:
                try:
                    send(link, {"kind": "bye"})
                except Gone:
                    log.debug("a parameter server had left before")
        try:
            self.store.add("left", 1)
        except RuntimeError as error:
            log.debug("the scheduler had left before: %s", error)


def _joined(table: Cache) -> tuple[torch.Tensor, torch.Tensor]:
    """The gradients of rows that were noted, each row once."""
    width = table.values.shape[1]
    if not table.noted:
        return torch.empty(0, dtype=torch.int64), torch.empty((0, width), dtype=table.values.dtype)
    ids = torch.cat([i for i, _ in table.noted])
    rows = torch.cat([r for _, r in table.noted])
    wanted, places = ids.unique(return_inverse=True)
    return wanted, torch.zeros((len(wanted), width), dtype=rows.dtype).index_add_(0, places, rows)


_client: list[Client] = []


def client() -> Client:
    """The one of this process; it connects when it is needed first."""
    if not _client:
        _client.append(Client())
    return _client[0]


def looked_up(ids: torch.Tensor, anchor: torch.Tensor, table: str, rows: int, room: int) -> torch.Tensor:
    """Rows of a table of the servers."""
    own = client()
    if table not in own.tables:
        own.tables[table] = Cache(table, rows, anchor.shape[1], anchor.dtype, room)
    return own.rows(own.tables[table], ids.cpu()).to(anchor.device)


def noted(ids: torch.Tensor, rows: torch.Tensor, table: str) -> None:
    """Keep the gradients of rows for the next step."""
    client().tables[table].noted.append((ids.detach().cpu().reshape(-1).to(torch.int64),
                                         rows.detach().cpu().reshape(-1, rows.shape[-1])))


def whole(table: str, rows: int, like: torch.Tensor) -> torch.Tensor:
    """All rows of a table of the servers."""
    own = client()
    return own.fetched(Cache(table, rows, like.shape[1], like.dtype, 0), range(rows)).to(like.device)
