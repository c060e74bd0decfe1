"""What the original's runtime notes at a parameter: programs set and read it."""
from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from mindspore.core import check

if TYPE_CHECKING:
    from typing import Self

_FIELDS = ("name", "requires_grad", "layerwise_parallel", "parallel_optimizer", "parallel_optimizer_comm_recompute",
           "comm_fusion", "cache_enable", "cache_shape", "key")


class ParamInfo:
    """The settings of a parameter under the names of the original's runtime: `Parameter.param_info`.

    Examples:
        >>> w = Parameter(Tensor([1.0]), name="w")
        >>> w.param_info.requires_grad = False
        >>> w.param_info.name, w.requires_grad
        ('w', False)
    """

    __slots__ = ("_parameter",)

    def __init__(self, parameter: Any):
        object.__setattr__(self, "_parameter", parameter)

    if TYPE_CHECKING:
        _parameter: Any

    def __getattr__(self, name: str) -> Any:
        if name == "parameter_shape":
            return [*self._parameter.shape]
        if name not in _FIELDS:
            raise AttributeError(f"'ParamInfo' has no attribute '{name}'; there are {['parameter_shape', *_FIELDS]}.")
        return getattr(self._parameter, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _FIELDS:
            raise AttributeError(f"'ParamInfo' has no attribute '{name}' that can be set; there are {list(_FIELDS)}.")
        setattr(self._parameter, name, value)

    def __dir__(self) -> tuple[str, ...]:
        return "parameter_shape", *_FIELDS


def _noted(name: str, default: Any, checked: Any, text: str) -> property:
    """A setting that is kept as it was set."""
    key = f"_{name}"

    def get(self: Any) -> Any:
        return self.__dict__.get(key, default() if default is list else default)

    def put(self: Any, value: Any) -> None:
        self.__dict__[key] = checked(self, name, value)

    return property(get, put, None, text)


def _int(owner: Any, name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise check.fail(TypeError, owner, name, "an int", value)
    return value


def _extents(owner: Any, name: str, value: Any) -> list[int]:
    if not isinstance(value, (list, tuple)):
        raise check.fail(TypeError, owner, name, "a list of ints", value)
    return [*map(partial(_int, owner, name), value)]  # pyright: ignore[reportUnknownArgumentType]  # of anything


class Noted:
    """Settings of a parameter for parts of the original's runtime; here they are kept, and nothing depends on them."""

    if TYPE_CHECKING:
        __dict__: Any

    sliced = _noted("sliced", False, check.boolean,
                    "Whether the original's runtime has cut the parameter; it is noted.")
    cache_enable = _noted("cache_enable", False, check.boolean,
                          "Whether a cache holds rows of the parameter; it is noted.")
    cache_shape = _noted("cache_shape", list, _extents, "The shape of that cache, a list of ints; it is noted.")
    key = _noted("key", -1, _int, "The number of the parameter at parameter servers, -1 if there is none; it is noted.")
    parallel_optimizer_comm_recompute = _noted(
        "parallel_optimizer_comm_recompute", False, check.boolean,
        "Whether what a parallel optimizer gathers is to be gathered again in the reverse pass; it is noted.")

    @property
    def param_info(self) -> ParamInfo:
        """The settings under the names of the original's runtime."""
        return ParamInfo(self)

    @property
    def inited_param(self) -> Self | None:
        """None: `init_data` fills the parameter itself, so that there is no other one in its place.

        Examples:
            >>> w = Parameter(Tensor([1.0]), name="w")
            >>> w.init_data() is w, w.inited_param
            (True, None)
        """
        return None

    def add_pipeline_stage(self, stage: Any) -> None:
        """Note a stage of a pipeline that uses the parameter; which ones do is found from the network.

        Args:
            stage: An int that is not negative.

        Raises:
            TypeError: If it is none.

        Examples:
            >>> Parameter(Tensor([1.0]), name="w").add_pipeline_stage(1)
        """
        if isinstance(stage, bool) or not isinstance(stage, int) or stage < 0:
            raise TypeError(f"For 'Parameter.add_pipeline_stage', the 'stage' must be a non-negative int, but got "
                            f"{stage!r}.")
        self.__dict__.setdefault("_stages", []).append(stage)
