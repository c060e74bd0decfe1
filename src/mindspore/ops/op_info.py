"""Descriptions of custom operators: what types and formats they take, as the original registers them.

They are plain values here.  `CustomRegOp` describes an operator for `ops.Custom`; the others describe kernels for
devices of the original, which keep their descriptions and run nowhere else.
"""
from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

_FORMATS = {"Default": ("DefaultFormat",), "Default_List": ("DefaultFormat", "list"),
            "Default_Tuple": ("DefaultFormat", "tuple"), "None": ("",), "5HD": ("NC1HWC0",), "FracNZ": ("FRACTAL_NZ",),
            "FracZ": ("FRACTAL_Z",), "FracZNLSTM": ("FRACTAL_ZN_LSTM",), "FracZNRNN": ("FRACTAL_ZN_RNN",),
            "ND_RNNBIAS": ("ND_RNN_BIAS",)}                     # others are called what they are
_COMMON = "5HD C1HWNCoC0 ChannelLast Default Default_List Default_Tuple FracNZ FracZ HWCN NCHW NDHWC NHWC None"
_VIDEO = "NCDHW NDC1HWC0"
_FLOAT = f"{_COMMON} {_VIDEO} DHWCN FRACTAL_Z_3D FracZNLSTM FracZNRNN ND_RNNBIAS"
_TYPES = {
    **{p: (d, _FLOAT) for p, d in (("BF16", "bfloat16"), ("F16", "float16"), ("F32", "float32"))},
    **{p: (d, _COMMON) for p, d in (("BOOL", "bool"), ("F64", "float64"), ("I16", "int16"), ("I64", "int64"),
                                    ("U16", "uint16"), ("U32", "uint32"), ("U64", "uint64"))},
    "I32": ("int32", f"{_COMMON} {_VIDEO}"), "None": ("", "Default None"),
    **{p: (d, f"{_COMMON} {_VIDEO} NC1HWC0") for p, d in (("I8", "int8"), ("U8", "uint8"))},
    **{p: (d, "Default Default_Tuple") for p, d in (("C64", "complex64"), ("C128", "complex128"))},
}


class DataType:
    """Types with formats: a type and what `dtype_format` calls the order of the elements.

    Examples:
        >>> ops.DataType.F32_Default, ops.DataType.I8_NCHW
        (('float32', 'DefaultFormat'), ('int8', 'NCHW'))
    """


for _prefix, (_dtype, _names) in _TYPES.items():
    for _name in _names.split():
        setattr(DataType, f"{_prefix}_{_name}", (_dtype, *_FORMATS.get(_name, (_name,))))


def _checked(value: Any, kind: type) -> Any:
    """A value of a type; None is not given."""
    if value is not None and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        raise TypeError(f"{value} value must be {kind.__name__}")
    return value


def _entry(given: dict[str, tuple[Any, type]], more: dict[str, Any]) -> dict[str, Any]:
    found = {name: _checked(value, kind) for name, (value, kind) in given.items() if value is not None}
    return {**found, **more}


class RegOp:
    """What all descriptions have.

    Args:
        op_name: The operator's name.
    """

    implied: dict[str, Any] = {}

    def __init__(self, op_name: str = ""):
        if not isinstance(op_name, str):
            raise ValueError("op name value must be string")
        self.op_name, self.fusion = op_name, ""
        self.inputs: list[dict[str, Any]] = []
        self.outputs: list[dict[str, Any]] = []
        self.attr_: list[dict[str, Any]] = []
        self.dtype_formats: list[Any] = []
        self.options: dict[str, Any] = dict(self.implied)

    def fusion_type(self, fusion_type: str) -> Any:
        """How it may be fused."""
        self.fusion = _checked(fusion_type, str)
        return self

    def dtype_format(self, *args: Any) -> Any:
        """A combination of types and formats, one for each input and output, such as `DataType.F32_Default`."""
        wanted = len(self.inputs) + len(self.outputs)
        if len(args) != wanted:
            raise ValueError(f"The size of 'args' must be equal to the sum of input tensors and output tensors, but "
                             f"got {len(args)} vs {wanted}")
        for arg in args:
            if not isinstance(arg, tuple) or len(arg) not in (2, 3):
                raise ValueError(f"For 'dtype_format', an argument must be a tuple of a type and a format, but got "
                                 f"{arg}")
        self.dtype_formats.append(args)
        return self

    def input(self, index: int | None = None, name: str | None = None, param_type: str | None = None,
              **kwargs: Any) -> Any:
        """An input."""
        self.inputs.append(_entry({"index": (index, int), "name": (name, str), "paramType": (param_type, str)}, kwargs))
        return self

    def output(self, index: int | None = None, name: str | None = None, param_type: str | None = None,
               **kwargs: Any) -> Any:
        """An output."""
        given = {"index": (index, int), "name": (name, str), "paramType": (param_type, str)}
        self.outputs.append(_entry(given, kwargs))
        return self

    def get_op_info(self) -> dict[str, Any]:
        """The description."""
        return {"op_name": self.op_name, "inputs": self.inputs, "outputs": self.outputs, "attr": self.attr_,
                "fusion_type": self.fusion, "dtype_format": self.dtype_formats, **self.options}


