"""The state of cells: buffers, and parameters as dictionaries to save and load."""
from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from mindspore.core import check
from mindspore.core.dtype import DType
from mindspore.eager.tensor import Tensor


class IncompatibleKeys(NamedTuple):
    """What `load_state_dict` did not find in the dictionary, and what it found too much."""

    missing_keys: list[str]
    unexpected_keys: list[str]


class Stateful:
    """What a cell offers for its state as a whole."""

    _buffers: dict[str, Tensor]
    _params: dict[str, Any]
    cells_and_names: Callable[..., Any]
    get_parameters: Callable[..., Any]

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Keep a tensor as attribute `name`: state that is saved (if `persistent`), not trained."""
        own = self.__dict__
        if not isinstance(name, str) or not name or "." in name:
            raise KeyError(f"For 'register_buffer', the 'name' must be a str without '.', but got "
                           f"{name!r}.")
        if name in own and name not in own["_buffers"]:
            raise KeyError(f"For 'register_buffer', the attribute '{name}' already exists.")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"For 'register_buffer', the 'tensor' must be a Tensor or None, but got "
                            f"{type(tensor).__name__}.")
        own["_buffers"][name] = own[name] = tensor
        own.setdefault("_transient", set())
        (own["_transient"].discard if persistent else own["_transient"].add)(name)

    def named_buffers(self, prefix: str = "", recurse: bool = True,
                      remove_duplicate: bool = True) -> Iterator[tuple[str, Tensor]]:
        """Attribute paths and buffers."""
        seen: set[int] = set()
        for path, cell in self.cells_and_names(name_prefix=prefix) if recurse else [(prefix, self)]:
            for name, tensor in cell._buffers.items():
                if tensor is None or (remove_duplicate and id(tensor) in seen):
                    continue
                seen.add(id(tensor))
                yield (f"{path}.{name}" if path else name), tensor

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers."""
        for _, tensor in self.named_buffers(recurse=recurse):
            yield tensor

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at an attribute path."""
        for path, tensor in self.named_buffers():
            if path == target:
                return tensor
        raise AttributeError(f"`{target}` is not a buffer.")

    def state_dict(self, *args: Any, destination: Any = None, prefix: str = "",
                   keep_vars: bool = False) -> OrderedDict[str, Any]:
        """Parameters and persistent buffers by attribute path: the tensors themselves, with and without `keep_vars`."""
        check.boolean(self, "keep_vars", keep_vars)
        found = OrderedDict() if destination is None else destination
        for path, cell in self.cells_and_names():
            lead = f"{prefix}{path}." if path else prefix
            for name, parameter in cell._params.items():
                found[lead + name] = parameter
            for name, tensor in cell._buffers.items():
                if tensor is not None and name not in cell.__dict__.get("_transient", ()):
                    found[lead + name] = tensor
        return found

    def load_state_dict(self, state_dict: Mapping[str, Any],
                        strict: bool = True) -> IncompatibleKeys:
        """Take over values by attribute path.

        Raises:
            RuntimeError: If `strict` and the dictionary lacks paths or has others, or if a shape
                differs.
        """
        own = self.state_dict()
        missing = [k for k in own if k not in state_dict]
        unexpected = [k for k in state_dict if k not in own]
        wrong = [f"size mismatch for {k}: {tuple(state_dict[k].shape)} does not fit {own[k].shape}."
                 for k in own if k in state_dict and tuple(state_dict[k].shape) != own[k].shape]
        if strict and missing:
            wrong.append("Missing key(s) in state_dict: " + ", ".join(f'"{k}"' for k in missing) + ".")
        if strict and unexpected:
            wrong.append("Unexpected key(s) in state_dict: "
                         + ", ".join(f'"{k}"' for k in unexpected) + ".")
        if wrong:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t"
                               + "\n\t".join(wrong))
        for key, target in own.items():
            if key in state_dict:
                _take(target, state_dict[key])
        return IncompatibleKeys(missing, unexpected)

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Cast parameters and buffers of floating point to `dtype`; the device is the context's.

        Raises:
            TypeError: If no float type is given.
        """
        dtypes = [v for v in (*args, *kwargs.values()) if isinstance(v, DType)]
        if len(dtypes) != 1 or len(args) + len(kwargs) != 1 or not dtypes[0].is_differentiable:
            raise TypeError(f"For '{type(self).__name__}', 'to' takes one floating-point dtype, but got "
                            f"{args or kwargs}. The device is chosen by 'mindspore.set_context'.")
        for value in [*self.get_parameters(), *self.buffers()]:
            if value.dtype.is_floating:
                value.set_dtype(dtypes[0])
        return self


def _take(target: Any, value: Any) -> None:
    value = value if isinstance(value, Tensor) else Tensor(value)
    if hasattr(target, "set_data"):
        target.set_data(value)
    else:
        target.assign_value(Tensor(value, target.dtype))
