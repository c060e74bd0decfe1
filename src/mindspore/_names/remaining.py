"""What 2.10 or an earlier release has at a public path and is at another one here, or cannot be here and says so."""
from __future__ import annotations

from .communication import CONVERSIONS
from .operators import ABSENT_FUNCTIONS

_A = "mindspore.core.absent:"
_PROFILERS = ("BaseProfiler CpuProfiler GpuProfiler NpuProfiler ProfilerActionController ProfilerInterface "
              "DeviceSupportParam ExecutionCalculator ProfileOption")
_SHARDS = "ShardHeader ShardIndexGenerator ShardReader ShardSegment ShardWriter"
_COMPRESSED = "COO2CSR CSR2COO CSRDiv CSRGather CSRMM CSRMV CSRMul CSRReduceSum"
_RECOMPUTED = ("_clear_recompute_session _recompute_handle_collector_ctx _recompute_session_ctx "
               "_set_recompute_early_stop")
_EXPLAINERS = "ClassSensitivity Faithfulness Localization Robustness"
_EXPLANATIONS = "Deconvolution GradCAM Gradient GuidedBackprop Occlusion RISE"
_SOLVERS = ("BatchedGmres BiCGStab CG CGv2 GMRES GMRESV2 IterativeGmres arnoldi_iteration gram_schmidt "
            "rotate_vectors")
_DEBUGGED = ("DbgLogger DbgServices TensorBaseData TensorData TensorInfo TensorStatData WatchpointHit")
_BUFFERS = "BufferAppend BufferGetItem BufferSample"
_QUANTUM = "Evolution PQC"
_OF_COMPILER = ("CheckBprop MakeRefKey check_bprop env_add env_getitem env_setitem make_ref _AllSwap AllSwap _Grad "
                "_Vmap _add_attr _ms_pyfunc PullWeight PushWeight IFMR BNTrainingReduce BNTrainingUpdate Shard "
                "grad_all_parameters grad_by_position grad_by_position_with_sens grad_first_parameter shard_fn "
                "vmap_instance")
_QUANTISED = (
    "ActsULQ ActsULQInputGrad ActULQClampMaxGrad ActULQClampMinGrad BatchNormFold2Grad "
    "BatchNormFold2GradD BatchNormFold2GradReduce BatchNormFold2_D BatchNormFoldD BatchNormFoldGrad "
    "BatchNormFoldGradD BatchNormFoldGrad_ CorrectionMulGrad CorrectionMulGradReduce "
    "FakeLearnedScaleQuantPerChannelGrad FakeLearnedScaleQuantPerChannelGradD "
    "FakeLearnedScaleQuantPerChannelGradReduceD FakeLearnedScaleQuantPerLayerGrad "
    "FakeLearnedScaleQuantPerLayerGradD FakeLearnedScaleQuantPerLayerGradReduceD "
    "FakeQuantPerChannelGrad FakeQuantPerLayerGrad WtsARQ"
)
_ALGEBRAS = "BatchNorm1d BatchNorm2d BatchNorm3d Conv1d Conv2d Conv3d Dense ReLU"
_JPEG = "SoftDvppDecodeRandomCropResizeJpeg SoftDvppDecodeResizeJpeg"

