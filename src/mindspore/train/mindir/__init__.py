"""Graphs in MindIR files: read and run."""
