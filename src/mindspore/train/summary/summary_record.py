"""`SummaryRecord`: values of a training in event files."""
from __future__ import annotations

import atexit
import glob
import os
import re
import socket
import stat
import threading
import time
import urllib.parse
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mindspore.core import check, context, log
from mindspore.distributed import get_rank
from mindspore.eager.tensor import Tensor, wrap
from mindspore.formats import tensorboard_events
from mindspore.formats.event_records import Maker, Record
from mindspore.formats.event_values import Sampled
from mindspore.formats.events import EVENTS, LINEAGE, VERSION
from mindspore.formats.files import atomic, write_array
from mindspore.ir.runtime import runtime
from mindspore.nn import Cell

from .graph import compiled_graph
from .taken import LINEAGES, PLUGINS, VALUES, Latest, Message, message_of, sampled
from .writer import EventFile, Writer

_PREFIX = re.compile(r"\w+[0-9a-zA-Z_.]*", re.ASCII)
_FORMATS = {"tensor_format": ("npy", None), "event_format": ("tensorboard", None)}

_counting = threading.Lock()
_stems: set[str] = set()


def _taken(folder: str, stem: Callable[[int], str]) -> tuple[int, str]:
    """The second that names the files of a record, and what they are called: two records never write one file."""
    now = int(time.time())
    with _counting:
        while (path := os.path.join(folder, stem(now))) in _stems or glob.glob(f"{glob.escape(path)}*"):
            now += 1
        _stems.add(path)
    return now, stem(now)


