"""Public paths of quantisation-aware training, which 1.x had; `hook.py` says what a row means."""
from __future__ import annotations

_LAYERS = ("ActQuant Conv2dBnFoldQuant Conv2dBnFoldQuantOneConv Conv2dBnWithoutFoldQuant Conv2dQuant DenseQuant "
           "FakeQuantWithMinMax FakeQuantWithMinMaxObserver MulQuant TensorAddQuant")
_UTILS = "load_nonquant_param_into_quant_net query_quant_layers"
_QUANTISER = "OptimizeOption Quantizer"
_QAT = "QuantizationAwareTraining create_quant_config"

QUANTISED_LAYERS = [f"mindspore.nn.quantised:{_LAYERS}"]
QUANTISED_PATHS: dict[str, str | list[str]] = {
    "mindspore.nn.layer.quant": [
        f"mindspore.nn.quantised:{_LAYERS} QuantConfig UniformQuantObserver quant_config_default",
        "mindspore.nn:Conv2dBnAct DenseBnAct"],
    "mindspore.compression": [],
    "mindspore.compression.common": ["mindspore.core.quant_dtype:QuantDtype"],
    "mindspore.compression.common.constant": ["mindspore.core.quant_dtype:QuantDtype"],
    "mindspore.compression.quant": [f"mindspore.nn.quantised:{_QAT} {_QUANTISER} {_UTILS}"],
    "mindspore.compression.quant.qat": [f"mindspore.nn.quantised:{_QAT}"],
    "mindspore.compression.quant.quant_utils": [f"mindspore.nn.quantised:{_UTILS}"],
    "mindspore.compression.quant.quantizer": [f"mindspore.nn.quantised:{_QUANTISER}"],
    "mindspore.train.quant": [],
    "mindspore.train.quant.quant": ["mindspore.nn.quantised:convert_quant_network",
                                    "mindspore.train.exporting.export:export"],
    "mindspore.train.quant.quant_utils": [f"mindspore.nn.quantised:{_UTILS}"],
}
