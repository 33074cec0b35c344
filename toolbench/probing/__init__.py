"""Probing: the calls that a check makes, planned round by round and made where tools run."""
