"""Distributions: densities, moments, divergences and samples."""

from .base import Distribution
from .bounded import Beta, Uniform
from .discrete import Bernoulli, Categorical, Geometric, Poisson
from .heavy_tailed import Cauchy, StudentT
from .location import HalfNormal, Laplace, Logistic, Normal
from .positive import Exponential, Gamma
from .transformed import Gumbel, LogNormal, TransformedDistribution

__all__ = ["Bernoulli", "Beta", "Categorical", "Cauchy", "Distribution", "Exponential", "Gamma", "Geometric",
           "Gumbel", "HalfNormal", "Laplace", "LogNormal", "Logistic", "Normal", "Poisson", "StudentT",
           "TransformedDistribution", "Uniform"]
