"""Names that only earlier releases had under the same path, or that have another home here."""

from __future__ import annotations

from .quantised import QUANTISED_LAYERS

EARLIER: dict[str, list[str]] = {
    "mindspore": ["mindspore.compiler.jit:ms_function", "mindspore.compiler.options:ms_class=jit_class",
                  "mindspore.core.dtype:issubclass_"],
    "mindspore.common": ["mindspore.compiler.jit:ms_function", "mindspore.compiler.options:ms_class=jit_class",
                         "mindspore.core.dtype:issubclass_"],
    "mindspore.common.api": ["mindspore.compiler.jit:ms_function", "mindspore.compiler.options:ms_class=jit_class"],
    "mindspore.common.tensor": ["mindspore.ops.sparse_layouts:COOTensor CSRTensor RowTensor SparseTensor"],
    "mindspore.core.dtype": ["mindspore.core.dtype:tensor=tensor_type _dtype_to_nptype=dtype_to_nptype "
                             "_dtype_to_pytype=dtype_to_pytype _pytype_to_dtype=pytype_to_dtype "
                             "_get_py_obj_dtype=get_py_obj_dtype _issubclass_=issubclass_ float=float32 bool=bool_ "
                             "int=int32",
                             "mindspore.core.absent:float8_e4m3fn float8_e5m2 hifloat8 qint4x2",
                             "mindspore.core.quant_dtype:QuantDtype"],
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
    "mindspore.nn.layer": [*QUANTISED_LAYERS],
    "mindspore.nn.loss.loss": ["mindspore.nn:_Loss=LossBase"],
    "mindspore.ops": [
        "mindspore.ops.user_kernels:ms_hybrid=kernel",
        "mindspore.ops:neg_tensor=neg random_shuffle=shuffle sparse_add=coo_add sparse_concat=coo_concat",
    ],
    "mindspore.ops.functional": [
        "mindspore.core.dtype:issubclass_",
        "mindspore.ops:neg_tensor=neg pack=stack reduce_prod=prod random_shuffle=shuffle sparse_add=coo_add "
        "sparse_concat=coo_concat sparse_tensor_get_dense_shape=coo_tensor_get_dense_shape "
        "sparse_tensor_get_indices=coo_tensor_get_indices sparse_tensor_get_values=coo_tensor_get_values",
    ],
    "mindspore.ops.operations": ["mindspore.ops.user_kernels:ms_hybrid=kernel"],
}
