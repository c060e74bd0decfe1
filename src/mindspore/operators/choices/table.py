"""The table of choices: what was measured on this machine, or what follows from common sizes of caches and costs."""
from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Generator
from typing import NamedTuple

import torch

from . import files

NEVER = 1 << 62              # a size from which on something is used that never is


class Choices(NamedTuple):
    """Thresholds and costs; times are nanoseconds on one thread, `least` are floating-point operations.

    Attributes:
        flops: Operations per nanosecond of one thread; 0 if that is measured when it is needed, with the next three.
        gain: How much more all threads do than one.
        region: What it takes to begin and end a parallel region.
        meeting: In which all threads meet.
        kernel_alone: Work of an element-wise kernel below which it is not shared out.
        element_cheap, element_dear: Time per element of an instruction, and of a function such as the exponential.
        costly_least: Elements from which on an exponential and the like, or a normalisation, is worth a kernel at O1.
        program_most: Operations of a training step that becomes one native program at O1, at most.
        program_weights: Weights of a convolution in a native program, at most.
        product_least: Of a generated product of matrices.
        product_edge: The least extent of its operands.
        product_flop: Time of one of its operations.
        product_alone: Work of one below which it is not shared out.
        product_reached: What products reach of `flops`, as a fraction.
        split_least, split_edge: The same two of a product by tiles of 16-bit floats, where the processor has them.
        attention_keys: Keys from which on torch's blocked kernel, which keeps no weights, computes attention.
        attention_least, attention_flop, attention_alone: The same of generated attention.
        window_least, window_flop, window_alone: The same of generated convolutions of three by three.
        window_weight_least: Of the generated cotangent of their weights.
        window_channels: The fewest channels of these, on both sides.
        window_tiles: The fewest tiles of two by two.
        window_near: Floats of the points of a chunk of tiles, which stay near the processor.
        norm_least: Elements from which on normalisation over the batch is generated.
        lstm_least: Of a generated layer of long short-term memory.
        lstm_units: The most units of one.
        lstm_flop, lstm_alone: Time of an operation, and the work of a step below which it is not shared out.
        torch_short: Time of a kernel of torch up to which no sleeping thread is woken.
        torch_short_product: The same for a product.
        torch_streaming: The same for kernels that only stream through memory, outside of graphs.
        torch_long: Of a graph, all of whose kernels get all threads from this time on.
        torch_flop, torch_element, torch_streamed: Time per operation of a product, per element, per element streamed.
    """

    flops: float = 0.0
    gain: float = 0.0
    region: float = 0.0
    meeting: float = 0.0
    kernel_alone: float = 20_000.0
    element_cheap: float = 0.12
    element_dear: float = 0.5
    costly_least: float = 1 << 18
    program_most: float = 2_000_000_000
    program_weights: float = 1 << 13
    product_least: float = 1 << 25
    product_edge: float = 16
    product_flop: float = 0.01
    product_alone: float = 60_000.0
    product_reached: float = 0.85
    split_least: float = 1 << 25
    split_edge: float = 256
    attention_keys: float = 256
    attention_least: float = 1 << 25
    attention_flop: float = 0.012
    attention_alone: float = 60_000.0
    window_least: float = 1 << 25
    window_flop: float = 0.005
    window_alone: float = 100_000.0
    window_weight_least: float = 1 << 25
    window_channels: float = 32
    window_tiles: float = 64
    window_near: float = 3 << 17
    norm_least: float = 1 << 15
    lstm_least: float = 1 << 25
    lstm_units: float = 1 << 10
    lstm_flop: float = 0.01
    lstm_alone: float = 40_000.0
    torch_short: float = 200_000.0
    torch_short_product: float = 450_000.0
    torch_streaming: float = 70_000.0
    torch_long: float = 50_000_000.0
    torch_flop: float = 0.015
    torch_element: float = 2.0
    torch_streamed: float = 0.1

    def digest(self) -> str:
        """What represents this table in the keys of caches."""
        return hashlib.blake2b(repr(tuple(self)).encode(), digest_size=12).hexdigest()


_forced: list[Choices] = []


def choices() -> Choices:
    """The table for the current number of threads."""
    return _forced[-1] if _forced else _stored(torch.get_num_threads())


@contextlib.contextmanager
def using(table: Choices) -> Generator[Choices]:
    """Let a table hold for a while, in all threads."""
    _forced.append(table)
    try:
        yield table
    finally:
        _forced.remove(table)


@functools.cache
def _stored(threads: int) -> Choices:
    found = files.read(threads, Choices._fields)
    return Choices()._replace(**found) if found else Choices()
