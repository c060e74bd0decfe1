"""Bayesian layers: weights are drawn from distributions that are trained."""

from .layers import ConvReparam, DenseLocalReparam, DenseReparam
from .loss import WithBNNLossCell
from .weights import NormalPosterior, NormalPrior, normal_post_fn

__all__ = ["ConvReparam", "DenseLocalReparam", "DenseReparam", "NormalPosterior", "NormalPrior", "WithBNNLossCell",
           "normal_post_fn"]