REMAINING_GROUPS = (
    (_PROFILERS, "it is a part of the original's profiler; use 'mindspore.profiler.profile'."),
    (_SHARDS, "it is a part of the original's reader; use 'mindrecord.FileWriter' and 'mindrecord.FileReader'."),
    (_COMPRESSED, "use 'ops.csr_mv', 'ops.csr_mm' and their kin, and '*' and '/' of a CSRTensor."),
    (_RECOMPUTED, "it is a part of the original's recomputation; use 'mindspore.recompute' or 'Cell.recompute'."),
    (f"{_EXPLAINERS} {_EXPLANATIONS} ImageClassificationRunner",
     "explanations of images were removed after 1.5; take gradients with respect to the image by 'mindspore.grad', and "
     "those of a layer by 'Cell.register_backward_hook'."),
    (_SOLVERS, "it is a step of a solver; use 'scipy.sparse.linalg.cg', 'bicgstab' or 'gmres'."),
    (f"{_DEBUGGED} dbg_services.Parameter dbg_services.log dbg_services.get_version",
     "the offline debugger was removed after 2.3; look at tensors by hooks of cells and by 'ops.Print'."),
    (_BUFFERS,
     "keep the rows in a Parameter, write them by 'ops.tensor_scatter_update' and draw them by 'ops.gather'."),
    (_QUANTUM, "operators of quantum circuits moved to the package 'mindquantum'."),
    (f"{_OF_COMPILER} core",
     "it is an instruction of the original's compiler or of an NPU; use 'ops.grad', 'ops.vmap', 'mindspore.shard' and "
     "the operators of 'mindspore.ops'."),
    (_QUANTISED,
     "it is a step of quantisation-aware training, whose cells 'nn.Conv2dBnFoldQuant', "
     "'nn.FakeQuantWithMinMaxObserver' and their kin are here; tensors are rounded by "
     "'ops.operations.FakeQuantPerLayer'."),
    (" ".join([f"{algebra}.{name}" for algebra in ("complex", "double", "dual") for name in _ALGEBRAS.split()]),
     "layers over pairs of numbers were removed after 2.6; compose each of two real layers (complex numbers: a * c - "
     "b * d and a * d + b * c), or use tensors of complex64."),
    (_JPEG, "it decodes by an NPU; use 'vision.RandomCropDecodeResize', or 'vision.Decode' and 'vision.Resize'."),
    ("IsInstance IsSubClass isinstance_", "use Python's 'isinstance' and 'issubclass', in 'construct', too."),
    ("FederatedLearningManager get_fl_context set_fl_context",
     "federated learning was removed after 1.8; 'set_ps_context' lets parameter servers keep parameters."),
    ("HSigmoidQuant HSwishQuant LeakyReLUQuant ConvertToQuantNetwork ExportToQuantInferNetwork",
     "use 'compression.quant.QuantizationAwareTraining', which quantises activations, too."),
)
REMAINING_SINGLE = {
    "MapParameter": "keep the rows in a Parameter, and find them by 'ops.unique' or 'nn.EmbeddingLookup'.",
    "Bucket": "'nn.DistributedGradReducer' combines gradients in messages of many tensors.",
    "FlattenGradBuffer": "'nn.DistributedGradReducer' combines gradients in messages of many tensors.",
    "Cifar10": "use 'dataset.Cifar10Dataset', or 'mindrecord.Cifar10ToMR'.",
    "Cifar100": "use 'dataset.Cifar100Dataset', or 'mindrecord.Cifar100ToMR'.",
    "MindRecordFromOBS": "use 'dataset.OBSMindDataset'.",
    "GroupOptions": "it tunes an NPU's groups; 'create_group(group, ranks)' needs no options.",
    "CommonHeadLastFN": "'boost.LessBN' with 'fn_flag' has it.",
    "register_cell_buffer_registration_hook": "define 'register_buffer' in the class of the cell.",
    "_transform_safetensors": "use 'parallel.transform_checkpoints' on files '.safetensors'.",
    "transform_safetensors_by_rank": "use 'parallel.transform_checkpoint_by_rank' on files '.safetensors'.",
    "transform_safetensors_by_stage": "use 'parallel.transform_checkpoints' on files '.safetensors'.",
    "_tft_handler": "'train.OnRequestExit' and checkpoints save a training.",
    "_reuse_data_ptr": "'Tensor.set_' lets a tensor have the memory of another one.",
    "np_dtype.bfloat16": "NumPy has no such type; 'Tensor.asnumpy' gives float32, 'Tensor.get_bytes' the elements.",
    "ArgoverseDataset": "read the files by 'dataset.GraphData' or 'dataset.InMemoryGraphDataset'.",
    "MetaTensor": "use 'Tensor(shape=..., dtype=..., init=...)', or a tensor on the device 'meta'.",
    "parse_print": "the output of 'ops.Print' is text here; 'ops.TensorDump' writes tensors that NumPy reads.",
    "quant_mode_manage": "it needs no mode; 'load_checkpoint' and 'export' take quantised networks as they are.",
    "ValueType": "it is a part of the original's 'rewrite'; 'ScopedValue.type' needs none.",
}
_FUNCTIONS = [ABSENT_FUNCTIONS]

