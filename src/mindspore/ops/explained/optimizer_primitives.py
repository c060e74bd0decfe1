"""Sections of the texts of operators in `optimizer_primitives`."""
from __future__ import annotations

import textwrap

WORDS = {
    "var": "The parameter that changes, floating point.",
    "m": "The mean of the gradients so far, a parameter like `var`.",
    "v": "The mean of the squares of the gradients so far, a parameter like `var`.",
    "vhat": "The greatest `v` so far, a parameter like `var`.",
    "beta1_power": "`beta1` to the power of the number of the step.",
    "beta2_power": "`beta2` to the power of the number of the step.",
    "lr": "The step size.",
    "beta1": "The decay of `m`, in [0, 1).",
    "beta2": "The decay of `v`, in [0, 1).",
    "epsilon": "What is added to the denominator.",
    "gradient": "The gradient, of the shape of `var`.",
    "grad": "The gradient, of the shape of `var`.",
    "delta": "The gradient, of the shape of `var`.",
    "alpha": "The step size.",
    "decay": "The weight decay: so much of `var` is added to the step.",
    "use_locking": "Has no effect: a parameter has one writer.",
    "use_nesterov": "Whether the step takes the gradient of the place that it leads to (Nesterov).",
    "accum": "The sum of the squares of the gradients so far, a parameter like `var`.",
    "momentum": "How much of the last step is kept.",
    "l1": "The l1 penalty.",
    "l2": "The l2 penalty.",
    "update_slots": "Whether `accum` grows; else it keeps its values.",
    "indices": "The rows of `var` that the gradient belongs to, (n,), int32 or int64; rows that occur twice are added.",
    "linear": "The linear term of FTRL, a parameter like `var`.",
    "lr_power": "The power of `accum` in the rate, not positive; -0.5 is a square root.",
}


def text(names: str, shown: str, returns: str, **own: str) -> str:
    """The sections of a step that takes these, with the words of `WORDS` or its own."""
    entries = [textwrap.fill(f"{name}: {(WORDS | own)[name]}", 116, initial_indent="    ", subsequent_indent=" " * 8)
               for name in names.split()]
    examples = textwrap.indent(textwrap.dedent(shown).strip(), "    ")
    return "\n".join(["Args:", *entries, "", "Returns:", f"    {returns}", "", "Examples:", examples, ""])


_RMS = {
    "mean_square": "The mean of the squares of the gradients so far, a parameter like `var`.",
    "mean_gradient": "The mean of the gradients so far, a parameter like `var`.",
    "moment": "The last step, a parameter like `var`.",
    "learning_rate": "The step size.",
    "decay": "The decay of the means.",
    "epsilon": "What is added below the root.",
}
_MOMENTUM = {
    "variable": "The parameter that changes, floating point.",
    "accumulation": "The sum of the gradients so far, which decays, a parameter like `variable`.",
    "learning_rate": "The step size.",
    "gradient": "The gradient, of the shape of `variable`.",
    "momentum": "The decay of `accumulation`.",
    "gradient_scale": "A factor of the gradient.",
    "use_nesterov": "Whether the step is that of the formula's second form.",
    "loss_scale": "A factor of the gradient.",
    "weight_decay": "So much of `variable` is added to the gradient.",
}

