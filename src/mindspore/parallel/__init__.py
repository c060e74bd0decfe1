"""Graphs split over processes: placements of tensors, choices of operators, the search among them, local graphs."""
