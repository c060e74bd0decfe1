"""The steps of optimizers as primitives: they assign the new values to their parameters.

Every primitive returns what the parameters that it changes hold then, as tensors; outside of graphs it changes
tensors, too.  `use_locking` has nothing to lock: a parameter has one writer.
"""
from __future__ import annotations

from typing import Any

from mindspore.eager.tensor import is_tensor
from mindspore.operators.arithmetic import add
from mindspore.operators.comparison import greater
from mindspore.operators.powers import abs_, exp, pow_, rsqrt, sign, sqrt, square
from mindspore.operators.rounding import maximum, minimum
from mindspore.operators.structure import cast, zeros_like

from ._holding import held, seen
from .primitive import composed


def put(parameter: Any, value: Any) -> Any:
    """Let a parameter or tensor hold a value, in its own type."""
    if not is_tensor(parameter):
        raise TypeError(f"An optimizer's step changes parameters, but got {parameter!r}.")
    return held(parameter, value)


def mixed(old: Any, new: Any, decay: Any) -> Any:
    """decay * old + (1 - decay) * new."""
    return old * decay + new * (1 - decay)


# ---------------------------------------------------------------------- momentum

@composed("ApplyMomentum(use_nesterov=False, use_locking=False, gradient_scale=1.0)"
          "(variable, accumulation, learning_rate, gradient, momentum)")
def _momentum(variable: Any, accumulation: Any, learning_rate: Any, gradient: Any, momentum: Any, *,
              use_nesterov: bool = False, use_locking: bool = False,
              gradient_scale: float = 1.0) -> Any:
    """a <- momentum * a + g;  p <- p - lr * a, or p - lr * (g + momentum * a)."""
    if gradient_scale != 1.0:
        gradient = gradient * gradient_scale
    a = accumulation * momentum + gradient
    step = gradient + a * momentum if use_nesterov else a
    put(accumulation, a)
    return put(variable, variable - step * learning_rate)


@composed("ApplyKerasMomentum(use_locking=False, use_nesterov=False)(var, accum, lr, grad, momentum)")
def _keras_momentum(var: Any, accum: Any, lr: Any, grad: Any, momentum: Any, *,
                    use_locking: bool = False, use_nesterov: bool = False) -> tuple[Any, Any]:
    """a <- momentum * a - lr * g;  p <- p + a, or p + momentum * a - lr * g."""
    a = accum * momentum - grad * lr
    step = a * momentum - grad * lr if use_nesterov else a
    put(accum, a)
    return put(var, var + step), seen(accum)


@composed("FusedWeightScaleApplyMomentum()(weight_decay, loss_scale, variable, accumulation, "
          "learning_rate, gradient, momentum)")
def _scaled_momentum(weight_decay: Any, loss_scale: Any, variable: Any, accumulation: Any,
                     learning_rate: Any, gradient: Any, momentum: Any) -> Any:
    """Momentum for a gradient that is scaled, with weight decay."""
    g = gradient * loss_scale + variable * weight_decay
    a = accumulation * momentum + g
    put(accumulation, a)
    return put(variable, variable - a * learning_rate)


@composed("SGD(dampening=0.0, weight_decay=0.0, nesterov=False)"
          "(parameters, gradient, learning_rate, accum, momentum, stat)")
def _sgd(parameters: Any, gradient: Any, learning_rate: Any, accum: Any, momentum: Any, stat: Any, *,
         dampening: float = 0.0, weight_decay: float = 0.0, nesterov: bool = False) -> Any:
    """Descent with momentum; where `stat` is positive the momentum starts anew."""
    g = gradient + parameters * weight_decay if weight_decay else gradient
    fresh = cast(greater(stat, 0), dtype=parameters.dtype)
    a = (accum * momentum + g * (1 - dampening)) * (1 - fresh) + g * fresh
    put(accum, a)
    put(stat, zeros_like(stat))
    return put(parameters, parameters - (g + a * momentum if nesterov else a) * learning_rate)


@composed("ApplyGradientDescent()(var, alpha, delta)")
def _descent(var: Any, alpha: Any, delta: Any) -> Any:
    """p <- p - alpha * delta."""
    return put(var, var - delta * alpha)


# ---------------------------------------------------------------------- Adam

def moments(m: Any, v: Any, g: Any, beta1: Any, beta2: Any) -> tuple[Any, Any]:
    """Running means of the gradient and of its square."""
    return mixed(m, g, beta1), mixed(v, square(g), beta2)


def adam_step(m: Any, v: Any, g: Any, lr: Any, powers: tuple[Any, Any], beta1: Any, epsilon: Any,
               nesterov: bool) -> Any:
    """What Adam subtracts, without bias in the moments (Kingma and Ba 2014)."""
    rate = lr * _root(1 - powers[1]) / _rest(powers[0])
    return (mixed(m, g, beta1) if nesterov else m) * rate / (sqrt(v) + epsilon)


