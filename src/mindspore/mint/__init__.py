"""Functions and cells whose arguments are torch's: `mindspore.mint`.

What means the same as a function of `mindspore.ops` is that function, by a row in the tables of names.
"""
