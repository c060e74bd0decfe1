"""Public paths of devices, their memory and streams, and of processes; `hook.py` says what a row means."""
from __future__ import annotations

RUNTIME_NAMES = (
    "Event Stream StreamCtx communication_stream current_stream default_stream dispatch_threads_num empty_cache "
    "launch_blocking max_memory_allocated max_memory_reserved memory_allocated memory_reserved memory_stats "
    "memory_summary reset_max_memory_allocated reset_max_memory_reserved reset_peak_memory_stats set_cpu_affinity "
    "set_cur_stream set_kernel_launch_group set_memory synchronize"
)
NPU_RUNTIME = (
    "mindspore.core.absent:MemPool PluggableAllocator StreamLimitCtx get_device_limit get_stream_limit memory_replay "
    "reset_stream_limit set_device_limit set_kernel_launch_capture set_stream_limit use_mem_pool"
)
WITHOUT = (
    "mindspore.core.absent:float8_e4m3fn float8_e5m2 "
    "flops_collection get_offload_context hifloat8 load_obf_params_into_net obfuscate_ckpt qint4x2 "
    "register_saved_tensors_hooks saved_tensors_hooks set_dump set_offload_context"
)
STORAGE = "mindspore.eager.pieces_of_memory:UntypedStorage"
RUNTIME = [f"mindspore.runtime:{RUNTIME_NAMES}", NPU_RUNTIME]
FILES = ("mindspore.core.file_system:FileSystem mindio_preload set_mindio_server_info _register_basic_file_system "
         "_register_mindio_file_system")
DLPACK = ["mindspore.eager.dlpack:to_dlpack from_dlpack"]
UTILITIES = [
    *DLPACK, "mindspore.train.exit_request:ExitByRequest",
    "mindspore.core.absent:MsDispatchMode RSCPluginHandle TFTCommValue comm_exec_order_check "
    "get_sdc_detect_result sdc_detect_start sdc_detect_stop stress_detect",
]


def _target(name: str) -> list[str]:
    return [f"mindspore.runtime.devices:device_count={name}_count is_available={name}_is_available"]


_STREAM = "Stream StreamCtx set_cur_stream synchronize current_stream default_stream communication_stream"
_MEMORY = (
    "max_memory_allocated max_memory_reserved memory_allocated memory_reserved memory_stats memory_summary "
    "reset_max_memory_allocated reset_max_memory_reserved reset_peak_memory_stats empty_cache"
)
_DEVICE = ("device_count get_arch_list get_device_capability get_device_name get_device_properties is_available "
           "is_initialized")

DEVICE_PATHS: dict[str, str | list[str]] = {
    "mindspore.runtime": [NPU_RUNTIME],
    "mindspore.runtime.device_limit": [NPU_RUNTIME],
    "mindspore.runtime.event": ["mindspore.runtime.streams:Event"],
    "mindspore.runtime.executor": [
        "mindspore.runtime.tuning:launch_blocking dispatch_threads_num set_kernel_launch_group",
        "mindspore.core.absent:set_kernel_launch_capture"],
    "mindspore.runtime.stream": [f"mindspore.runtime.streams:{_STREAM}"],
    "mindspore.runtime.stream_limit": [NPU_RUNTIME],
    "mindspore.runtime.thread_bind_core": ["mindspore.runtime.tuning:set_cpu_affinity"],
    "mindspore.hal": [f"mindspore.runtime:Event {_STREAM} {_MEMORY} {_DEVICE}"],
    "mindspore.hal.device": [f"mindspore.runtime.devices:{_DEVICE}"],
    "mindspore.hal.event": ["mindspore.runtime.streams:Event"],
    "mindspore.hal.memory": [f"mindspore.runtime.memory:{_MEMORY}"],
    "mindspore.hal.stream": [f"mindspore.runtime.streams:{_STREAM}"],
    "mindspore.device_context": [],
    "mindspore.device_context.cpu": [],
    "mindspore.device_context.cpu.device": _target("cpu"),
    "mindspore.device_context.cpu.op_tuning": ["mindspore.runtime.tuning:threads_num"],
    "mindspore.device_context.gpu": [],
    "mindspore.device_context.gpu.device": _target("gpu"),
    "mindspore.device_context.gpu.op_precision": ["mindspore.runtime.tuning:matmul_allow_tf32 conv_allow_tf32"],
    "mindspore.device_context.gpu.op_tuning": [
        "mindspore.runtime.tuning:conv_fprop_algo conv_dgrad_algo conv_wgrad_algo"],
    "mindspore.device_context.ascend": [],
    "mindspore.device_context.ascend.device": _target("ascend"),
    "mindspore.device_context.ascend.op_debug": [
        "mindspore.core.absent:execute_timeout debug_option aclinit_config"],
    "mindspore.device_context.ascend.op_precision": [
        "mindspore.core.absent:precision_mode op_precision_mode matmul_allow_hf32 conv_allow_hf32"],
    "mindspore.device_context.ascend.op_tuning": [
        "mindspore.core.absent:op_compile aoe_tune_mode aoe_job_type aclnn_cache"],
    "mindspore.common.file_system": [FILES],
    "mindspore.utils": UTILITIES,
    "mindspore.utils.dlpack": DLPACK,
    "mindspore.utils.utils": ["mindspore.train.exit_request:ExitByRequest"],
}
