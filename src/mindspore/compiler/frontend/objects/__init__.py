"""The objects of the program: what was read of them, what changed, what can be reached, and how to undo it."""
