"""Kernels that users write as Python loops: syntax to a tree of loops, its derivative, native code.

In order: `syntax` evaluates the function abstractly and writes a `tree`; `reverse` makes the tree of the derivative of
a tree; `simplify` drops what nothing needs; `bounds` and `independence` prove what may run unchecked and in any order;
`scalar` and `lanes` write LLVM's text; `interpret` runs a tree without it; `compiled` calls all this for tensors.
"""
