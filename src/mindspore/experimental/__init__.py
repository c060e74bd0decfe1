"""Interfaces that may still change."""
