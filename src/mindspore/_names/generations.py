"""Names that only earlier releases had under the same path, or that have another home here."""

from __future__ import annotations

from .kernels import KERNELS
from .mint import EXTENDED
from .operators import ABSENT_FUNCTIONS
from .quantised import QUANTISED_LAYERS

_OPERATORS = f"{ABSENT_FUNCTIONS} {KERNELS}"

EARLIER: dict[str, list[str]] = {
    "mindspore": ["mindspore.compiler.jit:ms_function", "mindspore.compiler.options:ms_class=jit_class",
                  "mindspore.core.dtype:issubclass_"],
    "mindspore.common": ["mindspore.compiler.jit:ms_function", "mindspore.compiler.options:ms_class=jit_class",
                         "mindspore.core.dtype:issubclass_"],
    "mindspore.common.api": ["mindspore.compiler.jit:ms_function", "mindspore.compiler.options:ms_class=jit_class"],
    "mindspore.common.tensor": ["mindspore.ops.sparse_layouts:COOTensor CSRTensor RowTensor SparseTensor",
                                "mindspore.eager.dlpack:swap_tensors"],
    "mindspore.device_context.cpu": ["mindspore.runtime.devices:device_count=cpu_count is_available=cpu_is_available",
                                     "mindspore.runtime.tuning:threads_num"],
    "mindspore.graph.api": ["mindspore.core.absent:flops_collection register_saved_tensors_hooks saved_tensors_hooks"],
    "mindspore.nn.optim": ["mindspore.core.absent:OptTFTWrapper"],
    "mindspore.nn.wrap": ["mindspore.nn:TimeDistributed", "mindspore.core.absent:GetNextSingleOp"],
    "mindspore.safeguard": ["mindspore.core.absent:load_obf_params_into_net obfuscate_ckpt"],
    "mindspore.ops.communication": ["mindspore.core.absent:set_comm_ops_inplace"],
    "mindspore.ops.composite": [_OPERATORS],
    "mindspore.ops.function": [_OPERATORS, *EXTENDED],
    "mindspore.ops.functional_overload": [
        _OPERATORS, "mindspore.mint.nn.functional:conv1d conv3d gelu pixel_shuffle"],
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
        "mindspore.core.dtype:issubclass_", _OPERATORS, "mindspore.core.absent:DtypeToEnum J SliceGetItem",
        "mindspore.mint:bernoulli_ext=bernoulli float_power_ext=float_power", "mindspore.ops:tensor_range=range",
        "mindspore.ops:neg_tensor=neg pack=stack reduce_prod=prod random_shuffle=shuffle sparse_add=coo_add "
        "sparse_concat=coo_concat sparse_tensor_get_dense_shape=coo_tensor_get_dense_shape "
        "sparse_tensor_get_indices=coo_tensor_get_indices sparse_tensor_get_values=coo_tensor_get_values",
    ],
    "mindspore.ops.operations": ["mindspore.ops.user_kernels:ms_hybrid=kernel",
                                 "mindspore.ops:Custom CustomOpBuilder PyFunc kernel"],
}
