"""The state of cells: buffers, and parameters as dictionaries to save and load."""
from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import torch

from mindspore.core import check
from mindspore.core.context import target_in_use, torch_device
from mindspore.core.dtype import DType
from mindspore.eager.conversion import device_of
from mindspore.eager.hooks import HookHandle
from mindspore.eager.tensor import Tensor


class IncompatibleKeys(NamedTuple):
    """What `load_state_dict` did not find in the dictionary, and what it found too much."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"

    __str__ = __repr__


_EXTRA = "_extra_state"


class Stateful:
    """What a cell offers for its state as a whole."""

    _buffers: dict[str, Tensor]
    _params: dict[str, Any]
    _cells: dict[str, Any]
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
        """Parameters and persistent buffers by attribute path: the tensors themselves, with and without `keep_vars`.

        What a class gives by `get_extra_state` stands at `_extra_state`.
        """
        check.boolean(self, "keep_vars", keep_vars)
        found: Any = OrderedDict() if destination is None else destination
        if not hasattr(found, "_metadata"):
            found._metadata = OrderedDict()
        self._collect(found, prefix, keep_vars)
        return found

    def _collect(self, found: Any, prefix: str, keep_vars: bool) -> None:
        about = found._metadata[prefix[:-1]] = {}
        for hook in self._state_hooks("saving"):
            hook(self, prefix, keep_vars)
        for name, value in self._own_state():
            found[prefix + name] = value
        if type(self).get_extra_state is not Stateful.get_extra_state:
            found[prefix + _EXTRA] = self.get_extra_state()
        for name, cell in self._cells.items():
            if cell is not None:
                cell._collect(found, f"{prefix}{name}.", keep_vars)
        for hook in self._state_hooks("saved"):
            hook(self, found, prefix, about)

    def _own_state(self) -> Iterator[tuple[str, Any]]:
        """The parameters and persistent buffers of this cell alone."""
        yield from [(name, p) for name, p in self._params.items() if p is not None]
        for name, tensor in self._buffers.items():
            if tensor is not None and name not in self.__dict__.get("_transient", ()):
                yield name, tensor

    def load_state_dict(self, state_dict: Mapping[str, Any],
                        strict: bool = True) -> IncompatibleKeys:
        """Take over values by attribute path.

        Raises:
            RuntimeError: If `strict` and the dictionary lacks paths or has others, or if a shape
                differs.
        """
        hooked = any(c._state_hooks(when) for _, c in self.cells_and_names() for when in ("loading", "loaded"))
        about = getattr(state_dict, "_metadata", None) or {}
        found = IncompatibleKeys([], [])
        if not hooked:                                      # nothing changes before all of it is known to fit
            self._refuse(strict, found, self._load(state_dict, "", about, found, only_check=True))
            found = IncompatibleKeys([], [])
        wrong = self._load(OrderedDict(state_dict), "", about, found)
        self._refuse(strict, found, wrong)
        return found

    def _refuse(self, strict: bool, found: IncompatibleKeys, wrong: list[str]) -> None:
        for kind, keys in (("Missing", found.missing_keys), ("Unexpected", found.unexpected_keys)):
            if strict and keys:
                wrong.append(f"{kind} key(s) in state_dict: " + ", ".join([f'"{k}"' for k in keys]) + ".")
        if wrong:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t"
                               + "\n\t".join(wrong))

    def _load(self, given: Mapping[str, Any], prefix: str, about: Mapping[str, Any], found: IncompatibleKeys,
              only_check: bool = False) -> list[str]:
        """Take over what belongs to the cell and those inside of it; what does not fit."""
        wrong: list[str] = []
        for hook in self._state_hooks("loading"):
            hook(self, given, prefix, about.get(prefix[:-1], {}), True, *found, wrong)
        wrong += self._load_own(given, prefix, found, only_check)
        for name, cell in self._cells.items():
            if cell is not None:
                lead = f"{prefix}{name}."
                inner = {k: v for k, v in given.items() if k.startswith(lead)}
                wrong += cell._load(inner, lead, about, found, only_check)
        if not only_check:
            for hook in self._state_hooks("loaded"):
                hook(self, found)
        return wrong

    def _load_own(self, given: Mapping[str, Any], prefix: str, found: IncompatibleKeys, only_check: bool) -> list[str]:
        """The same, of the cell alone."""
        wrong, own = [], dict(self._own_state())
        wanted = [*own, _EXTRA] if type(self).set_extra_state is not Stateful.set_extra_state else [*own]
        found.missing_keys.extend([prefix + name for name in wanted if prefix + name not in given])
        for name in [n for n in wanted if prefix + n in given]:
            value, target = given[prefix + name], own.get(name)
            if target is not None and tuple(value.shape) != tuple(target.shape):
                wrong.append(f"size mismatch for {prefix + name}: {tuple(value.shape)} does not fit {target.shape}.")
            elif not only_check:
                self.set_extra_state(value) if target is None else _take(target, value)
        found.unexpected_keys.extend([k for k in given if k.startswith(prefix)
                                      and not self._knows(k[len(prefix):], wanted)])
        return wrong

    def _knows(self, path: str, own: list[str]) -> bool:
        return path in own or any(path.startswith(f"{name}.") for name in self._cells)

    def _state_hooks(self, when: str) -> list[Callable[..., Any]]:
        return list(self.__dict__.get("_hooks_of_state", {}).get(when, {}).values())

    def _register_state_hook(self, when: str, hook: Callable[..., Any]) -> HookHandle:
        check.callable_(self, "hook", hook)
        hooks = self.__dict__.setdefault("_hooks_of_state", {}).setdefault(when, OrderedDict())
        handle = HookHandle(hooks)
        hooks[handle.handle_id] = hook
        return handle

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call `hook(cell, prefix, keep_vars)` before `state_dict` looks at the cell; the handle removes it."""
        return self._register_state_hook("saving", hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call `hook(cell, state_dict, prefix, metadata)` when `state_dict` has the cell and those inside of it."""
        return self._register_state_hook("saved", hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call `hook(cell, state_dict, prefix, metadata, strict, missing_keys, unexpected_keys, error_msgs)` before
        `load_state_dict` comes to the cell."""
        return self._register_state_hook("loading", hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call `hook(cell, incompatible_keys)` when the cell and those inside of it are loaded; it may change the
        lists."""
        return self._register_state_hook("loaded", hook)

    def parameters_broadcast_dict(self, recurse: bool = True) -> OrderedDict[str, Any] | None:
        """The parameters that processes have in common, by name; None without any.

        Args:
            recurse: Whether those of cells inside count.
        """
        found = OrderedDict((p.name, p) for p in self.get_parameters(expand=recurse) if not p.layerwise_parallel)
        return found or None

    def get_extra_state(self) -> Any:
        """What a class of cells has to save besides tensors; a class that has something defines it.

        Raises:
            RuntimeError: If the class does not define it.
        """
        raise RuntimeError(f"For '{type(self).__name__}', there is no extra state: define 'get_extra_state'.")

    def set_extra_state(self, state: Any) -> None:
        """Take over what `get_extra_state` gave; a class that has something defines it.

        Raises:
            RuntimeError: If the class does not define it.
        """
        raise RuntimeError(f"For '{type(self).__name__}', there is no extra state: define 'set_extra_state'.")

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Cast parameters and buffers of floating point to `dtype`; with the device "meta" they lose their elements.

        Args:
            args, kwargs: A `dtype`; a `device`, "meta" or the one in use; or a tensor, which has both.

        Returns:
            The cell.

        Raises:
            TypeError: If something else is given, or a dtype that is not of floating point.
            ValueError: If the device is not the one that the program runs on: `mindspore.set_device` chooses it.
            RuntimeError: If parameters on the device "meta", which have no elements, are to get to another one.
        """
        given = [*args, *[kwargs[name] for name in ("device", "dtype") if kwargs.get(name) is not None]]
        given = [part for v in given for part in ((v.device, v.dtype) if isinstance(v, Tensor) else (v,))]
        dtypes, names = [v for v in given if isinstance(v, DType)], [v for v in given if isinstance(v, str)]
        if kwargs.keys() - {"device", "dtype"} or len(given) != len(dtypes) + len(names) or not given \
                or max(len(dtypes), len(names)) > 1 or not all([d.is_differentiable for d in dtypes]):
            raise TypeError(f"For '{type(self).__name__}', 'to' takes a floating-point dtype and a device, but got "
                            f"{args or kwargs}.")
        where = device_of(names[0]) if names else None
        if where is not None and where.type != "meta" and where != torch_device():
            raise ValueError(f"For '{type(self).__name__}', the 'device' must be the one that the program runs on, "
                             f"{target_in_use()}, but got {names[0]!r}. Choose it by 'mindspore.set_device' before.")
        for value in [*self.get_parameters(), *self.buffers()]:
            if dtypes and value.dtype.is_floating:
                value.set_dtype(dtypes[0])
            if where is not None:
                value.to_(names[0])
        return self

    def to_empty(self, *, device: str | None = None, recurse: bool = True) -> Any:
        """Give parameters and buffers memory on a device, in which zeros stand until a checkpoint fills it.

        Args:
            device: "CPU", "GPU", "Ascend" or "meta". None: the device of the context.
            recurse: Whether those of cells inside get it, too.

        Returns:
            The cell.

        Raises:
            ValueError: If `device` is no device.

        Examples:
            >>> with mindspore.DeviceCtx("meta"):
            ...     net = nn.Dense(2, 1)
            >>> net.to_empty().weight.tolist()
            [[0.0, 0.0]]
        """
        where = torch_device() if device is None else device_of(device)
        for value in [*self.get_parameters(expand=recurse), *self.buffers(recurse)]:
            value._take_memory(torch.zeros(value.shape, dtype=value.dtype.torch, device=where))
        return self


def _take(target: Any, value: Any) -> None:
    value = value if isinstance(value, Tensor) else Tensor(value)
    if hasattr(target, "set_data"):
        target.set_data(value)
    else:
        target.assign_value(Tensor(value, target.dtype))
