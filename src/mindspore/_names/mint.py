"""The paths of functions and cells with torch's arguments; `hook.py` says what a row means."""

from __future__ import annotations

# What means the same in `mint` as in `ops`
MINT = (
    "abs acos acosh addmm addmv arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax asin "
    "asinh atan atan2 atanh baddbmm bitwise_and bitwise_or bitwise_xor broadcast_to ceil clamp clip cos cosh "
    "cross div divide dstack einsum eq erf erfc erfinv exp exp2 expm1 eye fix=trunc flip float_power floor "
    "floor_divide fmod full full_like gcd ge greater greater_equal gt hstack imag inverse isclose isfinite "
    "isinf isneginf le lerp less less_equal log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not "
    "logical_or logical_xor logsumexp lt masked_select matmul maximum minimum mm mul nan_to_num ne neg negative "
    "nonzero not_equal ones ones_like outer polar pow ravel real reciprocal remainder roll round rsqrt "
    "searchsorted sigmoid sign sin sinc sinh square sum swapaxes take tan tanh tile tril triu trunc unbind "
    "unique_consecutive unsqueeze xlogy zeros zeros_like"
)

MINT_PATHS: dict[str, str | list[str]] = {
    "mindspore.mint": [
        f"mindspore.ops:{MINT}",
        *[f"mindspore.mint.{m}:*" for m in ("arithmetic", "choosing", "distinct", "products", "random", "reductions",
                                            "shapes", "statistics")],
        "mindspore.mint.activation:npu_gelu softmax",
    ],
    "mindspore.mint.special": ["mindspore.ops:erfc exp2 expm1 log1p round sinc",
                               "mindspore.mint.activation:log_softmax"],
    "mindspore.mint.linalg": ["mindspore.mint.linear_algebra:*", "mindspore.ops:norm"],
    "mindspore.mint.nn": [
        "mindspore.nn:AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool2d BCELoss Cell "
        "ConstantPad1d ConstantPad2d ConstantPad3d CosineEmbeddingLoss Flatten Identity L1Loss Linear LogSigmoid "
        "MSELoss MaxUnpool2d Mish PixelShuffle ReLU ReflectionPad1d ReflectionPad2d ReflectionPad3d "
        "ReplicationPad1d ReplicationPad2d ReplicationPad3d Sigmoid SoftMarginLoss Tanh Upsample ZeroPad2d",
        *[f"mindspore.mint.{m}_cells:*" for m in ("activation", "loss", "norm", "trained", "window")],
    ],
    "mindspore.mint.nn.functional": [
        "mindspore.ops:adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d "
        "broadcast_to clamp conv_transpose2d cosine_embedding_loss cross_entropy embedding erfinv fold gelu "
        "grid_sample group_norm hardshrink hardsigmoid hardswish interpolate l1_loss layer_norm mish mse_loss "
        "pixel_shuffle prelu relu selu sigmoid soft_margin_loss softplus softshrink tanh unfold upsample",
        "mindspore.mint.activation:elu elu_ glu hardtanh hardtanh_ leaky_relu log_softmax logsigmoid relu6 relu_ "
        "sigmoid_ silu softmax threshold threshold_",
        "mindspore.mint.shapes:flatten",
        "mindspore.mint.products:conv2d",
        *[f"mindspore.mint.{m}:*" for m in ("layers", "losses", "windows")],
    ],
    "mindspore.mint.optim": ["mindspore.experimental.optim:Adam AdamW FusedAdamW=AdamW SGD"],
    "mindspore.mint.optim.adam": ["mindspore.experimental.optim:Adam"],
    "mindspore.mint.optim.adamw": ["mindspore.experimental.optim:AdamW"],
    "mindspore.mint.optim.fused_adamw": ["mindspore.experimental.optim:FusedAdamW=AdamW"],
    "mindspore.mint.optim.sgd": ["mindspore.experimental.optim:SGD"],
}
