"""Names that cannot be here: for each why, and what to use instead.

They import, so that a program that only lists them starts; a program that uses one is told (`core.absent`).
"""
from __future__ import annotations

from .kernels import DYNAMICS, EXCHANGES, KERNELS, MEMORY
from .published import PUBLISHED_GROUPS
from .remaining import REMAINING_GROUPS, REMAINING_SINGLE

_GROUPS = (
    *REMAINING_GROUPS,
    *PUBLISHED_GROUPS,
    (KERNELS, "it is a kernel of an NPU; compose it of functions of 'mindspore.ops' and 'mindspore.mint'."),
    (EXCHANGES, "processes exchange tensors by the functions of 'mindspore.mint.distributed'."),
    (
        DYNAMICS,
        "operators of molecular dynamics were in GPU builds of 1.x; compose the forces of functions of "
        "'mindspore.ops'.",
    ),
    (
        "get_strategy_metadata get_current_strategy_metadata enable_save_strategy_online clear_strategy_metadata",
        "'mindspore.parallel.explain' shows how a compiled step is cut, and 'strategy_ckpt_save_file' of "
        "'set_auto_parallel_context' keeps it.",
    ),
    (MEMORY, "tensors are moved by 'Tensor.to', and written by 'Tensor.copy_'."),
    (
        "MemPool PluggableAllocator use_mem_pool",
        "it manages the memory of an NPU; a GPU's allocator is set by PYTORCH_CUDA_ALLOC_CONF.",
    ),
    (
        "StreamLimitCtx get_device_limit set_device_limit get_stream_limit set_stream_limit "
        "reset_stream_limit",
        "it limits the cores of an NPU; for a CPU call 'mindspore.runtime.set_cpu_affinity'.",
    ),
    (
        "execute_timeout debug_option aclinit_config precision_mode op_precision_mode op_compile "
        "aoe_tune_mode aoe_job_type aclnn_cache",
        "it sets the compiler of an NPU's operators; here 'jit_level' of 'mindspore.jit' chooses the kernels.",
    ),
    (
        "RSCPluginHandle TFTCommValue comm_exec_order_check get_sdc_detect_result sdc_detect_start "
        "sdc_detect_stop stress_detect OptTFTWrapper GenerateEodMaskV2",
        "it tests or repairs NPUs while they train; 'train.OnRequestExit' and checkpoints save a training.",
    ),
    (
        "PagedAttention PagedAttentionMask ReshapeAndCache fused_infer_attention_score incre_flash_attention "
        "lightning_indexer nsa_compress nsa_compress_attention nsa_select_attention ring_attention_update "
        "sparse_flash_attention speed_fusion_attention multi_scale_deformable_attn_function",
        "it is a kernel of an NPU; use 'ops.flash_attention_score' or 'ops.prompt_flash_attention'.",
    ),
    (
        "moe_distribute_combine moe_distribute_dispatch moe_init_routing_v2 moe_token_permute "
        "moe_token_unpermute GroupTopk",
        "it is a kernel of an NPU; route tokens by 'ops.topk', 'ops.gather' and 'ops.tensor_scatter_add'.",
    ),
    (
        "J UpdateState PyExecute Morph SliceGetItem SelectView DtypeToEnum prim_arg_register GeSwitch Merge "
        "geswitch merge iter_converter ms_hasnext ms_next zip_operation array_reduce distribute "
        "make_map_parameter recompute_block tensor_operator_registry get_vm_impl_fn env_get environ_add "
        "environ_create environ_get environ_set embed ref_to_embed",
        "it is an instruction of the original's compiler; write what it does as Python in 'construct'.",
    ),
    (
        "init_exec_dataset _exec_datagraph GetNext GetNextSingleOp",
        "it belongs to the original's data queue; use 'Model.train(..., dataset_sink_mode=True)' or "
        "'mindspore.data_sink'.",
    ),
    (
        "Push Pull MapCacheIdx MapUniform",
        "mark parameters by 'Cell.set_param_ps', and the optimizer sends them to parameter servers itself.",
    ),
    (
        "TransferCrd PMEReciprocalForce PMEExcludedForce PMEEnergy NeighborListUpdate MDTemperature "
        "MDIterationSetupRandState MDIterationLeapFrogLiujian LJForceWithPMEDirectForce LJEnergy "
        "DihedralForceWithAtomEnergy DihedralEnergy Dihedral14LJEnergy Dihedral14LJCFForceWithAtomEnergy "
        "Dihedral14CFEnergy CrdToUintCrd BondForceWithAtomEnergy BondEnergy AngleForceWithAtomEnergy "
        "AngleEnergy",
        "operators of molecular dynamics were in GPU builds of 1.x; compose the forces of functions of "
        "'mindspore.ops'.",
    ),
    (
        "SoftDvppDecodeRandomCropResizeJpeg SoftDvppDecodeResizeJpeg",
        "it imitated the image decoder of an NPU on a CPU; use 'RandomCropDecodeResize', or 'Decode' and 'Resize'.",
    ),
    (
        "register_custom_backend register_custom_pass register_op_infer register_op_wrapper clear_op_infer "
        "clear_op_wrapper CustomPassType",
        "it plugs native code into the original's compiler; write operators by 'ops.kernel' or 'ops.Custom'.",
    ),
    (
        "float8_e4m3fn float8_e5m2 hifloat8 qint4x2",
        "no kernel computes with it; quantised values are simulated by 'mindspore.compression.quant'.",
    ),
    (
        "obfuscate_ckpt load_obf_params_into_net",
        "MindSpore 2.10 leaves the weights in such files as they were; 'enc_key' of 'save_checkpoint' and 'export' "
        "protects files.",
    ),
    (
        "flops_collection",
        "'Profiler' counts operations: see 'op_roofline.csv' of a profile.",
    ),
    (
        "saved_tensors_hooks register_saved_tensors_hooks",
        "'Cell.recompute' keeps what is saved for a derivative small.",
    ),
    (
        "set_offload_context get_offload_context",
        "it moved an NPU's parameters to the memory of the host or to files; 'Cell.recompute' and the sharded "
        "optimizer state of 'set_auto_parallel_context(enable_parallel_optimizer=True)' save memory.",
    ),
)
_SINGLE = {
    **REMAINING_SINGLE,
    "DistributedDataParallel": (
        "'set_auto_parallel_context(parallel_mode=\"data_parallel\")' lets training steps share a batch, and "
        "'nn.DistributedGradReducer' combines gradients that a program takes itself."
    ),
    "FusedBatchNorm": "use 'ops.BatchNorm', or the cells 'nn.BatchNorm1d' to 'nn.BatchNorm3d'.",
    "FusedBatchNormEx": "use 'ops.BatchNorm', or the cells 'nn.BatchNorm1d' to 'nn.BatchNorm3d'.",
    "SparseMatrixOrderingAMD": "'scipy.sparse.csgraph.reverse_cuthill_mckee' orders the rows of a sparse matrix.",
    "_save_graph": "use 'mindspore.export' with the format 'MINDIR'.",
    "_get_merged_param_data": "parameters in pieces are put together by 'save_checkpoint'.",
    "_check_checkpoint_param": "'load_checkpoint' checks its arguments.",
    "memory_replay": "it plays an NPU's log of memory; 'Profiler(profile_memory=True)' shows what took memory.",
    "set_kernel_launch_capture": "it replays launches on an NPU; 'jit_level=\"O2\"' makes few launches of many.",
    "matmul_allow_hf32": "it sets products on an NPU; on a GPU 'device_context.gpu.op_precision.matmul_allow_tf32'.",
    "conv_allow_hf32": "it sets convolutions on an NPU; on a GPU 'device_context.gpu.op_precision.conv_allow_tf32'.",
    "MsDispatchMode": "derive a class from 'mindspore.ir.runtime.Interpreter' to see every operator that is applied.",
    "ApplyRotaryPosEmb": "it is a kernel of an NPU; use 'ops.rotary_position_embedding'.",
    "FusedAdaFactor": "it is a kernel of an NPU; use 'nn.AdaFactor'.",
    "FusedAdaFactorWithGlobalNorm": "it is a kernel of an NPU; use 'nn.AdaFactor'.",
    "all_gather_matmul": "it is a kernel of an NPU; use 'ops.AllGather' and 'ops.matmul'.",
    "matmul_reduce_scatter": "it is a kernel of an NPU; use 'ops.matmul' and 'ops.ReduceScatter'.",
    "MoveTo": "tensors are moved by 'Tensor.to', outside of graphs.",
    "stop_gradient_": "use 'ops.stop_gradient', which gives the tensor back without a gradient.",
    "set_comm_ops_inplace": (
        "'mindspore.ops.communication' has functions that write, 'mindspore.communication.comm_func' those "
        "that return."
    ),
    "rotated_iou": "it is a kernel of an NPU; for upright boxes use 'ops.iou'.",
    "DumpGradient": "use a hook of the tensor ('Tensor.register_hook') that saves the gradient.",
    "set_dump": "use hooks of cells ('Cell.register_forward_hook') that save what they are given.",
    "WorkerTarget": (
        "it is a part of the original's worker processes; 'map(..., python_multiprocessing=True)' starts "
        "them."
    ),
}
ABSENT: dict[str, str] = {name: why for names, why in _GROUPS for name in names.split()} | _SINGLE

