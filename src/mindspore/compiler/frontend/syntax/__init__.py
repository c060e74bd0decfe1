"""The syntax of the language: statements, expressions, targets, and the frame that runs them."""
