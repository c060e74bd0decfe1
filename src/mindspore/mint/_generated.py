"""What programs import from `mindspore.ops.auto_generate`: primitives, functions, and ready primitives (`sum_ext_op`).

Primitives and functions are rows of `_generated_rows`; a ready one is made of any primitive whose constructor takes
nothing, at first use.
"""
from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from mindspore import ops
from mindspore.ops import _gradient_primitives
from mindspore.ops.primitive import Primitive
from mindspore.ops.signatures import compiled

from ._generated_parts import SCOPE
from ._generated_rows import LAYERS, ROWS
from ._generated_rows_more import DERIVATIVES, SEVERAL


class GeneratedPrimitive(Primitive):
    """A primitive that gives what a row says."""

    settings = inspect.Signature()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(type(self).__name__)
        bound = self.settings.bind(*args, **kwargs)
        bound.apply_defaults()
        self.keep(**bound.arguments)


def _read(rows: str) -> Iterator[tuple[str, Any]]:
    """What the rows define, by name."""
    for line in rows.strip().splitlines():
        if line.startswith("#"):
            continue
        head, _, result = line.partition(" = ")
        primitive, name, parameters = head.split(" ", 2)
        if name != "-":
            yield name, _function(name, parameters, result)
        if primitive != "-":
            kind, _, settings = primitive.partition("(")
            yield kind, _class(kind, settings.rstrip(")"), parameters, result)


def _function(name: str, parameters: str, result: str) -> Callable[..., Any]:
    return compiled(f"def {name}{parameters}: return {result}", name, __name__, f"The same as `{result}`.", **SCOPE)


def _class(name: str, settings: str, parameters: str, result: str) -> type[GeneratedPrimitive]:
    doc = f"`{name}({settings}){parameters}` is `{result}`."
    call = compiled(f"def __call__(self, {parameters[1:]}: return {result}", "__call__", __name__, doc, **SCOPE)
    taken = inspect.signature(eval(f"lambda {settings}: None", dict(SCOPE)))         # of the rows
    return type(name, (GeneratedPrimitive,), {"__call__": call, "__module__": __name__, "__doc__": doc,
                                              "settings": taken, "__signature__": taken})


_FOUND = {name: made for rows in (ROWS, LAYERS, DERIVATIVES, SEVERAL) for name, made in _read(rows)}
globals().update(_FOUND)

# Ready primitives: those whose names say words otherwise than their classes, and those whose classes have other names
_WORDS = (
    "acos adamw add_layernorm_v2 addn apply_adamw argmax_ext argmin_ext argsort atan2_ext bmm_ext count_nonzero "
    "dist_comm_all_to_all_v_c divmod divmods fast_gelu fast_gelu_grad fft_shapecopy fftfreq fftshift "
    "fused_add_topk_div gelu gelu_grad gmm_v2_backward gmm_v2_backward_fusion hsigmoid hsigmoid_grad hswish "
    "hswish_grad ifftshift inplace_divmod inplace_divmods inplace_index_add inplace_relu inplace_silu "
    "insert_gem_v2_in_backward isfinite isinf isneginf l1_loss_backward_ext l1_loss_ext leaky_relu_ext "
    "leaky_relu_grad_ext logaddexp logaddexp2 logsigmoid logsigmoid_grad logsumexp lstsq_v2_grad "
    "matmul_allreduce_add_rmsnorm matmul_ext mm_ext nllloss_2d nllloss_2d_grad prelu prelu_grad randint "
    "randint_like reflection_pad_1d reflection_pad_1d_grad reflection_pad_2d reflection_pad_2d_grad "
    "reflection_pad_3d reflection_pad_3d_grad relu relu6 relu6_grad replication_pad_1d replication_pad_1d_grad "
    "replication_pad_2d replication_pad_2d_grad replication_pad_3d replication_pad_3d_grad rfftfreq selu_ext "
    "shard_identity silu silu_grad topkrouter topprouter tracev2_grad xlogy_scalar_other xlogy_scalar_self"
)
_OTHERS = {"bmm_ext": "BatchMatMulExt", "inplace_index_add": "InplaceIndexAddExt", "mm_ext": "Mm",
           "shard_identity": "AShardIdentity"}


@functools.cache
def _ready() -> dict[str, str]:
    """The classes of ready primitives, by their names without underscores and "_op"."""
    return {n.lower(): n for n in [*_gradient_primitives.__all__, *ops.primitives.__all__, *_FOUND] if n[0].isupper()}


def _named() -> list[str]:
    """The names of ready primitives: the words of their classes."""
    words = [re.sub("([a-z])([A-Z])", r"\1_\2", re.sub("([A-Z]+)([A-Z][a-z])", r"\1_\2", n)).lower()
             for n in _ready().values()]
    return [f"{n}_op" for n in [*words, *_WORDS.split()] if _class_of(n) is not None]


def _class_of(word: str) -> Any:
    name = _OTHERS.get(word) or _ready().get(word.replace("_", ""), "")
    return next((m[name] for m in (_FOUND, vars(_gradient_primitives)) if name in m),
                getattr(ops.primitives, name, None) if name else None)


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return [*_FOUND, *_named()]
    kind = _class_of(name[:-3]) if name.endswith("_op") else None
    if kind is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    try:
        made = kind()
    except TypeError:                                               # its constructor asks for something
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'") from None
    globals()[name] = made
    return made
