"""Eager execution: the tensor, parameters, the tape and its reverse sweep, mixed precision."""
