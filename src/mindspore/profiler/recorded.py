"""What was measured, as plain values, and the file that keeps them until they are analysed."""
from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from mindspore.core import json_shapes, json_text, plain_files
from mindspore.formats.files import atomic

VERSION = 1             # of the file
FILE = "recording_0.json"
_LARGEST = 2**34        # bytes of it
LANES = {"Compile": 3, "mstx": 4, "Data": 5, "Torch": 7, "Device": 8, "Callback": 10, "Rows": 11,
         "Call": 12}    # what spans are of, and where a trace shows them


class Event(NamedTuple):
    """An application of an operator.

    Attributes:
        name: Of the operator.
        scope: The path of cells, if known.
        phase: forward, reverse or optimizer; "" in PyNative mode.
        file: The user's, with `line` and `function`; "" if no line of the user's is known.
        start: In ns of `time.perf_counter_ns`.
        duration: In ns, without operators that it applied itself.
        shapes: Of its tensors.
        flops: Floating-point operations by its cost rule; 0 without one.
        step: The number of the step.
        thread: The number of the thread, from 0 in order of appearance.
        stack: The lines of the program that led there, the innermost first, if that was asked for.
        lead: The ns before it since the thread's last operator ended, in which Python ran.
        moved: Bytes of its inputs and results; 0 where that is not known.
        within: The ns of the operators that it applied itself.
        effect: What it does beside computing, as the operator says: "communication", "io", "random", or "".
    """

    name: str
    scope: str
    phase: str
    file: str
    line: int
    function: str
    start: int
    duration: int
    shapes: tuple[tuple[int, ...], ...]
    flops: int
    step: int
    thread: int = 0
    stack: tuple[str, ...] = ()
    lead: int = 0
    moved: int = 0
    within: int = 0
    effect: str = ""


class Span(NamedTuple):
    """Anything else that takes time.

    Attributes:
        lane: Of which kind it is: what are shown together.
        name: What is shown.
        start: In ns of `time.perf_counter_ns`.
        duration: In ns; -1 for a moment.
        step: The number of the step; -1 where none is known.
        args: What else is known of it.
    """

    lane: str
    name: str
    start: int
    duration: int
    step: int = -1
    args: dict[str, Any] = {}


class Step(NamedTuple):
    """A step of the training: its number, when it began and how long it took, in ns."""

    number: int
    start: int
    duration: int


class Peak(NamedTuple):
    """What a machine does at its best.

    Attributes:
        flops: Floating-point operations in a second, of 32 bits.
        bandwidth: Bytes that are read or written in a second.
    """

    flops: float
    bandwidth: float


class Memory(NamedTuple):
    """Memory was allocated, or released.

    Attributes:
        time: In ns of `time.perf_counter_ns`.
        size: Bytes, negative where they are released.
        total: Bytes that are held afterwards, of those that were allocated during the measurement.
        reserved: Bytes that the allocator of a GPU holds; 0 on the host.
        device: "cpu", "cuda:0", ...
        pointer: Where it lies.
    """

    time: int
    size: int
    total: int
    reserved: int
    device: str
    pointer: int


class PipelineStage(NamedTuple):
    """A stage of a data pipeline.

    Attributes:
        number: From 0, the stage that gives rows to the program.
        name: What it does.
        workers: How many work on it.
        rows: That it gave.
        seconds: That its workers spent.
        parent: The number of the stage that takes its rows; -1 for the program.
    """

    number: int
    name: str
    workers: int
    rows: int
    seconds: float
    parent: int


class Pipeline(NamedTuple):
    """A data pipeline: its stages, the seconds that the program waited for it, and its queue of rows.

    Attributes:
        stages: Number 0 first.
        waited: Seconds.
        waits: How often it had to wait.
        capacity: How many rows the queue before the program holds.
        queue: When (in ns of `time.perf_counter_ns`) how many rows were in it.
    """

    stages: list[PipelineStage]
    waited: float
    waits: int
    capacity: int
    queue: list[tuple[int, int]]


