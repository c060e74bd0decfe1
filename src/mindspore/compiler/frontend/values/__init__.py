"""Values that a condition or a loop on a tensor chooses: leaves, alternatives, merges, loop state."""
