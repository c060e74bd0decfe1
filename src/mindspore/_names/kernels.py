"""Operators that cannot be here: kernels of an NPU, parts of the original's runtime, molecular dynamics of 1.x."""
from __future__ import annotations

KERNELS = (
    "AllGatherMatmul ApplyCamePart1 ApplyCamePart2 ApplyCamePart3 ApplyCamePart4 CreateSymmetricMemory "
    "DequantSwigluQuant DynamicBlockQuant DynamicNTK DynamicQuantExt FFNExt FormatCast FusedAddTopKDiv "
    "FusedInferAttentionScore GetMem Gmm GmmBackward GmmBackwardFusion GmmV2 GmmV2Backward GmmV2BackwardFusion "
    "GroupedMatmul GroupedMatmulV2 GroupedMatmulV4 IncreFlashAttention InnerMoeTokenUnpermute "
    "InplaceGroupedMatmulAdd InplaceMatmulAdd InsertGemV2InBackward KVCacheScatterUpdate KvScaleCache "
    "LightningIndexer LightningIndexerGrad MatmulAllReduceAddRmsNorm MatmulReduceScatter Mla MlaPreprocess "
    "MoeComputeExpertTokens MoeDistributeCombine MoeDistributeDispatch MoeFinalizeRouting MoeGatingTopKSoftmax "
    "MoeInitRouting MoeInitRoutingV2 MoeTokenPermute MoeTokenPermuteGrad MoeTokenUnpermute MoeTokenUnpermuteGrad "
    "MultiScaleDeformableAttn MultiScaleDeformableAttnGrad NPUClearFloatStatusV2 NPUGetFloatStatusV2 NsaCompress "
    "NsaCompressAttention NsaCompressGrad NsaSelectAttention NsaSelectAttentionGrad PromptFlashAttention PutMem "
    "PutMemSignal QuantBatchMatmul QuantLinearSparse QuantMatmul QuantV2 RingAttentionUpdate RotatedIou SignalOp "
    "SignalWaitUntil SilentCheckV2 SilentCheckV3 SparseFlashAttention SparseFlashAttentionGrad "
    "SpeedFusionAttention SpeedFusionAttentionGrad TopKRouter TopPRouter TransposeBatchMatmulTranspose "
    "WeightQuantBatchMatmul apply_rotary_pos_emb_ create_symmetric_memory dequant_swiglu_quant "
    "dynamic_block_quant ffn_ext format_cast fused_add_topk_div get_mem gmm gmm_backward gmm_backward_fusion "
    "group_topk grouped_matmul grouped_matmul_add_ grouped_matmul_v2 grouped_matmul_v4 inner_moe_token_unpermute "
    "kv_cache_scatter_update kv_scale_cache matmul_add_ mla mla_preprocess moe_compute_expert_tokens "
    "moe_finalize_routing moe_init_routing moe_token_permute_grad moe_token_unpermute_grad put_mem put_mem_signal "
    "quant_batch_matmul quant_matmul reshape_and_cache signal_op signal_wait_until topkrouter topprouter "
    "weight_quant_batch_matmul"
)
EXCHANGES = (
    "DistCommAllGather DistCommAllGatherIntoTensor DistCommAllGatherIntoTensorUneven DistCommAllReduce "
    "DistCommAllToAllV DistCommAllToAllVC DistCommAllToAllVSingle DistCommBarrier DistCommBatchIsendIrecv "
    "DistCommBroadcast DistCommGather DistCommGatherIntoTensor DistCommIrecv DistCommIsend DistCommReduce "
    "DistCommReduceScatter DistCommReduceScatterTensor DistCommReduceScatterTensorUneven DistCommScatter "
    "DistCommScatterTensor InnerCommAllGather InnerCommAllReduce InnerCommAllToAllV InnerCommIrecv InnerCommIsend "
    "InnerCommReduceScatter"
)
MEMORY = (
    "CopyToDevice CopyToHost Free GetData InplaceToDevice SetData ToDevice UpdateToDevice UpdateToRemote "
    "copy_to_device copy_to_host free get_data set_data update_to_device update_to_remote"
)
DYNAMICS = (
    "AngleAtomEnergy AngleForce BondAtomEnergy BondForce BondForceWithAtomEnergyAndVirial BondForceWithAtomVirial "
    "CalculateNowrapCrd Constrain ConstrainForce ConstrainForceCycle ConstrainForceCycleWithVirial "
    "ConstrainForceVirial CrdToUintCrdQuarter Dihedral14CFAtomEnergy Dihedral14ForceWithAtomEnergyVirial "
    "Dihedral14LJAtomEnergy Dihedral14LJForce Dihedral14LJForceWithDirectCF DihedralAtomEnergy DihedralForce "
    "FFT3D GetCenterOfGeometry GetCenterOfMass IFFT3D LJForce LJForceWithPMEDirectForceUpdate "
    "LJForceWithVirialEnergy LJForceWithVirialEnergyUpdate LastCrdToDr MDIterationGradientDescent "
    "MDIterationLeapFrog MDIterationLeapFrogLiujianWithMaxVel MDIterationLeapFrogWithMaxVel MapCenterOfMass "
    "NeighborListRefresh PMEEnergyUpdate PMEExcludedForceUpdate PMEReciprocalForceUpdate RefreshBoxmapTimes "
    "RefreshCrdVel RefreshUintCrd Totalc6get"
)
