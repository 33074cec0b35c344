"""Checking: what is wrong with a declaration, read off it and seen in calls."""
