"""Training that takes less time: frozen layers, gradients over several batches, gradients combined adaptively."""

from .accumulation import GradientAccumulation
from .auto import LEVELS, AutoBoost
from .freezing import FreezeOpt, GradientFreeze, freeze_cell
from .heads import LessBN
from .loss_scales import GroupLossScaleManager
from .processes import OptimizerProcess, ParameterProcess
from .steps import BoostTrainOneStepCell, BoostTrainOneStepWithLossScaleCell
from .subspace import DimReduce
from .summing import AdaSum

__all__ = ["LEVELS", "AdaSum", "AutoBoost", "BoostTrainOneStepCell", "BoostTrainOneStepWithLossScaleCell", "DimReduce",
           "FreezeOpt", "GradientAccumulation", "GradientFreeze", "GroupLossScaleManager", "LessBN", "OptimizerProcess",
           "ParameterProcess", "freeze_cell"]
