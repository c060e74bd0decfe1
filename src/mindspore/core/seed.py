"""The global seed (`mindspore.set_seed`): Python's, NumPy's and torch's generators start from it."""

from __future__ import annotations

import random
import sys

_seed: int | None = None
_pending = False  # set before torch was loaded
_version = 0
_operator_seeds: dict[tuple[int, str], int] = {}  # (version, kernel): how many seeds it has had
_SEED_STEP = 533697028  # observed: MindSpore 2.10


def set_seed(seed: int) -> None:
    """Sets the global seed of every random operator, initializer, data set and of `random` and `numpy.random`.

    Args:
        seed: 0 to 2**32 - 1, the range that NumPy takes.

    Raises:
        TypeError: `seed` is not an int.
        ValueError: `seed` is out of range.

    Examples:
        >>> mindspore.set_seed(3)
        >>> first = ops.standard_normal((2,))
        >>> mindspore.set_seed(3)
        >>> bool((ops.standard_normal((2,)) == first).all())
        True
    """
    global _seed, _pending, _version
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(
            f"For 'set_seed', the argument 'seed' must be type of int, but got {type(seed)}."
        )
    if not 0 <= seed < 2**32:
        raise ValueError(f"For 'set_seed', the 'seed' must be in [0, 2**32 - 1], but got {seed}.")
    seed_libraries(seed)
    _seed, _pending, _version = seed, True, _version + 1
    if "torch" in sys.modules:
        apply_pending()


def seed_libraries(seed: int) -> None:
    """Set the states of `random` and `numpy.random`, from which functions of the program draw."""
    import numpy  # here, because `import mindspore` alone must not load it

    numpy.random.seed(seed)
    random.seed(seed)


def get_seed() -> int | None:
    """The global seed, None if none was set."""
    return _seed


def _get_graph_seed(op_seed: int | None, kernel_name: str) -> tuple[int, int]:
    """The two seeds of a random operator: the global one, 0 if none was set, and the operator's own.

    Under a global seed, an operator without a seed gets another one at each call: 0 first, for each kernel.

    Args:
        op_seed: The operator's seed; None or 0 for none.
        kernel_name: The operator's name.

    Raises:
        TypeError: `op_seed` is not an int.
    """
    if op_seed is not None and (isinstance(op_seed, bool) or not isinstance(op_seed, int)):
        raise TypeError(f"For '{kernel_name}', the 'seed' must be int, but got '{op_seed}'.")
    if op_seed or _seed is None:
        return _seed or 0, op_seed or 0
    count = _operator_seeds.get((_version, kernel_name), 0)
    _operator_seeds[_version, kernel_name] = count + 1
    return _seed, count * _SEED_STEP % (2**31 - 1)


def version() -> int:
    """How often the seed was set: a stream of its own is restarted when this changes."""
    return _version


def apply_pending() -> None:
    """Seeds torch with a seed that was set before torch was loaded."""
    global _pending
    if _pending:
        import torch  # loaded by the caller: the core below the tensor does not load it

        torch.manual_seed(_seed)
        _pending = False