REMAINING: dict[str, list[str]] = {
    "mindspore": [f"{_A}CustomPassType clear_op_infer clear_op_wrapper register_custom_backend register_custom_pass "
                  "register_op_infer register_op_wrapper ValueType FederatedLearningManager get_fl_context "
                  "set_fl_context MetaTensor parse_print", CONVERSIONS],
    "mindspore.experimental": [f"{_A}MapParameter"],
    "mindspore.experimental.map_parameter": [f"{_A}MapParameter"],
    "mindspore.common.recompute": [_A + _RECOMPUTED],
    "mindspore.common.np_dtype": [f"{_A}bfloat16=np_dtype.bfloat16"],
    "mindspore.common.tensor": [f"{_A}MetaTensor"],
    "mindspore.common.api": [f"{_A}flops_collection"],
    "mindspore.common.sparse_tensor": ["mindspore.ops.sparse_layouts:RowTensorInner=RowTensor"],
    "mindspore._c_expression": [f"{_A}GroupOptions"],
    "mindspore.utils": [f"{_A}_reuse_data_ptr _tft_handler"],
    "mindspore.utils._pytree": ["mindspore.ir.pytree:*"],
    "mindspore.parallel.transform_safetensors": [
        f"{_A}_transform_safetensors transform_safetensors_by_rank transform_safetensors_by_stage"],
    "mindspore.parallel.distributed.flatten_grad_buffer": [f"{_A}Bucket FlattenGradBuffer"],
    **{f"mindspore.profiler.platform{part}": [_A + _PROFILERS]
       for part in ("", ".base_profiler", ".cpu_profiler", ".gpu_profiler", ".npu_profiler")},
    "mindspore.profiler.profiler_action_controller": [f"{_A}ProfilerActionController"],
    "mindspore.profiler.profiler_interface": [f"{_A}ProfilerInterface"],
    "mindspore.profiler": [f"{_A}ProfileOption"],
    "mindspore.profiler.profiling": [f"{_A}DeviceSupportParam ExecutionCalculator"],
    **{f"mindspore.graph.custom_{part}": [_A + names] for part, names in (
        ("backend", "register_custom_backend"), ("pass", "CustomPassType register_custom_pass"),
        ("infer", "clear_op_infer clear_op_wrapper register_op_infer register_op_wrapper"))},
    "mindspore.device_context.ascend": [
        "mindspore.runtime.devices:device_count=ascend_count is_available=ascend_is_available"],
    "mindspore.device_context.gpu": ["mindspore.runtime.devices:device_count=gpu_count is_available=gpu_is_available"],
    # --- data
    "mindspore.dataset": [f"{_A}ArgoverseDataset"],
    "mindspore.dataset.engine": ["mindspore.train.callback.dataset_callback:WaitedDSCallback"],
    "mindspore.dataset.engine.obs": [f"{_A}MindRecordFromOBS", "mindspore.dataset:sync_wait_for_dataset"],
    "mindspore.dataset.debug": ["mindspore.dataset.printing_hooks:PrintDataHook PrintMetaDataHook"],
    "mindspore.dataset.debug.pre_defined_hook": ["mindspore.dataset.printing_hooks:PrintDataHook PrintMetaDataHook"],
    "mindspore.dataset.vision.c_transforms": [_A + _JPEG],
    **{f"mindspore.mindrecord.core.{name.lower()}": [_A + name] for name in _SHARDS.split()},
    "mindspore.mindrecord.tools.cifar10": [f"{_A}Cifar10"],
    "mindspore.mindrecord.tools.cifar100": [f"{_A}Cifar100"],
    # --- cells
    "mindspore.nn": ["mindspore.nn.elsewhere:GlobalBatchNorm TensorArray",
                     "mindspore.experimental.optim.lr_scheduler:LRScheduler LinearLR StepLR",
                     f"{_A}HSigmoidQuant HSwishQuant LeakyReLUQuant"],
    "mindspore.nn.layer": ["mindspore.nn.elsewhere:CosineSimilarity GlobalBatchNorm"],
    "mindspore.nn.layer.math": ["mindspore.nn.elsewhere:CosineSimilarity"],
    "mindspore.nn.layer.normalization": ["mindspore.nn.elsewhere:GlobalBatchNorm"],
    "mindspore.nn.reinforcement": ["mindspore.nn.elsewhere:TensorArray"],
    "mindspore.nn.cell": [f"{_A}register_cell_buffer_registration_hook"],
    "mindspore.boost.less_batch_normalization": [f"{_A}CommonHeadLastFN"],
    "mindspore.train.amp": ["mindspore.amp.scaling:_grad_scale_map _grad_unscale_map"],
    "mindspore.amp": ["mindspore.amp.scaling:_grad_scale_map _grad_unscale_map"],
    "mindspore.train.serialization": [f"{_A}quant_mode_manage"],
    "mindspore.train.quant": ["mindspore.nn.quantised:convert_quant_network",
                              "mindspore.train.exporting.export:export"],
    "mindspore.train.quant.quant": [f"{_A}ConvertToQuantNetwork ExportToQuantInferNetwork"],
    # --- operators
    **{f"mindspore.ops.function.{name}": _FUNCTIONS for name in (
        "nn_func", "other_func", "math_func", "sparse_func", "grad", "grad.grad_func", "comm_func")},
    "mindspore.ops.function": [f"{_A}_add_attr", "mindspore.ops.layouts:reshard", "mindspore.ops:fill_=fill"],
    "mindspore.ops.functional": [
        "mindspore.mint:baddbmm_ext=baddbmm diff_ext=diff einsum_ext=einsum", "mindspore.ops.layouts:reshard shard",
        "mindspore.ops:csr_tensor_get_shape=csr_tensor_get_dense_shape",
        f"{_A}check_bprop env_add env_getitem env_setitem make_ref grad_all_parameters grad_by_position "
        "grad_by_position_with_sens grad_first_parameter isinstance_ shard_fn vmap_instance"],
    "mindspore.ops": [f"{_A}{_BUFFERS} {_QUANTUM} {_OF_COMPILER} core IsInstance IsSubClass",
                      "mindspore.ops:ScatterElements=TensorScatterElements _ones_like_for_grad=ones_like fill_=fill"],
    "mindspore.ops.operations": [f"{_A}{_BUFFERS} {_OF_COMPILER} IsInstance IsSubClass",
                                 "mindspore.ops:ScatterElements=TensorScatterElements unique"],
    "mindspore.ops.operations._csr_ops": [_A + _COMPRESSED],
    "mindspore.ops.operations._quant_ops": [_A + _QUANTISED],
    "mindspore.ops.composite": [f"{_A}_Grad _Vmap core", "mindspore.ops:_ones_like_for_grad=ones_like"],
    "mindspore.ops.composite.multitype_ops": [
        "mindspore.ops:_ones_like_for_grad=ones_like mod=floormod",
        "mindspore.ops._composite:augassign_add augassign_div augassign_floordiv augassign_mod augassign_mul "
        "augassign_sub", "mindspore.ops.getitem:getitem", "mindspore.ops.setitem:setitem"],
    "mindspore.scipy.sparse.linalg": [_A + _SOLVERS],
    # --- what was removed with its package
    "mindspore.explainer": [f"{_A}ImageClassificationRunner"],
    "mindspore.explainer.benchmark": [_A + _EXPLAINERS],
    "mindspore.explainer.explanation": [_A + _EXPLANATIONS],
    "mindspore.hypercomplex": [],
    **{f"mindspore.hypercomplex.{algebra}": [_A + " ".join([f"{n}={algebra}.{n}" for n in _ALGEBRAS.split()])]
       for algebra in ("complex", "double", "dual")},
    "mindspore.offline_debug": [],
    "mindspore.offline_debug.dbg_services": [
        f"{_A}{_DEBUGGED} Parameter=dbg_services.Parameter log=dbg_services.log "
        "get_version=dbg_services.get_version"],
}
