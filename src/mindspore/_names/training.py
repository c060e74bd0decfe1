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
    "SummaryLandscape TrainFaultTolerance"
)
METRICS = (
    "Accuracy BleuScore ConfusionMatrix ConfusionMatrixMetric CosineSimilarity Dice F1 Fbeta "
    "HausdorffDistance Loss MAE MSE MeanSurfaceDistance Metric OcclusionSensitivity Perplexity "
    "Precision ROC Recall RootMeanSquareDistance Top1CategoricalAccuracy Top5CategoricalAccuracy "
    "TopKCategoricalAccuracy auc get_metric_fn get_metrics names rearrange_inputs"
)
