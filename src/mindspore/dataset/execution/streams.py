"""Random numbers that depend on the row and the operation only, however rows come together in blocks."""

from __future__ import annotations

import pickle
import random

import numpy as np

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15  # the golden ratio, as in SplitMix64 (Steele, Lea and Flood 2014)


def mixed(value: int) -> int:
    """The 64 bits of `value` scattered: the finaliser of SplitMix64."""
    value &= MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


class Worker:
    """What a process knows of itself."""

    inside = False  # whether it is a worker, whose functions draw from `random` and `numpy.random` as they please


def shared_draws() -> bytes:
    """The state of `random` and `numpy.random`, from which all threads draw: another one after a draw."""
    return pickle.dumps((random.getstate(), np.random.get_state(legacy=False)))


def begin_anew(key: int, number: int) -> None:
    """In a worker process, let `random` and `numpy.random` begin anew for the row or batch of this number.

    So results depend neither on the number of workers nor on where a pass is resumed.
    """
    if Worker.inside:
        seed = mixed(mixed(number) + key)
        random.seed(seed)
        np.random.seed(seed & 0xFFFFFFFF)


def _mixed_each(values: np.ndarray) -> np.ndarray:
    """`mixed` of each of an array of uint64."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


class Streams:
    """The streams of the rows of a block.

    Args:
        numbers: Numbers of the rows in their pass.
    """

    def __init__(self, numbers: np.ndarray):
        self._numbers = numbers.astype(np.uint64)
        self.count = len(numbers)
        self._key, self._row = 0, -1
        self._drawn = 0
        self._generator: np.random.Generator | None = None
        self._begun = False

    def begin(self, key: int, row: int = -1) -> None:
        """Turn to the operation with this key, for the row at this place in the block, or for all rows at once."""
        self._key, self._row = key, row
        self._drawn, self._begun = 0, False

    def rewind(self) -> None:
        """Turn back to where the present operation began to draw."""
        self.begin(self._key, self._row)

    def uniforms(self, count: int) -> np.ndarray:
        """The next `count` numbers in [0, 1): (count,) for one row, (count, rows) for all."""
        steps = [(self._drawn + i + 1) * GAMMA for i in range(count)]
        self._drawn += count
        if self._row >= 0:
            seed = self._seed()
            return np.array([(mixed(seed + step) >> 11) * 2.0**-53 for step in steps])
        with np.errstate(over="ignore"):
            seeds = _mixed_each(_mixed_each(self._numbers) + np.uint64(self._key))
            offsets = np.array([step & MASK for step in steps], np.uint64)
            bits = _mixed_each(offsets[:, None] + seeds)
        return (bits >> np.uint64(11)) * 2.0**-53

    def _seed(self) -> int:
        """Seed of the present row."""
        return mixed(mixed(int(self._numbers[self._row])) + self._key)

    def generator(self) -> np.random.Generator:
        """The stream of the present row as a NumPy generator."""
        if self._generator is None:
            self._generator = np.random.Generator(np.random.PCG64(0))
        if not self._begun:
            seed = self._seed()
            self._generator.bit_generator.state = {
                "bit_generator": "PCG64",
                "state": {"state": (seed << 64) | mixed(seed + GAMMA), "inc": (seed << 1) | 1},
                "has_uint32": 0,
                "uinteger": 0,
            }
            self._begun = True
        return self._generator
