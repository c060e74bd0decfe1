"""From Python functions to executables: front end, IR, derivatives, passes, generated source."""
