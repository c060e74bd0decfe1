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
        "grid_sample group_norm hardshrink hardsigmoid hardswish l1_loss layer_norm mish mse_loss "
        "pixel_shuffle prelu relu selu sigmoid soft_margin_loss softplus softshrink tanh unfold",
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

# Functions of `mindspore.ops.function` whose names end in "_ext": torch's arguments
EXTENDED = [
    "mindspore.mint:addbmm_ext=addbmm addcmul_ext=addcmul addmm_ext=addmm addmv_ext=addmv amax_ext=amax amin_ext=amin "
    "arange_ext=arange arccos_ext=arccos arccosh_ext=arccosh arcsin_ext=arcsin arcsinh_ext=arcsinh arctan2_ext=arctan2 "
    "arctan_ext=arctan baddbmm_ext=baddbmm bernoulli_ext=bernoulli bitwise_and_ext=bitwise_and "
    "bitwise_or_ext=bitwise_or bitwise_xor_ext=bitwise_xor chunk_ext=chunk chunk_view=chunk diff_ext=diff "
    "einsum_ext=einsum float_power_ext=float_power full_ext=full full_like_ext=full_like gather_ext=gather "
    "inverse_ext=inverse isnan_ext=isnan linspace_ext=linspace max_ext=max median_ext=median meshgrid_ext=meshgrid "
    "min_ext=min mul_ext=mul multinomial_ext=multinomial norm_ext=norm normal_ext=normal ones_like_ext=ones_like "
    "pow_ext=pow rand_ext=rand rand_like_ext=rand_like randint_ext=randint randint_like_ext=randint_like "
    "randn_ext=randn randn_like_ext=randn_like randperm_ext=randperm remainder_ext=remainder "
    "repeat_interleave_ext=repeat_interleave scatter_add_ext=scatter_add sort_ext=sort split_view=split std_ext=std "
    "std_mean_ext=std_mean tril_ext=tril unbind_ext=unbind unique_ext=unique unsqueeze_view=unsqueeze var_ext=var "
    "var_mean_ext=var_mean zeros_like_ext=zeros_like",
    "mindspore.mint.linalg:linalg_norm=norm matrix_norm_ext=matrix_norm vector_norm_ext=vector_norm",
    "mindspore.mint.nn.functional:adaptive_avg_pool2d_ext=adaptive_avg_pool2d avg_pool2d_ext=avg_pool2d "
    "avg_pool3d_ext=avg_pool3d batch_norm_ext=batch_norm conv2d_ext=conv2d cross_entropy_ext=cross_entropy "
    "dropout2d_ext=dropout2d dropout_ext=dropout glu_ext=glu interpolate_ext=interpolate kl_div_ext=kl_div linear "
    "relu_ log_softmax_ext=log_softmax logsigmoid_ext=logsigmoid max_pool2d_ext=max_pool2d nll_loss_ext=nll_loss "
    "one_hot_ext=one_hot pad_ext=pad softmax_ext=softmax",
    "mindspore.ops:mean_ext=mean", "mindspore.ops.methods:from_numpy",
    "mindspore.mint._generated:as_strided index_fill_ext=index_fill_scalar split_ext",
]