TEXTS = {
    "Adam": text(
        "var m v beta1_power beta2_power lr beta1 beta2 epsilon gradient use_locking use_nesterov",
        """
        >>> var, m, v = Parameter(Tensor([1.0])), Parameter(Tensor([0.0])), Parameter(Tensor([0.0]))
        >>> _ = ops.Adam()(var, m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, Tensor([2.0]))
        >>> var.asnumpy().round(4), m.asnumpy().round(4), v.asnumpy().round(4)
        (array([0.9], dtype=float32), array([0.2], dtype=float32), array([0.004], dtype=float32))
        """,
        "The three parameters.",
    ),
    "AdamNoUpdateParam": text(
        "m v beta1_power beta2_power lr beta1 beta2 epsilon gradient use_locking use_nesterov",
        """
        >>> m, v = Parameter(Tensor([0.0])), Parameter(Tensor([0.0]))
        >>> ops.AdamNoUpdateParam()(m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, Tensor([2.0])).asnumpy().round(4)
        array([-0.1], dtype=float32)
        """,
        "A tensor of the shape of `m`.",
        m="The mean of the gradients so far, a parameter, floating point.",
        v="The mean of the squares of the gradients so far, a parameter like `m`.",
        gradient="The gradient, of the shape of `m`.",
    ),
    "AdamWeightDecay": text(
        "var m v lr beta1 beta2 epsilon decay gradient use_locking",
        """
        >>> var, m, v = Parameter(Tensor([1.0])), Parameter(Tensor([0.0])), Parameter(Tensor([0.0]))
        >>> _ = ops.AdamWeightDecay()(var, m, v, 0.5, 0.5, 0.75, 0.0, 0.5, Tensor([2.0]))
        >>> var.asnumpy().round(4), m.tolist(), v.tolist()
        (array([0.25], dtype=float32), [1.0], [1.0])
        """,
        "The three parameters.",
    ),
    "FusedCastAdamWeightDecay": text(
        "var m v lr beta1 beta2 epsilon decay gradient use_locking",
        """
        >>> var, m, v = Parameter(Tensor([1.0])), Parameter(Tensor([0.0])), Parameter(Tensor([0.0]))
        >>> _ = ops.FusedCastAdamWeightDecay()(var, m, v, 0.5, 0.5, 0.75, 0.0, 0.5, Tensor([2.0], mindspore.float16))
        >>> var.asnumpy().round(4), m.tolist(), v.tolist()
        (array([0.25], dtype=float32), [1.0], [1.0])
        """,
        "The three parameters.",
        gradient="The gradient, of the shape of `var`, float16 or float32.",
    ),
    "ApplyAdaMax": text(
        "var m v beta1_power lr beta1 beta2 epsilon grad",
        """
        >>> var, m, v = Parameter(Tensor([1.0])), Parameter(Tensor([0.0])), Parameter(Tensor([0.0]))
        >>> _ = ops.ApplyAdaMax()(var, m, v, 0.5, 0.25, 0.5, 0.5, 0.0, Tensor([2.0]))
        >>> var.tolist(), m.tolist(), v.tolist()
        ([0.75], [1.0], [2.0])
        """,
        "The three parameters.",
        v="The greatest magnitude of the gradients so far, which decays, a parameter like `var`.",
    ),
    "ApplyAdadelta": text(
        "var accum accum_update lr rho epsilon grad",
        """
        >>> var, accum, update = Parameter(Tensor([1.0])), Parameter(Tensor([0.0])), Parameter(Tensor([1.0]))
        >>> _ = ops.ApplyAdadelta()(var, accum, update, 0.5, 0.75, 0.0, Tensor([2.0]))
        >>> var.asnumpy().round(4), accum.asnumpy().round(4), update.asnumpy().round(4)
        (array([0.], dtype=float32), array([1.], dtype=float32), array([1.75], dtype=float32))
        """,
        "The three parameters.",
        accum="The mean of the squares of the gradients so far, a parameter like `var`.",
        accum_update="The mean of the squares of the steps so far, a parameter like `var`.",
        rho="The decay of both means.",
        epsilon="What is added to both means.",
    ),
    "ApplyAdagrad": text(
        "var accum lr grad update_slots",
        """
        >>> var, accum = Parameter(Tensor([1.0])), Parameter(Tensor([3.0]))
        >>> _ = ops.ApplyAdagrad()(var, accum, 0.5, Tensor([1.0]))
        >>> var.tolist(), accum.tolist()
        ([0.75], [4.0])
        """,
        "The two parameters.",
    ),
    "ApplyAdagradV2": text(
        "var accum lr grad epsilon update_slots",
        """
        >>> var, accum = Parameter(Tensor([1.0])), Parameter(Tensor([3.0]))
        >>> _ = ops.ApplyAdagradV2(epsilon=2.0)(var, accum, 0.5, Tensor([1.0]))
        >>> var.tolist(), accum.tolist()
        ([0.875], [4.0])
        """,
        "The two parameters.",
    ),
    "ApplyAdagradDA": text(
        "var gradient_accumulator gradient_squared_accumulator grad lr l1 l2 global_step use_locking",
        """
        >>> var, total, squares = [Parameter(Tensor([number])) for number in (1.0, 0.0, 0.0)]
        >>> ops.ApplyAdagradDA()(var, total, squares, Tensor([2.0]), 0.5, 1.0, 0.0, 1).tolist()
        [-0.25]
        """,
        "The parameter `var`.",
        gradient_accumulator="The sum of the gradients so far, a parameter like `var`.",
        gradient_squared_accumulator="The sum of their squares, a parameter like `var`.",
        global_step="The number of the step, which multiplies the penalties.",
    ),
    "ApplyAdamWithAmsgrad": text(
        "var m v vhat beta1_power beta2_power lr grad beta1 beta2 epsilon use_locking",
        """
        >>> var, m, v, vhat = [Parameter(Tensor([number])) for number in (1.0, 0.0, 0.0, 0.0)]
        >>> _ = ops.ApplyAdamWithAmsgrad()(var, m, v, vhat, 0.9, 0.999, 0.1, Tensor([2.0]))
        >>> var.asnumpy().round(4), vhat.asnumpy().round(4)
        (array([0.9], dtype=float32), array([0.004], dtype=float32))
        """,
        "The four parameters.",
    ),
    "ApplyAdamWithAmsgradV2": text(
        "var m v vhat beta1_power beta2_power lr beta1 beta2 epsilon grad use_locking",
        """
        >>> var, m, v, vhat = [Parameter(Tensor([number])) for number in (1.0, 0.0, 0.0, 0.0)]
        >>> _ = ops.ApplyAdamWithAmsgradV2()(var, m, v, vhat, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, Tensor([2.0]))
        >>> var.asnumpy().round(4), vhat.asnumpy().round(4)
        (array([0.9], dtype=float32), array([0.004], dtype=float32))
        """,
        "The four parameters.",
    ),
    "ApplyAddSign": text(
        "var m lr alpha sign_decay beta grad",
        """
        >>> var, m = Parameter(Tensor([1.0])), Parameter(Tensor([1.0]))
        >>> _ = ops.ApplyAddSign()(var, m, 0.25, 1.0, 0.5, 0.5, Tensor([2.0]))
        >>> var.tolist(), m.tolist()
        ([0.25], [1.5])
        """,
        "The two parameters.",
        alpha="The factor of the step where the signs are 0.",
        sign_decay="What is added to it where the signs of gradient and mean agree, and subtracted where they differ.",
        beta="The decay of `m`.",
    ),
    "ApplyPowerSign": text(
        "var m lr logbase sign_decay beta grad",
        """
        >>> var, m = Parameter(Tensor([1.0])), Parameter(Tensor([-3.0]))
        >>> _ = ops.ApplyPowerSign()(var, m, 0.5, float(np.log(2.0)), 1.0, 0.5, Tensor([1.0]))
        >>> var.asnumpy().round(4), m.tolist()
        (array([0.75], dtype=float32), [-1.0])
        """,
        "The two parameters.",
        logbase="The logarithm of the base: the step is multiplied by the base where the signs of gradient and "
                "mean agree, and divided where they differ.",
        sign_decay="A factor of that exponent.",
        beta="The decay of `m`.",
    ),
    "ApplyRMSProp": text(
        "var mean_square moment learning_rate grad decay momentum epsilon use_locking",
        """
        >>> var, squares, moment = [Parameter(Tensor([number])) for number in (1.0, 0.0, 0.0)]
        >>> ops.ApplyRMSProp()(var, squares, moment, 0.5, Tensor([1.0]), 0.75, 0.0, 0.0).tolist()
        [0.0]
        >>> squares.tolist(), moment.tolist()
        ([0.25], [1.0])
        """,
        "The parameter `var`.",
        **_RMS,
    ),
    "ApplyCenteredRMSProp": text(
        "var mean_gradient mean_square moment grad learning_rate decay momentum epsilon use_locking",
        """
        >>> var, mean, squares, moment = [Parameter(Tensor([number])) for number in (1.0, 0.0, 0.0, 0.0)]
        >>> ops.ApplyCenteredRMSProp()(var, mean, squares, moment, Tensor([1.0]), 0.25, 0.5, 0.0, 0.0).tolist()
        [0.5]
        >>> mean.tolist(), squares.tolist(), moment.tolist()
        ([0.5], [0.5], [0.5])
        """,
        "The parameter `var`.",
        **_RMS,
    ),
    "ApplyFtrl": text(
        "var accum linear grad lr l1 l2 lr_power use_locking",
        """
        >>> var, accum, linear = [Parameter(Tensor([number])) for number in (1.0, 3.0, 0.0)]
        >>> ops.ApplyFtrl()(var, accum, linear, Tensor([1.0]), 0.5, 0.0, 0.0, -1.0).tolist()
        [0.125]
        >>> accum.tolist(), linear.tolist()
        ([4.0], [-1.0])
        """,
        "The parameter `var`.",
    ),
    "ApplyGradientDescent": text(
        "var alpha delta",
        """
        >>> var = Parameter(Tensor([1.0, 2.0]))
        >>> ops.ApplyGradientDescent()(var, 0.5, Tensor([1.0, -1.0])).tolist()
        [0.5, 2.5]
        """,
        "The parameter `var`.",
    ),
    "ApplyKerasMomentum": text(
        "var accum lr grad momentum use_locking use_nesterov",
        """
        >>> var, accum = Parameter(Tensor([1.0])), Parameter(Tensor([0.5]))
        >>> _ = ops.ApplyKerasMomentum()(var, accum, 0.5, Tensor([1.0]), 0.5)
        >>> var.tolist(), accum.tolist()
        ([0.75], [-0.25])
        """,
        "The two parameters.",
        accum="The last step, a parameter like `var`.",
    ),
    "ApplyMomentum": text(
        "variable accumulation learning_rate gradient momentum use_nesterov use_locking gradient_scale",
        """
        >>> weight, moment = Parameter(Tensor([1.0])), Parameter(Tensor([0.5]))
        >>> ops.ApplyMomentum()(weight, moment, 0.5, Tensor([1.0]), 0.5).tolist(), moment.tolist()
        ([0.375], [1.25])
        """,
        "The parameter `variable`.",
        **_MOMENTUM,
    ),
    "FusedWeightScaleApplyMomentum": text(
        "weight_decay loss_scale variable accumulation learning_rate gradient momentum",
        """
        >>> weight, moment = Parameter(Tensor([1.0])), Parameter(Tensor([0.5]))
        >>> ops.FusedWeightScaleApplyMomentum()(0.25, 0.5, weight, moment, 0.5, Tensor([1.0]), 0.5).tolist()
        [0.5]
        >>> moment.tolist()
        [1.0]
        """,
        "The parameter `variable`.",
        **_MOMENTUM,
    ),
    "ApplyProximalAdagrad": text(
        "var accum lr l1 l2 grad use_locking",
        """
        >>> var, accum = Parameter(Tensor([1.0])), Parameter(Tensor([3.0]))
        >>> _ = ops.ApplyProximalAdagrad()(var, accum, 0.5, 1.0, 0.0, Tensor([1.0]))
        >>> var.tolist(), accum.tolist()
        ([0.5], [4.0])
        """,
        "The two parameters.",
    ),
    "ApplyProximalGradientDescent": text(
        "var alpha l1 l2 delta",
        """
        >>> var = Parameter(Tensor([1.0, 2.0]))
        >>> ops.ApplyProximalGradientDescent()(var, 0.5, 1.0, 2.0, Tensor([1.0, -1.0])).tolist()
        [0.0, 1.0]
        """,
        "The parameter `var`.",
    ),
    "LARSUpdate": text(
        "weight gradient norm_weight norm_gradient weight_decay learning_rate epsilon hyperpara use_clip",
        """
        >>> lars = ops.LARSUpdate(epsilon=0.0, hyperpara=0.5)
        >>> lars(Tensor([4.0]), Tensor([2.0]), Tensor([16.0]), Tensor([4.0]), 0.5, 0.1).tolist()
        [2.0]
        """,
        "A tensor of the shape of `gradient`.",
        weight="The parameter, which is not changed.",
        gradient="Its gradient.",
        norm_weight="The sum of the squares of `weight`.",
        norm_gradient="The sum of the squares of `gradient`.",
        weight_decay="So much of `weight` is added to the gradient.",
        learning_rate="The step size, which only counts with `use_clip`.",
        hyperpara="The factor of the ratio of the norms.",
        use_clip="Whether the rate, divided by `learning_rate`, is at most 1.",
    ),
    "SGD": """\
Args:
    parameters: A parameter, which the step changes.
    gradient: Of its shape and dtype.
    learning_rate, momentum: Numbers or tensors with one.
    accum: The momentum so far, a parameter of the shape of `parameters`, which changes.
    stat: Of that shape; above 0 before the first step, 0 afterwards.
    dampening: What the gradient is weakened by in the momentum, a float.
    weight_decay: The factor of the parameter that is added to the gradient.
    nesterov: Whether the step looks ahead by the momentum.

Examples:
    >>> p, accum, stat = [Parameter(Tensor([x])) for x in (1.0, 0.0, 1.0)]
    >>> ops.SGD()(p, Tensor([0.5]), 0.5, accum, 0.9, stat).tolist()
    [0.75]
    >>> accum.asnumpy(), stat.asnumpy()
    (array([0.5], dtype=float32), array([0.], dtype=float32))
""",
}
