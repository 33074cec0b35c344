"""Defects: operators that damage a tool, catalogues that name defects, and the engine that plants them."""
