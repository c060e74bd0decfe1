"""Callbacks: what happens at the beginning and end of a run, its epochs and its steps."""
from .backup import BackupAndRestore
from .callback import Callback, RunContext, _CallbackManager, _handle_loss, _InternalCallbackParam
from .checkpoint import CheckpointConfig, ModelCheckpoint
from .early_stopping import EarlyStopping
from .fault_tolerance import TrainFaultTolerance
from .flops_collector import FlopsUtilizationCollector
from .history import History
from .lambda_callback import LambdaCallback
from .loss_monitor import LossMonitor
from .lr_scheduler import LearningRateScheduler
from .progress import ProgressBar
from .reduce_lr import ReduceLROnPlateau
from .request_exit import OnRequestExit
from .summary_collector import SummaryCollector
from .summary_landscape import SummaryLandscape
from .time_monitor import TimeMonitor

__all__ = [
    "BackupAndRestore", "Callback", "CheckpointConfig", "EarlyStopping", "FlopsUtilizationCollector", "History",
    "LambdaCallback", "LearningRateScheduler", "LossMonitor", "ModelCheckpoint", "OnRequestExit", "ProgressBar",
    "ReduceLROnPlateau", "RunContext", "SummaryCollector", "SummaryLandscape", "TimeMonitor", "TrainFaultTolerance",
    "_CallbackManager", "_InternalCallbackParam", "_handle_loss",
]
