"""The paths of probability, SciPy's names, transformers, boosts, networks as trees; `hook.py` says what a row means."""

from __future__ import annotations

_HOME = "mindspore.nn.probability"
_DISTRIBUTIONS = ("bernoulli beta categorical cauchy distribution exponential gamma geometric gumbel half_normal "
                  "laplace log_normal logistic normal poisson student_t transformed_distribution uniform")
_BIJECTORS = "bijector exp gumbel_cdf invert power_transform scalar_affine softplus"
_UNCERTAIN = "mindspore.train.uncertainty:UncertaintyEvaluation"

_TRANSFORMERS = ["mindspore.nn.partitioned:*"]
_HIDDEN = ("_Dropout _LayerNorm _Linear _args_type_validator_check _valid_type_checks _valid_value_checks "
           "FixedSparseAttention")

FAMILIES: dict[str, str | list[str]] = {
    **{f"{_HOME}.distribution.{name}": [f"{_HOME}.distribution:*"] for name in _DISTRIBUTIONS.split()},
    **{f"{_HOME}.bijector.{name}": [f"{_HOME}.bijector:*"] for name in _BIJECTORS.split()},
    f"{_HOME}.bnn_layers.bnn_cell_wrapper": [f"{_HOME}.bnn_layers:WithBNNLossCell"],
    f"{_HOME}.bnn_layers.conv_variational": [f"{_HOME}.bnn_layers:ConvReparam"],
    f"{_HOME}.bnn_layers.dense_variational": [f"{_HOME}.bnn_layers:DenseLocalReparam DenseReparam"],
    f"{_HOME}.bnn_layers.layer_distribution": [f"{_HOME}.bnn_layers:NormalPosterior NormalPrior normal_post_fn"],
    f"{_HOME}.dpn.vae": [f"{_HOME}.dpn:*"],
    f"{_HOME}.dpn.vae.cvae": [f"{_HOME}.dpn:ConditionalVAE"],
    f"{_HOME}.dpn.vae.vae": [f"{_HOME}.dpn:VAE"],
    f"{_HOME}.infer.variational": [f"{_HOME}.infer:*"],
    f"{_HOME}.infer.variational.elbo": [f"{_HOME}.infer:ELBO"],
    f"{_HOME}.infer.variational.svi": [f"{_HOME}.infer:SVI"],
    f"{_HOME}.toolbox": [_UNCERTAIN, f"{_HOME}.anomaly:VAEAnomalyDetection"],
    f"{_HOME}.toolbox.anomaly_detection": [f"{_HOME}.anomaly:VAEAnomalyDetection"],
    f"{_HOME}.toolbox.uncertainty_evaluation": [
        f"{_UNCERTAIN} AleatoricLoss AleatoricUncertaintyModel EpistemicUncertaintyModel"],
    f"{_HOME}.transforms.transform_bnn": [f"{_HOME}.transforms:TransformToBNN"],
    **{f"mindspore.scipy.optimize.{name}": [f"mindspore.scipy.optimize:* __call__={name}"]
       for name in ("line_search", "linear_sum_assignment", "minimize")},
    **{f"{root}{part}": _TRANSFORMERS for root in ("mindspore.nn.transformer", "mindspore.parallel._transformer")
       for part in ("", ".loss", ".moe", ".op_parallel_config", ".transformer")},
    "mindspore.nn.transformer.layers": [f"mindspore.nn.partitioned:{_HIDDEN}"],
    "mindspore.parallel._transformer.layers": [f"mindspore.nn.partitioned:{_HIDDEN}"],
    # --- boosts
    "mindspore.boost.adasum": ["mindspore.boost:AdaSum"],
    "mindspore.boost.base": ["mindspore.boost:OptimizerProcess ParameterProcess"],
    "mindspore.boost.boost": ["mindspore.boost:AutoBoost"],
    "mindspore.boost.boost_cell_wrapper": [
        "mindspore.boost:BoostTrainOneStepCell BoostTrainOneStepWithLossScaleCell"],
    "mindspore.boost.dim_reduce": ["mindspore.boost:DimReduce"],
    "mindspore.boost.grad_accumulation": [
        "mindspore.boost.accumulation:GradientAccumulation gradient_accumulation_op gradient_clear_op"],
    "mindspore.boost.grad_freeze": ["mindspore.boost:FreezeOpt GradientFreeze freeze_cell"],
    "mindspore.boost.group_loss_scale_manager": ["mindspore.boost:GroupLossScaleManager"],
    "mindspore.boost.less_batch_normalization": ["mindspore.boost:LessBN"],
    # --- networks as trees
    "mindspore.rewrite.api": ["mindspore.rewrite:*"],
    **{f"mindspore.rewrite.api.{name}": ["mindspore.rewrite:*"]
       for name in ("node", "node_type", "pattern_engine", "scoped_value", "symbol_tree", "tree_node_helper")},
}
