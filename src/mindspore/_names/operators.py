"""Public paths of operators and functions with names of their own under a path; `hook.py` says what a row means."""
from __future__ import annotations

from .communication import COMM_IN_PLACE

COMPOSITE = ["mindspore.ops._composite:*", "mindspore.ops:*"]
PRIMITIVES = ["mindspore.ops.primitives:*", "mindspore.ops.exchanges:ReduceOp",
              "mindspore.ops.user:InsertGradientOf HookBackward", "mindspore.ops.user_kernels:ms_kernel"]

OPERATOR_PATHS: dict[str, str | list[str]] = {
    "mindspore.ops": [
        "mindspore.ops.methods:Tensor",
        "mindspore.ops._composite:augassign_add augassign_div augassign_floordiv augassign_mod augassign_mul "
        "augassign_sub hyper_add",
        *COMM_IN_PLACE,
    ],
    "mindspore.ops._grad": [],
    "mindspore.ops._grad.grad_base": ["mindspore.core.absent:bprop_getters"],
    "mindspore.ops.op_info_register": ["mindspore.ops.op_info:* AkgCpuRegOp AkgRegOp RegOp "
                                       "__call__=op_info_register"],
    "mindspore.ops.composite": COMPOSITE,
    "mindspore.ops.composite.base": COMPOSITE,
    "mindspore.ops.composite.math_ops": COMPOSITE,
}
