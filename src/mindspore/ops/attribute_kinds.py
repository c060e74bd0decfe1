"""What the attributes of primitives may be, as they are checked when a primitive is made.

A row: the kind, and the attributes of that kind, by primitive. "int from 1", "float in 0 1" and "number" are bounds;
"ints from 1, 2 4" is one int or a tuple of 2 or 4, "ints" and "tuple" anything of that form; "one of", "text of" and
"just" list values (other types than texts are a ValueError in the first, a TypeError in the second), "word of" words in
small or large letters, and "dtype" element types. None passes where it is the default.
"""
from __future__ import annotations

import functools
from collections.abc import Callable
from numbers import Integral
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import DType
from mindspore.core.errors import show

_ROWS = """
dtype float16 float32 float64:
    BartlettWindow.dtype BlackmanWindow.dtype HammingWindow.dtype LogSpace.dtype TruncatedNormal.dtype
dtype int16 int32 int64:
    RandomCategorical.dtype
dtype int32 int64:
    ListDiff.out_idx LowerBound.out_type MaxPool3DWithArgmax.argmax_type MaxPoolWithArgmaxV2.argmax_type
    Multinomial.dtype TrilIndices.dtype TriuIndices.dtype UpperBound.out_type
dtype int32 int64 float16 float32 float64:
    RandomPoisson.dtype
dtype int32 int64 uint32 uint64:
    NonDeterministicInts.dtype
dtype int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64:
    Randperm.dtype
float:
    ApplyAdagradV2.epsilon ApplyAdamWithAmsgrad.beta1,beta2,epsilon ApplyMomentum.gradient_scale
    ApproximateEqual.tolerance BasicLSTMCell.forget_bias BoundingBoxDecode.wh_ratio_clip Cauchy.median,sigma
    CropAndResize.extrapolation_value DynamicGRUV2.cell_clip,keep_prob DynamicRNN.cell_clip,forget_bias
    FillDiagonal.fill_value HammingWindow.alpha,beta LARSUpdate.epsilon,hyperpara LRN.alpha,beta,bias
    LogNormalReverse.mean,std MultiMarginLoss.margin NMSWithMask.iou_threshold ROIAlign.spatial_scale Renorm.maxnorm
    SparseApplyAdagrad.lr SparseApplyAdagradV2.epsilon,lr TripletMarginLoss.eps
float above 0:
    SparseApplyRMSProp.epsilon
float from 0:
    Histogram.max LpNorm.epsilon Pdist.p SparseApplyAdadelta.epsilon SparseApplyRMSProp.momentum
float in 0 1:
    BasicLSTMCell.keep_prob Dropout2D.keep_prob Dropout3D.keep_prob DynamicRNN.keep_prob SparseApplyRMSProp.rho
int:
    Argmax.axis Argmin.axis Assert.summarize Bernoulli.seed CTCLossV2.blank ChannelShuffle.group
    ConfusionMatrix.num_classes DropoutGenMask.Seed0,Seed1 DynamicGRUV2.cell_depth DynamicRNN.cell_depth InTopK.k
    IndexAdd.axis IndexPut.accumulate InplaceIndexAdd.axis MatrixPower.n Pack.axis
    ParameterizedTruncatedNormal.seed,seed2 Quantile.dim RNNTLoss.blank_label
    ROIAlign.pooled_height,pooled_width,sample_num RandomChoiceWithMask.seed,seed2 RandomPoisson.seed,seed2
    Randperm.pad RandpermV2.offset,seed Renorm.dim ReverseSequence.batch_dim,seq_dim
    SampleDistortedBoundingBoxV2.seed,seed2 ScatterAddWithAxis.axis Sort.axis SplitV.split_dim Stack.axis
    TensorScatterElements.axis Tril.diagonal TrilIndices.offset TripletMarginLoss.p Triu.diagonal TriuIndices.offset
    TruncatedNormal.seed,seed2 Unpack.axis Unstack.axis,num
int from 0:
    AvgPool3D.divisor_override DynamicGRUV2.num_proj DynamicRNN.num_proj Gamma.seed,seed2 LRN.depth_radius
    LogSpace.base,steps LogUniformCandidateSampler.seed LpNorm.p Multinomial.seed,seed2
    MultinomialWithReplacement.numsamples Poisson.seed,seed2 RandomGamma.seed,seed2 RandomShuffle.seed,seed2
    StandardLaplace.seed,seed2 StandardNormal.seed,seed2 TrilIndices.col,row TriuIndices.col,row
    UniformCandidateSampler.seed UniformInt.seed,seed2 UniformReal.seed,seed2
int from 1:
    ComputeAccidentalHits.num_true Conv2D.group,out_channel Conv2DBackpropInput.group,out_channel
    Conv2DTranspose.group,out_channel Conv3D.group,out_channel Conv3DTranspose.group,in_channel,out_channel
    DepthwiseConv2dNative.channel_multiplier,group Histogram.bins
    LogUniformCandidateSampler.num_sampled,num_true,range_max Mvlgamma.p NoRepeatNGram.ngram_size
    Padding.pad_dim_size RandomChoiceWithMask.count Randperm.max_length Renorm.p
    SampleDistortedBoundingBoxV2.max_attempts SplitV.num_split
    UniformCandidateSampler.num_sampled,num_true,range_max
int from 2:
    DepthToSpace.block_size SpaceToDepth.block_size
ints:
    AdaptiveAvgPool2D.output_size AdaptiveAvgPool3D.output_size AvgPool.kernel_size,strides CountNonZero.dims
    InplaceAdd.indices InplaceSub.indices InplaceUpdate.indices LpNorm.axis ReduceStd.axis Roll.dims,shifts
    Softmax.axis Squeeze.axis
ints from 0, 1 2:
    Im2Col.pads
ints from 0, 2:
    Col2Im.padding MaxPoolWithArgmaxV2.pads MaxUnpool2D.pads
ints from 0, 3:
    MaxPool3DWithArgmax.pads MaxUnpool3D.pads
ints from 0, 4:
    Conv2D.pad Conv2DBackpropInput.pad Conv2DTranspose.pad DepthwiseConv2dNative.pad
ints from 0, 6:
    AvgPool3D.pad Conv3D.pad Conv3DTranspose.pad MaxPool3D.pad_list
ints from 1, 1 2:
    Im2Col.dilations,ksizes,strides
ints from 1, 2:
    Col2Im.dilation,kernel_size,stride Conv2D.kernel_size Conv2DBackpropInput.kernel_size
    Conv2DTranspose.kernel_size DepthwiseConv2dNative.dilation,kernel_size,stride MaxUnpool2D.ksize
ints from 1, 2 4:
    Conv2D.dilation,stride Conv2DBackpropInput.dilation,stride Conv2DTranspose.dilation,stride
    Dilation2D.dilation,stride FractionalMaxPoolWithFixedKsize.ksize,output_shape MaxPool.kernel_size,strides
    MaxPoolWithArgmax.kernel_size,strides MaxPoolWithArgmaxV2.dilation,kernel_size,strides
ints from 1, 3:
    Conv3D.dilation,kernel_size,stride Conv3DTranspose.kernel_size,stride MaxUnpool3D.ksize
ints from 1, 3 5:
    AvgPool3D.kernel_size,strides FractionalMaxPool3DWithFixedKsize.ksize,output_shape MaxPool3D.kernel_size,strides
    MaxPool3DWithArgmax.ksize,strides,dilation
just 1:
    Conv2D.mode Conv2DBackpropInput.mode Conv2DTranspose.mode Conv3D.mode Conv3DTranspose.mode
just 1 2:
    MultiMarginLoss.p
just 3:
    DepthwiseConv2dNative.mode
number:
    HShrink.lambd IsClose.atol,rtol L2Normalize.epsilon NanToNum.nan,neginf,posinf SmoothL1Loss.beta
    SoftShrink.lambd
one of NCDHW NDHWC:
    AvgPool3D.data_format Conv3D.data_format Conv3DTranspose.data_format
    FractionalMaxPool3DWithFixedKsize.data_format MaxPool3D.data_format MaxUnpool3D.data_format
one of NCHW NHWC:
    Conv2D.data_format Conv2DBackpropInput.data_format Conv2DTranspose.data_format
    DataFormatDimMap.dst_format,src_format DataFormatVecPermute.dst_format,src_format Dilation2D.data_format
    FractionalMaxPoolWithFixedKsize.data_format MaxPool.data_format MaxPoolWithArgmax.data_format
    MaxUnpool2D.data_format
one of REFLECT SYMMETRIC:
    MirrorPad.mode
one of UNIDIRECTIONAL:
    DynamicGRUV2.direction
one of mean sum none:
    MultiMarginLoss.reduction MultilabelMarginLoss.reduction TripletMarginLoss.reduction
one of mean sum none batchmean:
    KLDivLoss.reduction
one of reflect edge constant circular:
    PadV3.mode
one of rzh zrh:
    DynamicGRUV2.gate_order
one of tanh:
    BasicLSTMCell.activation DynamicGRUV2.activation
one of uniform gaussian zero:
    ExtractGlimpse.noise
one of valid same VALID SAME:
    Dilation2D.pad_mode
text of ACROSS_CHANNELS:
    LRN.norm_region
text of LEFT_RIGHT RIGHT_LEFT LEFT_LEFT RIGHT_RIGHT:
    MatrixDiagPartV3.align MatrixDiagV3.align MatrixSetDiagV3.align
text of LSTM:
    DynamicRNN.cell_type
text of NCDHW NDHWC:
    MaxPool3DWithArgmax.data_format
text of UNIDIRECTIONAL:
    DynamicRNN.direction
text of iou iof:
    IOU.mode
text of lanczos1 lanczos3 lanczos5 gaussian box triangle keyscubic mitchellcubic:
    ScaleAndTranslate.kernel_type
text of nearest bilinear:
    CropAndResize.method
text of none:
    CTCLossV2.reduction
text of none add update:
    TensorScatterElements.reduction
text of tanh:
    DynamicRNN.activation
text of valid same VALID SAME:
    MaxPool.pad_mode MaxPoolWithArgmax.pad_mode
text of valid same pad:
    Conv2D.pad_mode
text of valid same pad VALID SAME PAD:
    AvgPool3D.pad_mode Conv2DBackpropInput.pad_mode Conv2DTranspose.pad_mode Conv3D.pad_mode
    Conv3DTranspose.pad_mode DepthwiseConv2dNative.pad_mode MaxPool3D.pad_mode
tuple:
    AdaptiveMaxPool2D.output_size BoundingBoxDecode.max_shape BroadcastTo.shape
    ExtractImagePatches.ksizes,rates,strides MaxUnpool2D.output_shape MaxUnpool3D.output_shape NuclearNorm.dim
    Pad.paddings ResizeNearestNeighbor.size ReverseV2.axis
    SampleDistortedBoundingBoxV2.area_range,aspect_ratio_range SplitV.size_splits
word of align_corners half_pixel:
    ResizeLinear1D.coordinate_transformation_mode
word of backward forward ortho:
    FFTWithSize.norm
word of bilinear nearest:
    GridSampler3D.interpolation_mode
word of bilinear nearest bicubic:
    GridSampler2D.interpolation_mode
word of nchw nhwc ncdhw:
    AvgPool.data_format BatchNorm.data_format BiasAdd.data_format
word of none mean sum:
    BCEWithLogitsLoss.reduction BinaryCrossEntropy.reduction NLLLoss.reduction SmoothL1Loss.reduction
    SoftMarginLoss.reduction
word of valid same:
    AvgPool.pad_mode ExtractImagePatches.padding
word of xy ij:
    Meshgrid.indexing
word of zeros border reflection:
    GridSampler2D.padding_mode GridSampler3D.padding_mode
"""
_Check = Callable[[Any, str, Any], Any]


