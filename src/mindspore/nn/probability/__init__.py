"""Probability: distributions, invertible functions, Bayesian layers, and what is built on them."""
