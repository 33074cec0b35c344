"""Layers: ways to observe a table, all of the same shape."""
