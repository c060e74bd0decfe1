"""Deep networks of random variables: variational autoencoders."""

from .autoencoders import VAE, ConditionalVAE

__all__ = ["VAE", "ConditionalVAE"]
