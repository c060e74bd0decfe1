"""Which files are of this package, as code objects and tracebacks name them: all other lines are the user's."""
from __future__ import annotations

import os
from pathlib import Path

GRAPH = "<graph "               # begins the names of the sources of graphs
SIGNATURE = "<signature of "    # and of functions whose signature is made from a table
OWN_FILES = (str(Path(__file__).resolve().parents[1]) + os.sep, GRAPH, SIGNATURE)
