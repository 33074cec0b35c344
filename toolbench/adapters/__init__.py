"""One file per outside world; each is optional, and what it stands on is loaded when it is used."""
