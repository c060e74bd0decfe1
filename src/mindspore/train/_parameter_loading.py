"""Putting the parameters of a checkpoint into a network."""
from __future__ import annotations

from typing import Any

from mindspore.core import context, log
from mindspore.core.dtype import bfloat16, float16, float32, float64, int8, int16, int32, int64
from mindspore.eager.parameter import Parameter
from mindspore.nn.cell import Cell

CONVERTIBLE = ({float16, float32, float64, bfloat16}, {int8, int16, int32, int64})

NOT_LOADED = ("For 'load_param_into_net', %d parameters in the 'net' are not loaded, because they are not in the "
              "'parameter_dict'. Check that the network is the one that was saved.")


def load_param_into_net(net, parameter_dict, strict_load=False, remove_redundancy=False):
    """Gives the parameters of `net` the values of equal name in `parameter_dict`.

    Args:
        net: Cell whose parameters change.
        parameter_dict: Parameters by name; entries that are texts or tables are left aside.
        strict_load: Whether dtypes have to agree; else floating-point numbers are converted among each other, and
            signed integers. Also whether names have to agree; else a parameter `w` that is missing takes the value of
            `<prefix>.w`, which a warning tells.
        remove_redundancy: Whether parameters that another process saved are fetched from there; one process has none.

    Returns:
        Names of the network that got no value, and names of `parameter_dict` that the network does not have.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `remove_redundancy` is no bool.
        RuntimeError: Shapes differ (but for axes of length 1 at the end of the file's), or dtypes that are not
            converted.

    Examples:
        >>> net = nn.Dense(2, 1, has_bias=False)
        >>> mindspore.load_param_into_net(net, {"weight": Parameter(Tensor([[1.0, 2.0]]))})
        ([], [])
        >>> net.weight.tolist()
        [[1.0, 2.0]]
    """
    _check(net, parameter_dict, strict_load, remove_redundancy)
    missing: list[Parameter] = []
    names: set[str] = set()
    for _, parameter in net.parameters_and_names():
        names.add(parameter.name)
        value = parameter_dict.get(parameter.name)
        if isinstance(value, Parameter):
            _update_param(parameter, value, strict_load)
        else:
            missing.append(parameter)
    if missing and not strict_load:
        missing = _load_below_prefixes(missing, parameter_dict, names)
    not_loaded = [parameter.name for parameter in missing]
    if not_loaded:
        log.warning(NOT_LOADED, len(not_loaded))
        log.warning("%s are not loaded.", not_loaded)
    return not_loaded, [name for name in parameter_dict if name not in names]


def _check(net: Any, parameter_dict: Any, strict_load: Any, remove_redundancy: Any) -> None:
    where = "For 'load_param_into_net', the"
    if not isinstance(net, Cell):
        raise TypeError(f"{where} 'net' must be a Cell, but got {type(net).__name__}.")
    if not isinstance(parameter_dict, dict):
        raise TypeError(f"{where} 'parameter_dict' must be a dict, but got {type(parameter_dict).__name__}.")
    for name, value, error in (("strict_load", strict_load, TypeError), ("remove_redundancy", remove_redundancy,
                                                                          ValueError)):
        if not isinstance(value, bool):
            raise error(f"{where} '{name}' must be a bool, but got {type(value).__name__}.")
    if remove_redundancy and context.parallel.parallel_mode == context.ParallelMode.STAND_ALONE:
        raise TypeError(f"{where} 'remove_redundancy' must be False in one process, where nothing is redundant.")
    for name, value in parameter_dict.items():
        if not isinstance(name, str) or not isinstance(value, Parameter | str | list):
            raise TypeError(f"{where} 'parameter_dict' must map str to Parameter, but got {type(name).__name__} "
                            f"{name!r} and {type(value).__name__}.")


def _update_param(param: Parameter, new_param: Parameter, strict_load: bool) -> None:
    _check_fit(param, new_param, strict_load)
    if new_param.shape == param.shape or _is_whole(param, new_param):
        param.set_data(new_param)
    else:
        param.set_data(new_param.reshape(param.shape))


def _is_whole(parameter: Parameter, value: Parameter) -> bool:
    """Whether a value is the whole of a parameter that lies in pieces."""
    return parameter.stored is not None and tuple(value.shape) == parameter.stored.shape


def _check_fit(parameter: Parameter, value: Parameter, strict: bool) -> None:
    trailing = value.shape[len(parameter.shape):]  # axes of length 1, as 1.x saved scalars and Ascend matrices
    if not _is_whole(parameter, value) and (
            value.shape[:len(parameter.shape)] != parameter.shape or any(length != 1 for length in trailing)):
        raise _misfit(parameter, "shape", parameter.shape, value.shape)
    if parameter.dtype is value.dtype:
        return
    if strict or not any({parameter.dtype, value.dtype} <= group for group in CONVERTIBLE):
        raise _misfit(parameter, "type", parameter.dtype, value.dtype)
    log.warning("For 'load_param_into_net', '%s' is converted from %s to %s, the type in the network.",
                parameter.name, value.dtype, parameter.dtype)


def _misfit(parameter: Parameter, what: str, wanted: Any, got: Any) -> RuntimeError:
    name = parameter.name
    return RuntimeError(f"For 'load_param_into_net', {name} in the argument 'net' should have the same {what} as "
                        f"{name} in the argument 'parameter_dict', but got {wanted} in the 'net' and {got} in the "
                        f"'parameter_dict'. Check that the checkpoint is the one of this network.")


def _load_below_prefixes(missing: list[Parameter], values: dict[str, Any], names: set[str],
                         strict_load: bool = False) -> list[Parameter]:
    """Loads `w` from `<prefix>.w`, for every prefix in the order of the network; returns what is missing still."""
    while prefix := _prefix(missing, values, names):
        log.warning("For 'load_param_into_net', remove parameter prefix name: %s, continue to load.", prefix)
        left = []
        for parameter in missing:
            value = values.get(prefix + parameter.name)
            if isinstance(value, Parameter):
                _update_param(parameter, value, strict_load)
            else:
                left.append(parameter)
        missing = left
    return missing


def _load_dismatch_prefix_params(net: Cell, parameter_dict: dict[str, Any], param_not_load: list[str],
                                 strict_load: bool) -> None:
    """Loads the parameters named in `param_not_load` from below prefixes, and takes their names from that list."""
    known = {parameter.name: parameter for _, parameter in net.parameters_and_names()}
    missing = [known[name] for name in param_not_load]
    param_not_load[:] = [parameter.name for parameter in
                         _load_below_prefixes(missing, parameter_dict, set(known), strict_load)]


def _prefix(missing: list[Parameter], values: dict[str, Any], names: set[str]) -> str:
    """What stands before the name of the first missing parameter that the dict has below a prefix."""
    for parameter in missing:
        end = "." + parameter.name
        for name, value in values.items():
            if name.endswith(end) and name not in names and isinstance(value, Parameter):
                return name.removesuffix(parameter.name)
    return ""
