"""Models in files: a network's compiled graph, written in the formats of other systems."""
