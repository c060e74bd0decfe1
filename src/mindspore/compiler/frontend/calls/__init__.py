"""Calls: who runs as it is, who is walked, who has another meaning; attributes and operators of the language."""
