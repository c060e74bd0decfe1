"""Control flow: tasks of a frame, blocks that end, generators, branches and loops on tensors."""
