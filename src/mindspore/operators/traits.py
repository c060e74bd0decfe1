"""What kind of operator one is: facts that several parts of the system ask, said at the operator.

    @operator(primitive="Reshape()(input, shape)", traits={VIEW, STREAMING})
"""
from __future__ import annotations

from enum import Enum


class Trait(Enum):
    """A kind of operator."""

    VIEW = "the results may share the memory of the first input, or of the inputs of `op(*tensors)`"
    COPIES = "a view that represents a tensor of its own: in-place changes do not reach the input"
    STREAMING = "the kernel only streams through memory"
    STREAMING_INNERMOST = "so where the images have the samples innermost"
    SUM = "the last bits depend on the order in which elements are added"
    CONVOLUTION = "a product that does not wake threads as one of matrices does"
    COMPARISON = "of two numbers, as Python's comparisons"
    DIVISION = "of two numbers; Python refuses a divisor of zero"
    BITWISE = "of two integers or bools, as Python's `&`, `|` and `^`"
    NEGATION = "true where the input is false"
    IDENTITY = "the result is the input"
    CAST = "the result is the input in another dtype"
    WIDEN_UNSIGNED = "computes on unsigned integers of 16 bits and more in wider signed ones"
    WIDEN_HALF = "computes on float16 in float32"
    ORDERED = "depends on the order of the elements"
    QUOTIENT = "the whole quotient of two integers"
    SHIFT_DOWN = "the whole quotient of an integer by a power of two"
    REMAINDER = "what a whole quotient of two integers leaves"
    FOREIGN = "the work is done by a function of the user's, whose errors are the user's"
    STRICT = "the kernel takes more than the shape rule does, which is therefore asked in PyNative mode, too"
    NOT_HOLOMORPHIC = "takes complex numbers; its gradient rule is written for their cotangents"


VIEW, COPIES = Trait.VIEW, Trait.COPIES
STREAMING, STREAMING_INNERMOST = Trait.STREAMING, Trait.STREAMING_INNERMOST
SUM, CONVOLUTION = Trait.SUM, Trait.CONVOLUTION
COMPARISON, DIVISION, BITWISE = Trait.COMPARISON, Trait.DIVISION, Trait.BITWISE
NEGATION, IDENTITY, CAST = Trait.NEGATION, Trait.IDENTITY, Trait.CAST
ORDERED, QUOTIENT, REMAINDER, SHIFT_DOWN = Trait.ORDERED, Trait.QUOTIENT, Trait.REMAINDER, Trait.SHIFT_DOWN
FOREIGN = Trait.FOREIGN
WIDEN_UNSIGNED, WIDEN_HALF, NOT_HOLOMORPHIC = Trait.WIDEN_UNSIGNED, Trait.WIDEN_HALF, Trait.NOT_HOLOMORPHIC
STRICT = Trait.STRICT
