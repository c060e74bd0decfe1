"""Cells around a network: loss, gradients, one step of training."""
from .batches import (
    GradAccumulationCell,
    MicroBatchInterleaved,
    PipelineCell,
    VirtualDatasetCellTriple,
    _VirtualDatasetCell,
)
from .gradient import ForwardValueAndGrad, ParameterUpdate, WithGradCell
from .loss import WithEvalCell, WithLossCell
from .reducer import DistributedGradReducer, PipelineGradReducer
from .scaling import (
    DynamicLossScaleUpdateCell,
    FixedLossScaleUpdateCell,
    TrainOneStepWithLossScaleCell,
    grad_scale,
)
from .step import TrainOneStepCell

__all__ = [
    "DistributedGradReducer", "DynamicLossScaleUpdateCell", "FixedLossScaleUpdateCell",
    "ForwardValueAndGrad", "GradAccumulationCell", "MicroBatchInterleaved", "ParameterUpdate", "PipelineCell",
    "PipelineGradReducer",
    "TrainOneStepCell", "TrainOneStepWithLossScaleCell", "VirtualDatasetCellTriple", "WithEvalCell",
    "WithGradCell", "WithLossCell", "_VirtualDatasetCell", "grad_scale",
]
