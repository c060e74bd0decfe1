"""Compiled graphs on disk: `set_context(enable_compile_cache=True, compile_cache_path=...)`.

A file holds the text form of one final graph and what the program needs beside it.  Its name is a
digest of everything that the program could read: versions, context, signature of the arguments, the
objects reachable from the function, the sources of their classes.  What was read on top of that while
compiling (names of modules, sources of functions) stands in the file and is compared before it is used.
"""
from .cache import find, keep, key_of
from .storage import folder

__all__ = ["find", "folder", "keep", "key_of"]
