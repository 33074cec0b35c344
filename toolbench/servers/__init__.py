"""Tools that are a server's: how it is started, the process that keeps it, and a table of what it offers."""