def _rest(power: Any) -> Any:
    """1 - power.

    Raises:
        ValueError: If it is a number and nothing is left, so that the step has no size.
    """
    if not is_tensor(power) and power == 1:
        raise ValueError("For an optimizer's step, the 'beta1_power' must not be 1: the decay to the power of the "
                         "number of steps.")
    return 1 - power


def _root(x: Any) -> Any:
    return sqrt(x) if is_tensor(x) else x ** 0.5


@composed("Adam(use_locking=False, use_nesterov=False)"
          "(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient)")
def adam(var: Any, m: Any, v: Any, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any,
          beta2: Any, epsilon: Any, gradient: Any, *, use_locking: bool = False,
          use_nesterov: bool = False) -> tuple[Any, Any, Any]:
    """A step of Adam."""
    new_m, new_v = moments(m, v, gradient, beta1, beta2)
    step = adam_step(new_m, new_v, gradient, lr, (beta1_power, beta2_power), beta1, epsilon,
                      use_nesterov)
    return put(var, var - step), put(m, new_m), put(v, new_v)


@composed("AdamNoUpdateParam(use_locking=False, use_nesterov=False)"
          "(m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient)")
def _adam_difference(m: Any, v: Any, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any,
                     beta2: Any, epsilon: Any, gradient: Any, *, use_locking: bool = False,
                     use_nesterov: bool = False) -> Any:
    """What a step of Adam adds to the parameter, which is not changed."""
    new_m, new_v = moments(m, v, gradient, beta1, beta2)
    step = adam_step(new_m, new_v, gradient, lr, (beta1_power, beta2_power), beta1, epsilon,
                      use_nesterov)
    put(m, new_m)
    put(v, new_v)
    return -step


def _decayed(var: Any, m: Any, v: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any, decay: Any,
             gradient: Any) -> tuple[Any, Any, Any]:
    new_m, new_v = moments(m, v, cast(gradient, dtype=m.dtype), beta1, beta2)
    step = new_m / (sqrt(new_v) + epsilon) + var * decay
    return put(var, var - step * lr), put(m, new_m), put(v, new_v)


@composed("AdamWeightDecay(use_locking=False)"
          "(var, m, v, lr, beta1, beta2, epsilon, decay, gradient)")
def _adam_decay(var: Any, m: Any, v: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any, decay: Any,
                gradient: Any, *, use_locking: bool = False) -> tuple[Any, Any, Any]:
    """A step of Adam with decoupled weight decay and without bias correction."""
    return _decayed(var, m, v, lr, beta1, beta2, epsilon, decay, gradient)


@composed("FusedCastAdamWeightDecay(use_locking=False)"
          "(var, m, v, lr, beta1, beta2, epsilon, decay, gradient)")
def _cast_adam_decay(var: Any, m: Any, v: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any,
                     decay: Any, gradient: Any, *,
                     use_locking: bool = False) -> tuple[Any, Any, Any]:
    """The same for a gradient in half precision."""
    return _decayed(var, m, v, lr, beta1, beta2, epsilon, decay, gradient)


@composed("ApplyAdaMax()(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad)")
def _adamax(var: Any, m: Any, v: Any, beta1_power: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any,
            grad: Any) -> tuple[Any, Any, Any]:
    """A step of AdaMax: Adam with the greatest magnitude as second moment."""
    new_m, new_v = mixed(m, grad, beta1), maximum(v * beta2, abs_(grad))
    step = new_m * (lr / _rest(beta1_power)) / (new_v + epsilon)
    return put(var, var - step), put(m, new_m), put(v, new_v)


def _amsgrad(var: Any, m: Any, v: Any, vhat: Any, powers: tuple[Any, Any], lr: Any, beta1: Any,
             beta2: Any, epsilon: Any, grad: Any) -> tuple[Any, ...]:
    new_m, new_v = moments(m, v, grad, beta1, beta2)
    highest = maximum(vhat, new_v)
    step = adam_step(new_m, highest, grad, lr, powers, beta1, epsilon, False)
    return put(var, var - step), put(m, new_m), put(v, new_v), put(vhat, highest)


@composed("ApplyAdamWithAmsgrad(beta1=0.9, beta2=0.999, epsilon=1e-08, use_locking=False)"
          "(var, m, v, vhat, beta1_power, beta2_power, lr, grad)")
