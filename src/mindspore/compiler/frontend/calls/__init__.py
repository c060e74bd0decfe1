"""Calls: what runs natively, what is walked, what has another meaning; attributes and operators of the language."""
