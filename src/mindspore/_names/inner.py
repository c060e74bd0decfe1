"""Paths inside of the original's packages: programs name the file where a class stands, not only its package.

Each path offers what its package offers, or, where the package has more than one kind of name, the names that
its file has.  `hook.py` says what a row means.
"""
from __future__ import annotations

from .devices import NPU_RUNTIME, STORAGE
from .mint import MINT_PATHS
from .operators import PRIMITIVES
from .training import METRICS


def _parts(package: str, names: str, *sources: str) -> dict[str, str | list[str]]:
    """A row for each of the files of a package."""
    return {f"{package}.{name}": list(sources) for name in names.split()}


_METRIC_FILES = (
    "auc bleu_score confusion_matrix cosine_similarity dice error fbeta hausdorff_distance loss mean_surface_distance "
    "occlusion_sensitivity perplexity precision recall roc root_mean_square_surface_distance topk"
)
_OPTIMIZER_FILES = "adadelta adagrad adamax adamw asgd nadam radam rmsprop rprop sgd"
_DUNDER_FILES = (
    "add_impl bitwise_and_impl bitwise_or_impl bitwise_xor_impl div_impl equal_impl floordiv_impl getitem_impl "
    "greater_equal_impl greater_impl in_impl invert_impl left_shift_impl less_equal_impl less_impl logical_and_impl "
    "logical_not_impl logical_or_impl logical_xor_impl mod_impl mul_impl negative_impl not_equal_impl not_in_impl "
    "ones_like_impl pow_impl right_shift_impl setitem_impl sub_impl uadd_impl"
)
_DIAGNOSIS = "get_sdc_detect_result sdc_detect_start sdc_detect_stop"
_COMPILED = "mindspore.compiler.options:JitConfig jit_class lazy_inline no_inline set_recursion_limit"

INNER_PATHS: dict[str, str | list[str]] = {
    "mindspore.common.device": ["mindspore.core.device_scope:DeviceCtx"],
    "mindspore.common.dump": ["mindspore.core.absent:set_dump"],
    "mindspore.common.dynamic_shape": [],
    "mindspore.common.dynamic_shape.enable_dynamic": [
        "mindspore.compiler.jit:enable_dynamic __call__=enable_dynamic"],
    "mindspore.common.mindir_util": ["mindspore.train.mindir.messages:load_mindir save_mindir"],
    "mindspore.common.recompute": ["mindspore.nn.recomputation:recompute __call__=recompute"],
    "mindspore.common.storage": [STORAGE],
    "mindspore.device_manager": ["mindspore.core.context:get_current_device set_deterministic set_device"],
    **_parts("mindspore.graph", "api jit_config lazy_inline mutable no_inline", _COMPILED,
             "mindspore.compiler.jit:jit mutable enable_dynamic", "mindspore.compiler.cells:ms_memory_recycle",
             "mindspore.eager.unrecorded:_no_grad"),
    "mindspore.graph.symbol": ["mindspore.core.symbol:Symbol"],
    # --- cells, optimizers, metrics
    **_parts("mindspore.experimental.optim", _OPTIMIZER_FILES, "mindspore.experimental.optim:*"),
    "mindspore.mint.nn.layer": ["mindspore.mint.nn:*"],
    **_parts("mindspore.mint.nn.layer", "activation basic conv normalization padding pooling", "mindspore.mint.nn:*"),
    "mindspore.nn.optim.tft_wrapper": ["mindspore.core.absent:OptTFTWrapper"],
    **_parts("mindspore.nn.metrics", _METRIC_FILES + " accuracy", f"mindspore.nn:{METRICS}"),
    **_parts("mindspore.train.metrics", _METRIC_FILES, f"mindspore.nn:{METRICS}"),
    # --- operators
    **_parts("mindspore.ops.composite.multitype_ops", _DUNDER_FILES, "mindspore.ops:*"),
    "mindspore.ops.deprecated": PRIMITIVES,
    "mindspore.ops.operations.manually_defined.ops_def": [*PRIMITIVES, "mindspore.ops:*"],
    "mindspore.ops.operations.reshard_ops": PRIMITIVES,
    **_parts("mindspore.ops", "auto_generate.gen_extend_func functional_overload", *MINT_PATHS["mindspore.mint"]),
    "mindspore.ops.function.fft_func": ["mindspore.ops:*"],
    **_parts("mindspore.ops.function", "reshard_func sparse_unary_func", "mindspore.ops:*",
             "mindspore.ops.layouts:reshard"),
    "mindspore.ops.vm_impl_registry": ["mindspore.core.absent:get_vm_impl_fn"],
    "mindspore.parallel.function.reshard_func": ["mindspore.ops.layouts:reshard"],
    # --- NumPy's names, SciPy's names
    "mindspore.numpy.dtypes": [
        "mindspore.core.dtype:bool_ float16 float32 float64 float_ int16 int32 int64 int8 int_ uint uint16 uint32 "
        "uint64 uint8", "mindspore.numpy:inf nan pi"],
    "mindspore.scipy.ops_wrapper": ["mindspore.ops:matrix_set_diag"],
    # --- data
    **_parts("mindspore.dataset.dataloader", "dataloader dataset distributed sampler",
             "mindspore.dataset.dataloader:*"),
    "mindspore.dataset.engine.cache_client": ["mindspore.dataset:DatasetCache"],
    "mindspore.dataset.engine.iterators": [
        "mindspore.dataset.iterators:DictIterator Iterator TupleIterator",
        "mindspore.dataset.helpers:check_iterator_cleanup",
        "mindspore.dataset.live:_cleanup _unset_iterator_cleanup"],
    "mindspore.dataset.engine.offload": ["mindspore.train.offload:GetOffloadModel"],
    "mindspore.dataset.engine.serializer_deserializer": ["mindspore.dataset:compare deserialize serialize show"],
    "mindspore.dataset.transforms.py_transforms_util": ["mindspore.dataset.helpers:*"],
    # --- tools
    "mindspore.tools": [f"mindspore.core.absent:{_DIAGNOSIS} set_dump stress_detect"],
    "mindspore.tools.data_dump": ["mindspore.core.absent:set_dump"],
    "mindspore.runtime.device": [NPU_RUNTIME],
    **{f"mindspore.{root}.sdc_detect": [f"mindspore.core.absent:{_DIAGNOSIS}"] for root in ("tools", "utils")},
    **{f"mindspore.{root}.stress_detect": ["mindspore.core.absent:stress_detect"] for root in ("tools", "utils")},
    "mindspore.utils.ms_dispatch": ["mindspore.core.absent:MsDispatchMode"],
    "mindspore.utils.runtime_execution_order_check": ["mindspore.core.absent:comm_exec_order_check"],
    "mindspore.safeguard": [],
    "mindspore.safeguard.rewrite_obfuscation": [
        "mindspore.core.absent:load_obf_params_into_net obfuscate_ckpt"],
}