def _ints(low: int, lengths: tuple[int, ...]) -> _Check:
    wanted = " or ".join([str(n) for n in lengths])

    def run(owner: Any, name: str, value: Any) -> None:
        if not isinstance(value, (tuple, list)):
            check.integer(owner, name, value, low)
        elif len(value) not in lengths:
            raise check.fail(ValueError, owner, name, f"an int or a tuple of {wanted} ints", value)
        elif any([isinstance(n, bool) or not isinstance(n, Integral) or n < low for n in value]):
            raise check.fail(ValueError, owner, name, f"ints of {low} or more", value)
    return run


def _form(owner: Any, name: str, value: Any, scalars: tuple[type, ...]) -> None:
    if value is not None and not isinstance(value, (tuple, list, *scalars)) and not hasattr(value, "dtype"):
        wanted = "an int or a tuple" if scalars else "a tuple or a list"
        raise check.fail(TypeError, owner, name, wanted, value)


def _dtype(names: list[str]) -> _Check:
    def run(owner: Any, name: str, value: Any) -> None:
        if not isinstance(value, DType) or value.name not in names:
            raise check.fail(TypeError, owner, name, "one of the dtypes " + ", ".join(names), value)
    return run


def _option(words: list[Any], folded: bool = False, typed: bool = True) -> _Check:
    def run(owner: Any, name: str, value: Any) -> None:
        if typed:
            check.instance(owner, name, value, type(words[0]))
        if not isinstance(value, type(words[0])) or (value.lower() if folded else value) not in words:
            raise ValueError(f"For '{owner}', the '{name}' must be one of {words}, but got {show(value)}.")
    return run


