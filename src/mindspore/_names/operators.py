"""Public paths of operators and functions with names of their own under a path; `hook.py` says what a row means."""
from __future__ import annotations

from .communication import COMM_IN_PLACE
from .kernels import DYNAMICS, EXCHANGES, KERNELS, MEMORY

_PRIMITIVES = (
    f"mindspore.core.absent:{DYNAMICS}",
    "mindspore.core.absent:ApplyRotaryPosEmb DtypeToEnum DumpGradient FusedAdaFactor FusedAdaFactorWithGlobalNorm "
    "FusedBatchNorm FusedBatchNormEx SparseMatrixOrderingAMD "
    "GeSwitch GenerateEodMaskV2 GetNext GroupTopk J MapCacheIdx MapUniform Merge Morph MoveTo PagedAttention "
    "PagedAttentionMask Pull Push PyExecute ReshapeAndCache SelectView SliceGetItem UpdateState",
    "mindspore.core.absent:TransferCrd PMEReciprocalForce PMEExcludedForce PMEEnergy NeighborListUpdate MDTemperature "
    "MDIterationSetupRandState MDIterationLeapFrogLiujian LJForceWithPMEDirectForce LJEnergy DihedralEnergy "
    "DihedralForceWithAtomEnergy Dihedral14LJEnergy Dihedral14LJCFForceWithAtomEnergy Dihedral14CFEnergy CrdToUintCrd "
    "BondForceWithAtomEnergy BondEnergy AngleForceWithAtomEnergy AngleEnergy",
)
ABSENT_FUNCTIONS = (
    "mindspore.core.absent:all_gather_matmul array_reduce distribute embed env_get environ_add environ_create "
    "environ_get environ_set fused_infer_attention_score geswitch get_vm_impl_fn incre_flash_attention iter_converter "
    "lightning_indexer make_map_parameter matmul_reduce_scatter merge moe_distribute_combine moe_distribute_dispatch "
    "moe_init_routing_v2 moe_token_permute moe_token_unpermute ms_hasnext ms_next multi_scale_deformable_attn_function "
    "nsa_compress nsa_compress_attention nsa_select_attention prim_arg_register recompute_block ref_to_embed "
    "ring_attention_update rotated_iou set_comm_ops_inplace sparse_flash_attention speed_fusion_attention "
    "stop_gradient_ tensor_operator_registry zip_operation"
)
COMPOSITE = ["mindspore.ops._composite:*", "mindspore.ops:*"]
PRIMITIVES = ["mindspore.ops.primitives:*", "mindspore.ops.hypermap:Partial",
              "mindspore.ops.exchanges:ReduceOp", "mindspore.ops.user:InsertGradientOf HookBackward",
              "mindspore.ops.user_kernels:ms_kernel", *_PRIMITIVES]
_GRADIENTS = ["mindspore.ops._gradient_primitives:*", "mindspore.ops._further_gradients:*"]
_GENERATED = [
    "mindspore.mint._generated:*", *PRIMITIVES, *_GRADIENTS,
    f"mindspore.core.absent:{KERNELS} {EXCHANGES} {MEMORY}",
]

OPERATOR_PATHS: dict[str, str | list[str]] = {
    "mindspore.ops": [
        "mindspore.ops.methods:Tensor",
        "mindspore.ops._composite:augassign_add augassign_div augassign_floordiv augassign_mod augassign_mul "
        "augassign_sub hyper_add",
        *COMM_IN_PLACE,
        "mindspore.mint:baddbmm_ext=baddbmm bernoulli_ext=bernoulli diff_ext=diff einsum_ext=einsum "
        "float_power_ext=float_power",
        "mindspore.ops.layouts:reshard", "mindspore.ops:tensor_range=range",
        *_PRIMITIVES, ABSENT_FUNCTIONS,
    ],
    "mindspore.ops._grad": [],
    "mindspore.ops._grad.grad_base": ["mindspore.ops.custom_primitive:bprop_getters"],
    "mindspore.ops._grad_experimental": [],
    "mindspore.ops._grad_experimental.grad_base": ["mindspore.ops.custom_primitive:bprop_getters"],
    "mindspore.ops._primitive_cache": ["mindspore.ops.custom_primitive:_get_cache_prim"],
    "mindspore.ops.op_info_register": ["mindspore.ops.op_info:* AkgCpuRegOp AkgRegOp RegOp "
                                       "__call__=op_info_register"],
    "mindspore.ops.operations._grad_ops": [*_GRADIENTS, *PRIMITIVES],
    "mindspore.ops.operations._sequence_ops": ["mindspore.ops._sequences:*", *PRIMITIVES],
    **{f"mindspore.ops.operations.{name}": PRIMITIVES for name in ("_quant_ops", "manually_defined", "spectral_ops")},
    "mindspore.ops.auto_generate": [*_GENERATED, "mindspore.ops:*", ABSENT_FUNCTIONS],
    "mindspore.ops.auto_generate.gen_ops_prim": _GENERATED,
    "mindspore.ops.auto_generate.gen_ops_def": [*_GENERATED, "mindspore.ops:*", ABSENT_FUNCTIONS],
    "mindspore.ops.composite.multitype_ops.zeros_like_impl": ["mindspore.ops:zeros_like"],
    "mindspore.common._utils": ["mindspore.ops.knowledge:is_shape_unknown is_dim_unknown"],
    "mindspore.common._register_for_tensor": ["mindspore.core.absent:tensor_operator_registry"],
    "mindspore.ops.composite": COMPOSITE,
    "mindspore.ops.composite.base": COMPOSITE,
    "mindspore.ops.composite.math_ops": COMPOSITE,
}