class CpuRegOp(RegOp):
    """A kernel for CPUs.

    Args:
        op_name: The operator's name.

    Examples:
        >>> info = ops.CpuRegOp("Scale").attr("rate", "float").get_op_info()
        >>> info["imply_type"], info["attr"]
        ('CPU', [{'name': 'rate', 'type': 'float'}])
    """

    implied = {"imply_type": "CPU"}

    def attr(self, name: str | None = None, value_type: str | None = None, value: str | None = None,
             **kwargs: Any) -> Any:
        """An attribute."""
        self.attr_.append(_entry({"name": (name, str), "type": (value_type, str), "value": (value, str)}, kwargs))
        return self


class AiCPURegOp(CpuRegOp):
    """A kernel for the CPU of an NPU.

    Args:
        op_name: The operator's name.

    Examples:
        >>> info = ops.AiCPURegOp("Scale").attr("rate", "float").get_op_info()
        >>> info["imply_type"], info["attr"]
        ('AiCPU', [{'name': 'rate', 'type': 'float'}])
    """

    implied = {"imply_type": "AiCPU"}


class AkgRegOp(RegOp):
    """A kernel that AKG compiles."""

    def __init__(self, op_name: str, processor: str):
        super().__init__(op_name)
        self.options = {"imply_type": "AKG", "processor": processor}

    def attr(self, name: str | None = None, param_type: str | None = None, value_type: str | None = None,
             **kwargs: Any) -> Any:
        """An attribute."""
        self.attr_.append(_entry({"name": (name, str), "paramType": (param_type, str), "type": (value_type, str)},
                                 kwargs))
        return self


class AkgGpuRegOp(AkgRegOp):
    """A kernel that AKG compiles, for GPUs.

    Args:
        op_name: The operator's name.

    Examples:
        >>> info = ops.AkgGpuRegOp("Scale").get_op_info()
        >>> info["imply_type"], info["processor"]
        ('AKG', 'CUDA')
    """

    def __init__(self, op_name: str):
        super().__init__(op_name, "CUDA")


class AkgAscendRegOp(AkgRegOp):
    """A kernel that AKG compiles, for NPUs.

    Args:
        op_name: The operator's name.

    Examples:
        >>> info = ops.AkgAscendRegOp("Scale").get_op_info()
        >>> info["imply_type"], info["processor"]
        ('AKG', 'AiCore')
    """

    def __init__(self, op_name: str):
        super().__init__(op_name, "AiCore")


class AkgCpuRegOp(AkgRegOp):
    """The same for CPUs."""

    def __init__(self, op_name: str):
        super().__init__(op_name, "CPU")


class CustomRegOp(RegOp):
    """An operator for `ops.Custom`.

    Args:
        op_name: The operator's name.

    Examples:
        >>> info = ops.CustomRegOp("Scale").input(0, "x").output(0, "y").target("CPU").get_op_info()
        >>> info["op_name"], info["target"], info["inputs"]
        ('Scale', 'CPU', [{'index': 0, 'name': 'x', 'paramType': 'required'}])
    """

    def __init__(self, op_name: str = "Custom"):
        super().__init__(op_name)
        self.options = {"target": "UnKnown"}

    def input(self, index: int | None = None, name: str | None = None, param_type: str | None = "required",
              **kwargs: Any) -> Any:
        """An input; `param_type` is "required", "optional" or "dynamic"."""
        return super().input(index, name, param_type, **kwargs)

    def output(self, index: int | None = None, name: str | None = None, param_type: str | None = "required",
               **kwargs: Any) -> Any:
        """An output."""
        return super().output(index, name, param_type, **kwargs)

    def attr(self, name: str | None = None, param_type: str | None = None, value_type: str | None = None,
             default_value: str | None = None, **kwargs: Any) -> Any:
        """An attribute."""
        self.attr_.append(_entry({"name": (name, str), "paramType": (param_type, str), "type": (value_type, str),
                                  "defaultValue": (default_value, str)}, kwargs))
        return self

    def target(self, target: str | None = None) -> Any:
        """The device: "CPU", "GPU" or "Ascend"."""
        self.options["target"] = _checked(target, str)
        return self


