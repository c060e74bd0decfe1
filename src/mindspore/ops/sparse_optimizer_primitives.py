"""The steps of optimizers whose gradients are those of some rows, as primitives.

Rows that occur several times are added.
"""
from __future__ import annotations

from typing import Any

from mindspore.core.errors import show
from mindspore.operators.arithmetic import add
from mindspore.operators.comparison import greater
from mindspore.operators.powers import rsqrt, sqrt, square
from mindspore.operators.registry import REGISTRY
from mindspore.operators.structure import cast, expand_dims, zeros_like

from .optimizer_primitives import adam, adam_step, ftrl_step, mixed, moments, proximal, put
from .primitive import composed


def _rows(var: Any, grad: Any, indices: Any) -> tuple[Any, Any]:
    """The gradient of all rows, and a mask of those that have one."""
    places = expand_dims(indices, axis=-1)
    scatter = REGISTRY["TensorScatterAdd"]
    dense = scatter(zeros_like(var), places, cast(grad, dtype=var.dtype))
    ones = zeros_like(grad) + 1
    return dense, greater(scatter(zeros_like(dense), places, cast(ones, dtype=var.dtype)), 0)


def _set_rows(parameter: Any, touched: Any, value: Any) -> Any:
    return put(parameter, REGISTRY["Select"](touched, cast(value, dtype=parameter.dtype), parameter))


def _sparse_adam(name: str, others: str, lazy: bool) -> None:
    """Define a step of Adam with the gradients of some rows; it leaves the others alone if it is lazy."""
    def step(var: Any, m: Any, v: Any, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any, beta2: Any,
             epsilon: Any, gradient: Any, indices: Any, *, use_locking: bool = False,
             use_nesterov: bool = False) -> tuple[Any, Any, Any]:
        dense, touched = _rows(var, gradient, indices)
        if not lazy:
            return adam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, dense,
                        use_nesterov=use_nesterov)
        new_m, new_v = moments(m, v, dense, beta1, beta2)
        change = adam_step(new_m, new_v, dense, lr, (beta1_power, beta2_power), beta1, epsilon, use_nesterov)
        return _set_rows(var, touched, var - change), _set_rows(m, touched, new_m), _set_rows(v, touched, new_v)

    step.__doc__ = f"A step of Adam for the rows that have a gradient; {others}."
    composed(f"{name}(use_locking=False, use_nesterov=False)"
             "(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, indices)")(step)


_sparse_adam("FusedSparseAdam", "the averages of the other rows decay, and move them", lazy=False)
_sparse_adam("FusedSparseLazyAdam", "the other rows and their averages keep their values", lazy=True)


def _sparse_ftrl(var: Any, accum: Any, linear: Any, grad: Any, indices: Any, *, lr: float, l1: float,
                 l2: float, lr_power: float, l2_shrinkage: float = 0.0,
                 use_locking: bool = False) -> tuple[Any, Any, Any]:
    """A step of FTRL for the rows that have a gradient."""
    for name, x in (("var", var), ("accum", accum), ("linear", linear), ("grad", grad)):
        if not x.dtype.is_floating:
            raise TypeError(f"For 'SparseApplyFtrl', the '{name}' must be a floating-point tensor, but got {show(x)}.")
    if lr_power > 0:
        raise ValueError(f"For 'SparseApplyFtrl', the 'lr_power' must not be positive, but got {lr_power}.")
    dense, touched = _rows(var, grad, indices)
    new, a, z = ftrl_step(var, accum, linear, dense, lr, l1, l2, lr_power, l2_shrinkage)
    return (_set_rows(var, touched, new), _set_rows(accum, touched, a),
            _set_rows(linear, touched, z))


_FTRL = "lr, l1, l2, lr_power, use_locking=False)(var, accum, linear, grad, indices)"
composed(f"FusedSparseFtrl({_FTRL}")(_sparse_ftrl)
composed(f"SparseApplyFtrl({_FTRL}")(_sparse_ftrl)
composed("SparseApplyFtrlV2(lr, l1, l2, l2_shrinkage, lr_power, use_locking=False)"
         "(var, accum, linear, grad, indices)")(_sparse_ftrl)


def _sparse_proximal(var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any, indices: Any, *,
                     use_locking: bool = False) -> tuple[Any, Any]:
    """Proximal Adagrad for the rows that have a gradient."""
    dense, touched = _rows(var, grad, indices)
    a = accum + square(dense)
    rate = rsqrt(a) * lr
    new = proximal(var - dense * rate, rate, l1, l2)
    return _set_rows(var, touched, new), _set_rows(accum, touched, a)


for _name in ("FusedSparseProximalAdagrad", "SparseApplyProximalAdagrad"):
    composed(f"{_name}(use_locking=False)(var, accum, lr, l1, l2, grad, indices)")(_sparse_proximal)


def _sparse_adagrad(var: Any, accum: Any, grad: Any, indices: Any, *, lr: float, epsilon: float = 0.0,
                    update_slots: bool = True, use_locking: bool = False) -> tuple[Any, Any]:
    """Adagrad for the rows that have a gradient."""
    dense, touched = _rows(var, grad, indices)
    a = accum + square(dense) if update_slots else add(accum, 0.0)
    new = _set_rows(var, touched, var - dense * lr * rsqrt(a + epsilon))
    return new, _set_rows(accum, touched, a)


composed("SparseApplyAdagrad(lr, update_slots=True, use_locking=False)"
         "(var, accum, grad, indices)")(_sparse_adagrad)
composed("SparseApplyAdagradV2(lr, epsilon, use_locking=False, update_slots=True)"
         "(var, accum, grad, indices)")(_sparse_adagrad)


@composed("SparseApplyAdadelta(epsilon, use_locking=False)"
          "(var, accum, accum_update, lr, rho, grad, indices)")
def _sparse_adadelta(var: Any, accum: Any, accum_update: Any, lr: Any, rho: Any, grad: Any,
                     indices: Any, *, epsilon: float,
                     use_locking: bool = False) -> tuple[Any, Any, Any]:
    """Adadelta for the rows that have a gradient."""
    dense, touched = _rows(var, grad, indices)
    a = mixed(accum, square(dense), rho)
    step = sqrt(accum_update + epsilon) * rsqrt(a + epsilon) * dense
    u = mixed(accum_update, square(step), rho)
    return (_set_rows(var, touched, var - step * lr), _set_rows(accum, touched, a),
            _set_rows(accum_update, touched, u))


@composed("SparseApplyRMSProp(rho, momentum, epsilon, use_locking=False)"
          "(var, ms, mom, lr, grad, indices)")
def _sparse_rmsprop(var: Any, ms: Any, mom: Any, lr: Any, grad: Any, indices: Any, *, rho: float,
                    momentum: float, epsilon: float,
                    use_locking: bool = False) -> tuple[Any, Any, Any]:
    """RMSProp for the rows that have a gradient."""
    dense, touched = _rows(var, grad, indices)
    squares = mixed(ms, square(dense), rho)
    step = mom * momentum + dense * lr * rsqrt(squares + epsilon)
    return (_set_rows(var, touched, var - step), _set_rows(ms, touched, squares),
            _set_rows(mom, touched, step))
