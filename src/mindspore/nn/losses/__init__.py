"""Losses as cells; `mindspore.nn` finds each in the file of its family."""
