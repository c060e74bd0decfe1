"""Generators of random numbers: their seed, and their state as a tensor that a checkpoint can hold."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import contextlib
import functools
import inspect
import json
from collections.abc import Callable
from collections.abc import Generator as Generation
from itertools import accumulate, pairwise
from typing import Any

import torch

from mindspore.core import check, context
from mindspore.core import seed as global_seed
from mindspore.core.errors import GraphTypeError
from mindspore.ir.runtime import runtime
from mindspore.operators import random

from .tensor import Tensor, elements_of, wrap

_HEAD = 8  # bytes of a number that precedes the text of a state
_SEEDS = range(-(2**63), 2**64)


class Generator:
    """A source of random numbers whose seed and state can be set.

    The state is a uint8 tensor of one axis: it can be saved as an entry of a checkpoint (`append_dict` and
    `append_info` take the generator itself) and set again in another run.

    Examples:
        >>> generator = mindspore.Generator()
        >>> generator.manual_seed(5).initial_seed()
        5
        >>> state = generator.get_state()
        >>> _ = generator.seed()
        >>> generator.set_state(state)
        >>> generator.initial_seed()
        5
    """

    def __init__(self) -> None:
        self._source = torch.Generator(context.torch_device())
        self._source.manual_seed(0)

    def seed(self) -> int:
        """Seed it with a random number.

        Returns:
            The number.
        """
        _outside("seed")
        return self._source.seed()

    def manual_seed(self, seed: int) -> Generator:
        """Seed it.

        Args:
            seed: A number of 64 bits; a negative one counts from 2**64.

        Returns:
            The generator itself.

        Raises:
            TypeError: If `seed` is no int.
            ValueError: If it is out of range.
        """
        _outside("manual_seed")
        self._source.manual_seed(_checked(seed))
        return self

    def initial_seed(self) -> int:
        """The number that it was seeded with.

        Returns:
            The number.
        """
        return self._source.initial_seed()

    def get_state(self) -> Tensor:
        """The state, from which the numbers that follow depend.

        Returns:
            A uint8 tensor of one axis.
        """
        _outside("get_state")
        return wrap(self._source.get_state())

    def set_state(self, state: Tensor) -> None:
        """Go on from a state.

        Args:
            state: What `get_state` of such a generator gave.

        Raises:
            TypeError: If it is no uint8 tensor.
            ValueError: If it is no state of such a generator.
        """
        _outside("set_state")
        _set(self._source, _bytes(state))


class _Common(Generator):
    """The generator that all operators draw from, with those that seeds of operators made."""

    def __init__(self) -> None:
        self._source = torch.default_generator

    def seed(self) -> int:
        _outside("seed")
        return torch.seed()

    def manual_seed(self, seed: int) -> Generator:
        _outside("manual_seed")
        self._source.manual_seed(_checked(seed))
        torch.cuda.manual_seed_all(seed)
        return self

    def get_state(self) -> Tensor:
        _outside("get_state")
        own, devices, streams = random.snapshot()
        keys = [[*key[:3], str(key[3])] for key in streams]
        parts = [own, *devices, *streams.values()]
        text = json.dumps({"devices": len(devices), "streams": keys, "lengths": [len(part) for part in parts]}).encode()
        head = len(text).to_bytes(_HEAD, "little") + text
        return wrap(torch.cat([torch.frombuffer(bytearray(head), dtype=torch.uint8), *parts]))

    def set_state(self, state: Tensor) -> None:
        _outside("set_state")
        content = _bytes(state)
        try:
            start = _HEAD + int.from_bytes(content[:_HEAD].numpy().tobytes(), "little")
            about = json.loads(content[_HEAD:start].numpy().tobytes())
            own, *parts = _parts(content[start:], about["lengths"])
            keys = [(*key[:3], torch.device(key[3]), global_seed.version()) for key in about["streams"]]
            devices, streams = parts[: about["devices"]], parts[about["devices"] :]
            _set(torch.Generator(), own)  # tried before anything changes
            for key, part in zip(keys, streams, strict=True):
                _set(torch.Generator(key[3]), part)
            random.restore((own, devices, dict(zip(keys, streams, strict=True))))
        except (ValueError, KeyError, TypeError, RuntimeError) as error:
            raise _no_state(str(error)) from None


def _parts(content: torch.Tensor, lengths: list[int]) -> list[torch.Tensor]:
    """Pieces of these lengths, each with memory of its own: torch wants states to be aligned."""
    ends = list(accumulate(lengths, initial=0))
    if min(lengths) < 0 or ends[-1] != len(content):
        raise ValueError(f"it has {len(content)} bytes, but {ends[-1]} are described")
    return [content[start:end].clone() for start, end in pairwise(ends)]


def _outside(what: str) -> None:
    """A graph would take the state of the moment when it is compiled for that of every run."""
    if runtime.building:
        raise GraphTypeError(f"For 'Generator', '{what}' cannot be called in a compiled function: call it outside.")


def _checked(seed: Any) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise check.fail(TypeError, "manual_seed", "seed", "an int", seed)
    if seed not in _SEEDS:
        raise check.fail(ValueError, "manual_seed", "seed", "in [-2**63, 2**64)", seed)
    return seed


def _bytes(state: Any) -> torch.Tensor:
    check.instance("set_rng_state", "state", state, Tensor)
    data = elements_of(state).detach().cpu()
    if data.dtype is not torch.uint8 or data.dim() != 1:
        raise TypeError(f"For 'set_rng_state', the 'state' must be a uint8 tensor of one axis, as 'get_rng_state' "
                        f"gives it, but got {state.dtype} of shape {state.shape}.")
    return data.clone()


def _set(source: torch.Generator, state: torch.Tensor) -> None:
    try:
        source.set_state(state)
    except RuntimeError as error:
        raise _no_state(str(error)) from None


def _no_state(why: str) -> ValueError:
    return ValueError("For 'set_rng_state', the 'state' must be one that 'get_rng_state' of such a generator gave: "
                      f"{why.splitlines()[0]}")


default_generator = _Common()


@contextlib.contextmanager
def drawing(owner: str, generator: Any) -> Generation[None]:
    """What is drawn inside comes from a generator, whose state advances; None: the common one."""
    if generator is None or generator is default_generator:
        yield
        return
    if not isinstance(generator, Generator):
        raise check.fail(TypeError, owner, "generator", "a Generator or None", generator)
    _outside(f"'{owner}' with a generator of its own")
    source = generator._source
    common = torch.cuda.default_generators[source.device.index or 0] if source.device.type == "cuda" else (
        torch.default_generator)
    kept = common.get_state()
    common.set_state(source.get_state())
    try:
        yield
    finally:
        source.set_state(common.get_state())
        common.set_state(kept)


def draws(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator of a function that draws: it takes a `generator`, and the function itself never sees one."""
    names = list(inspect.signature(fn).parameters.values())
    place = next(n for n, p in enumerate(names) if p.name == "generator")
    place = place if names[place].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD else len(names)

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        generator = kwargs.pop("generator", None)
        if len(args) > place:
            args, generator = (*args[:place], None, *args[place + 1:]), args[place]
        if generator is None:
            return fn(*args, **kwargs)
        with drawing(fn.__name__.lstrip("_"), generator):
            return fn(*args, **kwargs)
    return call


