"""A club's players."""
