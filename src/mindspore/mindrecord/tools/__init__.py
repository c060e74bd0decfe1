"""Converters from other formats to MindRecord, one file each."""