def _adam_amsgrad(var: Any, m: Any, v: Any, vhat: Any, beta1_power: Any, beta2_power: Any, lr: Any,
                  grad: Any, *, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-8,
                  use_locking: bool = False) -> tuple[Any, ...]:
    """A step of Adam with the greatest second moment so far (Reddi et al. 2018)."""
    return _amsgrad(var, m, v, vhat, (beta1_power, beta2_power), lr, beta1, beta2, epsilon, grad)


@composed("ApplyAdamWithAmsgradV2(use_locking=False)"
          "(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad)")
def _adam_amsgrad_v2(var: Any, m: Any, v: Any, vhat: Any, beta1_power: Any, beta2_power: Any, lr: Any,
                     beta1: Any, beta2: Any, epsilon: Any, grad: Any, *,
                     use_locking: bool = False) -> tuple[Any, ...]:
    """The same with the decay rates as inputs."""
    return _amsgrad(var, m, v, vhat, (beta1_power, beta2_power), lr, beta1, beta2, epsilon, grad)


# ---------------------------------------------------------------------- adaptive rates

@composed("ApplyAdadelta()(var, accum, accum_update, lr, rho, epsilon, grad)")
def _adadelta(var: Any, accum: Any, accum_update: Any, lr: Any, rho: Any, epsilon: Any,
              grad: Any) -> tuple[Any, Any, Any]:
    """A step of Adadelta (Zeiler 2012)."""
    a = mixed(accum, square(grad), rho)
    step = sqrt(accum_update + epsilon) * rsqrt(a + epsilon) * grad
    u = mixed(accum_update, square(step), rho)
    return put(var, var - step * lr), put(accum, a), put(accum_update, u)


def _adagrad(var: Any, accum: Any, step: Any, update_slots: bool, grad: Any) -> tuple[Any, Any]:
    a = accum + square(grad) if update_slots else add(accum, 0.0)
    return put(var, var - step(a)), put(accum, a) if update_slots else seen(accum)


@composed("ApplyAdagrad(update_slots=True)(var, accum, lr, grad)")
def _apply_adagrad(var: Any, accum: Any, lr: Any, grad: Any, *,
                   update_slots: bool = True) -> tuple[Any, Any]:
    """a <- a + g * g;  p <- p - lr * g / sqrt(a)."""
    return _adagrad(var, accum, lambda a: grad * lr * rsqrt(a), update_slots, grad)


@composed("ApplyAdagradV2(epsilon, update_slots=True)(var, accum, lr, grad)")
def _apply_adagrad_v2(var: Any, accum: Any, lr: Any, grad: Any, *, epsilon: float,
                      update_slots: bool = True) -> tuple[Any, Any]:
    """a <- a + g * g;  p <- p - lr * g / (sqrt(a) + epsilon)."""
    return _adagrad(var, accum, lambda a: grad * lr / (sqrt(a) + epsilon), update_slots, grad)


@composed("ApplyAdagradDA(use_locking=False)(var, gradient_accumulator, "
          "gradient_squared_accumulator, grad, lr, l1, l2, global_step)")
def _adagrad_da(var: Any, gradient_accumulator: Any, gradient_squared_accumulator: Any, grad: Any,
                lr: Any, l1: Any, l2: Any, global_step: Any, *, use_locking: bool = False) -> Any:
    """A step of Adagrad by dual averaging (Duchi et al. 2011)."""
    g = gradient_accumulator + grad
    squares = gradient_squared_accumulator + square(grad)
    step = cast(global_step, dtype=var.dtype) if is_tensor(global_step) else global_step
    shrunk = sign(g) * maximum(abs_(g) - l1 * step, 0.0)
    put(gradient_accumulator, g)
    put(gradient_squared_accumulator, squares)
    return put(var, shrunk * -lr / (sqrt(squares) + l2 * step * lr))


@composed("ApplyRMSProp(use_locking=False)"
          "(var, mean_square, moment, learning_rate, grad, decay, momentum, epsilon)")
def _rmsprop(var: Any, mean_square: Any, moment: Any, learning_rate: Any, grad: Any, decay: Any,
             momentum: Any, epsilon: Any, *, use_locking: bool = False) -> Any:
    """A step of RMSProp with momentum."""
    squares = mixed(mean_square, square(grad), decay)
    step = moment * momentum + grad * learning_rate * rsqrt(squares + epsilon)
    put(mean_square, squares)
    put(moment, step)
    return put(var, var - step)


@composed("ApplyCenteredRMSProp(use_locking=False)(var, mean_gradient, mean_square, moment, grad, "
          "learning_rate, decay, momentum, epsilon)")
