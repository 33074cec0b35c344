"""Definitions in and out: the shapes in which providers, servers and benchmarks write a tool's definition."""
