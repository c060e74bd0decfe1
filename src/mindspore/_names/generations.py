"""What differs between generations under the same path: names that only earlier releases had, or that have
another home here, and arguments that were renamed."""

from __future__ import annotations

EARLIER: dict[str, list[str]] = {
    "mindspore": ["mindspore.compiler.jit:ms_function", "mindspore.compiler.options:ms_class=jit_class",
                  "mindspore.core.dtype:issubclass_"],
    "mindspore.common": ["mindspore.compiler.jit:ms_function"],
    "mindspore.common.api": ["mindspore.compiler.jit:ms_function"],
    "mindspore.core.dtype": ["mindspore.core.dtype:tensor=tensor_type", "mindspore.core.quant_dtype:QuantDtype"],
    "mindspore.eager.initializer": ["mindspore.eager.filled:random_normal"],
    "mindspore.dataset": [
        "mindspore.ops.methods:Tensor",
        "mindspore.dataset.config:ErrorSamplesMode get_callback_timeout get_debug_mode "
        "get_enable_watchdog get_error_samples_mode get_multiprocessing_start_method "
        "get_multiprocessing_timeout_interval get_num_parallel_workers get_video_backend set_video_backend",
        "mindspore.dataset.dataset:AudioBaseDataset=Dataset TextBaseDataset=Dataset "
        "UnionBaseDataset=Dataset VisionBaseDataset=Dataset",
        "mindspore.dataset.helpers:*",
        "mindspore.dataset.samplers:select_sampler",
        "mindspore.dataset.text:SentencePieceModel",
        "mindspore.dataset.utils:LineReader",
        "mindspore.dataset.validators:*",
        "mindspore.mindrecord.config:encrypt",
        "mindspore.dataset.vision:ToNumpy",
    ],
    "mindspore.nn": ["mindspore.nn.partitioned:AttentionMask EmbeddingOpParallelConfig FeedForward MoEConfig "
                     "MultiHeadAttention OpParallelConfig TransformerOpParallelConfig TransformerRecomputeConfig "
                     "VocabEmbedding"],
    "mindspore.nn.loss.loss": ["mindspore.nn:_Loss=LossBase"],
    "mindspore.ops": ["mindspore.ops.user_kernels:ms_hybrid=kernel"],
    "mindspore.ops.operations": ["mindspore.ops.user_kernels:ms_hybrid=kernel"],
}

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
    ("norm", "keep_dims"): "keepdim",
    ("norm", "p"): "ord",
    ("split", "input_x"): "tensor",
}
