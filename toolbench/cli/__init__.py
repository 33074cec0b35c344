"""The command line: it parses, calls and prints. One file per command."""