def _centred_rmsprop(var: Any, mean_gradient: Any, mean_square: Any, moment: Any, grad: Any,
                     learning_rate: Any, decay: Any, momentum: Any, epsilon: Any, *,
                     use_locking: bool = False) -> Any:
    """A step of RMSProp by the variance of the gradient."""
    mean, squares = mixed(mean_gradient, grad, decay), mixed(mean_square, square(grad), decay)
    step = moment * momentum + grad * learning_rate * rsqrt(squares - square(mean) + epsilon)
    put(mean_gradient, mean)
    put(mean_square, squares)
    put(moment, step)
    return put(var, var - step)


@composed("ApplyAddSign()(var, m, lr, alpha, sign_decay, beta, grad)")
def _add_sign(var: Any, m: Any, lr: Any, alpha: Any, sign_decay: Any, beta: Any,
              grad: Any) -> tuple[Any, Any]:
    """p <- p - lr * (alpha + sign_decay * sign(g) * sign(m)) * g (Bello et al. 2017)."""
    mean = mixed(m, grad, beta)
    step = (sign(grad) * sign(mean) * sign_decay + alpha) * grad
    return put(var, var - step * lr), put(m, mean)


@composed("ApplyPowerSign()(var, m, lr, logbase, sign_decay, beta, grad)")
def _power_sign(var: Any, m: Any, lr: Any, logbase: Any, sign_decay: Any, beta: Any,
                grad: Any) -> tuple[Any, Any]:
    """p <- p - lr * exp(logbase * sign_decay * sign(g) * sign(m)) * g (Bello et al. 2017)."""
    mean = mixed(m, grad, beta)
    step = exp(sign(grad) * sign(mean) * sign_decay * logbase) * grad
    return put(var, var - step * lr), put(m, mean)


# ---------------------------------------------------------------------- proximal, FTRL

def proximal(x: Any, rate: Any, l1: Any, l2: Any) -> Any:
    """The point that a step of size `rate` with l1 and l2 penalties ends at."""
    return sign(x) * maximum(abs_(x) - rate * l1, 0.0) / (rate * l2 + 1)


@composed("ApplyProximalGradientDescent()(var, alpha, l1, l2, delta)")
def _proximal_descent(var: Any, alpha: Any, l1: Any, l2: Any, delta: Any) -> Any:
    """Proximal gradient descent with l1 and l2 penalties."""
    return put(var, proximal(var - delta * alpha, alpha, l1, l2))


@composed("ApplyProximalAdagrad(use_locking=False)(var, accum, lr, l1, l2, grad)")
def _proximal_adagrad(var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any, *,
                      use_locking: bool = False) -> tuple[Any, Any]:
    """Proximal gradient descent at the rates of Adagrad."""
    a = accum + square(grad)
    rate = rsqrt(a) * lr
    return put(var, proximal(var - grad * rate, rate, l1, l2)), put(accum, a)


def ftrl_step(var: Any, accum: Any, linear: Any, grad: Any, lr: Any, l1: Any, l2: Any, lr_power: Any,
               shrinkage: float = 0.0) -> tuple[Any, Any, Any]:
    """Follow the regularised leader (McMahan et al. 2013): new var, accum, linear."""
    a = accum + square(grad)
    power = -lr_power
    new, old = pow_(a, power), pow_(accum, power)
    shrunk = grad + var * (2 * shrinkage) if shrinkage else grad
    z = linear + shrunk - (new - old) / lr * var
    quadratic = new / lr + 2 * l2
    moved = (sign(z) * l1 - z) / quadratic
    return moved * cast(greater(abs_(z), l1), dtype=var.dtype), a, z


@composed("ApplyFtrl(use_locking=False)(var, accum, linear, grad, lr, l1, l2, lr_power)")
def _ftrl(var: Any, accum: Any, linear: Any, grad: Any, lr: Any, l1: Any, l2: Any, lr_power: Any, *,
          use_locking: bool = False) -> Any:
    """A step of FTRL."""
    new, a, z = ftrl_step(var, accum, linear, grad, lr, l1, l2, lr_power)
    put(accum, a)
    put(linear, z)
    return put(var, new)


@composed("LARSUpdate(epsilon=1e-05, hyperpara=0.001, use_clip=False)"
          "(weight, gradient, norm_weight, norm_gradient, weight_decay, learning_rate)")
def _lars(weight: Any, gradient: Any, norm_weight: Any, norm_gradient: Any, weight_decay: Any,
          learning_rate: Any, *, epsilon: float = 1e-5, hyperpara: float = 0.001,
          use_clip: bool = False) -> Any:
    """The gradient at the rate of its layer (You et al. 2017), from the sums of squares."""
    w, g = sqrt(norm_weight), sqrt(norm_gradient)
    rate = w * hyperpara / (g + w * weight_decay + epsilon)
    if use_clip:
        rate = minimum(rate / learning_rate, 1.0)
    return (gradient + weight * weight_decay) * rate
