"""Values that an `if` or a loop on a tensor chooses: leaves, alternatives, merges, loop state."""
