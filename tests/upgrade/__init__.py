"""Databases of releases, and that each later one can go on with them."""
