"""Cells around a network: loss, gradients, one step of training."""
from .batches import (
    GradAccumulationCell,
    MicroBatchInterleaved,
    VirtualDatasetCellTriple,
    _VirtualDatasetCell,
)
from .gradient import ForwardValueAndGrad, ParameterUpdate, WithGradCell
from .loss import WithEvalCell, WithLossCell
from .reducer import DistributedGradReducer
from .scaling import (
    DynamicLossScaleUpdateCell,
    FixedLossScaleUpdateCell,
    TrainOneStepWithLossScaleCell,
    grad_scale,
)
from .step import TrainOneStepCell

__all__ = [
    "DistributedGradReducer", "DynamicLossScaleUpdateCell", "FixedLossScaleUpdateCell",
    "ForwardValueAndGrad", "GradAccumulationCell", "MicroBatchInterleaved", "ParameterUpdate",
    "TrainOneStepCell", "TrainOneStepWithLossScaleCell", "VirtualDatasetCellTriple", "WithEvalCell",
    "WithGradCell", "WithLossCell", "_VirtualDatasetCell", "grad_scale",
]