def seed() -> int:
    """Seed the generator of all operators with a random number.

    Returns:
        The number.

    Examples:
        >>> mindspore.common.generator.seed() == mindspore.initial_seed()
        True
    """
    return default_generator.seed()


def manual_seed(seed: int) -> Generator:
    """Seed the generator of all operators. `mindspore.set_seed` seeds NumPy, Python and data sets as well.

    Args:
        seed: A number of 64 bits; a negative one counts from 2**64.

    Returns:
        The generator of all operators.

    Raises:
        TypeError: If `seed` is no int.
        ValueError: If it is out of range.

    Examples:
        >>> mindspore.manual_seed(3).initial_seed()
        3
    """
    return default_generator.manual_seed(seed)


def initial_seed() -> int:
    """The number that the generator of all operators was seeded with.

    Returns:
        The number.
    """
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the generator of all operators, and of those that seeds of operators made.

    Returns:
        A uint8 tensor of one axis.

    Examples:
        >>> state = mindspore.get_rng_state()
        >>> first = ops.standard_normal((2,))
        >>> mindspore.set_rng_state(state)
        >>> bool((ops.standard_normal((2,)) == first).all())
        True
    """
    return default_generator.get_state()


def set_rng_state(state: Tensor) -> None:
    """Let the generator of all operators go on from a state.

    Args:
        state: What `get_rng_state` gave, in this run or an earlier one.

    Raises:
        TypeError: If it is no uint8 tensor of one axis.
        ValueError: If it is no such state.
    """
    default_generator.set_state(state)


__all__ = ["Generator", "default_generator", "get_rng_state", "initial_seed", "manual_seed", "seed", "set_rng_state"]
