"""Cells: layers, losses, metrics, optimizers, schedules and the cells around a training step.

Every public name is looked up at first use in the file that defines it; the table below is the only
list of them.
"""
from __future__ import annotations

import importlib as _importlib
from typing import Any as _Any

_MODULES = {
    "cell": "Cell",
    "graph_cell": "GraphCell GraphKernel",
    "container": "SequentialCell CellList CellDict",
    "activation": "FastGelu GELU GLU HSigmoid HSwish Mish SiLU Sigmoid Softsign Tanh Tanhshrink get_activation",
    "rectifiers": "CELU ELU HShrink Hardtanh LeakyReLU PReLU RReLU ReLU ReLU6 SeLU SoftShrink Threshold",
    "softmax": "LogSigmoid LogSoftmax Softmax Softmax2d Softmin",
    "linear": "BiDense Dense Flatten Identity Linear Unflatten",
    "combined": "Conv2dBnAct DenseBnAct",
    "convolution": "Conv1d Conv2d Conv3d",
    "convolution_transposed": "Conv1dTranspose Conv2dTranspose Conv3dTranspose",
    "pooling": "AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d MaxPool3d",
    "pooling_power": "LPPool1d LPPool2d",
    "pooling_adaptive": "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d "
                        "AdaptiveMaxPool2d AdaptiveMaxPool3d FractionalMaxPool2d "
                        "FractionalMaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d",
    "batch_norm": "BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm",
    "normalisation": "GroupNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d LRN LayerNorm",
    "dropout": "Dropout Dropout1d Dropout2d Dropout3d",
    "second_order": "Conv2dThor DenseThor EmbeddingLookupThor EmbeddingThor",
    "embedding": "Embedding EmbeddingLookup MultiFieldEmbeddingLookup",
    "recurrent": "GRU LSTM RNN",
    "recurrent_cell": "GRUCell LSTMCell RNNCell",
    "attention": "MultiheadAttention",
    "encoder_decoder": "Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder "
                   "TransformerEncoderLayer",
    "padding": "ConstantPad1d ConstantPad2d ConstantPad3d Pad ReflectionPad1d ReflectionPad2d "
               "ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad2d",
    "rearrangement": "ChannelShuffle OneHot PixelShuffle PixelUnshuffle ResizeBilinear Roll Tril Triu "
                     "Unfold Upsample",
    "image": "CentralCrop ImageGradients MSSSIM PSNR SSIM",
    "mathematics": "ClipByNorm DiGamma IGamma L1Regularizer LBeta LGamma LinSpace MatDet MatInverse "
                   "MatMul MatrixDiag MatrixDiagPart MatrixSetDiag Moments Norm Range "
                   "ReduceLogSumExp",
    "sparse": "SparseTensorDenseMatmul SparseToDense",
    "timedistributed": "TimeDistributed",
    "extension": "AvgPool1dExt AvgPool2dExt AvgPool3dExt Dropout2dExt DropoutExt EmbeddingExt L1LossExt "
                 "LayerNormExt LogSoftmaxExt MaxPool2dExt PReLUExt",
    "losses.base": "LossBase",
    "losses.regression": "HuberLoss L1Loss MAELoss MSELoss RMSELoss SmoothL1Loss",
    "losses.classification": "BCELoss BCEWithLogitsLoss CTCLoss CrossEntropyLoss FocalLoss NLLLoss "
                             "SampledSoftmaxLoss SoftMarginLoss SoftmaxCrossEntropyWithLogits",
    "losses.margin": "CosineEmbeddingLoss HingeEmbeddingLoss MarginRankingLoss "
                     "MultiLabelSoftMarginLoss MultiMarginLoss MultilabelMarginLoss TripletMarginLoss "
                     "TripletMarginWithDistanceLoss",
    "losses.distribution": "GaussianNLLLoss KLDivLoss PoissonNLLLoss",
    "losses.overlap": "DiceLoss MultiClassDiceLoss",
    "metrics": "Accuracy BleuScore ConfusionMatrix ConfusionMatrixMetric CosineSimilarity Dice F1 "
               "Fbeta HausdorffDistance Loss MAE MSE MeanSurfaceDistance Metric OcclusionSensitivity "
               "Perplexity Precision ROC Recall RootMeanSquareDistance Top1CategoricalAccuracy "
               "Top5CategoricalAccuracy TopKCategoricalAccuracy auc get_metric_fn get_metrics names "
               "rearrange_inputs",
    "optimizers": "ASGD AdaFactor AdaMax Adadelta "
                  "Adagrad Adam AdamOffload AdamWeightDecay FTRL LARS Lamb LazyAdam Momentum Optimizer "
                  "ProximalAdagrad RMSProp Rprop SGD thor",
    "schedules": "CosineDecayLR ExponentialDecayLR InverseDecayLR LearningRateSchedule "
                 "NaturalExpDecayLR PolynomialDecayLR WarmUpLR cosine_decay_lr exponential_decay_lr "
                 "inverse_decay_lr natural_exp_decay_lr piecewise_constant_lr polynomial_decay_lr "
                 "warmup_lr",
    "wrap": "DistributedGradReducer DynamicLossScaleUpdateCell FixedLossScaleUpdateCell "
            "ForwardValueAndGrad GradAccumulationCell MicroBatchInterleaved "
            "ParameterUpdate PipelineCell PipelineGradReducer TrainOneStepCell "
            "TrainOneStepWithLossScaleCell WithEvalCell WithGradCell WithLossCell",
}
_HOME = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> _Any:
    module = _HOME.get(name)
    if module is None:
        raise AttributeError(f"module 'mindspore.nn' has no attribute '{name}'")
    value = getattr(_importlib.import_module(f"mindspore.nn.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