def _bounded(kind: str, bound: str) -> _Check:
    run: Callable[..., Any] = {"int": check.integer, "float": check.floating, "number": check.number}[kind]
    how, *numbers = bound.split() or [""]
    if how in ("", "from"):
        return lambda owner, name, value: run(owner, name, value, *[int(n) for n in numbers])
    if how == "above":
        return lambda owner, name, value: run(owner, name, value, float(numbers[0]), open_low=True)
    low, high = [float(n) for n in numbers]
    return lambda owner, name, value: run(owner, name, value, low, high)


def _made(kind: str) -> _Check:
    head, _, rest = kind.partition(" ")
    if kind.startswith("ints from "):
        low, _, lengths = rest.removeprefix("from ").partition(", ")
        return _ints(int(low), tuple([int(n) for n in lengths.split()]))
    if head == "dtype":
        return _dtype(rest.split())
    if head == "just":
        return _option([int(n) for n in rest.split()])
    if head in ("one", "text", "word"):
        return _option(rest.removeprefix("of ").split(), head == "word", head != "one")
    if kind in ("ints", "tuple"):
        return functools.partial(_form, scalars=(Integral,) if kind == "ints" else ())
    return _bounded(head, rest)


@functools.cache
def checks() -> dict[str, dict[str, _Check]]:
    """The checks of attributes, by primitive."""
    found: dict[str, dict[str, _Check]] = {}
    kind = ""
    for line in _ROWS.strip().splitlines():
        if line.endswith(":"):
            kind = line[:-1]
            continue
        for entry in line.split():
            primitive, _, names = entry.partition(".")
            found.setdefault(primitive, {}).update(dict.fromkeys(names.split(","), _made(kind)))
    return found
