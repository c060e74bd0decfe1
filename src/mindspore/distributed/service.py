"""A parameter server: it waits for the gradients of all workers, makes the step, and answers with what is new.

Workers are in step: a server makes step n + 1 when all of them have sent their gradients for it, and sums these in the
order of the workers, so that a run is the same each time.  A worker that asks for a step that was made already, as
after the loss of a server whose answer did not come, gets the values that it gave.
"""
from __future__ import annotations

import selectors
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch

from mindspore.core import log

from . import meeting
from .wire import Gone, receive, send


class Keeper(Protocol):
    """What a server keeps: parameters, tables, the state of the optimizer."""

    done: int

    def dense(self) -> dict[str, torch.Tensor]:
        """The parameters that are here as a whole, by name."""
        ...

    def rows(self, table: str, ids: torch.Tensor) -> torch.Tensor:
        """Rows of a table of which some are here."""
        ...

    def step(self, dense: dict[str, torch.Tensor], tables: dict[str, torch.Tensor]) -> None:
        """Make a step by the gradients of parameters and tables, and keep it so that it outlasts the process."""
        ...

    def zeros(self, table: str) -> torch.Tensor:
        """As the part of a table that is here."""
        ...

    def first(self, table: str) -> int:
        """The number of the first row that is here."""
        ...


@dataclass
class Asked:
    """What a worker sent for a step.

    Attributes:
        link: Where it waits.
        head: Its message.
        tensors: The gradients, and for each table indices, rows, and the indices that the worker keeps.
    """

    link: socket.socket
    head: dict[str, Any]
    tensors: list[torch.Tensor]


@dataclass
class Service:
    """The loop of a server.

    Attributes:
        keeper: What it keeps.
        number: Its number.
        store: Where all processes meet.
        waiting: What the workers have sent for the step to come, by number.
        away: How many workers have said good-bye.
        known: The workers of connections.
    """

    keeper: Keeper
    number: int
    store: Any
    waiting: dict[int, Asked] = field(default_factory=dict[int, Asked])
    away: int = 0
    known: dict[socket.socket, int] = field(default_factory=dict[socket.socket, int])

    def run(self, own: socket.socket) -> None:
        """Serve until all workers have said good-bye.

        Raises:
            RuntimeError: A worker sent what does not fit, or is lost.
        """
        with selectors.DefaultSelector() as events, ExitStack() as links:
            events.register(own, selectors.EVENT_READ)
            while self.away < meeting.workers():
                meeting.look(self.store)
                for key, _ in events.select(timeout=1.0):
                    link: Any = key.fileobj
                    if link is own:
                        came = links.enter_context(own.accept()[0])
                        came.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                        events.register(came, selectors.EVENT_READ)
                        continue
                    try:
                        self._answer(link)
                    except Gone:
                        events.unregister(link)
                        link.close()
                        if link in self.known:
                            raise RuntimeError(f"The worker {self.known[link]} was lost.") from None

    def _answer(self, link: socket.socket) -> None:
        head, tensors = receive(link)
        kind = head["kind"]
        if kind == "bye":
            self.away += 1
            self.known.pop(link, None)
            return
        self.known[link] = head["worker"]
        if kind == "values":
            self._send_values(link)
        elif kind == "rows":
            send(link, {}, [self.keeper.rows(head["table"], tensors[0])])
        elif head["step"] == self.keeper.done:               # made already: its answer was lost
            self._reply(Asked(link, head, tensors), {})
        elif head["step"] != self.keeper.done + 1:
            raise RuntimeError(f"The parameter server {self.number} has made {self.keeper.done} steps, but a worker "
                               f"asks for step {head['step']}. Its state is of another run, or older than the last "
                               "step: begin anew, all processes from one checkpoint.")
        else:
            self.waiting[head["worker"]] = Asked(link, head, tensors)
            if len(self.waiting) == meeting.workers():
                self._step()

    def _send_values(self, link: socket.socket) -> None:
        values = self.keeper.dense()
        send(link, {"done": self.keeper.done, "names": list(values)}, list(values.values()))

    def _step(self) -> None:
        """Make the step for which all workers have sent their gradients."""
        line = [self.waiting[k] for k in sorted(self.waiting)]
        self.waiting.clear()
        names, tables = line[0].head["names"], line[0].head["tables"]
        if any([a.head["names"] != names or a.head["tables"] != tables for a in line]):
            raise RuntimeError("The workers send gradients of different parameters: do all of them run the same "
                               "program?")
        share = 1.0 / len(line) if line[0].head["mean"] else 1.0
        dense: dict[str, torch.Tensor] = {}
        for k, name in enumerate(names):
            dense[name] = _sum([a.tensors[k] for a in line]) * share
        sums: dict[str, torch.Tensor] = {}
        for t, table in enumerate(tables):
            whole = self.keeper.zeros(table)
            for a in line:
                ids, rows, _ = a.tensors[len(names) + 3 * t:len(names) + 3 * t + 3]
                whole.index_add_(0, ids - self.keeper.first(table), rows.to(whole.dtype))
            sums[table] = whole * share
        before = {(id(a), t): self.keeper.rows(table, a.tensors[len(names) + 3 * t + 2])
                  for a in line for t, table in enumerate(tables)}
        self.keeper.step(dense, sums)
        for a in line:
            self._reply(a, {t: before[id(a), t] for t in range(len(tables))})

    def _reply(self, asked: Asked, before: dict[int, torch.Tensor]) -> None:
        """The new values of parameters, and of those rows that the worker keeps and that have changed."""
        names, tables = asked.head["names"], asked.head["tables"]
        values = self.keeper.dense()
        out = [values[name] for name in names]
        for t, table in enumerate(tables):
            ids = asked.tensors[len(names) + 3 * t + 2]
            rows = self.keeper.rows(table, ids)
            if t in before:
                changed = (rows != before[t]).any(1)
                ids, rows = ids[changed], rows[changed]
            out += [ids, rows]
        try:
            send(asked.link, {"done": self.keeper.done}, out)
        except Gone:
            log.info("the parameter server %d could not answer a worker, which may ask again", self.number)


def _sum(line: Sequence[torch.Tensor]) -> torch.Tensor:
    found = line[0].clone()
    for x in line[1:]:
        found += x
    return found
