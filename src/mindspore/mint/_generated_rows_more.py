"""More rows of generated primitives, as `_generated_rows` says: derivatives, changes in place, several results.

A primitive whose constructor takes something has it in parentheses, and finds it at `self`.
"""
from __future__ import annotations

DERIVATIVES = """
AdaptiveAvgPool2DGradExt adaptive_avg_pool2d_grad_ext (grad_output, x) = \
back(lambda x: F.adaptive_avg_pool2d(x, grad_output.shape[-2:]), grad_output, x)
AdaptiveAvgPool3DGradExt - (input_grad, input) = \
back(lambda x: F.adaptive_avg_pool3d(x, input_grad.shape[-3:]), input_grad, input)
AvgPool2DGrad - (grad, image, kernel_size, stride, padding=0, ceil_mode=False, count_include_pad=True, \
divisor_override=None) = back(lambda x: F.avg_pool2d(x, kernel_size, stride, padding, ceil_mode, count_include_pad, \
divisor_override), grad, image)
AvgPool3DGradExt - (grad, input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, \
divisor_override=None) = back(lambda x: F.avg_pool3d(x, kernel_size, stride, padding, ceil_mode, count_include_pad, \
divisor_override), grad, input)
BinaryCrossEntropyWithLogitsBackward - (grad_output, input, target, weight=None, posWeight=None, reduction='mean') = \
back(lambda x: F.binary_cross_entropy_with_logits(x, target, weight, reduction, posWeight), grad_output, input)
Col2ImGrad - (input, kernel_size, dilation=1, padding=0, stride=1) = \
F.unfold(input, kernel_size, dilation, padding, stride)
EmbeddingDenseBackward - (grad, indices, num_weights, padding_idx=None, scale_grad_by_freq=False) = \
back(lambda w: F.embedding(indices, w, padding_idx, None, 2.0, scale_grad_by_freq), grad, \
M.zeros((num_weights, grad.shape[-1]), dtype=grad.dtype))
EluGradExt - (dout, x_or_out, alpha=1.0, is_result=False) = \
M.where(x_or_out > 0, dout, dout * (x_or_out + alpha if is_result else alpha * M.exp(x_or_out)))
GeluGradExt - (grad, input, approximate='none') = back(lambda x: F.gelu(x, approximate=approximate), grad, input)
HardtanhGrad - (dout, input, min_val=-1, max_val=1) = back(lambda x: F.hardtanh(x, min_val, max_val), dout, input)
KLDivGrad kl_div_grad (grad_output, input, target, reduction='mean', log_target=False) = \
back(lambda x: F.kl_div(x, target, reduction, log_target), grad_output, input)
L1LossBackwardExt - (grad_output, input, target, reduction='mean') = \
back(lambda x: F.l1_loss(x, target, reduction), grad_output, input)
LeakyReLUGradExt - (dy, input, negative_slope=0.01, is_result=False) = M.where(input > 0, dy, dy * negative_slope)
LogSigmoidGrad logsigmoid_grad (dy, input, buffer) = back(F.logsigmoid, dy, input)
MSELossGradExt - (dout, x, target, reduction='mean') = back(lambda x: F.mse_loss(x, target, reduction), dout, x)
MishGradExt - (dout, x) = back(F.mish, dout, x)
ReflectionPad1DGrad - (grad_output, input, padding) = \
back(lambda x: F.pad(x, padding, 'reflect'), grad_output, input)
ReflectionPad2DGrad - (grad_output, input, padding) = \
back(lambda x: F.pad(x, padding, 'reflect'), grad_output, input)
ReflectionPad3DGrad - (grad_output, input, padding) = \
back(lambda x: F.pad(x, padding, 'reflect'), grad_output, input)
ReplicationPad1DGrad - (grad_output, input, padding) = \
back(lambda x: F.pad(x, padding, 'replicate'), grad_output, input)
ReplicationPad2DGrad - (grad_output, input, padding) = \
back(lambda x: F.pad(x, padding, 'replicate'), grad_output, input)
ReplicationPad3DGrad - (grad_output, input, padding) = \
back(lambda x: F.pad(x, padding, 'replicate'), grad_output, input)
- selu_grad (gradient, result) = ops._gradient_primitives.SeluGrad()(gradient, result)
SoftmaxBackward - (dout, out, dim=-1) = dout * out - out * M.sum(dout * out, dim, True)
SoftplusGradExt - (dout, x, beta=1, threshold=20) = back(lambda x: F.softplus(x, beta, threshold), dout, x)
- softshrink_grad (input_grad, input_x, lambd=0.5) = back(lambda x: F.softshrink(x, lambd), input_grad, input_x)
SwigluGrad swiglu_grad (grad_output, input, dim=-1) = back(lambda x: ops.swiglu(x, dim), grad_output, input)
ThresholdGrad - (grad_output, input, threshold) = M.where(input > threshold, grad_output, M.zeros_like(grad_output))
UpsampleBicubic2DGrad - (dy, input_size, output_size=None, scales=None, align_corners=False) = \
back(lambda x: F.interpolate(x, output_size, scales, 'bicubic', align_corners), dy, M.zeros(input_size, dtype=dy.dtype))
UpsampleBilinear2DGrad - (dy, input_size, output_size=None, scales=None, align_corners=False) = \
back(lambda x: F.interpolate(x, output_size, scales, 'bilinear', align_corners), dy, \
M.zeros(input_size, dtype=dy.dtype))
UpsampleLinear1DGrad - (dy, input_size, output_size=None, scales=None, align_corners=False) = \
back(lambda x: F.interpolate(x, output_size, scales, 'linear', align_corners), dy, M.zeros(input_size, dtype=dy.dtype))
UpsampleNearest1DGrad - (dy, input_size, output_size=None, scales=None) = \
back(lambda x: F.interpolate(x, output_size, scales, 'nearest'), dy, M.zeros(input_size, dtype=dy.dtype))
UpsampleNearest2DGrad - (dy, input_size, output_size=None, scales=None) = \
back(lambda x: F.interpolate(x, output_size, scales, 'nearest'), dy, M.zeros(input_size, dtype=dy.dtype))
# --- the first argument is changed
- fill_diagonal_ (input, fill_value, wrap=False) = input.fill_diagonal_(fill_value, wrap)
InplaceFillDiagonal - (input, fill_value, wrap=False) = input.fill_diagonal_(fill_value, wrap)
InplaceAddExt inplace_add_ext (input, other, alpha=1) = input.add_(other, alpha=alpha)
InplaceAddsExt inplace_adds_ext (input, other, alpha=1) = input.add_(other, alpha=alpha)
InplaceAddmm - (input, mat1, mat2, beta=1, alpha=1) = input.addmm_(mat1, mat2, beta=beta, alpha=alpha)
InplaceAddr inplace_addr (input, vec1, vec2, beta=1, alpha=1) = M.addr_(input, vec1, vec2, beta, alpha)
InplaceClampScalar inplace_clamp_scalar (input, min=None, max=None) = input.clamp_(min, max)
InplaceClampTensor inplace_clamp_tensor (input, min=None, max=None) = input.clamp_(min, max)
InplaceCopy inplace_copy (input, src, non_blocking=False) = input.copy_(src, non_blocking)
InplaceDiv div_tensor_ (input, other) = input.div_(other)
InplaceDivMod divmod_tensor_ (input, other, rounding_mode=None) = input.div_(other, rounding_mode=rounding_mode)
InplaceDivMods divmod_scalar_ (input, other, rounding_mode=None) = input.div_(other, rounding_mode=rounding_mode)
InplaceDivs div_scalar_ (input, other) = input.div_(other)
InplaceElu inplace_elu (input, alpha=1.0) = F.elu_(input, alpha)
InplaceErfinv - (input) = input.erfinv_()
InplaceExp - (input) = input.exp_()
InplaceFillScalar inplace_fill_scalar (input, value) = input.fill_(value)
InplaceFillTensor inplace_fill_tensor (input, value) = input.fill_(value)
InplaceFloor floor_ (input) = input.floor_()
InplaceFloorDivide - (input, other) = input.floor_divide_(other)
InplaceFloorDivides - (input, other) = input.floor_divide_(other)
InplaceHardtanh inplace_hardtanh (input, min_val=-1, max_val=1) = F.hardtanh_(input, min_val, max_val)
InplaceIndexAddExt - (input, dim, index, source, alpha=1) = input.index_add_(dim, index, source, alpha=alpha)
InplaceIndexCopy - (input, dim, index, tensor) = input.index_copy_(dim, index, tensor)
InplaceIndexFillScalar - (input, dim, index, value) = input.index_fill_(dim, index, value)
InplaceIndexFillTensor - (input, dim, index, value) = input.index_fill_(dim, index, value)
InplaceIndexPut index_put_ (input, indices, values, accumulate=False) = input.index_put_(indices, values, accumulate)
InnerInplaceIndexPut - (input, indices, values, accumulate=False) = input.index_put_(indices, values, accumulate)
InplaceLog - (input) = input.log_()
InplaceMaskedFillScalar masked_fill_scalar_ (input, mask, value) = input.masked_fill_(mask, value)
InplaceMaskedFillTensor masked_fill_tensor_ (input, mask, value) = input.masked_fill_(mask, value)
InplaceMaskedScatter - (input, mask, source) = input.masked_scatter_(mask, source)
InplaceMul inplace_mul (input, other) = input.mul_(other)
InplaceMuls inplace_muls (input, other) = input.mul_(other)
InplacePut - (input, index, source, accumulate=False) = input.put_(index, source, accumulate)
InplaceReLU - (input) = F.relu_(input)
InplaceRemainderTensorScalar - (input, other) = input.remainder_(other)
InplaceRemainderTensorTensor - (input, other) = input.remainder_(other)
InplaceScatterAdd inplace_scatter_add (input, dim, index, src) = input.scatter_add_(dim, index, src)
InplaceScatterSrc - (input, dim, index, src) = input.scatter_(dim, index, src)
InplaceScatterSrcReduce - (input, dim, index, src, reduce) = input.scatter_(dim, index, src, reduce=reduce)
InplaceScatterValue - (input, dim, index, value) = input.scatter_(dim, index, value)
InplaceScatterValueReduce - (input, dim, index, value, reduce) = input.scatter_(dim, index, value, reduce=reduce)
InplaceSiLU inplace_silu (input) = F.silu(input, True)
InplaceSigmoid - (input) = input.sigmoid_()
InplaceSign inplace_sign (input) = input.sign_()
InplaceSubExt sub_tensor_ (input, other, alpha=1) = input.sub_(other, alpha=alpha)
InplaceSubScalar sub_scalar_ (input, other, alpha=1) = input.sub_(other, alpha=alpha)
InplaceTanh - (input) = input.tanh_()
InplaceThreshold inplace_threshold (input, threshold, value) = F.threshold_(input, threshold, value)
InplaceZero - (input) = input.zero_()
"""
SEVERAL = """
# --- several results, and attributes
AShardIdentity shard_identity (input) = input
AddLayerNormV2 add_layernorm_v2 (x1, x2, gamma, beta, epsilon=1e-05, additionalOut=False) = \
ops.add_layer_norm(x1, x2, gamma, beta, epsilon, additionalOut)
BoolNot - (x) = ops.bool_not(x)
Convolution convolution (input, weight, bias=None, stride=1, padding=0, dilation=1, transposed=False, \
output_padding=0, groups=1) = convolved(input, weight, bias, stride, padding, dilation, transposed, output_padding, \
groups)
ConvolutionStr - (input, weight, bias=None, stride=1, padding='valid', dilation=1, transposed=False, \
output_padding=0, groups=1) = convolved(input, weight, bias, stride, padding, dilation, transposed, output_padding, \
groups)
Correlate(pad_mode='valid') - (a, v) = numpy.correlate(a, v, self.pad_mode)
- correlate (a, v, pad_mode='valid') = numpy.correlate(a, v, pad_mode)
DCT - (x, type=2, n=None, axis=-1, norm=None) = scipy.fft.dct(x, type, n, axis, norm)
DCTN - (x, type=2, s=None, axes=None, norm=None) = scipy.fft.dctn(x, type, s, axes, norm)
Detach detach (x, sync=False) = ops.stop_gradient(x)
Diagonal(offset=0,dim1=0,dim2=1) - (input) = ops.diagonal(input, self.offset, self.dim1, self.dim2)
EqualExt - (input, other) = M.equal(input, other)
FuncMaxPool2D - (input, kernel_size, stride=None, padding=0, dilation=(1, 1), ceil_mode=False, \
return_indices=False) = F.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)
GroupNorm - (input, num_groups, weight=None, bias=None, eps=1e-05) = \
group_normalised(input, num_groups, weight, bias, eps)
IDCT - (x, type=2, n=None, axis=-1, norm=None) = scipy.fft.idct(x, type, n, axis, norm)
IDCTN - (x, type=2, s=None, axes=None, norm=None) = scipy.fft.idctn(x, type, s, axes, norm)
LayerNormExt - (input, normalized_shape, weight=None, bias=None, eps=1e-05) = \
layer_normalised(input, normalized_shape, weight, bias, eps)
MaxPoolWithIndices(kernel_size,strides=None,pads=0,dilation=(1,1),ceil_mode=False,argmax_type=int64) - (x) = \
F.max_pool2d(x, self.kernel_size, self.strides, self.pads, self.dilation, self.ceil_mode, True)
NewEmpty - (input, size, dtype=None, device=None) = input.new_empty(size, dtype=dtype)
NLLLoss2d - (input, target, weight, reduction='mean', ignore_index=-100) = \
(F.nll_loss(input, target, weight, ignore_index, reduction), \
M.sum(M.where(target == ignore_index, 0.0, weight[M.where(target == ignore_index, 0, target)])))
OneHotExt(axis=-1) - (tensor, num_classes, on_value, off_value) = \
ops.one_hot(tensor, num_classes, on_value, off_value, self.axis)
Scatter - (input, dim, index, src, reduce='none') = scattered(input, dim, index, src, reduce)
ScatterValue - (input, dim, index, src, reduce='none') = scattered(input, dim, index, src, reduce)
SequenceConcat(axis=0) - (x) = ops.concat(x, self.axis)
SolveTriangular solve_triangular (a, b, trans=0, lower=False, unit_diagonal=False) = \
scipy.linalg.solve_triangular(a, b, lower=lower, trans=trans, unit_diagonal=unit_diagonal)
StackExt(dim=0) - (tensors) = M.stack(tensors, self.dim)
TraceV2 - (input, offset=0, axis1=1, axis2=0, dtype=None) = input.trace(offset, axis1, axis2, dtype)
TupleToTensor tuple_to_tensor (input_tuple, dtype=None) = Tensor(input_tuple, dtype)
# --- random numbers of a seed
BernoulliExt - (input, seed, offset) = M.bernoulli(input, generator=drawn(seed, offset))
InplaceBernoulliScalar inplace_bernoulli_scalar (input, p, seed, offset) = \
input.bernoulli_(p, generator=drawn(seed, offset))
InplaceBernoulliTensor inplace_bernoulli_tensor (input, p, seed, offset) = \
input.bernoulli_(p, generator=drawn(seed, offset))
InplaceExponential - (input, lambd, seed, offset) = input.exponential_(lambd, generator=drawn(seed, offset))
InplaceNormal - (input, mean, std, seed, offset) = input.normal_(mean, std, generator=drawn(seed, offset))
InplaceRandom - (input, from_=0, to=None, seed=0, offset=0) = input.random_(from_, to, generator=drawn(seed, offset))
InplaceUniform - (input, from_, to, seed, offset) = input.uniform_(from_, to, generator=drawn(seed, offset))
MultinomialExt - (input, num_samples, replacement, seed, offset) = \
M.multinomial(input, num_samples, replacement, generator=drawn(seed, offset))
NormalFloatFloat - (mean, std, size, seed, offset) = M.normal(mean, std, size, drawn(seed, offset))
NormalFloatTensor - (mean, std, seed, offset) = M.normal(mean, std, generator=drawn(seed, offset))
NormalTensorFloat - (mean, std, seed, offset) = M.normal(mean, std, generator=drawn(seed, offset))
NormalTensorTensor - (mean, std, seed, offset) = M.normal(mean, std, generator=drawn(seed, offset))
RandExt - (shape, seed, offset, dtype=None, device=None) = \
M.rand(shape, generator=drawn(seed, offset), dtype=dtype, device=device)
RandInt - (low, high, shape, seed, offset, dtype=None, device=None) = \
M.randint(low, high, shape, generator=drawn(seed, offset), dtype=dtype, device=device)
RandIntLike - (input, low, high, seed, offset, dtype=None, device=None) = \
M.randint(low, high, input.shape, generator=drawn(seed, offset), dtype=dtype or input.dtype, device=device)
RandLikeExt - (tensor, seed, offset, dtype=None, device=None) = \
M.rand(tensor.shape, generator=drawn(seed, offset), dtype=dtype or tensor.dtype, device=device)
Randn - (shape, seed, offset, dtype=None, device=None) = \
M.randn(shape, generator=drawn(seed, offset), dtype=dtype, device=device)
RandnLike - (input, seed, offset, dtype=None, device=None) = \
M.randn(input.shape, generator=drawn(seed, offset), dtype=dtype or input.dtype, device=device)
RandpermExt - (n, seed, offset, dtype=int64) = M.randperm(n, generator=drawn(seed, offset), dtype=dtype)
UniformExt - (tensor, a, b, seed, offset) = M.clone(tensor).uniform_(a, b, generator=drawn(seed, offset))
"""