class SummaryRecord:
    """Writes values of a training to event files, which MindInsight shows.

    What summary operators are given (`ops.ScalarSummary` and its kin) and what `add_value` takes is written by
    `record`, under its step. A thread writes, the training never waits for the disk: of a full disk, or one that
    stands still, the log tells, and values are left out.

    One record at a time is open in a process. An open one is closed at the end of the program.

    Args:
        log_dir: The folder of the files, which is made if it is missing.
        file_prefix: Begin of the file's name.
        file_suffix: End of the file's name.
        num_process: How many processes write in the original; here a thread does, and a process for large values, for
            any number from 1 on.
        network: The cell whose compiled graph the first record writes.
        max_file_size: The most bytes that a file may have; what follows is not written. None or 0 for any number.
        raise_exception: Whether errors of writing are also raised, by the next call.
        export_options: What else is written: `{"tensor_format": "npy"}` for tensors as NumPy's files in
            `export_<seconds>/tensor`; `{"event_format": "tensorboard"}`, which only this package has, for
            scalars, tensors, histograms and images in an event file of TensorBoard's, too.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If an argument has a wrong value.
        RuntimeError: If another record is open.
        OSError: If the folder cannot be made.

    Examples:
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with mindspore.SummaryRecord(folder) as summary:
        ...         for step in range(1, 4):
        ...             summary.add_value("scalar", "loss", Tensor(1.0 / step))
        ...             _ = summary.record(step)
        ...     [name.split(".")[:4] for name in os.listdir(folder)]
        [['events', 'out', 'events', 'summary']]
    """

    count = 0

    def __init__(self, log_dir: str, file_prefix: str = "events", file_suffix: str = "_MS", num_process: int = 32,
                 network: Cell | None = None, max_file_size: int | None = None, raise_exception: bool = False,
                 export_options: dict[str, str | None] | None = None):
        self._closed = True
        self._check_names(log_dir, file_prefix, file_suffix)
        check.positive_int(self, "num_process", num_process)
        limit = self._limit(max_file_size)
        if network is not None:
            check.instance(self, "network", network, Cell)
        check.boolean(self, "raise_exception", raise_exception)
        self._options = self.checked_options("SummaryRecord", export_options)
        self._network, self._mode, self._has_graph = network, "train", False
        self._pool: dict[str, list[Sampled | Message]] = {}
        with _counting:
            if SummaryRecord.count > 0:
                raise RuntimeError("For 'SummaryRecord', only one may be open at a time, and another is: close it "
                                   "first, or use it in a `with` statement.")
            os.makedirs(log_dir, exist_ok=True)
            SummaryRecord.count += 1
        self._closed = False
        self._open(os.path.realpath(log_dir), file_prefix, file_suffix, limit, raise_exception)
        if runtime.summaries is None:
            runtime.summaries = Latest()
        self._at_exit = weakref.WeakMethod(self.close)
        atexit.register(_close, self._at_exit)

    def _check_names(self, folder: Any, prefix: Any, suffix: Any) -> None:
        check.string(self, "log_dir", folder)
        if not folder.strip():
            raise check.fail(ValueError, self, "log_dir", "the name of a folder, not blank", folder)
        for name, value in (("file_prefix", prefix), ("file_suffix", suffix)):
            check.string(self, name, value)
        if not _PREFIX.fullmatch(prefix):
            raise check.fail(ValueError, self, "file_prefix", "letters, digits, '_' and '.', a letter first", prefix)
        if not re.fullmatch(r"[\w.\-]*", suffix):
            raise check.fail(ValueError, self, "file_suffix", "letters, digits, '_', '-' and '.'", suffix)

    def _limit(self, size: Any) -> int:
        if size is None:
            return 0
        limit = check.integer(self, "max_file_size", size)
        if limit < 0:
            log.warning("For 'SummaryRecord', the 'max_file_size' should be greater than 0, but got %s: files may have "
                        "any size.", limit)
        return max(limit, 0)

    @staticmethod
    def checked_options(owner: str, options: Any) -> dict[str, str | None]:
        """The options of export, if they are such.  TypeError or ValueError if not."""
        for key, value in check.instance(owner, "export_options", options or {}, dict).items():
            check.option(owner, "export_options", key, _FORMATS)
            if value is not None:
                check.string(owner, f"export_options[{key!r}]", value)
            check.option(owner, f"export_options[{key!r}]", value, _FORMATS[key])
        return dict(options or {})

    def _open(self, folder: str, prefix: str, suffix: str, limit: int, raises: bool) -> None:
        host = socket.gethostname()
        now, stem = _taken(folder, lambda now: f"{prefix}.out.events.summary.{now}.{_number()}.{host}")
        self._folder, self._export = folder, os.path.join(folder, f"export_{now}", "tensor")
        self._path = os.path.join(folder, stem + suffix)
        first = EVENTS.Event(wall_time=time.time(), version=VERSION).SerializeToString()
        files = {"summary": EventFile(self._path, first, limit),
                 "lineage": EventFile(os.path.join(folder, stem + "_lineage"), b"", limit)}
        if self._options.get("event_format"):
            files["tensorboard"] = EventFile(os.path.join(folder, f"{prefix}.out.tfevents.{now}.{host}"),
                                             tensorboard_events.version(time.time()), limit)
        self._maker = Maker()
        self._writer = Writer(files, raises, self._maker.close)

    # ------------------------------------------------------------------ values

    @property
    def log_dir(self) -> str:
        """The path of the event file."""
        return self._path

    def set_mode(self, mode: str) -> None:
        """Say whether the program trains or evaluates: while it evaluates, values of operators are not recorded.

        Args:
            mode: "train" or "eval".

        Raises:
            ValueError: If it is something else.

        Examples:
            >>> import tempfile
            >>> with tempfile.TemporaryDirectory() as folder, mindspore.SummaryRecord(folder) as summary:
            ...     summary.set_mode("eval")
        """
        self._mode = check.option("SummaryRecord.set_mode", "mode", mode, ("train", "eval"))

    def add_value(self, plugin: str, name: str, value: Any) -> None:
        """Take a value for the next record.

        Args:
            plugin: What it is: "scalar", "tensor", "histogram" or "image" for a tensor; "graph" for the bytes or the
                message of a graph; "landscape"; "train_lineage", "eval_lineage", "dataset_graph" or
                "custom_lineage_data".
            name: Its name, for tensors and landscapes.
            value: A tensor, with one element for a scalar, at least one dimension for a tensor or histogram, (N, C, H,
                W) with one or three channels for an image; or a message of the format.

        Raises:
            TypeError: If the value has another type, or complex elements.
            ValueError: If the plug-in is unknown, the name empty, or the shape of the tensor another one.

        Examples:
            >>> import tempfile
            >>> with tempfile.TemporaryDirectory() as folder, mindspore.SummaryRecord(folder) as summary:
            ...     summary.add_value("scalar", "loss", Tensor(0.5))
            ...     summary.record(1)
            True
        """
        if plugin in VALUES:
            if not isinstance(name, str) or not name:
                raise check.fail(ValueError, "SummaryRecord.add_value", "name", "a str, not empty", name)
            if not isinstance(value, Tensor):
                raise check.fail(TypeError, "SummaryRecord.add_value", "value", "a Tensor", value)
            self._take(sampled(plugin, name, value))
        else:
            check.option("SummaryRecord.add_value", "plugin", plugin, PLUGINS)
            self._take(Message(plugin, name, message_of(plugin, value)))

    def _take(self, one: Sampled | Message) -> None:
        listed = self._pool.setdefault(one.plugin, [])
        if isinstance(one, Sampled) and any(other.tag == one.tag for other in listed):
            log.warning("For 'SummaryRecord.add_value', '%s/%s' has several values at one step: all are recorded.",
                        one.tag, one.plugin)
        listed.append(one)

    def record(self, step: int, train_network: Cell | None = None,
               plugin_filter: Callable[[str], bool] | None = None) -> bool:
        """Write what was taken and what summary operators were given since the last record, under a step.

        Args:
            step: The number of the step.
            train_network: The cell whose compiled graph is written, unless one was: in place of `network`.
            plugin_filter: Says of the name of a plug-in whether its values are written; those that are not are dropped.

        Returns:
            Whether the values will be written: False for a record that is closed, or when too much waits for the disk.

        Raises:
            TypeError: If an argument has another type.
            OSError: An earlier value could not be written, and `raise_exception` is set.

        Examples:
            >>> import tempfile
            >>> with tempfile.TemporaryDirectory() as folder, mindspore.SummaryRecord(folder) as summary:
            ...     summary.add_value("histogram", "weights", ops.ones((3, 2)))
            ...     summary.record(1, plugin_filter=lambda plugin: plugin == "histogram")
            True
        """
        check.integer("SummaryRecord.record", "step", step, -2**63, 2**63 - 1)
        if train_network is not None:
            check.instance("SummaryRecord.record", "train_network", train_network, Cell)
        if plugin_filter is not None and not callable(plugin_filter):
            raise check.fail(TypeError, "SummaryRecord.record", "plugin_filter", "a function or None", plugin_filter)
        if self._closed:
            log.error("For 'SummaryRecord.record', the record is closed: nothing is written.")
            return False
        self._take_graph(train_network or self._network)
        self._take_operators()
        pool, self._pool = self._pool, {}
        values = [one for plugin, listed in pool.items() if plugin_filter is None or plugin_filter(plugin)
                  for one in listed]
        if not values:
            return True
        size = sum(one.array.nbytes if isinstance(one, Sampled) else one.content.ByteSize() for one in values)
        return self._writer.put(self._job(values, step, time.time()), size)

    def beside(self, work: Callable[[], None], size: int) -> bool:
        """Let the thread that writes do some work, which holds so many bytes; False if too much waits already."""
        def job() -> Iterator[Record]:
            work()
            yield from ()
        return not self._closed and self._writer.put(job, size)

    def _take_graph(self, network: Cell | None) -> None:
        if network is None or self._has_graph:
            return
        found = compiled_graph(network)
        if found is not None:
            self._has_graph = True
            self._pool = {"graph": [Message("graph", "", found)], **self._pool}      # before values
        elif context.state.mode == context.GRAPH_MODE:
            log.warn_once("For 'SummaryRecord', the graph of '%s' is not written yet: the cell was not run compiled.",
                          type(network).__name__)

    def _take_operators(self) -> None:
        """What operators of this thread were given; while evaluating, it stays with them until training continues."""
        given = runtime.summaries
        if given is None:
            runtime.summaries = Latest()
        elif given and self._mode == "train":
            for one in [*given] if context.state.mode != context.GRAPH_MODE else sorted(given, key=_in_graphs):
                self._take(sampled(one.kind, one.tag, wrap(one.value)))
            given.clear()

    def _job(self, values: Sequence[Sampled | Message], step: int, at: float) -> Callable[[], Iterator[Record]]:
        """What makes records of values, in the thread that writes."""
        def made() -> Iterator[Record]:
            yield from self._messages([one for one in values if isinstance(one, Message)], step, at)
            arrays = [one for one in values if isinstance(one, Sampled)]
            if arrays:
                yield from self._maker.records(arrays, step, at, bool(self._options.get("event_format")))
                if self._options.get("tensor_format"):
                    for one in arrays:
                        if one.plugin == "tensor":
                            self._save(one, step)
        return made

    def _messages(self, values: Sequence[Message], step: int, at: float) -> Iterator[Record]:
        for one in values:
            if one.plugin in LINEAGES:
                event = LINEAGE.LineageEvent(wall_time=at)
                getattr(event, LINEAGES[one.plugin][1]).CopyFrom(one.content)
                yield "lineage", event.SerializeToString(deterministic=True)
            elif one.plugin == "graph":
                yield "summary", EVENTS.Event(wall_time=at, graph_def=one.content).SerializeToString()
            else:
                event = EVENTS.Event(wall_time=at, step=step)
                event.summary.value.add(tag=one.tag, loss_landscape=one.content)
                yield "summary", event.SerializeToString()

    def _save(self, one: Sampled, step: int) -> None:
        """Write a tensor as a file of NumPy's."""
        os.makedirs(self._export, exist_ok=True)
        name = f"{urllib.parse.quote(one.tag, safe='')}_{step}.npy"
        with atomic(os.path.join(self._export, name), stat.S_IRUSR) as file:
            write_array(file, one.array)

    # ------------------------------------------------------------------ files

    def flush(self) -> None:
        """Wait until all records so far are written, or the disk has taken nothing for half a minute.

        Raises:
            OSError: One of them could not be written, and `raise_exception` is set.

        Examples:
            >>> import os, tempfile
            >>> with tempfile.TemporaryDirectory() as folder, mindspore.SummaryRecord(folder) as summary:
            ...     summary.add_value("scalar", "loss", Tensor(0.5))
            ...     _ = summary.record(1)
            ...     summary.flush()
            ...     os.path.getsize(summary.log_dir) > 0
            True
        """
        if self._closed:
            log.error("For 'SummaryRecord.flush', the record is closed.")
        else:
            self._writer.flush()

    def close(self) -> None:
        """Write what waits, and close the files; a second call does nothing.

        Raises:
            OSError: A value could not be written, and `raise_exception` is set.

        Examples:
            >>> import tempfile
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     summary = mindspore.SummaryRecord(folder)
            ...     summary.close()
            ...     summary.record(1)
            False
        """
        with _counting:
            if self._closed:
                return
            self._closed = True
            SummaryRecord.count -= 1
        atexit.unregister(self._at_exit)
        if isinstance(runtime.summaries, Latest):
            runtime.summaries = None
        self._writer.close()

    def __enter__(self) -> SummaryRecord:
        if self._closed:
            raise ValueError("For 'SummaryRecord', a `with` statement needs an open record, but this one is closed.")
        return self

    def __exit__(self, *err: Any) -> None:
        self.close()


def _in_graphs(one: Any) -> tuple[str, str]:
    """The order of values of one step in the original's graph mode."""
    return one.tag, one.kind


def _number() -> int:
    """What tells the files of the processes of one training apart."""
    return get_rank() if context.parallel.device_num > 1 else context.state.device_id


def _close(method: Callable[[], Any]) -> None:
    close = method()
    if close is not None:
        close()


__all__ = ["SummaryRecord"]
