"""Processes that write MindRecord files, one for each."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import weakref
from multiprocessing.connection import Connection
from typing import Any

from mindspore.core.errors import transferable
from mindspore.core.interrupts import ignore_interrupts, without_interrupts
from mindspore.formats.mindrecord.errors import MindRecordException
from mindspore.formats.mindrecord.schema import Schema
from mindspore.formats.mindrecord.shard_writer import Seal
from mindspore.formats.mindrecord.staging import Staging
from mindspore.formats.mindrecord.writer import new_set
from mindspore.mindrecord.rows import encoded_rows

_END = None  # instead of rows: complete the file


class Workers:
    """One process for each data file; the files are sets of their own, of the usual sizes.

    A process answers all that it gets: None, or the error. Before it gets more it must have answered, so at most two
    lists of rows wait for each.

    Args:
        paths: The data files.
        schema, index_fields, desc, sealing: As for `new_set`.

    Raises:
        MRMWriteDatasetError: The files cannot be created, or another writer writes them.
    """

    def __init__(
        self,
        paths: list[str],
        schema: Schema,
        index_fields: list[str],
        desc: str,
        sealing: Seal | None,
    ):
        self._staging = Staging(paths)
        self._next = 0
        self._answers = [0] * len(paths)  # that have still to come
        context: Any = multiprocessing.get_context()
        forks = context.get_start_method() == "fork"
        self._pipes: list[Connection] = []
        self._processes: list[Any] = []
        self._drop = weakref.finalize(self, _stop, self._pipes, self._processes, self._staging)
        for path in paths:
            ours, theirs = context.Pipe()
            inherited = [*self._pipes, ours] if forks else []
            described = path, schema, index_fields, desc, sealing, self._staging
            process = context.Process(
                target=_work,
                args=(theirs, inherited, *described),
                name="mindrecord-writer",
                daemon=True,
            )
            with without_interrupts():
                process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Give rows to the process whose turn it is.

        Raises:
            RuntimeError: A process died; or the error that it had with rows of before.
        """
        number = self._next
        self._next = (number + 1) % len(self._pipes)
        self._send(number, rows)

    def commit(self) -> None:
        """Let all complete their files, and give these their names in one step.

        Raises:
            RuntimeError: A process died; or the error that one had.
            MRMWriteDatasetError: The files cannot get their names.
        """
        try:
            failed: Exception | None = None
            for act in (lambda number: self._send(number, _END), self._take):
                for number in range(len(self._pipes)):
                    try:
                        act(number)
                    except (MindRecordException, RuntimeError) as error:
                        failed = failed or error
            if failed is not None:
                raise failed
            self._staging.complete()
        finally:
            self._drop()

    def check(self, number: int) -> None:
        """Raise the error of a process, or that it died."""
        while self._answers[number] and self._pipes[number].poll():
            self._take(number)
        if not self._processes[number].is_alive():
            raise self._death(number)

    def _send(self, number: int, rows: list[dict[str, Any]] | None) -> None:
        while self._answers[number] > 1:
            self._take(number)
        try:
            self._pipes[number].send(rows)
        except (BrokenPipeError, ConnectionResetError):
            while self._answers[number]:
                self._take(number)
            raise self._death(number) from None
        self._answers[number] += 1

    def _take(self, number: int) -> None:
        """Wait for the answers of a process."""
        while self._answers[number]:
            try:
                error = self._pipes[number].recv()
            except (EOFError, ConnectionResetError):
                raise self._death(number) from None
            self._answers[number] -= 1
            if error is not None:
                self._answers[number] = 0
                raise error

    def _death(self, number: int) -> RuntimeError:
        self._processes[number].join(timeout=5)
        code = self._processes[number].exitcode
        self._answers[number] = 0
        return RuntimeError(
            f"The writing process {number} of 'FileWriter' ended with exit code {code}. It was ended from outside, "
            "or the machine ran out of memory."
        )


def _stop(pipes: list[Connection], processes: list[Any], staging: Staging) -> None:
    """Processes whose pipe is closed end; what they wrote is removed unless it is complete."""
    for pipe in pipes:
        pipe.close()
    for process in processes:
        process.join(timeout=10)
        if process.is_alive():
            process.terminate()
            process.join()
    staging.abort()


def _work(
    pipe: Connection,
    others: list[Connection],
    path: str,
    schema: Schema,
    index_fields: list[str],
    desc: str,
    sealing: Seal | None,
    staging: Staging,
) -> None:
    """Body of a process; `others` are ends of pipes that came along and would hide that the parent ended."""
    ignore_interrupts()
    for other in others:
        other.close()
    try:
        writer = new_set([path], schema, index_fields, desc, seal=sealing, staging=staging)
        while (rows := pipe.recv()) is not _END:
            writer.write(encoded_rows(schema, rows))
            pipe.send(None)
        writer.finish()
        pipe.send(None)
    except EOFError:  # the writer is gone: nothing is committed
        pass
    except Exception as error:  # raised again by the writer, which reads it from the pipe
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            pipe.send(transferable(error))
    finally:
        pipe.close()
        os._exit(0)  # what the parent registered for its own end is not to be done here