# What they took, where it is more than any arguments.
SIGNATURES: dict[str, str] = {
    "_get_merged_param_data": "net, parameter_layout_dict, param_name, param_data, integrated_save",
    "_check_checkpoint_param": "ckpt_file_name, filter_prefix=None",
    "_save_graph": "network, file_name",
    "init_exec_dataset": "queue_name, size, batch_size, types, shapes, input_indexs, phase='dataset', need_run=True",
    "register_custom_pass": "pass_name, plugin_so_path, device='all', pass_type=None",
    "lightning_indexer": (
        "query, key, weights, *, actual_seq_lengths_query=None, actual_seq_lengths_key=None, block_table=None, "
        "layout_query='BSND', layout_key='BSND', sparse_count=2048, sparse_mode=3, pre_tokens=9223372036854775807, "
        "next_tokens=9223372036854775807, return_value=False"
    ),
    "nsa_compress": "input, weight, compress_block_size, compress_stride, *, actual_seq_len",
    "nsa_compress_attention": (
        "query, key, value, scale_value, head_num, compress_block_size, compress_stride, select_block_size, "
        "select_block_count, *, topk_mask=None, atten_mask=None, actual_seq_qlen, actual_cmp_seq_kvlen, "
        "actual_sel_seq_kvlen"
    ),
    "nsa_select_attention": (
        "query, key, value, topk_indices, scale_value, head_num, select_block_size, select_block_count, *, "
        "atten_mask=None, actual_seq_qlen, actual_seq_kvlen"
    ),
    "sparse_flash_attention": (
        "query, key, value, sparse_indices, scale_value, *, block_table=None, actual_seq_lengths_query=None, "
        "actual_seq_lengths_kv=None, query_rope=None, key_rope=None, sparse_block_size=1, layout_query='BSND', "
        "layout_kv='BSND', sparse_mode=3, pre_tokens=9223372036854775807, next_tokens=9223372036854775807, "
        "attention_mode=0, return_softmax_lse=False"
    ),
    "all_gather_matmul": (
        "input, x2, group, world_size, *, bias=None, gather_index=0, gather_output=True, comm_turn=0, "
        "trans_input=False, trans_x2=False"
    ),
    "matmul_reduce_scatter": (
        "input, x2, group, world_size, *, reduce_op='sum', bias=None, comm_turn=0, trans_input=False, trans_x2=False"
    ),
    "MemPool": "allocator",
    "PluggableAllocator": "path_to_so_file, alloc_fn_name, free_fn_name",
    "use_mem_pool": "pool",
    "StreamLimitCtx": "stream, cube_num=-1, vector_num=-1",
    "get_device_limit": "device",
    "set_device_limit": "device, cube_num=-1, vector_num=-1",
    "get_stream_limit": "stream",
    "set_stream_limit": "stream, cube_num=-1, vector_num=-1",
    "reset_stream_limit": "stream",
    "comm_exec_order_check": "action",
    "stress_detect": "detect_type='aic'",
    "OptTFTWrapper": "opt, **kwargs",
    "PagedAttention": (
        "head_num, scale_value, kv_head_num, kv_cache_quant_mode='DEFAULT', mask_mode='MASK_DEFAULT', "
        "mla_v_dim=0"
    ),
    "PagedAttentionMask": "head_num, scale_value, kv_head_num, kv_cache_quant_mode='DEFAULT'",
    "fused_infer_attention_score": (
        "query, key, value, *, pse_shift=None, atten_mask=None, actual_seq_lengths=None, "
        "actual_seq_lengths_kv=None, dequant_scale1=None, quant_scale1=None, dequant_scale2=None, "
        "quant_scale2=None, quant_offset2=None, antiquant_scale=None, antiquant_offset=None, "
        "key_antiquant_scale=None, key_antiquant_offset=None, value_antiquant_scale=None, "
        "value_antiquant_offset=None, block_table=None, query_padding_size=None, kv_padding_size=None, "
        "key_shared_prefix=None, value_shared_prefix=None, actual_shared_prefix_len=None, num_heads=1, "
        "scale=1.0, pre_tokens=2147483647, next_tokens=2147483647, input_layout='BSH', num_key_value_heads=0,"
        " sparse_mode=0, inner_precise=1, block_size=0, antiquant_mode=0, key_antiquant_mode=0, "
        "value_antiquant_mode=0, softmax_lse_flag=False"
    ),
    "incre_flash_attention": (
        "query, key, value, attn_mask=None, actual_seq_lengths=None, pse_shift=None, dequant_scale1=None, "
        "quant_scale1=None, dequant_scale2=None, quant_scale2=None, quant_offset2=None, antiquant_scale=None,"
        " antiquant_offset=None, block_table=None, num_heads=1, input_layout='BSH', scale_value=1.0, "
        "num_key_value_heads=0, block_size=0, inner_precise=1, kv_padding_size=None"
    ),
    "ring_attention_update": (
        "prev_attn_out, prev_softmax_max, prev_softmax_sum, cur_attn_out, cur_softmax_max, cur_softmax_sum, "
        "actual_seq_qlen=None, layout='SBH'"
    ),
    "speed_fusion_attention": (
        "query, key, value, head_num, input_layout, *, pse=None, padding_mask=None, atten_mask=None, "
        "scale=1.0, keep_prob=1.0, pre_tokens=2147483647, next_tokens=2147483647, inner_precise=0, "
        "prefix=None, actual_seq_qlen=None, actual_seq_kvlen=None, sparse_mode=0, gen_mask_parallel=True, "
        "sync=False, pse_type=1, q_start_idx=None, kv_start_idx=None"
    ),
    "multi_scale_deformable_attn_function": "value, shape, offset, locations, weight",
    "moe_distribute_combine": (
        "expand_x, expert_ids, expand_idx, ep_send_counts, expert_scales, ep_world_size, ep_rank_id, "
        "moe_expert_num, tp_send_counts=None, x_active_mask=None, activate_scale=None, weight_scale=None, "
        "group_list=None, expand_scales=None, group_ep=None, group_tp=None, tp_world_size=0, tp_rank_id=0, "
        "expert_shard_type=0, shared_expert_num=0, shared_export_rank_num=0, global_bs=0, out_dtype=0, "
        "common_quant_mode=0, group_list_type=0"
    ),
    "moe_distribute_dispatch": (
        "x, expert_ids, ep_world_size, ep_rank_id, moe_expert_num, expert_scales=None, scales=None, "
        "x_active_mask=None, group_ep=None, group_tp=None, tp_world_size=0, tp_rank_id=0, "
        "expert_shard_type=0, shared_expert_num=0, shared_expert_rank_num=0, quant_mode=0, global_bs=0, "
        "expert_token_nums_type=0"
    ),
    "moe_init_routing_v2": (
        "x, expert_idx, active_num, expert_capacity, expert_num, drop_pad_mode, "
        "expert_tokens_count_or_cumsum_flag, expert_tokens_before_capacity_flag"
    ),
    "moe_token_permute": "tokens, indices, num_out_tokens=None, padded_mode=False",
    "moe_token_unpermute": "permuted_tokens, sorted_indices, probs=None, padded_mode=False, restore_shape=None",
    "Morph": "fn, infer_shape, infer_dtype, bprop_fn=None",
    "prim_arg_register": "fn",
    "geswitch": "data, pred",
    "get_vm_impl_fn": "prim",
    "GetNext": "types, shapes, output_num, shared_name",
    "GetNextSingleOp": "dataset_types, dataset_shapes, queue_name",
    "Push": "optim_type='ApplyMomentum', only_shape_indices=None",
    "TransferCrd": "start_serial, end_serial, number, atom_numbers",
    "PMEReciprocalForce": "atom_numbers, beta, fftx, ffty, fftz, box_length_0, box_length_1, box_length_2",
    "PMEExcludedForce": "atom_numbers, excluded_numbers, beta",
    "PMEEnergy": "atom_numbers, excluded_numbers, beta, fftx, ffty, fftz, box_length_0, box_length_1, box_length_2",
    "NeighborListUpdate": (
        "grid_numbers, atom_numbers, not_first_time, nxy, excluded_atom_numbers, cutoff_square, "
        "half_skin_square, cutoff_with_skin, half_cutoff_with_skin, cutoff_with_skin_square, "
        "refresh_interval=20, cutoff=10.0, skin=2.0, max_atom_in_grid_numbers=64, max_neighbor_numbers=800"
    ),
    "MDTemperature": "residue_numbers, atom_numbers",
    "MDIterationSetupRandState": "atom_numbers, seed",
    "MDIterationLeapFrogLiujian": "atom_numbers, half_dt, dt, exp_gamma",
    "LJForceWithPMEDirectForce": "atom_numbers, cutoff, pme_beta",
    "LJEnergy": "atom_numbers, cutoff_square",
    "DihedralForceWithAtomEnergy": "dihedral_numbers",
    "DihedralEnergy": "dihedral_numbers",
    "Dihedral14LJEnergy": "nb14_numbers, atom_numbers",
    "Dihedral14LJCFForceWithAtomEnergy": "nb14_numbers, atom_numbers",
    "Dihedral14CFEnergy": "nb14_numbers, atom_numbers",
    "CrdToUintCrd": "atom_numbers",
    "BondForceWithAtomEnergy": "bond_numbers, atom_numbers",
    "BondEnergy": "bond_numbers, atom_numbers",
    "AngleForceWithAtomEnergy": "angle_numbers",
    "AngleEnergy": "angle_numbers",
    "register_custom_backend": "backend_name, backend_path",
    "register_op_infer": "op_name, infer_name",
    "register_op_wrapper": "op_name",
    "obfuscate_ckpt": (
        "network, ckpt_files, target_modules=None, obf_config=None, saved_path='./', obfuscate_scale=100"
    ),
    "load_obf_params_into_net": (
        "network, target_modules=None, obf_ratios=None, obf_config=None, data_parallel_num=1, **kwargs"
    ),
    "flops_collection": "phase='train'",
    "set_offload_context": "offload_config",
    "get_offload_context": "",
    "saved_tensors_hooks": "pack_hook, unpack_hook",
    "register_saved_tensors_hooks": "pack_hook, unpack_hook",
    "memory_replay": "file_path",
    "set_kernel_launch_capture": "enable_capture_graph, op_capture_skip=None",
    "ApplyRotaryPosEmb": "cos_format=0",
    "FusedAdaFactor": "enable_scale_parameter=False, enable_first_moment=False, enable_weight_decay=False",
    "FusedAdaFactorWithGlobalNorm": (
        "enable_scale_parameter=False, enable_first_moment=False, enable_weight_decay=False"
    ),
    "stop_gradient_": "input",
    "set_comm_ops_inplace": "is_enable, func_list=None",
    "rotated_iou": "boxes, query_boxes, trans=False, mode=0, is_cross=True, v_threshold=0.0, e_threshold=0.0",
    "set_dump": "target, enabled=True",
    "WorkerTarget": "quit_signal, operations, worker_id, op_type, ftok_key",
}
