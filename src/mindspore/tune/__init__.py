"""Measure on this machine from which sizes on an implementation is taken: `python -m mindspore.tune`."""
