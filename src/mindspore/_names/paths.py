"""Every public path that is not a file of its own: one row each; `hook.py` says what a row means."""

from __future__ import annotations

from .communication import ALGORITHM, BROADCAST, COMMUNICATION, LAYOUT, SHARD, TRANSFORMS
from .devices import DEVICE_PATHS, FILES, RUNTIME, STORAGE, UTILITIES, WITHOUT
from .families import FAMILIES
from .inner import INNER_PATHS
from .mint import EXTENDED, MINT_PATHS
from .operators import OPERATOR_PATHS, PRIMITIVES
from .quantised import QUANTISED_LAYERS, QUANTISED_PATHS
from .training import (
    CALLBACKS,
    METRICS,
    MODELS,
    SERIALIZATION,
    SERIALIZATION_PRIVATE,
    SUMMARIES,
    TRAINING_PATHS,
)

DTYPES = (
    "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 "
    "complex64 complex128 byte short intc intp int_ half single double float_ long ubyte ushort uintc "
    "uint uintp cfloat cdouble string number tensor_type type_none list_ tuple_ "
    "dtype_to_nptype dtype_to_pytype pytype_to_dtype get_py_obj_dtype"
)
GENERATOR = ("mindspore.eager.generator:Generator default_generator seed manual_seed initial_seed get_rng_state "
             "set_rng_state")
CONTEXT = (
    "set_context get_context set_auto_parallel_context get_auto_parallel_context "
    "reset_auto_parallel_context set_ps_context get_ps_context reset_ps_context ParallelMode "
    "GRAPH_MODE PYNATIVE_MODE STRICT LAX COMPATIBLE"
)
OPTIMIZERS = (
    "Optimizer ASGD AdaFactor Adadelta Adagrad Adam AdamOffload AdamWeightDecay AdaMax FTRL LARS "
    "Lamb LazyAdam Momentum ProximalAdagrad RMSProp Rprop SGD thor"
)
LOSSES = (
    "BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss DiceLoss FocalLoss "
    "GaussianNLLLoss HingeEmbeddingLoss HuberLoss KLDivLoss L1Loss LossBase MAELoss MSELoss "
    "MarginRankingLoss MultiClassDiceLoss MultiLabelSoftMarginLoss MultiMarginLoss "
    "MultilabelMarginLoss NLLLoss PoissonNLLLoss RMSELoss SampledSoftmaxLoss SmoothL1Loss "
    "SoftMarginLoss SoftmaxCrossEntropyWithLogits TripletMarginLoss TripletMarginWithDistanceLoss"
)
WRAP = (
    "ForwardValueAndGrad WithLossCell TrainOneStepCell WithEvalCell WithGradCell "
    "ParameterUpdate PipelineCell MicroBatchInterleaved DistributedGradReducer PipelineGradReducer "
    "TrainOneStepWithLossScaleCell DynamicLossScaleUpdateCell "
    "FixedLossScaleUpdateCell GradAccumulationCell"
)
STEPS = (
    "cosine_decay_lr exponential_decay_lr inverse_decay_lr natural_exp_decay_lr "
    "piecewise_constant_lr polynomial_decay_lr warmup_lr"
)
SCHEDULES = ("LearningRateSchedule CosineDecayLR ExponentialDecayLR InverseDecayLR NaturalExpDecayLR "
             "PolynomialDecayLR WarmUpLR")
SCALES = "LossScaleManager FixedLossScaleManager DynamicLossScaleManager"

SPARSE = "mindspore.ops.sparse_layouts:COOTensor CSRTensor RowTensor SparseTensor"
CELLS = ["mindspore.nn:*"]
FUNCTIONS = ["mindspore.ops:*"]
METRIC = [f"mindspore.nn:{METRICS}"]
IMAGE_TRANSFORMS = ["mindspore.dataset.vision:*"]
ARRAY_TRANSFORMS = ["mindspore.dataset.vision.v1_c_transforms:*", *IMAGE_TRANSFORMS,  # 1.x, on arrays
                    "mindspore.core.absent:SoftDvppDecodeRandomCropResizeJpeg SoftDvppDecodeResizeJpeg"]
