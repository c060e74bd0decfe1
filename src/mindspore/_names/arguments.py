"""Arguments of `mindspore.ops` that earlier releases called otherwise."""

from __future__ import annotations

# Earlier names, their present names, and the functions that had them.
_TOGETHER: list[tuple[str, str, str]] = [
    ("x", "input",
     "abs acos acosh adaptive_max_pool3d addmv all amax amin any argmax argmin asin asinh atan "
     "atanh baddbmm bernoulli broadcast_to ceil clip combinations cos cosh cummax cummin dropout "
     "dropout2d dropout3d erf erfc exp exp2 expm1 floor gather_elements hardshrink hardswish "
     "interpolate isfinite isnan isreal log log10 log1p log2 log_matrix_determinant logical_not "
     "logit logsumexp masked_select matrix_determinant max median min neg nonzero pdist prelu prod "
     "relu rot90 round silu sin sinh soft_shrink softmax softshrink square tan unique "
     "unique_consecutive"),
    ("input_x", "input",
     "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d "
     "adaptive_max_pool2d diag flatten gelu grid_sample ones_like renorm sigmoid squeeze std tanh "
     "trunc"),
    ("x y", "input other",
     "add atan2 bitwise_and bitwise_or bitwise_xor div equal ge gt kron le less logical_and "
     "logical_or maximum minimum mul ne remainder sub xlogy"),
    ("x1 x2", "input other", "isclose logaddexp logaddexp2 matmul"),
    ("x1 x2", "input vec2", "ger outer"),
    ("x y", "input exponent", "pow"),
    ("x y", "x1 x2", "cdist"),
    ("input_data x1 x2", "input tensor1 tensor2", "addcdiv addcmul"),
    ("start", "input", "lerp"),
    ("inputs", "input", "cross_entropy multinomial"),
    ("inputs", "tensors", "dstack"),
    ("input_x", "tensors", "concat stack"),
    ("logits label", "input target", "binary_cross_entropy_with_logits"),
    ("logits labels", "input target", "smooth_l1_loss"),
    ("inputs group", "input groups", "conv2d"),
    ("axis keep_dims", "dim keepdim", "logsumexp"),
    ("return_idx axis", "return_inverse dim", "unique_consecutive"),
    ("keep_dims", "keepdims", "amax amin max median min std"),
    ("cond x y", "condition input other", "select"),
    ("x y", "input other", "where"),
    ("input_x input_shape", "input shape", "reshape"),
    ("input_x input_perm", "input dims", "transpose"),
    ("input_x multiples", "input dims", "tile"),
    ("input_x", "A", "norm"),
    ("limit delta", "end step", "range"),
    ("dim", "axis", "index_fill renorm"),
    ("output_size", "size", "affine_grid"),
    ("a", "input", "svd"),
    ("t", "dtype", "eye"),
    ("type", "dtype", "ones"),
    ("stop", "end", "linspace"),
    ("paddings", "padding", "pad"),
    ("x", "input_x", "avg_pool2d"),
]

# (class or function of mindspore.ops, earlier name of an argument): its present name.
RENAMED: dict[tuple[str, str], str] = {
    ("AvgPool", "ksize"): "kernel_size",
    ("AvgPool", "padding"): "pad_mode",
    ("Cummax", "dim"): "axis",
    ("MaxPool", "ksize"): "kernel_size",
    ("MaxPool", "padding"): "pad_mode",
    ("MaxPoolWithArgmax", "ksize"): "kernel_size",
    ("MaxPoolWithArgmax", "padding"): "pad_mode",
    ("Roll", "axis"): "dims",
    ("Roll", "shift"): "shifts",
    ("UniqueConsecutive", "axis"): "dim",
    ("UniqueConsecutive", "return_idx"): "return_inverse",
    ("argmax", "axis"): "dim",
    ("argmax", "keepdims"): "keepdim",
    ("avg_pool2d", "strides"): "stride",
    ("clip_by_value", "max"): "clip_value_max",
    ("clip_by_value", "min"): "clip_value_min",
    ("dot", "x1"): "input",
    ("dot", "x2"): "other",
    ("grid_sample", "interpolation_mode"): "mode",
    ("linspace", "num"): "steps",
    ("multinomial", "num_sample"): "num_samples",
    ("norm", "axis"): "dim",
    ("Tensor.remainder", "divisor"): "other",
    ("norm", "keep_dims"): "keepdim",
    ("norm", "p"): "ord",
    ("split", "input_x"): "tensor",
}
RENAMED.update({(name, earlier): present for olds, news, names in _TOGETHER for name in names.split()
                for earlier, present in zip(olds.split(), news.split(), strict=True)})

# Inputs of cells that are in `mindspore.mint.nn`, too, and have other names there: {class: {name there: name here}}.
_PADDED = ("ConstantPad1d ConstantPad2d ConstantPad3d ZeroPad2d ReflectionPad1d ReflectionPad2d ReflectionPad3d "
           "ReplicationPad1d ReplicationPad2d ReplicationPad3d")
_OF_CELLS = (
    (f"{_PADDED} Upsample MaxUnpool2d Flatten Tanh Sigmoid", {"input": "x"}),
    ("LogSoftmax SiLU", {"x": "input"}),
    ("Mish LogSigmoid", {"input": "input_x"}),
    ("MSELoss BCELoss L1Loss", {"input": "logits", "target": "labels"}),
    ("CosineEmbeddingLoss", {"input1": "logits_x1", "input2": "logits_x2", "target": "labels"}),
)
OF_CELLS: dict[str, dict[str, str]] = {name: words for names, words in _OF_CELLS for name in names.split()}

# Keywords with which a call means what an earlier release did (`ops/earlier_forms.py`).
OF_EARLIER_FORMS: dict[str, str] = {
    "argmax": "output_type", "avg_pool2d": "pad_mode data_format", "dropout": "seed0 seed1", "matmul": "dtype",
    "median": "global_median", "norm": "epsilon", "random_gamma": "seed2", "standard_laplace": "seed2",
    "standard_normal": "seed2", "std": "unbiased",
}
