"""Names that cannot be here: for each why, and what to use instead.

They import, so that a program that only lists them starts; whoever uses one is told (`core.absent`).
"""
from __future__ import annotations

_NPU_MEMORY = "it manages the memory of an NPU; a GPU's allocator is set by PYTORCH_CUDA_ALLOC_CONF."
_NPU_LIMIT = "it limits the cores of an NPU; for a CPU call 'mindspore.runtime.set_cpu_affinity'."
_NPU_COMPILER = "it sets the compiler of an NPU's operators; here 'jit_level' of 'mindspore.jit' chooses the kernels."
_NPU_CHECKS = "it tests the hardware of an NPU."
_PARSER = "it is an instruction of the original's compiler; write the Python that it stands for in 'construct'."

ABSENT = {
    # --- runtime, device_context, utils
    "MemPool": _NPU_MEMORY, "PluggableAllocator": _NPU_MEMORY, "use_mem_pool": _NPU_MEMORY,
    "memory_replay": "it plays an NPU's log of memory; 'Profiler(profile_memory=True)' shows what took memory.",
    "StreamLimitCtx": _NPU_LIMIT, "get_device_limit": _NPU_LIMIT, "set_device_limit": _NPU_LIMIT,
    "get_stream_limit": _NPU_LIMIT, "set_stream_limit": _NPU_LIMIT, "reset_stream_limit": _NPU_LIMIT,
    "set_kernel_launch_capture": "it replays launches on an NPU; 'jit_level=\"O2\"' makes few launches of many.",
    "execute_timeout": _NPU_COMPILER, "debug_option": _NPU_COMPILER, "aclinit_config": _NPU_COMPILER,
    "precision_mode": _NPU_COMPILER, "op_precision_mode": _NPU_COMPILER,
    "matmul_allow_hf32": "it sets products on an NPU; on a GPU 'device_context.gpu.op_precision.matmul_allow_tf32'.",
    "conv_allow_hf32": "it sets convolutions on an NPU; on a GPU 'device_context.gpu.op_precision.conv_allow_tf32'.",
    "op_compile": _NPU_COMPILER, "aoe_tune_mode": _NPU_COMPILER, "aoe_job_type": _NPU_COMPILER,
    "aclnn_cache": _NPU_COMPILER,
    "MsDispatchMode": "derive a class from 'mindspore.ir.runtime.Interpreter' to see every operator that is applied.",
    "RSCPluginHandle": _NPU_CHECKS, "TFTCommValue": _NPU_CHECKS, "comm_exec_order_check": _NPU_CHECKS,
    "get_sdc_detect_result": _NPU_CHECKS, "sdc_detect_start": _NPU_CHECKS, "sdc_detect_stop": _NPU_CHECKS,
    "stress_detect": _NPU_CHECKS,
    # --- parts of the original's compiler
    "init_exec_dataset": "it fills the original's data queue; use 'Model.train(..., dataset_sink_mode=True)' or "
                         "'mindspore.data_sink'.",
    "bprop_getters": "derivatives of a custom operator are the 'bprop' of 'ops.Custom', or of a Cell around it.",
}
