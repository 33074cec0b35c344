"""The one place for workers and deadlines: hang, exit and crash of a user's code end here."""