_TBE = {  # method: what the description calls it, its type, the default of the description and of the argument
    "async_flag": ("async_flag", bool, False, False), "binfile_name": ("binfile", str, "", None),
    "compute_cost": ("compute_cost", int, 10, 10), "kernel_name": ("kernel", str, "", None),
    "partial_flag": ("partial_flag", bool, False, True), "reshape_type": ("reshape_type", str, "", None),
    "dynamic_rank_support": ("dynamicRankSupport", bool, False, None),
    "dynamic_shape": ("dynamicShapeSupport", bool, False, False),
    "dynamic_compile_static": ("dynamicCompileStatic", bool, False, False),
    "need_check_supported": ("needCheckSupport", bool, False, False),
    "is_dynamic_format": ("dynamicFormat", bool, False, False), "op_pattern": ("op_pattern", str, "", None),
    "real_input_index": ("real_input_index", list, [], None),
    "input_to_attr_index": ("input_to_attr_index", list, [], None),
    "unknown_shape_formats": ("unknown_shape_formats", list, [], None)}


class TBERegOp(RegOp):
    """A kernel of TBE's, for NPUs.

    Args:
        op_name: The operator's name.

    Examples:
        >>> ops.TBERegOp("Square").input(0, "x").get_op_info()["op_name"]
        'Square'
    """

    def __init__(self, op_name: str):
        super().__init__(op_name)
        self.options = {"imply_type": "TBE", **{key: default for key, _, default, _ in _TBE.values()}}

    def attr(self, name: str | None = None, param_type: str | None = None, value_type: str | None = None,
             value: str | None = None, default_value: str | None = None, **kwargs: Any) -> Any:
        """An attribute."""
        self.attr_.append(_entry({
            "name": (name, str), "paramType": (param_type, str), "type": (value_type, str), "value": (value, str),
            "defaultValue": (default_value, str)}, kwargs))
        return self

    def input(self, index: int | None = None, name: str | None = None, need_compile: bool | None = None,
              param_type: str | None = None, shape: str | None = None, value_depend: str | None = None,
              **kwargs: Any) -> Any:
        """An input."""
        self.inputs.append(_entry({
            "index": (index, int), "name": (name, str), "needCompile": (need_compile, bool),
            "paramType": (param_type, str), "shape": (shape, str), "valueDepend": (value_depend, str)}, kwargs))
        return self

    def output(self, index: int | None = None, name: str | None = None, need_compile: bool | None = None,
               param_type: str | None = None, shape: str | None = None, **kwargs: Any) -> Any:
        """An output."""
        self.outputs.append(_entry({
            "index": (index, int), "name": (name, str), "need_compile": (need_compile, bool),
            "paramType": (param_type, str), "shape": (shape, str)}, kwargs))
        return self


def _option(method: str) -> Callable[..., Any]:
    key, kind, _, default = _TBE[method]

    def set_(self: TBERegOp, value: Any = default) -> TBERegOp:
        self.options[key] = _checked(value, kind)
        return self
    set_.__name__, set_.__doc__ = method, f"Set '{key}' of the description, of type {kind.__name__}."
    return set_


for _method in _TBE:
    setattr(TBERegOp, _method, _option(_method))

REGISTERED: dict[str, list[dict[str, Any]]] = {}      # descriptions by the operator's name


def op_info_register(op_info: str | dict[str, Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator of a kernel for a device of the original, which keeps its description.

    Args:
        op_info: What `get_op_info()` gave, or the same as JSON.

    Raises:
        TypeError: If `op_info` is neither.

    Examples:
        >>> @ops.op_info_register({"op_name": "Shown"})
        ... def shown():
        ...     return 1
        >>> shown()
        1
    """
    if not isinstance(op_info, (str, dict)):
        raise TypeError(f"The type of 'op_info' should be 'str', but got type '{type(op_info).__name__}'.")
    info = json.loads(op_info) if isinstance(op_info, str) else op_info
    REGISTERED.setdefault(info.get("op_name", ""), []).append(info)
    return lambda fn: fn


def custom_info_register(*reg_info: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator of a function for `ops.Custom`, which notes what `CustomRegOp.get_op_info()` gave for it.

    Args:
        reg_info: One description for each device.

    Examples:
        >>> @ops.custom_info_register({"op_name": "Noted"})
        ... def noted():
        ...     return 1
        >>> noted.reg_info
        ({'op_name': 'Noted'},)
    """
    def decorate(fn: Callable[..., Any]) -> Callable[..., Any]:
        fn.reg_info = reg_info
        return fn
    return decorate


def described(reg_info: Any) -> list[dict[str, Any]]:
    """Descriptions as dicts, from one or several, each a dict or JSON."""
    several: Sequence[Any] = reg_info if isinstance(reg_info, (list, tuple)) else [reg_info]
    found = []
    for info in several:
        if isinstance(info, str):
            info = json.loads(info)
        if not isinstance(info, dict):
            raise TypeError(f"For 'Custom', the 'reg_info' must be what 'CustomRegOp.get_op_info()' gives, but got "
                            f"{type(info).__name__}.")
        found.append(info)
    return found


__all__ = ["AiCPURegOp", "AkgAscendRegOp", "AkgGpuRegOp", "CpuRegOp", "CustomRegOp", "DataType", "TBERegOp",
           "custom_info_register", "op_info_register"]
