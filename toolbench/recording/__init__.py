"""A scenario of a server's own: its definitions kept, calls that it answered recorded as cases to be confirmed."""
