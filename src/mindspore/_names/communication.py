"""Public paths of what several processes do together; `paths.py` says what a row means."""
from __future__ import annotations

GROUPS = [
    "mindspore.distributed.numbers:get_rank get_group_size",
    "mindspore.distributed:init release get_local_rank get_local_rank_size "
    "get_world_rank_from_group_rank get_group_rank_from_world_rank "
    "create_group destroy_group get_process_group_ranks get_comm_name GlobalComm "
    "HCCL_WORLD_COMM_GROUP NCCL_WORLD_COMM_GROUP MCCL_WORLD_COMM_GROUP",
]
COMM_FUNCTIONS = [
    "mindspore.ops.comm_func:all_gather_into_tensor all_reduce barrier broadcast gather_into_tensor reduce "
    "reduce_scatter_tensor scatter_tensor CommHandle",
    "mindspore.ops.comm_messages:P2POp batch_isend_irecv irecv isend recv send",
    "mindspore.ops.comm_parts:all_to_all_single_with_output_shape all_to_all_v_c all_to_all_with_output_shape",
]
COMM_IN_PLACE = [
    "mindspore.ops.process_groups:destroy_process_group get_backend get_global_rank get_group_rank "
    "get_process_group_ranks get_rank get_world_size init_process_group is_available is_initialized new_group",
    "mindspore.ops.comm_in_place:all_gather all_gather_into_tensor all_gather_into_tensor_uneven all_reduce all_to_all "
    "all_to_all_single barrier broadcast gather gather_into_tensor reduce reduce_scatter reduce_scatter_tensor "
    "reduce_scatter_tensor_uneven scatter scatter_tensor",
    "mindspore.ops.comm_objects:all_gather_object batch_isend_irecv broadcast_object_list gather_object irecv isend "
    "recv recv_object_list scatter_object_list send send_object_list",
    "mindspore.ops.comm_messages:P2POp", "mindspore.ops.comm_parts:all_to_all_v_c",
    "mindspore.distributed.store:TCPStore",
]

ALGORITHM = "mindspore.parallel.search_options:set_algo_parameters get_algo_parameters reset_algo_parameters"
TRANSFORMS = (
    "mindspore.train.checkpoint_transform:build_searched_strategy merge_pipeline_strategys merge_sliced_parameter "
    "rank_list_for_transform restore_group_info_list transform_checkpoint_by_rank transform_checkpoints",
    "mindspore.train.distributed_loading:load_distributed_checkpoint load_segmented_checkpoints unified_safetensors",
    "mindspore.nn.wrap.batches:sync_pipeline_shared_parameters",
)
BROADCAST = "mindspore.train.distributed_loading:parameter_broadcast get_ckpt_path_with_strategy"
CONVERSIONS = ("mindspore.train.checkpoint_transform:convert_checkpoint_by_rank convert_checkpoints "
               "rank_list_for_convert")
OPERATOR_FILES = "mindspore.parallel.strategies:set_op_strategy_config"
LAYOUT = "mindspore.parallel.layout:Layout"
SHARD = "mindspore.ops.layouts:shard reshard"
AUTO_PARALLEL = "mindspore.nn.wrap.auto_parallel:AutoParallel"
STAGES = ["mindspore.nn.wrap:PipelineCell Pipeline=PipelineCell MicroBatchInterleaved "
          "GradAccumulation=GradAccumulationCell PipelineGradReducer", "mindspore.nn.partitioned:*"]

COMMUNICATION = {
    "mindspore.parallel": [ALGORITHM, *TRANSFORMS, CONVERSIONS, OPERATOR_FILES, LAYOUT,
                           "mindspore.compiler.inspection.plans:explain", "mindspore.ops.layouts:reshard"],
    "mindspore.parallel.shard": [LAYOUT, SHARD, "mindspore.ops.layouts:__call__=shard"],
    "mindspore.parallel.function": ["mindspore.ops.layouts:reshard"],
    "mindspore.parallel.auto_parallel": [AUTO_PARALLEL, LAYOUT],
    "mindspore.parallel._cost_model_context": [
        "mindspore.parallel.cost_settings:set_cost_model_context get_cost_model_context reset_cost_model_context "
        "cost_model_context _set_multi_subgraphs"],
    "mindspore.parallel.parameter_broadcast": ["mindspore.train.distributed_loading:parameter_broadcast"],
    "mindspore.parallel.checkpoint_transform": [*TRANSFORMS, OPERATOR_FILES],
    "mindspore.parallel.checkpoint_convert": [CONVERSIONS],
    "mindspore.parallel.transform_safetensors": ["mindspore.train.distributed_loading:unified_safetensors"],
    "mindspore.parallel.algo_parameter_config": [ALGORITHM],
    "mindspore.parallel.distributed": ["mindspore.core.absent:DistributedDataParallel"],
    "mindspore.parallel.distributed.distributed_data_parallel": ["mindspore.core.absent:DistributedDataParallel"],
    "mindspore.parallel.strategy": [
        "mindspore.core.absent:clear_strategy_metadata enable_save_strategy_online get_current_strategy_metadata "
        "get_strategy_metadata"],
    "mindspore.parallel.nn": STAGES,
    "mindspore.parallel.nn.parallel_cell_wrapper": STAGES,
    "mindspore.parallel.nn.parallel_grad_reducer": STAGES,
    "mindspore.communication": GROUPS,
    "mindspore.communication.comm_func": COMM_FUNCTIONS,
    "mindspore.ops.function.comm_func": COMM_IN_PLACE,
    "mindspore.ops.communication": COMM_IN_PLACE,
    "mindspore.mint.distributed": COMM_IN_PLACE,
    "mindspore.mint.distributed.distributed": COMM_IN_PLACE,
    "mindspore.communication.management": GROUPS,
    "mindspore.communication._comm_helper": GROUPS,
}