PIL_TRANSFORMS = ["mindspore.dataset.vision.former_py:*", *IMAGE_TRANSFORMS]  # 1.x, on PIL images
DATASETS = ["mindspore.dataset:*"]
AUDIO_TRANSFORMS = ["mindspore.dataset.audio:*"]

PATHS: dict[str, str | list[str]] = {
    "mindspore": [
        f"mindspore.core.dtype:{DTYPES} float=float32 bool=bool_ int=int32",
        f"mindspore.core.context:{CONTEXT} set_device get_current_device set_deterministic",
        "mindspore.core.device_scope:DeviceCtx", "mindspore.nn.recomputation:recompute",
        ALGORITHM, *TRANSFORMS, BROADCAST, LAYOUT, SHARD,
        "mindspore.ops.methods:Tensor tensor from_numpy",
        "mindspore.ops.methods:Parameter ParameterTuple",
        "mindspore.core.seed:set_seed get_seed", GENERATOR,
        "mindspore.core.symbol:Symbol",
        "mindspore.core.dtype:Type TensorType Int",
        SPARSE, FILES, STORAGE, *RUNTIME, WITHOUT, "mindspore.eager.dlpack:frombuffer swap_tensors", *UTILITIES,
        "mindspore.eager.unrecorded:_no_grad", "mindspore.eager.custom_function:_Function",
        "mindspore.core.quant_dtype:QuantDtype",
        "mindspore.core.log:get_level get_log_config",
        "mindspore.compiler.jit:jit mutable enable_dynamic",
        "mindspore.compiler.options:jit_class JitConfig lazy_inline no_inline set_recursion_limit",
        "mindspore.compiler.cells:ms_memory_recycle",
        "mindspore.ops:is_tensor grad value_and_grad get_grad jvp vjp jacfwd jacrev vmap constexpr",
        "mindspore.profiler:Profiler EnvProfiler",
        "mindspore.train:Model DatasetHelper connect_network_with_dataset data_sink ConvertModelUtils ConvertNetUtils",
        f"mindspore.train.callback:{CALLBACKS}",
        f"mindspore.train.serialization:{SERIALIZATION}",
        *MODELS,
        *SUMMARIES,
        f"mindspore.nn:{METRICS}",
        f"mindspore.amp:build_train_network {SCALES}",
        "mindspore._run_check:run_check",
        "mindspore.rewrite:Node NodeType ScopedValue SymbolTree",
        "mindspore.mindrecord:FAILED FileReader FileWriter MindPage SUCCESS Cifar100ToMR Cifar10ToMR CsvToMR "
        "ImageNetToMR MnistToMR TFRecordToMR set_dec_mode set_enc_key set_enc_mode",
    ],
    "mindspore.context": "mindspore.core.context",
    "mindspore.dtype": "mindspore.core.dtype",
    "mindspore.log": "mindspore.core.log",
    "mindspore._checkparam": ["mindspore.core.validator:*", "mindspore.core.validator_kinds:*",
                              "mindspore.core.validator_shapes:*"],
    "mindspore.run_check": ["mindspore._run_check:run_check __call__=run_check"],
    "mindspore.version": ["mindspore._names.version:__version__=MINDSPORE"],
    "mindspore.graph": [
        "mindspore.core.absent:CustomPassType clear_op_infer clear_op_wrapper register_custom_backend "
        "register_custom_pass register_op_infer register_op_wrapper",
        "mindspore.compiler.inspection:explain",
        "mindspore.compiler.jit:jit mutable enable_dynamic",
        "mindspore.compiler.options:jit_class JitConfig lazy_inline no_inline set_recursion_limit",
    ],
    # --- common
    "mindspore.common": [
        f"mindspore.core.dtype:{DTYPES}",
        "mindspore.ops.methods:Tensor",
        "mindspore.ops.methods:Parameter ParameterTuple",
        "mindspore.core.seed:set_seed get_seed", GENERATOR,
        "mindspore.core.symbol:Symbol",
        SPARSE, FILES, STORAGE, WITHOUT, "mindspore.eager.dlpack:swap_tensors",
        "mindspore.core.dtype:Type TensorType Int float=float32 bool=bool_ int=int32",
        "mindspore.core.quant_dtype:QuantDtype", "mindspore.core.device_scope:DeviceCtx",
        "mindspore.nn.recomputation:recompute", "mindspore.ops:is_tensor", "mindspore.ops.methods:from_numpy",
        "mindspore.train.mindir.messages:load_mindir save_mindir",
        "mindspore.compiler.jit:jit mutable enable_dynamic",
        "mindspore.compiler.options:jit_class JitConfig lazy_inline no_inline set_recursion_limit",
        "mindspore.compiler.cells:ms_memory_recycle", "mindspore.eager.unrecorded:_no_grad",
        "mindspore.eager.custom_function:_Function",
    ],
    "mindspore.common._grad_function": ["mindspore.eager.custom_function:_Function"],
    "mindspore.common.api": [
        "mindspore.compiler.jit:jit mutable enable_dynamic",
        "mindspore.compiler.options:jit_class JitConfig set_recursion_limit",
        "mindspore.compiler.cells:ms_memory_recycle cells_compile_cache",
        "mindspore.compiler.executor:_cell_graph_executor _executor",
        "mindspore.eager.unrecorded:_no_grad", "mindspore.runtime.pynative:_pynative_executor",
        "mindspore.core.absent:init_exec_dataset",
    ],
    "mindspore._c_expression": ["mindspore.core.absent:init_exec_dataset"],
    "mindspore._extends": ["mindspore.nn.registration:cell_attr_register"],
    "mindspore.common.dtype": "mindspore.core.dtype",
    "mindspore.common.initializer": "mindspore.eager.initializer",
    "mindspore.common.jit_config": ["mindspore.compiler.options:JitConfig"],
    "mindspore.common.lazy_inline": ["mindspore.compiler.options:lazy_inline __call__=lazy_inline"],
    "mindspore.common.mutable": ["mindspore.compiler.jit:mutable __call__=mutable"],
    "mindspore.common.no_inline": ["mindspore.compiler.options:no_inline __call__=no_inline"],
    "mindspore.common.parameter": ["mindspore.ops.methods:Parameter ParameterTuple",
                                   "mindspore.eager.parameter_tuple:_is_parameter_generated"],
    "mindspore.common.generator": "mindspore.eager.generator",
    "mindspore.common.seed": ["mindspore.core.seed:set_seed get_seed _get_graph_seed",
                              "mindspore.eager.generator:__call__=seed"],
    "mindspore.common.hook_handle": ["mindspore.eager.hooks:HookHandle"],
    "mindspore.common._stub_tensor": ["mindspore.eager.tensor:StubTensor=Tensor"],  # nothing is pending here
    "mindspore.common.sparse_tensor": [SPARSE, "mindspore.ops.sparse_layouts:RowTensorInner=RowTensor"],
    "mindspore.common.symbol": ["mindspore.core.symbol:Symbol"],
    "mindspore.common.tensor": ["mindspore.ops.methods:Tensor tensor __call__=tensor",
                                "mindspore.core.symbol:Symbol"],
    # --- operators and functions
    "mindspore.ops.operations": PRIMITIVES,
    "mindspore.ops.operations._inner_ops": PRIMITIVES,
    "mindspore.ops.operations.array_ops": PRIMITIVES,
    "mindspore.ops.operations.comm_ops": PRIMITIVES,
    "mindspore.ops.operations.control_ops": PRIMITIVES,
    "mindspore.ops.operations.custom_ops": PRIMITIVES,
    "mindspore.ops.operations.debug_ops": PRIMITIVES,
    "mindspore.ops.operations.image_ops": PRIMITIVES,
    "mindspore.ops.operations.inner_ops": PRIMITIVES,
    "mindspore.ops.operations.linalg_ops": PRIMITIVES,
    "mindspore.ops.operations.math_ops": PRIMITIVES,
    "mindspore.ops.operations.nn_ops": PRIMITIVES,
    "mindspore.ops.operations.other_ops": PRIMITIVES,
    "mindspore.ops.operations.random_ops": PRIMITIVES,
    "mindspore.ops.operations.sparse_ops": PRIMITIVES,
    "mindspore.ops.P": PRIMITIVES,
    "mindspore.ops.primitive": ["mindspore.ops:Primitive PrimitiveWithInfer constexpr"],
    **OPERATOR_PATHS,
    "mindspore.ops.composite.multitype_ops": [
        *FUNCTIONS, "mindspore.ops._composite:in_ left_shift not_in_ pow_ right_shift uadd"],
    "mindspore.ops.functional": FUNCTIONS,
    "mindspore.ops.function": FUNCTIONS,
    **{f"mindspore.ops.function.{n}": [*FUNCTIONS, *EXTENDED]
       for n in ("array_func", "math_func", "nn_func", "random_func")},
    "mindspore.ops.function.clip_func": FUNCTIONS,
    "mindspore.ops.function.debug_func": FUNCTIONS,
    "mindspore.ops.function.grad": FUNCTIONS,
    "mindspore.ops.function.grad.grad_func": FUNCTIONS,
    "mindspore.ops.function.image_func": FUNCTIONS,
    "mindspore.ops.function.linalg_func": FUNCTIONS,
    "mindspore.ops.function.other_func": FUNCTIONS,
    "mindspore.ops.function.parameter_func": FUNCTIONS,
    "mindspore.ops.function.sparse_func": FUNCTIONS,
    "mindspore.ops.function.spectral_func": FUNCTIONS,
    "mindspore.ops.function.vmap_func": FUNCTIONS,
    # --- cells
    "mindspore.nn.cell": ["mindspore.nn:Cell GraphCell"],
    "mindspore.nn.dynamic_lr": [f"mindspore.nn:{STEPS}"],
    "mindspore.nn.layer": CELLS,
    "mindspore.nn.layer.activation": [*CELLS, "mindspore.nn.activation:_activation=BY_NAME",
                                      "mindspore.mint.nn:SoftmaxExt=Softmax"],
    "mindspore.nn.layer.basic": [*CELLS, "mindspore.nn.linear:check_dense_input_shape",
                                 "mindspore.mint.nn:Fold UnfoldExt=Unfold UpsampleExt=Upsample"],
    "mindspore.nn.layer.channel_shuffle": CELLS,
    "mindspore.nn.layer.combined": CELLS,
    "mindspore.nn.layer.container": CELLS,
    "mindspore.nn.layer.conv": [*CELLS, "mindspore.nn.convolution:_check_input_3d=check_input_3d"],
    "mindspore.nn.layer.dense": CELLS,
    "mindspore.nn.layer.embedding": CELLS,
    "mindspore.nn.layer.image": CELLS,
    "mindspore.nn.layer.math": CELLS,
    "mindspore.nn.layer.normalization": [*CELLS, "mindspore.nn.batch_norm:_BatchNorm"],
    "mindspore.nn.layer.padding": CELLS,
    "mindspore.nn.layer.pooling": CELLS,
    "mindspore.nn.layer.rnn_cells": [
        *CELLS, "mindspore.nn.recurrent_cell:RNNCellBase _gru_cell _lstm_cell _rnn_relu_cell _rnn_tanh_cell"],
    "mindspore.nn.layer.rnns": CELLS,
    "mindspore.nn.layer.timedistributed": CELLS,
    "mindspore.nn.layer.transformer": CELLS,
    "mindspore.nn.learning_rate_schedule": [f"mindspore.nn:{SCHEDULES}"],
    **{path: [f"mindspore.nn:{LOSSES}", "mindspore.mint.nn:L1LossExt=L1Loss"]
       for path in ("mindspore.nn.loss", "mindspore.nn.loss.loss")},
    "mindspore.nn.metrics.metric": METRIC,
    "mindspore.nn.optim": [f"mindspore.nn:{OPTIMIZERS} AdaSumByDeltaWeightWrapCell AdaSumByGradWrapCell"],
    "mindspore.nn.optim.adasum": ["mindspore.nn:AdaSumByDeltaWeightWrapCell AdaSumByGradWrapCell"],
    "mindspore.nn.optim.ada_grad": ["mindspore.nn:Adagrad"],
    "mindspore.nn.optim.adadelta": ["mindspore.nn:Adadelta"],
    "mindspore.nn.optim.adafactor": ["mindspore.nn:AdaFactor"],
    "mindspore.nn.optim.adam": ["mindspore.nn:Adam AdamOffload AdamWeightDecay"],
    "mindspore.nn.optim.adamax": ["mindspore.nn:AdaMax"],
    "mindspore.nn.optim.asgd": ["mindspore.nn:ASGD"],
    "mindspore.nn.optim.ftrl": ["mindspore.nn:FTRL"],
    "mindspore.nn.optim.lamb": ["mindspore.nn:Lamb"],
    "mindspore.nn.optim.lars": ["mindspore.nn:LARS"],
    "mindspore.nn.optim.lazyadam": ["mindspore.nn:LazyAdam"],
    "mindspore.nn.optim.momentum": ["mindspore.nn:Momentum"],
    "mindspore.nn.optim.optimizer": ["mindspore.nn.optimizers:Optimizer opt_init_args_register"],
    "mindspore.nn.optim.proximal_ada_grad": ["mindspore.nn:ProximalAdagrad"],
    "mindspore.nn.optim.rmsprop": ["mindspore.nn:RMSProp"],
    "mindspore.nn.optim.rprop": ["mindspore.nn:Rprop"],
    "mindspore.nn.optim.sgd": ["mindspore.nn:SGD"],
    "mindspore.nn.optim.thor": ["mindspore.nn:thor __call__=thor"],
    "mindspore.nn.layer.thor_layer": ["mindspore.nn:Conv2dThor DenseThor EmbeddingLookupThor EmbeddingThor"],
    "mindspore.nn.wrap.cell_wrapper": [
        f"mindspore.nn:{WRAP}",
        "mindspore.nn.wrap:_VirtualDatasetCell VirtualDatasetCellTriple",
    ],
    "mindspore.nn.wrap.grad_reducer": ["mindspore.nn:DistributedGradReducer PipelineGradReducer"],
    "mindspore.nn.wrap.loss_scale": [
        "mindspore.nn:TrainOneStepWithLossScaleCell DynamicLossScaleUpdateCell "
        "FixedLossScaleUpdateCell",
        "mindspore.nn.wrap:grad_scale shard_grad_scale=grad_scale",
    ],
    "mindspore.nn": ["mindspore.nn.derivative:Jvp Vjp", "mindspore.nn.wrap:VirtualDatasetCellTriple",
                     "mindspore.eager.uninitialised:no_init_parameters",
                     "mindspore.core.absent:GetNextSingleOp OptTFTWrapper",
                     "mindspore.nn.wrap.adaptive_sum:AdaSumByDeltaWeightWrapCell AdaSumByGradWrapCell",
                     *QUANTISED_LAYERS],
    **QUANTISED_PATHS,
    "mindspore.nn.utils": ["mindspore.eager.uninitialised:no_init_parameters"],
    "mindspore.nn.utils.init": ["mindspore.eager.uninitialised:no_init_parameters"],
    "mindspore.nn.grad": ["mindspore.nn.derivative:Jvp Vjp"],
    "mindspore.nn.grad.cell_grad": ["mindspore.nn.derivative:Jvp Vjp"],
    # --- devices, files
    **DEVICE_PATHS,
    # --- probability, SciPy's names
    **FAMILIES,
    # --- functions and cells with torch's arguments
    **MINT_PATHS,
    **INNER_PATHS,
    # --- training
    "mindspore.train": [
        f"mindspore.train.callback:{CALLBACKS}",
        f"mindspore.train.serialization:{SERIALIZATION}",
        *TRANSFORMS, "mindspore.train.distributed_loading:get_ckpt_path_with_strategy",
        *MODELS,
        *SUMMARIES,
        f"mindspore.nn:{METRICS}",
        f"mindspore.amp:build_train_network {SCALES}",
        "mindspore.core.context:ParallelMode",
    ],
    "mindspore.train.train_thor": ["mindspore.train:ConvertModelUtils ConvertNetUtils"],
    "mindspore.train.train_thor.convert_utils": ["mindspore.train:ConvertModelUtils ConvertNetUtils"],
    "mindspore.train.train_thor.dataset_helper": ["mindspore.train.second_order:DatasetHelper=ThorDatasetHelper"],
    "mindspore.train.train_thor.model_thor": ["mindspore.train.second_order:ModelThor"],
    "mindspore.profiler": ["mindspore.profiler.dynamic:DynamicProfilerMonitor"],
    "mindspore.profiler.profiling": ["mindspore.profiler:Profiler"],
    "mindspore.profiler.profiler": [
        "mindspore.profiler.offline:analyse",
        "mindspore.profiler:tensorboard_trace_handler Profile=profile",
    ],
    "mindspore.profiler.schedule": ["mindspore.profiler.actions:Schedule ProfilerAction __call__=Schedule"],
    "mindspore.profiler.common": [],
    "mindspore.profiler.common.constant": ["mindspore.profiler.options:*"],
    "mindspore.profiler.experimental_config": ["mindspore.profiler:_ExperimentalConfig"],
    "mindspore.profiler.envprofiler": ["mindspore.profiler:EnvProfiler"],
    "mindspore.profiler.dynamic_profiler": ["mindspore.profiler.dynamic:DynamicProfilerMonitor"],
    "mindspore.train.amp": ["mindspore.amp:*"],
    **TRAINING_PATHS,
    "mindspore.train.callback._early_stop": ["mindspore.train.callback:EarlyStopping"],
    "mindspore.train.callback._flops_collector": ["mindspore.train.callback:FlopsUtilizationCollector"],
    "mindspore.train.callback._history": ["mindspore.train.callback:History"],
    "mindspore.train.callback._lambda_callback": ["mindspore.train.callback:LambdaCallback"],
    "mindspore.train.callback._loss_monitor": ["mindspore.train.callback:LossMonitor"],
    "mindspore.train.callback._lr_scheduler_callback": [
        "mindspore.train.callback:LearningRateScheduler"
    ],
    "mindspore.train.callback._reduce_lr_on_plateau": [
        "mindspore.train.callback:ReduceLROnPlateau"
    ],
    "mindspore.train.callback._landscape": ["mindspore.train.callback:SummaryLandscape"],
    "mindspore.train.callback._summary_collector": ["mindspore.train.callback:SummaryCollector"],
    "mindspore.train.callback._time_monitor": ["mindspore.train.callback:TimeMonitor"],
    "mindspore.train.loss_scale_manager": [f"mindspore.amp:{SCALES}"],
    "mindspore.train.metrics": METRIC,
    "mindspore.train.model": ["mindspore.core.context:ParallelMode"],
    "mindspore.train.metrics.accuracy": METRIC,
    "mindspore.train.metrics.metric": METRIC,
    "mindspore.train.serialization": [
        "mindspore.core:context",
        "mindspore.train._parameter_loading:_load_dismatch_prefix_params _update_param", *SERIALIZATION_PRIVATE,
        *TRANSFORMS,
        *MODELS,
    ],
    "mindspore.onnx": ["mindspore.train.exporting.onnx_export:export"],
    "mindspore.onnx.onnx_export": ["mindspore.train.exporting.onnx_export:export"],
    # --- distribution
    **COMMUNICATION,
    "mindspore.parallel._auto_parallel_context": ["mindspore.distributed:auto_parallel_context"],
    "mindspore.parallel._utils": [
        "mindspore.distributed.settings:_get_device_num _get_global_rank _get_parallel_mode "
        "_get_gradients_mean _get_parameter_broadcast _get_enable_parallel_optimizer "
        "_get_pipeline_stages _is_in_auto_parallel_mode _is_sharding_propagation"
    ],
    # --- data
    "mindspore.dataset": [
        "mindspore.train.callback.dataset_callback:WaitedDSCallback",
        "mindspore.train.offload:GetOffloadModel", "mindspore.core.absent:WorkerTarget",
    ],
    "mindspore.dataset.debug": ["mindspore.dataset:DebugHook"],
    "mindspore.dataset.debug.debug_hook": ["mindspore.dataset:DebugHook"],
    "mindspore.dataset.callback": ["mindspore.train.callback.dataset_callback:WaitedDSCallback"],
    "mindspore.dataset.callback.ds_callback": [
        "mindspore.dataset.callback:DSCallback",
        "mindspore.train.callback.dataset_callback:WaitedDSCallback",
    ],
    "mindspore.dataset.audio.transforms": AUDIO_TRANSFORMS,
    "mindspore.dataset.audio.utils": AUDIO_TRANSFORMS,
    "mindspore.dataset.context": "mindspore.core.context",
    "mindspore.dataset.ds": DATASETS,
    "mindspore.dataset.engine": DATASETS,
    "mindspore.dataset.engine.datasets": DATASETS,
    "mindspore.dataset.engine.datasets_audio": DATASETS,
    "mindspore.dataset.engine.datasets_standard_format": DATASETS,
    "mindspore.dataset.engine.datasets_text": DATASETS,
    "mindspore.dataset.engine.datasets_user_defined": DATASETS,
    "mindspore.dataset.engine.datasets_vision": DATASETS,
    "mindspore.dataset.core": ["mindspore.dataset:config"],
    "mindspore.dataset.core.config": "mindspore.dataset.config",
    "mindspore.dataset.core.validator_helpers": ["mindspore.core.check:INT32_MAX"],
    "mindspore.dataset.engine.validators": ["mindspore.dataset.validators:*"],
    "mindspore.dataset.engine.graphdata": ["mindspore.dataset.graphs:*"],
    "mindspore.dataset.engine.samplers": DATASETS,
    "mindspore.dataset.engine.config": "mindspore.dataset.config",
    "mindspore.mindrecord": [
        "mindspore.formats.mindrecord.errors:*",
        "mindspore.mindrecord.status:SYS_ID ErrorCodeType ErrorLevel LogRuntime",
    ],
    "mindspore.mindrecord.common": [],
    "mindspore.mindrecord.common.constant": ["mindspore.mindrecord.status:SYS_ID"],
    "mindspore.mindrecord.common.enums": [
        "mindspore.mindrecord.status:ErrorCodeType ErrorLevel LogRuntime"
    ],
    "mindspore.mindrecord.common.exceptions": "mindspore.formats.mindrecord.errors",
    "mindspore.mindrecord.core": [],
    "mindspore.dataset.text.transforms": [
        "mindspore.dataset.text:*",
        "mindspore.dataset.helpers:Implementation",
        "mindspore.dataset.transforms:TensorOperation",
    ],
    "mindspore.dataset.text.utils": ["mindspore.dataset.text:*"],
    "mindspore.dataset.transforms.c_transforms": ["mindspore.dataset.transforms:*"],
    "mindspore.dataset.transforms.py_transforms": [
        "mindspore.dataset.transforms.former_py:*",
        "mindspore.dataset.transforms:*",
    ],
    "mindspore.dataset.transforms.transforms": ["mindspore.dataset.transforms:*"],
    "mindspore.dataset.transforms.vision": IMAGE_TRANSFORMS,
    "mindspore.dataset.transforms.vision.c_transforms": ARRAY_TRANSFORMS,
    "mindspore.dataset.transforms.vision.py_transforms": PIL_TRANSFORMS,
    "mindspore.dataset.vision.c_transforms": ARRAY_TRANSFORMS,
    "mindspore.dataset.vision.py_transforms": PIL_TRANSFORMS,
    "mindspore.dataset.vision.py_transforms_util": ["mindspore.dataset.vision.pil_functions:*"],
    "mindspore.dataset.vision.transforms": IMAGE_TRANSFORMS,
    "mindspore.dataset.vision.utils": IMAGE_TRANSFORMS,
}
