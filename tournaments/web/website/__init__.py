"""A club on other websites."""
