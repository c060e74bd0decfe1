"""The names of training that several public paths have: files, callbacks, summaries, metrics."""

from __future__ import annotations

SERIALIZATION = (
    "save_checkpoint load_checkpoint load_checkpoint_async load_param_into_net "
    "async_ckpt_thread_status ckpt_to_safetensors safetensors_to_ckpt"
)
MODELS = [
    "mindspore.train.exporting.export:export",
    "mindspore.train.exporting.convert:convert_model export_split_mindir obfuscate_model",
    "mindspore.train.mindir.load:load",
    "mindspore.train.mindir.messages:load_mindir save_mindir",
]
SUMMARIES = ["mindspore.train.summary.summary_record:SummaryRecord"]
CALLBACKS = (
    "Callback LossMonitor TimeMonitor ModelCheckpoint CheckpointConfig LearningRateScheduler "
    "EarlyStopping ReduceLROnPlateau History LambdaCallback BackupAndRestore OnRequestExit RunContext SummaryCollector "
    "SummaryLandscape FlopsUtilizationCollector TrainFaultTolerance"
)
METRICS = (
    "Accuracy BleuScore ConfusionMatrix ConfusionMatrixMetric CosineSimilarity Dice F1 Fbeta "
    "HausdorffDistance Loss MAE MSE MeanSurfaceDistance Metric OcclusionSensitivity Perplexity "
    "Precision ROC Recall RootMeanSquareDistance Top1CategoricalAccuracy Top5CategoricalAccuracy "
    "TopKCategoricalAccuracy auc get_metric_fn get_metrics names rearrange_inputs"
)
_FILES = "mindspore.train.callback.checkpoint_files"
_TYPES = "mindspore.train.element_types:tensor_to_np_type tensor_to_ms_type"
TRAINING_PATHS: dict[str, str | list[str]] = {
    "mindspore.train.data_sink": ["mindspore.train.dataset_helper:data_sink __call__=data_sink"],
    "mindspore.train.checkpoint_pb2": ["mindspore.formats.checkpoint_messages:Checkpoint"],
    "mindspore.train.node_strategy_pb2": [
        "mindspore.formats.checkpoint_messages:ParallelStrategyMap ParallelStrategyItem ParallelStrategys "
        "ParallelStrategy ParallelLayoutItem ParallelLayouts DevMatrix TensorMap ParamSplitShape IndicesOffset"],
    "mindspore.parallel._ps_context": [
        "mindspore.parallel.servers:_is_role_pserver _is_role_worker _is_role_sched _get_ps_mode_rank"],
    "mindspore.parallel._cell_wrapper": ["mindspore.parallel.servers:destroy_allgather_cell"],
    "mindspore.train.callback": [f"{_FILES}:_set_cur_net=set_cur_net"],
    "mindspore.train._utils": [f"{_FILES}:_make_directory", "mindspore.core.absent:_exec_datagraph"],
    "mindspore.train.callback._callback": [
        "mindspore.train.callback:Callback RunContext _InternalCallbackParam _handle_loss", f"{_FILES}:set_cur_net"],
    "mindspore.train.callback._checkpoint": [
        "mindspore.train.callback:CheckpointConfig ModelCheckpoint",
        f"{_FILES}:CheckpointManager _check_file_name_prefix _chg_ckpt_file_name_if_same_exist _cur_dir "
        "_make_directory"],
}
SERIALIZATION_PRIVATE = [_TYPES, "mindspore.formats.checkpoint_messages:Checkpoint",
                         "mindspore.core.validator:Validator",
                         "mindspore.core.absent:_save_graph _get_merged_param_data _check_checkpoint_param"]