@dataclass
class Recorded:
    """What was measured.

    Attributes:
        epoch: ns since 1970 at which the clock of all times here was 0.
        events: The applications of operators, in order of time.
        steps: The steps.
        spans: Whatever else took time.
        memory: What was allocated and released, in order of time, if that was to be measured.
        host: Time in ns, busy cores and bytes of the process, ten times a second, if that was to be measured.
        pipelines: The data pipelines, if they were to be measured.
        peak: What the machine does at its best, if operators were measured.
        shapes: Whether shapes are to be shown.
        databases: Whether tables are to be written as a database; `texts` as texts.
        metadata: What the program said of itself.
    """

    epoch: int
    events: list[Event] = field(default_factory=list[Event])
    steps: list[Step] = field(default_factory=list[Step])
    spans: list[Span] = field(default_factory=list[Span])
    memory: list[Memory] = field(default_factory=list[Memory])
    host: list[tuple[int, float, int]] = field(default_factory=list[tuple[int, float, int]])
    pipelines: list[Pipeline] = field(default_factory=list[Pipeline])
    peak: Peak | None = None
    shapes: bool = False
    databases: bool = False
    texts: bool = True
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])

    def of_steps(self, numbers: list[int] | None) -> Recorded:
        """What belongs to these steps; all for None."""
        if numbers is None:
            return self
        wanted = set(numbers)
        return replace(self, events=[e for e in self.events if e.step in wanted],
                       memory=[m for m in self.memory if self._within(m.time, wanted)],
                       host=[h for h in self.host if self._within(h[0], wanted)],
                       steps=[s for s in self.steps if s.number in wanted],
                       spans=[s for s in self.spans if s.step in wanted])

    def clock(self, time: int) -> str:
        """Microseconds since 1970 of a time, as a text: a float would lose a quarter of one."""
        now = self.epoch + time
        return f"{now // 1000}.{now % 1000:03d}"

    def _within(self, time: int, wanted: set[int]) -> bool:
        return any(s.start <= time < s.start + s.duration for s in self.steps if s.number in wanted)

    def save(self, folder: Path) -> None:
        """Write the file that `loaded` reads."""
        with atomic(folder / FILE, None) as file:
            file.write(json.dumps({"version": VERSION, **_shallow(self)}, separators=(",", ":")).encode())


def _shallow(found: Recorded) -> dict[str, Any]:
    return {name: getattr(found, name) for name in Recorded.__dataclass_fields__}


def loaded(path: Path) -> Recorded:
    """What `Recorded.save` wrote.

    Raises:
        ValueError: The file is damaged, or of another version.
        OSError: It cannot be read.
    """
    try:
        text = plain_files.content(path, _LARGEST)
        found = json_text.writable(text, json_text.parsed(text))
        if found.pop("version") != VERSION:
            raise ValueError("another release wrote it")
        kinds = get_type_hints(Recorded)
        if found.keys() != kinds.keys():
            raise ValueError(f"it has {sorted(found)}, not {sorted(kinds)}")
        return _consistent(Recorded(**{name: json_shapes.made(kind, found[name]) for name, kind in kinds.items()}))
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise ValueError(f"'{path}' is no measurement that can be analysed: {error}.") from error


def _consistent(found: Recorded) -> Recorded:
    """What was measured, whose parts belong together.

    Raises:
        ValueError: They do not.
    """
    unknown = {span.lane for span in found.spans} - LANES.keys()
    threads = [span.args["tid"] for span in found.spans if type(span.args.get("tid", 0)) is not int]
    parents = [(stage, len(one.stages)) for one in found.pipelines for number, stage in enumerate(one.stages)
               if stage.number != number or not -1 <= stage.parent < len(one.stages)]
    for what, wrong in (("spans of an unknown kind", unknown), ("threads that have no number", threads),
                        ("stages that do not belong together", parents)):
        if wrong:
            raise ValueError(f"there are {what}: {next(iter(wrong))!r}")
    return found


__all__ = ["FILE", "Event", "Memory", "Peak", "Pipeline", "PipelineStage", "Recorded", "Span", "Step", "loaded"]
