"""Names below the documented ones that published packages import: networks, trainers, toolboxes for attacks."""
from __future__ import annotations

_A = "mindspore.core.absent:"
_REPLAYED = ("PriorityReplayBufferCreate PriorityReplayBufferDestroy PriorityReplayBufferPush "
             "PriorityReplayBufferSample PriorityReplayBufferUpdate ReservoirReplayBufferCreate "
             "ReservoirReplayBufferDestroy ReservoirReplayBufferPush ReservoirReplayBufferSample")
_QUEUES = "TensorsQueueClear TensorsQueueClose TensorsQueueCreate TensorsQueueGet TensorsQueuePut TensorsQueueSize"
_ENVIRONMENTS = "EnvCreate EnvReset EnvStep MuxReceive MuxSend"
_ARRAYS = ("TensorArray=_tensor_array.TensorArray TensorArrayClear TensorArrayClose TensorArrayRead TensorArraySize "
           "TensorArrayStack TensorArrayWrite")
_MAPS = "MapTensorErase MapTensorGet MapTensorGetData MapTensorGetKeys MapTensorGetValues MapTensorPut"
_SHARDED = ("_DistributedTensorInfo get_parameter_redundancy remove_param_redundancy "
            "get_squared_device_local_norm_param _get_group_map _remove_group_info")
_SPARSE_ATTENTION = "DSDMatmul MatmulDDS"
_OF_MACHINES = "_framework_profiler_step_end _framework_profiler_step_start is_reboot_node swap_cache"
_READERS = "_c_dataengine.BasicTokenizerOperation _c_dataengine.LookupOperation _c_dataengine.Vocab"
_TYPES_OF_READERS = "mstype_to_detype DE_C_INTER_NORMALIZE_FORM"
_CACHES = "_insert_hash_table_size _set_cache_enable _set_cache_size _set_sparse_format"

PUBLISHED_GROUPS = (
    (_REPLAYED,
     "keep the rows in a Parameter, write them by 'ops.tensor_scatter_update' and draw them by 'ops.gather'."),
    (_QUEUES, "keep the rows in a Parameter or in 'nn.TensorArray'."),
    (_ENVIRONMENTS,
     "it was a kernel of GPU builds before 2.3; step environments in Python, between compiled functions."),
    ("DiscountedReturn", "fold the rewards backwards by a loop or by 'ops.cumsum' of discounted rewards."),
    (_ARRAYS.replace("TensorArray=", ""), "use 'nn.TensorArray'."),
    (_MAPS, "keep the rows in a Parameter, and find them by 'ops.unique' or 'nn.EmbeddingLookup'."),
    (_SHARDED,
     "it is a part of the original's bookkeeping of shards; 'Layout' and 'mindspore.parallel' describe them."),
    (_SPARSE_ATTENTION, "it is a kernel of an NPU; mask the scores of 'ops.batch_mat_mul', or use "
                        "'ops.flash_attention_score' with a sparse mode."),
    (_OF_MACHINES, "it belongs to the original's runtime; 'mindspore.runtime' and 'mindspore.profiler' are public."),
    (f"{_READERS} {_TYPES_OF_READERS}",
     "it is a part of the original's reader; use the transforms of 'mindspore.dataset.text'."),
    ("CudnnGRU", "it is a kernel of GPUs; use 'nn.GRU'."),
    ("BatchAssign", "assign each Parameter by 'ops.assign'."),
    (_CACHES, "tables of servers live in their memory; 'set_ps_context' and 'nn.EmbeddingLookup' have them."),
    ("_exec_save", "use 'mindspore.save_checkpoint', which takes a list of names and tensors."),
    ("_parse_ckpt_proto _load_map_parameter", "use 'mindspore.load_checkpoint'."),
    ("_run_op", "call the primitive."),
    ("_random_normal", "use 'common.initializer.Normal' or 'ops.normal'."),
    ("K_CONTEXT", "use 'mindspore.set_context' and 'mindspore.get_context'."),
    ("_set_rp_matmul_mem_coef", "use 'mindspore.set_algo_parameters'."),
)

PUBLISHED: dict[str, list[str]] = {
    "mindspore.mint": ["mindspore.mint.nn:functional", "mindspore.ops.methods:Tensor"],
    "mindspore.core.log": ["mindspore.core.log:_get_logger=_active"],
    "mindspore.core.context": ["mindspore.core.context:_get_mode=mode_in_use", f"{_A}K_CONTEXT"],
    "mindspore.common": ["mindspore.core:dtype"],
    "mindspore.common.api": ["mindspore.compiler.options:_function_forbid_reuse=no_inline"],
    "mindspore.common.parameter": ["mindspore.eager.parameter_tuple:_get_unique_parameter_key"],
    "mindspore.parallel._utils": ["mindspore.distributed.settings:_device_number_check"],
    "mindspore.parallel.shard": [f"{_A}_DistributedTensorInfo"],
    "mindspore.parallel._cost_model_context": [f"{_A}_set_rp_matmul_mem_coef"],
    "mindspore.communication._comm_helper": ["mindspore.mint.distributed:_is_initialized=is_initialized",
                                             f"{_A}_get_group_map _remove_group_info"],
    "mindspore._checkparam": ["mindspore.core.validator_shapes:_check_3d_int_or_tuple=three_extents"],
    "mindspore.nn.wrap.cell_wrapper": ["mindspore.nn.wrap.batches:_MicroBatch"],
    "mindspore.nn.wrap.loss_scale": ["mindspore.nn.wrap.scaling:_grad_overflow=grad_overflow"],
    "mindspore.train._utils": [f"{_A}get_parameter_redundancy remove_param_redundancy"],
    "mindspore.train.summary.summary_record": ["mindspore.train.summary.latest:_get_summary_tensor_data"],
    "mindspore.ops.function.nn_func": [
        "mindspore.ops.attention_parts:*",
        "mindspore.ops.nn_resize:_interploate_ext_make_tuple=per_axis "
        "_interpolate_ext_scale_factor_convert_size=scaled_extents"],
    "mindspore.ops._grad_experimental.grad_comm_ops": [f"{_A}get_squared_device_local_norm_param"],
    "mindspore.ops.operations": [_A + _SPARSE_ATTENTION],
    "mindspore.ops.operations._map_tensor_ops": [_A + _MAPS],
    "mindspore.ops.operations._rl_inner_ops": [f"{_A}{_REPLAYED} {_QUEUES} {_ENVIRONMENTS} BatchAssign "
                                                "CudnnGRU DiscountedReturn"],
    "mindspore.ops.operations._infer_ops": ["mindspore.ops.auto_generate:QuantV2"],
    "mindspore.ops.operations._tensor_array": [_A + _ARRAYS],
    "mindspore.parallel._ps_context": [_A + _CACHES],
    "mindspore.ops.primitive": [f"{_A}_run_op"],
    "mindspore.train.serialization": [f"{_A}_exec_save _load_map_parameter _parse_ckpt_proto"],
    "mindspore._c_expression": [f"{_A}{_OF_MACHINES} _random_normal", "mindspore.ops.methods:Tensor",
                                "mindspore.core.devices:MSContext"],
    "mindspore._c_expression.typing": ["mindspore.core.dtype:Type TensorType Int Float BFloat Tuple"],
    "mindspore.dataset.core.datatypes": [f"{_A}mstype_to_detype"],
    "mindspore.dataset.text.transforms": [f"{_A}DE_C_INTER_NORMALIZE_FORM"],
    "mindspore._c_dataengine": [_A + " ".join(f"{n.partition('.')[2]}={n}" for n in _READERS.split())],
}
