"""Quantisation-aware training: layers that compute with quantised numbers, and networks that are made of them."""
from .conversion import (
    OptimizeOption,
    QuantizationAwareTraining,
    Quantizer,
    convert_quant_network,
    load_nonquant_param_into_quant_net,
    query_quant_layers,
)
from .folded import Conv2dBnFoldQuant, Conv2dBnFoldQuantOneConv, Conv2dBnWithoutFoldQuant
from .layers import ActQuant, Conv2dQuant, DenseQuant, MulQuant, TensorAddQuant
from .observers import (
    DEFAULT as quant_config_default,
)
from .observers import (
    FakeQuantWithMinMax,
    FakeQuantWithMinMaxObserver,
    QuantConfig,
    UniformQuantObserver,
    create_quant_config,
)

__all__ = [
    "ActQuant", "Conv2dBnFoldQuant", "Conv2dBnFoldQuantOneConv", "Conv2dBnWithoutFoldQuant", "Conv2dQuant",
    "DenseQuant", "FakeQuantWithMinMax", "FakeQuantWithMinMaxObserver", "MulQuant", "OptimizeOption", "QuantConfig",
    "QuantizationAwareTraining", "Quantizer", "TensorAddQuant", "UniformQuantObserver", "convert_quant_network",
    "create_quant_config", "load_nonquant_param_into_quant_net", "quant_config_default", "query_quant_layers",
]
